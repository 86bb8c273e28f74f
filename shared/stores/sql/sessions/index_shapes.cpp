// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/index_shapes.h"

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/sessions/innodb_status.h"

namespace lockkeeper::stores::sql {

namespace {
KeyPart partOf(const QString &type, const QString &columnType)
{
    static const QStringList integers{QStringLiteral("tinyint"), QStringLiteral("smallint"),
                                      QStringLiteral("mediumint"), QStringLiteral("int"),
                                      QStringLiteral("bigint")};
    static const QStringList texts{QStringLiteral("char"),       QStringLiteral("varchar"),
                                   QStringLiteral("tinytext"),   QStringLiteral("text"),
                                   QStringLiteral("mediumtext"), QStringLiteral("longtext")};
    if (integers.contains(type))
        return columnType.contains(QLatin1String("unsigned")) ? KeyPart::Unsigned : KeyPart::Signed;
    return texts.contains(type) ? KeyPart::Text : KeyPart::Other;
}

base::Result<bool> tableExists(SqlConnection &connection, const QString &table)
{
    // The catalogue may compare without regard to case.
    return textsOf(
               connection,
               connection.dialect() == Dialect::PostgreSql
                   ? QStringLiteral("SELECT relname FROM pg_catalog.pg_class WHERE relname = ? AND relkind "
                                    "IN ('r', 'p') "
                                    "AND pg_catalog.pg_table_is_visible(oid)")
                   : QStringLiteral(
                         "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() "
                         "AND TABLE_NAME = ?"),
               {table})
        .map([&table](const QStringList &names) { return names.contains(table); });
}
} // namespace

base::Result<std::optional<IndexShapes>> readIndexShapes(SqlConnection &connection,
                                                         const QByteArray &database, const QString &table)
{
    const auto exists = tableExists(connection, table);
    if (!exists)
        return tl::unexpected(exists.error());
    if (!*exists)
        return std::optional<IndexShapes>();
    IndexShapes shapes;
    if (connection.dialect() != Dialect::MySql)
        return std::optional(shapes);
    auto rows = connection.query(
        QStringLiteral(
            "SELECT s.INDEX_NAME, s.NON_UNIQUE, c.DATA_TYPE, c.COLUMN_TYPE "
            "FROM information_schema.STATISTICS s LEFT JOIN information_schema.COLUMNS c "
            "ON c.TABLE_SCHEMA = s.TABLE_SCHEMA AND c.TABLE_NAME = s.TABLE_NAME "
            "AND c.COLUMN_NAME = s.COLUMN_NAME WHERE s.TABLE_SCHEMA = DATABASE() AND s.TABLE_NAME = ? "
            "ORDER BY s.INDEX_NAME, s.SEQ_IN_INDEX"),
        {table});
    if (!rows)
        return tl::unexpected(rows.error());
    const QByteArray place = database + '.' + table.toUtf8() + '/';
    while (rows->next()) {
        IndexShape &shape = shapes[place + rows->value(0).toByteArray()];
        shape.unique = rows->value(1).toInt() == 0;
        ++shape.columns;
        shape.parts += char(partOf(rows->value(2).toString(), rows->value(3).toString()));
    }
    const QByteArray own = shapes.value(place + "PRIMARY").parts;
    for (auto it = shapes.begin(); it != shapes.end(); ++it) {
        if (it.key() != place + "PRIMARY")
            it->parts += own;
    }
    return std::optional(shapes);
}

} // namespace lockkeeper::stores::sql
