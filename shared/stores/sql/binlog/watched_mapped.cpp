// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/stores/sql/binlog/watched_set.h"

namespace lockkeeper::stores::sql::binlog {

namespace {
/** The columns of the statement [row], in its order. */
QStringList columnsOf(const Table &table, const RowLayout &layout)
{
    QStringList columns;
    for (const Column &column : table.names)
        columns.append(column.name);
    for (const RowField &field : layout.fields)
        columns.append(table.column(field.key).name);
    return columns;
}

QByteArray nameOf(const Table &table, const QList<Cell> &values)
{
    if (table.names.isEmpty())
        return table.name.toUtf8();
    if (table.names.size() == 1)
        return values.constFirst().text();
    QList<QByteArray> parts;
    for (qsizetype i = 0; i < table.names.size(); ++i)
        parts.append(values.at(i).text());
    return joinedName(parts);
}
} // namespace

WatchedSet watchedMapped(const Table &table, const RowLayout &layout, const RowRules &rules, quint16 set,
                         const QByteArray &match, const QByteArray &hidden)
{
    WatchedSet watched{set, match, table.database, table.name, columnsOf(table, layout), {}, {}, {}};
    const auto own = std::make_shared<const RowRules>(rules);
    watched.takes = [match, hidden](const QByteArray &name) {
        return base::globMatches(match, name) && (hidden.isEmpty() || !base::globMatches(hidden, name));
    };
    const RowField *status = layout.field("status");
    if (table.filtersStatus && status)
        watched.isLock = [at = table.names.size() + (status - layout.fields.constData()),
                          held = table.heldValue.toUtf8()](const QList<Cell> &values) {
            return values.at(at).text() == held && values.at(at).kind != Cell::Kind::Null;
        };
    watched.observe = [table, layout, own, set](const QList<Cell> &values, qint64 nowUs) {
        MappedRow row;
        row.name = nameOf(table, values);
        for (qsizetype i = 0; i < layout.fields.size(); ++i) {
            const Cell &cell = values.at(table.names.size() + i);
            const RowField &field = layout.fields.at(i);
            if (field.isTime)
                row.times[size_t(field.column)] = cell.rawTime();
            else
                row.values[size_t(field.column)] = cell.text();
        }
        Observation lock = own->observation(row, nowUs);
        lock.set = set;
        return lock;
    };
    return watched;
}

} // namespace lockkeeper::stores::sql::binlog
