// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/store.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace lockkeeper::stores::sql {

namespace {
constexpr int kVarHeader = 4; ///< PostgreSQL: a length modifier includes its header
constexpr int kMostBytesACharacter = 4;

/** The queries to a dialect's catalogue; `%1`: a placeholder for each table. */
struct CatalogueQueries
{
    /** Unique indexes: table, index ('': primary key), column (NULL: an expression), prefix length. */
    const char *keys;
    /** Table, column, an index that has its rows in the column's order. The last of several counts. */
    const char *orders;
    /**
     * Table, column, its type, the type with its length, digits of a second, length. Flags: nullable, counted
     * up by the server. Schema (PostgreSQL), character set, collation. Flag: in the primary key (MySQL).
     */
    const char *columns;
};

// An index over a prefix or an expression doesn't identify a row. Only a B-tree over whole columns orders the
// rows.
constexpr CatalogueQueries kMySql{
    "SELECT TABLE_NAME, IF(INDEX_NAME = 'PRIMARY', '', INDEX_NAME), COLUMN_NAME, SUB_PART "
    "FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (%1) "
    "AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX",
    "SELECT TABLE_NAME, COLUMN_NAME, INDEX_NAME FROM information_schema.STATISTICS "
    "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (%1) AND SEQ_IN_INDEX = 1 AND SUB_PART IS NULL "
    "AND INDEX_TYPE = 'BTREE' AND COLUMN_NAME IS NOT NULL ORDER BY INDEX_NAME DESC",
    "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, DATETIME_PRECISION, CHARACTER_MAXIMUM_LENGTH, "
    "IS_NULLABLE = 'YES', EXTRA LIKE '%auto_increment%', '', CHARACTER_SET_NAME, COLLATION_NAME, "
    "COLUMN_KEY = 'PRI' FROM information_schema.COLUMNS "
    "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (%1) ORDER BY TABLE_NAME, ORDINAL_POSITION"};

// Only valid indexes without expression and predicate count.
constexpr CatalogueQueries kPostgreSql{
    "SELECT t.relname, CASE WHEN i.indisprimary THEN '' ELSE i.indexrelid::text END, a.attname, NULL "
    "FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class t ON t.oid = i.indrelid "
    "CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, n) "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum "
    "WHERE t.relname IN (%1) AND pg_catalog.pg_table_is_visible(t.oid) AND i.indisunique AND i.indisvalid "
    "AND i.indpred IS NULL AND i.indexprs IS NULL AND k.n <= i.indnkeyatts ORDER BY i.indexrelid, k.n",
    "SELECT t.relname, a.attname, c.relname FROM pg_catalog.pg_index i "
    "JOIN pg_catalog.pg_class t ON t.oid = i.indrelid JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_catalog.pg_am m ON m.oid = c.relam "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] "
    "WHERE t.relname IN (%1) AND pg_catalog.pg_table_is_visible(t.oid) AND i.indisvalid "
    "AND i.indpred IS NULL AND m.amname = 'btree' ORDER BY c.relname DESC",
    "SELECT c.relname, a.attname, CASE t.typtype WHEN 'e' THEN 'enum' ELSE t.typname END, "
    "pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypmod, a.atttypmod, NOT a.attnotnull, "
    "a.attidentity <> '' OR "
    "COALESCE(pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false), n.nspname "
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
    "LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum "
    "WHERE c.relname IN (%1) AND c.relkind IN ('r', 'p') AND pg_catalog.pg_table_is_visible(c.oid) "
    "ORDER BY c.relname, a.attnum"};

// An INTEGER PRIMARY KEY is the row's own number: SQLite counts it up, and it has no index.
constexpr CatalogueQueries kSqlite{
    "SELECT m.name, CASE l.origin WHEN 'pk' THEN '' ELSE l.name END, c.name, NULL, c.seqno FROM "
    "sqlite_master m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) c WHERE m.type = "
    "'table' "
    "AND m.name IN (%1) AND l.\"unique\" = 1 AND l.partial = 0 UNION ALL "
    "SELECT m.name, '', c.name, NULL, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c "
    "WHERE m.type = 'table' AND m.name IN (%1) AND c.pk AND NOT EXISTS "
    "(SELECT 1 FROM pragma_index_list(m.name) p WHERE p.origin = 'pk') ORDER BY 1, 2, 5",
    nullptr,
    "SELECT m.name, c.name, CASE WHEN instr(c.type, '(') THEN substr(c.type, 1, instr(c.type, '(') - 1) ELSE "
    "c.type END, c.type, NULL, NULL, NOT c.\"notnull\", c.pk AND lower(c.type) = 'integer' "
    "FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name IN (%1) "
    "ORDER BY m.name, c.cid"};

const CatalogueQueries &questionsOf(Dialect dialect)
{
    return dialect == Dialect::PostgreSql ? kPostgreSql : dialect == Dialect::Sqlite ? kSqlite : kMySql;
}

/** The text becomes part of the SQL: only a plain word is safe. */
bool isPlainWord(const QByteArray &text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

void finishMySql(Column &column, const QSqlQuery &row)
{
    column.precision = std::clamp(row.value(4).toInt(), 0, 6);
    column.length = int(std::min<qint64>(row.value(5).toLongLong(), 65'535));
    column.isLong = row.value(5).toLongLong() > kLongestValue; // bytes of the TEXT and BLOB types
    column.charset = row.value(9).toString().toLatin1();
    column.collation = row.value(10).toString().toLatin1();
    column.ascends =
        column.unique && column.kind == ColumnKind::Epoch && column.counted && row.value(11).toBool();
    if (column.kind == ColumnKind::Text && !(isPlainWord(column.charset) && isPlainWord(column.collation)))
        column.kind = ColumnKind::Other;
}

void finishPostgreSql(Column &column, const QSqlQuery &row)
{
    const int modifier = row.value(4).toInt();
    const bool isTime = column.kind == ColumnKind::Timestamp || column.kind == ColumnKind::DateTime;
    column.precision = isTime ? (modifier < 0 ? 6 : std::clamp(modifier, 0, 6)) : 0;
    column.length = !isTime && modifier > kVarHeader ? modifier - kVarHeader : 0;
    column.isLong = column.kind == ColumnKind::Text && column.typeName != QLatin1String("name") &&
                    (column.length == 0 || column.length > kLongestValue / kMostBytesACharacter);
}

void finishSqlite(Column &column, bool utf16)
{
    column.charset = utf16 ? "utf16" : "";
    column.kind = columnKind(column.typeText, Dialect::Sqlite);
    column.length = column.typeLength();
    column.precision = 3;
    column.isLong = true; // SQLite: each value may have any type and length
}

/** Rows of one catalogue's answers, gathered by table. */
class CatalogueReader
{
public:
    CatalogueReader(SqlConnection &connection, const QStringList &tables)
        : m_connection(connection), m_tables(tables)
    {
    }

    base::Result<QHash<QString, CatalogueTable>> read()
    {
        const CatalogueQueries &ask = questionsOf(m_connection.dialect());
        auto done = each(ask.keys, [this](const QSqlQuery &row) { takeKey(row); });
        if (done && ask.orders != nullptr)
            done = each(ask.orders, [this](const QSqlQuery &row) {
                m_orders[row.value(0).toString()].insert(row.value(1).toString(), row.value(2).toString());
            });
        if (done)
            done = each(ask.columns, [this](const QSqlQuery &row) { takeColumn(row); });
        if (!done)
            return tl::unexpected(done.error());
        return m_found;
    }

private:
    base::Result<void> each(const char *question, const RowTaken &take)
    {
        QString sql = QString::fromLatin1(question);
        QVariantList values;
        for (qsizetype i = sql.count(QLatin1String("%1")); i > 0; --i)
            values += QVariantList(m_tables.begin(), m_tables.end());
        sql.replace(QLatin1String("%1"),
                    QStringList(m_tables.size(), QStringLiteral("?")).join(QLatin1Char(',')));
        return m_connection.eachRow(sql, take, values);
    }

    void takeKey(const QSqlQuery &row)
    {
        QMap<QString, QStringList> &keys = m_keys[row.value(0).toString()];
        const QString index = row.value(1).toString();
        keys[index].append(row.value(2).toString());
        if (row.isNull(2) || !row.isNull(3))
            m_cut[row.value(0).toString()].insert(index);
    }

    void takeColumn(const QSqlQuery &row)
    {
        const QString name = row.value(0).toString();
        if (!m_tables.contains(name)) // MySQL compares without regard to case; only the exact name counts
            return;
        CatalogueTable &table = m_found[name];
        if (table.isEmpty()) {
            table.schema = row.value(8).toString();
            table.orders = m_orders.value(name);
            const QMap<QString, QStringList> keys = m_keys.value(name);
            for (auto it = keys.begin(); it != keys.end(); ++it) {
                if (!m_cut.value(name).contains(it.key()))
                    table.uniqueKeys.append(it.value());
            }
        }
        Column column;
        column.name = row.value(1).toString();
        column.typeName = row.value(2).toString();
        column.typeText = row.value(3).toString();
        column.kind = columnKind(column.typeName, m_connection.dialect());
        column.nullable = row.value(6).toBool();
        column.counted = row.value(7).toBool();
        column.unique = table.uniqueKeys.contains(QStringList{column.name});
        switch (m_connection.dialect()) {
        case Dialect::MySql:
            finishMySql(column, row);
            break;
        case Dialect::PostgreSql:
            finishPostgreSql(column, row);
            break;
        case Dialect::Sqlite:
            finishSqlite(column, m_connection.isUtf16());
            break;
        }
        table.columns.append(column);
    }

    SqlConnection &m_connection;
    QStringList m_tables;
    QHash<QString, QMap<QString, QStringList>> m_keys; ///< by table and index
    QHash<QString, QSet<QString>> m_cut;               ///< indexes that aren't over whole columns
    QHash<QString, QHash<QString, QString>> m_orders;
    QHash<QString, CatalogueTable> m_found;
};
} // namespace

base::Result<QHash<QString, CatalogueTable>> readColumns(SqlConnection &connection, const QStringList &tables)
{
    return CatalogueReader(connection, tables).read();
}

} // namespace lockkeeper::stores::sql
