// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"

#include <QFileInfo>

#include <sys/stat.h>

namespace lockkeeper::stores::sql {

namespace {
/** "varchar(64)" → 64. */
int lengthOf(const QString &type)
{
    const qsizetype open = type.indexOf(QLatin1Char('('));
    return open < 0 ? 0 : type.mid(open + 1).section(QLatin1Char(')'), 0, 0).toInt();
}
} // namespace

base::Result<ServerFacts> sqliteFacts(Connection &connection)
{
    const QString path = connection.endpoint().database;
    struct stat file = {};
    if (stat(QFile::encodeName(path).constData(), &file) != 0)
        return base::failure(base::ErrorCode::Unreachable, QStringLiteral("the file is gone"));
    return ServerFacts{QStringLiteral("SQLite ") + connection.version(),
                       QByteArray::number(quint64(file.st_dev)) + ':' +
                           QByteArray::number(quint64(file.st_ino)),
                       QString(), !QFileInfo(path).isWritable()};
}

base::Result<TableColumns> sqliteColumns(Connection &connection, const QString &table)
{
    TableColumns columns;
    // The pragma compares without regard to case; only the exact name counts.
    const auto exact =
        oneText(connection,
                QStringLiteral("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?"), {table});
    if (!exact)
        return tl::unexpected(exact.error());
    if (*exact != table)
        return columns;
    auto unique =
        keysOf(connection,
               QStringLiteral(
                   "SELECT l.name, c.name, NULL FROM pragma_index_list(?) AS l, pragma_index_info(l.name) "
                   "AS c WHERE l.\"unique\" = 1 AND l.partial = 0 ORDER BY l.seq, c.seqno"),
               {table});
    if (!unique)
        return tl::unexpected(unique.error());
    columns.uniqueKeys = *std::move(unique);
    auto query = connection.query(
        QStringLiteral("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid"), {table});
    if (!query)
        return tl::unexpected(query.error());
    QStringList primary;
    while (query->next()) {
        Column column;
        column.name = query->value(0).toString();
        column.typeText = query->value(1).toString();
        column.kind = columnKind(column.typeText, Dialect::Sqlite);
        column.length = lengthOf(column.typeText);
        column.precision = 3;
        column.isLong = true; // whatever its type: each value has its own
        column.nullable = !query->value(2).toBool();
        if (query->value(3).toInt() > 0)
            primary.append(column.name);
        columns.columns.append(column);
    }
    // An INTEGER PRIMARY KEY is the row's own number and has no index.
    if (!primary.isEmpty() && !columns.uniqueKeys.contains(primary))
        columns.uniqueKeys.append(primary);
    for (Column &column : columns.columns)
        column.unique = columns.uniqueKeys.contains(QStringList{column.name});
    return columns;
}

} // namespace lockkeeper::stores::sql
