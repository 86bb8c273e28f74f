// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/layouts.h"

#include "shared/stores/discover/roles.h"
#include "shared/stores/discover/words.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::stores::discover {

namespace {

constexpr int kTelling = 3; ///< this many columns identify a layout without the table's name

bool fits(const sql::ColumnPreset &wanted, const ColumnFacts &column, bool textTimes)
{
    const bool time = column.kind == ValueKind::Instant || column.kind == ValueKind::Calendar ||
                      column.kind == ValueKind::Integer || column.kind == ValueKind::Decimal ||
                      (textTimes && column.kind == ValueKind::Text);
    return time || !sql::isTimeKey(wanted.key);
}

const ColumnFacts *columnNamed(const TableFacts &table, const QString &name)
{
    for (const ColumnFacts &column : table.columns) {
        if (column.name.compare(name, Qt::CaseInsensitive) == 0)
            return &column;
    }
    return nullptr;
}

/** A layout laid over a table. */
struct Fit
{
    int columns = 0;   ///< explained
    int plainness = 0; ///< how clearly the explained names indicate locks
    int strangers = 0; ///< not explained, and no remarks
    bool complete = true;
    bool leavesParts = false; ///< one that is not explained has a plain part in locking
};

int plainness(const ColumnFacts &column, const QStringList &words)
{
    int best = 0;
    for (const ColumnRole role :
         {ColumnRole::Holder, ColumnRole::ExpiresAt, ColumnRole::RenewedAt, ColumnRole::AcquiredAt})
        best = std::max(best, fit(role, column, words));
    return best;
}

Fit laidOver(const Layout &layout, const TableFacts &table)
{
    Fit result;
    const QList<QStringList> words = columnWords(table);
    QStringList explained;
    for (const sql::ColumnPreset &wanted : columnsOf(layout)) {
        const ColumnFacts *column = columnNamed(table, wanted.column);
        if (column && fits(wanted, *column, table.textTimes))
            explained.append(column->name);
        else if (!wanted.optional)
            result.complete = false;
    }
    for (qsizetype i = 0; i < table.columns.size(); ++i) {
        const ColumnFacts &column = table.columns.at(i);
        if (explained.contains(column.name)) {
            ++result.columns;
            result.plainness += plainness(column, words.at(i));
            continue;
        }
        result.strangers += fit(ColumnRole::Remark, column, words.at(i)) == 0 &&
                            fit(ColumnRole::Id, column, words.at(i)) == 0;
        for (const ColumnRole role :
             {ColumnRole::Holder, ColumnRole::ExpiresAt, ColumnRole::RenewedAt, ColumnRole::Timeout})
            result.leavesParts = result.leavesParts || fit(role, column, words.at(i)) >= 2;
    }
    return result;
}

bool speaksOfLocks(const Layout &layout, const TableFacts &table)
{
    bool spoken = lockNaming(table.name) == Naming::Lock;
    for (const sql::ColumnPreset &column : columnsOf(layout))
        spoken = spoken || hasWord(wordsOf(column.column), "lock locked");
    return spoken && !isForeignName(table.name);
}

} // namespace

QList<sql::ColumnPreset> columnsOf(const Layout &layout)
{
    QList<sql::ColumnPreset> columns;
    for (const QString &name : layout.names)
        columns.append({"name", name});
    columns += layout.columns;
    for (const QString &name : layout.beside)
        columns.append({{}, name});
    return columns;
}

QList<Layout> knownLayouts()
{
    QList<Layout> layouts;
    for (const QString &id : sql::presetIds()) {
        if (const auto preset = sql::presetNamed(id))
            layouts.append(*preset);
    }
    return layouts;
}

QList<Layout> layoutsAmong(const QList<Layout> &layouts, const QStringList &tables)
{
    QList<Layout> among;
    std::copy_if(layouts.begin(), layouts.end(), std::back_inserter(among), [&](const Layout &layout) {
        return std::all_of(layout.with.begin(), layout.with.end(),
                           [&](const QString &name) { return tables.contains(name, Qt::CaseInsensitive); });
    });
    return among;
}

std::optional<LayoutMatch> bestLayout(const TableFacts &table, const QList<Layout> &layouts)
{
    std::optional<LayoutMatch> best;
    Fit bestFit;
    for (const Layout &layout : layouts) {
        const bool named = layout.namesTable(table.name);
        const Fit fit = laidOver(layout, table);
        const bool renamed = fit.columns >= kTelling && fit.strangers == 0 && speaksOfLocks(layout, table);
        // A client's own tables beside this one, or its columns without a part, outweigh other columns.
        const bool known = !layout.with.isEmpty() || (named && !layout.beside.isEmpty());
        const bool doubtful = fit.leavesParts && !known;
        if (!fit.complete || doubtful || (!named && !renamed))
            continue;
        const auto rank = [](const Fit &f, bool byName) {
            return std::tuple(byName, f.columns, f.plainness);
        };
        if (best && rank(fit, named) == rank(bestFit, best->named)) {
            best->also.append(QString::fromLatin1(layout.id));
        } else if (!best || rank(fit, named) > rank(bestFit, best->named)) {
            best = LayoutMatch{&layout, named, {}};
            bestFit = fit;
        }
    }
    return best;
}

} // namespace lockkeeper::stores::discover
