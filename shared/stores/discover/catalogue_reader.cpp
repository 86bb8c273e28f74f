// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/catalogue_reader.h"

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/sql/connection/identifiers.h"

namespace lockkeeper::stores::discover {

namespace {

/** What is asked of one kind of store. `%1` is the list of placeholders, one for each table. */
struct Questions
{
    const char *database;
    const char *tables;  ///< name, estimated rows
    const char *columns; ///< table, column, type, type's text, nullable, counted
    const char *keys;    ///< table, index, primary, column; the index's columns in order
};

constexpr Questions kMySql{
    "SELECT DATABASE()",
    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND "
    "TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME LIMIT %1",
    "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE = 'YES', EXTRA LIKE "
    "'%auto_increment%' "
    "FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (%1) "
    "ORDER BY TABLE_NAME, ORDINAL_POSITION",
    "SELECT TABLE_NAME, INDEX_NAME, INDEX_NAME = 'PRIMARY', COLUMN_NAME FROM information_schema.STATISTICS "
    "WHERE TABLE_SCHEMA = DATABASE() AND NON_UNIQUE = 0 AND SUB_PART IS NULL AND COLUMN_NAME IS NOT NULL "
    "AND TABLE_NAME IN (%1) ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX"};

constexpr Questions kPostgreSql{
    "SELECT current_database()",
    "SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relnamespace = (SELECT oid FROM "
    "pg_catalog.pg_namespace "
    "WHERE nspname = current_schema()) AND c.relkind IN ('r', 'p') ORDER BY c.relname LIMIT %1",
    "SELECT c.relname, a.attname, split_part(pg_catalog.format_type(a.atttypid, NULL), '(', 1), "
    "pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, a.attidentity <> '' OR "
    "COALESCE(pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false) FROM pg_catalog.pg_class c "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE c.relnamespace = "
    "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND c.relname IN (%1) "
    "ORDER BY c.relname, a.attnum",
    "SELECT c.relname, i.indexrelid::text, i.indisprimary, a.attname FROM pg_catalog.pg_index i "
    "JOIN pg_catalog.pg_class c ON c.oid = i.indrelid CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH "
    "ORDINALITY "
    "AS k(attnum, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum "
    "WHERE i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts AND "
    "c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND "
    "c.relname IN (%1) ORDER BY c.relname, i.indexrelid, k.place"};

// A rowid table's INTEGER PRIMARY KEY counts by itself.
constexpr Questions kSqlite{
    "SELECT 'main'",
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY name LIMIT %1",
    "SELECT m.name, c.name, CASE WHEN instr(c.type, '(') THEN substr(c.type, 1, instr(c.type, '(') - 1) ELSE "
    "c.type END, c.type, NOT c.\"notnull\" AND NOT c.pk, c.pk AND lower(c.type) = 'integer' FROM "
    "sqlite_master m "
    "JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name IN (%1) ORDER BY m.name, c.cid",
    "SELECT m.name, i.name, i.origin = 'pk', x.name FROM sqlite_master m JOIN pragma_index_list(m.name) i "
    "JOIN pragma_index_info(i.name) x WHERE m.type = 'table' AND i.\"unique\" AND NOT i.partial AND x.name "
    "IS NOT "
    "NULL AND m.name IN (%1) UNION ALL SELECT m.name, '', 1, c.name FROM sqlite_master m JOIN "
    "pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk = 1 AND lower(c.type) = 'integer' AND "
    "NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) p WHERE p.origin = 'pk') AND m.name IN (%1)"};

const Questions &questionsFor(const QByteArray &store)
{
    if (store == "postgresql")
        return kPostgreSql;
    return store == "sqlite" ? kSqlite : kMySql;
}

QString placeholders(qsizetype count)
{
    return QStringList(count, QStringLiteral("?")).join(QLatin1Char(','));
}

/** The question for these tables, with the values that it binds. */
std::pair<QString, QVariantList> forTables(const char *question, const QStringList &tables)
{
    const QString text = QString::fromLatin1(question);
    QVariantList values;
    for (qsizetype i = text.count(QLatin1String("%1")); i > 0; --i) {
        for (const QString &table : tables)
            values.append(table);
    }
    return {QString(text).replace(QLatin1String("%1"), placeholders(tables.size())), values};
}

int lengthOf(const QString &typeText)
{
    return typeText.section(QLatin1Char('('), 1).section(QLatin1Char(')'), 0, 0).toInt();
}

} // namespace

CatalogueReader::CatalogueReader(sql::Connection &connection, QByteArray store)
    : m_connection(connection), m_store(std::move(store))
{
}

base::Result<QString> CatalogueReader::database()
{
    return sql::oneText(m_connection, QString::fromLatin1(questionsFor(m_store).database));
}

QString CatalogueReader::server() const
{
    const QString number = m_connection.version().section(QLatin1Char('-'), 0, 0);
    if (m_store == "postgresql")
        return QStringLiteral("PostgreSQL ") +
               m_connection.version().section(QLatin1Char(' '), 1, 1).section(QLatin1Char(','), 0, 0);
    if (m_store == "sqlite")
        return QStringLiteral("SQLite ") + number;
    return (m_connection.isMariaDb() ? QStringLiteral("MariaDB ") : QStringLiteral("MySQL ")) + number;
}

base::Result<QStringList> CatalogueReader::schemas()
{
    if (m_store != "postgresql")
        return QStringList();
    return sql::textsOf(
        m_connection,
        QStringLiteral(
            "SELECT n.nspname FROM pg_catalog.pg_namespace n WHERE n.nspname NOT LIKE 'pg\\_%' AND "
            "n.nspname <> 'information_schema' AND n.nspname IS DISTINCT FROM current_schema() AND "
            "has_schema_privilege(n.oid, 'USAGE') ORDER BY n.nspname"));
}

base::Result<void> CatalogueReader::enter(const QString &schema)
{
    auto query = m_connection.query(QStringLiteral("SELECT set_config('search_path', quote_ident(?), false)"),
                                    {schema});
    return query ? base::Result<void>() : tl::unexpected(query.error());
}

base::Result<QStringList> CatalogueReader::tables()
{
    // One more than are looked at, so that the caller sees that there are more.
    return sql::textsOf(m_connection, QString::fromLatin1(questionsFor(m_store).tables)
                                          .replace(QLatin1String("%1"), QString::number(kMostTables + 1)));
}

base::Result<void> CatalogueReader::readColumns(const QStringList &tables, QHash<QString, TableFacts> &into)
{
    const auto [text, values] = forTables(questionsFor(m_store).columns, tables);
    auto query = m_connection.query(text, values);
    if (!query)
        return tl::unexpected(query.error());
    while (query->next()) {
        const QString name = query->value(0).toString();
        if (!tables.contains(name)) // the catalogue may compare without regard to case
            continue;
        ColumnFacts column;
        column.name = query->value(1).toString();
        column.typeText = query->value(3).toString();
        column.kind = kindOf(query->value(2).toString(), lengthOf(column.typeText));
        column.nullable = query->value(4).toBool();
        column.counted = query->value(5).toBool();
        TableFacts &table = into[name];
        table.name = name;
        table.columns.append(column);
    }
    return {};
}

base::Result<void> CatalogueReader::readKeys(const QStringList &tables, QHash<QString, TableFacts> &into)
{
    const auto [text, values] = forTables(questionsFor(m_store).keys, tables);
    auto query = m_connection.query(text, values);
    if (!query)
        return tl::unexpected(query.error());
    QString table;
    QString index;
    while (query->next()) {
        const QString ofTable = query->value(0).toString();
        const QString ofIndex = query->value(1).toString();
        const auto it = into.find(ofTable);
        if (it == into.end())
            continue;
        const bool begins = ofTable != table || ofIndex != index;
        table = ofTable;
        index = ofIndex;
        if (query->value(2).toBool()) {
            it->primaryKey.append(query->value(3).toString());
        } else {
            if (begins)
                it->otherKeys.append(QStringList());
            it->otherKeys.last().append(query->value(3).toString());
        }
    }
    return {};
}

base::Result<QList<TableFacts>> CatalogueReader::facts(const QStringList &tables)
{
    QHash<QString, TableFacts> found;
    if (const auto read = readColumns(tables, found); !read)
        return tl::unexpected(read.error());
    if (const auto read = readKeys(tables, found); !read)
        return tl::unexpected(read.error());
    QList<TableFacts> facts;
    for (const QString &table : tables) {
        if (found.contains(table))
            facts.append(found.value(table));
    }
    return facts;
}

QString CatalogueReader::quoted(const QString &name) const
{
    return sql::quotedIdentifier(name, m_connection.dialect());
}

/** The column as a number: integers as they stand, times in microseconds since the epoch. */
QString CatalogueReader::microseconds(const ColumnFacts &column) const
{
    const QString name = quoted(column.name);
    if (column.kind == Kind::Integer)
        return name;
    if (m_store == "postgresql")
        return QStringLiteral("CAST(EXTRACT(EPOCH FROM %1) * 1000000 AS bigint)").arg(name);
    if (m_store == "sqlite")
        return QStringLiteral("CAST(ROUND((julianday(%1) - 2440587.5) * 86400000) AS INTEGER) * 1000")
            .arg(name);
    // The session's zone is UTC, so both kinds of columns read as UTC.
    return QStringLiteral("CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %1) AS SIGNED)").arg(name);
}

base::Result<Sample> CatalogueReader::sample(const TableFacts &table, const QStringList &columns,
                                             const QString &holder)
{
    const auto now = m_connection.storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    Sample sample;
    sample.nowUs = *now;
    QStringList fields;
    for (const QString &column : columns)
        fields.append(microseconds(*table.column(column)));
    // Whether there is a holder; who it is, nobody asks.
    fields.append(
        holder.isEmpty()
            ? QStringLiteral("1")
            : QStringLiteral("CASE WHEN %1 IS NULL OR CAST(%1 AS %2) = '' THEN 0 ELSE 1 END")
                  .arg(quoted(holder), m_store == "mysql" ? QStringLiteral("CHAR") : QStringLiteral("TEXT")));
    auto rows = m_connection.query(QStringLiteral("SELECT %1 FROM %2 LIMIT %3")
                                       .arg(fields.join(QLatin1String(", ")), quoted(table.name))
                                       .arg(kSampleRows));
    if (!rows)
        return tl::unexpected(rows.error());
    while (rows->next()) {
        ++sample.rows;
        for (qsizetype i = 0; i < columns.size(); ++i) {
            const QVariant value = rows->value(int(i));
            if (value.isNull())
                continue;
            const bool number = table.column(columns.at(i))->kind == Kind::Integer;
            (number ? sample.numbers : sample.timesUs)[columns.at(i)].append(value.toLongLong());
        }
        sample.withoutHolder += rows->value(int(columns.size())).toInt() == 0;
    }
    return sample;
}

} // namespace lockkeeper::stores::discover
