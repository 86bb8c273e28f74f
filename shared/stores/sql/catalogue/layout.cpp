// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/identifiers.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
/** The value that the protocol's break writes into a column that only the configuration maps. */
ColumnWrite usualWrite(const QByteArray &scheme, QByteArrayView key, const TableMapping &mapping)
{
    const bool stays = scheme == "sql.lease" || scheme == "sql.reentrant";
    if (!stays)
        return {};
    if (scheme == "sql.lease" && (key == "holder" || key == "request" || isTimeKey(key)))
        return {ColumnWrite::AsFree, {}};
    if (key == "holder" || key == "request")
        return {ColumnWrite::Value, QStringLiteral("")};
    if (key == "count")
        return {ColumnWrite::Value, QStringLiteral("0")};
    if (key == "status" && !mapping.freeValue.isEmpty())
        return {ColumnWrite::Value, mapping.freeValue};
    if (key == "status") // a flag; its 1 may mean that the lock is free, as in "is_available"
        return {ColumnWrite::Value,
                mapping.heldValue == QLatin1String("0") ? QStringLiteral("1") : QStringLiteral("0")};
    if (key == "expires_at" && scheme == "sql.reentrant")
        return {ColumnWrite::Now, {}};
    return isTimeKey(key) ? ColumnWrite{ColumnWrite::Epoch, {}} : ColumnWrite{};
}

/** The preset that a lock set starts from. */
base::Result<TablePreset> startOf(const LockSet &set)
{
    if (!set.preset.isEmpty())
        return presetNamed(set.preset);
    if (set.scheme == "sql.shedlock")
        return presetNamed(QStringLiteral("shedlock"));
    TablePreset own;
    own.scheme = set.scheme;
    own.deletes = set.scheme == "sql.insert";
    own.types.emplace();
    return own;
}

/** Checks that the layout maps everything that its protocol needs. */
base::Result<void> checkNeeds(const TablePreset &layout)
{
    const QString scheme = QString::fromLatin1(layout.scheme);
    const auto needs = [&](const QString &what) {
        return failure(ErrorCode::SchemaMismatch, QStringLiteral("%1 needs %2").arg(scheme, what),
                       QStringLiteral("Map the columns of your table, or name a preset."));
    };
    if (layout.tables.isEmpty())
        return needs(QStringLiteral("a \"table\""));
    const bool flag = layout.scheme == "sql.lease" && layout.column("status");
    if (layout.names.isEmpty() && !flag && layout.scheme != "sql.row")
        return needs(QStringLiteral("the column \"name\""));
    if (layout.scheme == "sql.version" && !layout.column("version"))
        return needs(QStringLiteral("the column \"version\""));
    if (layout.scheme == "sql.reentrant" && (!layout.column("count") || !layout.column("request")))
        return needs(QStringLiteral("the columns \"request\" and \"count\""));
    const bool moves = layout.column("holder") || layout.column("acquired_at") ||
                       layout.column("renewed_at") || layout.column("expires_at") || layout.column("status");
    if (layout.scheme == "sql.lease" && !moves)
        return needs(QStringLiteral("one of \"holder\", \"acquired_at\", \"renewed_at\", \"expires_at\" or "
                                    "\"status\" to distinguish held from free"));
    return {};
}

base::Result<void> checkNames(const TablePreset &layout)
{
    QStringList columns = layout.names;
    for (const ColumnPreset &column : layout.columns)
        columns.append(column.column);
    for (const QString &table : layout.tables) {
        if (const auto ok = checkIdentifier(table, QStringLiteral("table")); !ok)
            return ok;
    }
    for (const QString &column : std::as_const(columns)) {
        if (const auto ok = checkIdentifier(column, QStringLiteral("column")); !ok)
            return ok;
    }
    return {};
}

void mapColumns(TablePreset &layout, const TableMapping &mapping)
{
    for (const QByteArray &key : columnKeys()) {
        const QString column = mapping.*columnMember(key);
        if (column.isEmpty())
            continue;
        const auto known = std::find_if(layout.columns.begin(), layout.columns.end(),
                                        [&](const ColumnPreset &c) { return c.key == key; });
        if (known == layout.columns.end()) {
            layout.columns.append({key, column, false, true, usualWrite(layout.scheme, key, mapping)});
            continue;
        }
        known->column = column;
        known->configured = true;
        known->optional = false;
        if (key == "status" && !mapping.freeValue.isEmpty())
            known->write = {ColumnWrite::Value, mapping.freeValue};
    }
}
} // namespace

base::Result<TablePreset> layoutOf(const LockSet &set)
{
    auto layout = startOf(set);
    if (!layout)
        return layout;
    if (layout->scheme != set.scheme)
        return failure(ErrorCode::Usage,
                       QStringLiteral("the preset \"%1\" belongs to %2")
                           .arg(base::displayText(set.preset), QString::fromLatin1(layout->scheme)));
    const TableMapping &mapping = set.table;
    if (!mapping.table.isEmpty()) {
        layout->tables = {mapping.table};
        layout->ownTable = true;
    }
    if (!mapping.name.isEmpty()) {
        layout->names = mapping.name;
        layout->ownNames = true;
    }
    if (!mapping.heldValue.isEmpty()) {
        layout->heldValue = mapping.heldValue;
        layout->freeValue.clear();
    }
    mapColumns(*layout, mapping);
    if (const auto ok = checkNeeds(*layout); !ok)
        return tl::unexpected(ok.error());
    if (const auto ok = checkNames(*layout); !ok)
        return tl::unexpected(ok.error());
    return layout;
}

} // namespace lockkeeper::stores::sql
