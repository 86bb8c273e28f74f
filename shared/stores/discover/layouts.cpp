// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/layouts.h"

#include "shared/stores/sql/preset.h"

#include <algorithm>

namespace lockkeeper::stores::discover {

namespace {

constexpr int kTelling = 3; ///< so many columns are a layout's own without the table's name

bool fits(const LayoutColumn &wanted, const ColumnFacts &column)
{
    const bool time = column.kind == Kind::Instant || column.kind == Kind::Calendar ||
                      column.kind == Kind::Integer || column.kind == Kind::Decimal;
    return !wanted.isTime || time;
}

const ColumnFacts *columnNamed(const TableFacts &table, const QString &name)
{
    for (const ColumnFacts &column : table.columns) {
        if (column.name.compare(name, Qt::CaseInsensitive) == 0)
            return &column;
    }
    return nullptr;
}

/** How many of the table's columns a layout explains; −1 where one that it needs is missing. */
int explained(const Layout &layout, const TableFacts &table)
{
    int count = 0;
    for (const LayoutColumn &wanted : layout.columns) {
        const ColumnFacts *column = columnNamed(table, wanted.column);
        if (column && fits(wanted, *column))
            ++count;
        else if (!wanted.optional)
            return -1;
    }
    return count;
}

} // namespace

QList<Layout> knownLayouts()
{
    QList<Layout> layouts;
    for (const QByteArray &scheme : {QByteArray("sql.shedlock")}) {
        const auto preset = sql::presetOf(scheme);
        if (!preset)
            continue;
        Layout layout{QString::fromLatin1(scheme.mid(4)), preset->scheme, preset->tables, {}};
        for (const sql::ColumnPreset &column : preset->columns)
            layout.columns.append({column.key, column.column, column.need == sql::ColumnNeed::Time, false});
        layouts.append(layout);
    }
    return layouts;
}

std::optional<LayoutMatch> bestLayout(const TableFacts &table, const QList<Layout> &layouts)
{
    std::optional<LayoutMatch> best;
    for (const Layout &layout : layouts) {
        const bool named = layout.tables.contains(table.name, Qt::CaseInsensitive);
        const int columns = explained(layout, table);
        if (columns < 0 || (!named && columns < kTelling))
            continue;
        const bool better = !best || (named != best->named ? named : columns > best->columns);
        if (better)
            best = LayoutMatch{&layout, columns, named};
    }
    return best;
}

} // namespace lockkeeper::stores::discover
