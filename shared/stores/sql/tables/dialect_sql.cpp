// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/dialect_sql.h"

#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/tables/long_values.h"

namespace lockkeeper::stores::sql {

namespace {
/** PostgreSQL: true for a finite time whose microseconds since the epoch fit into 64 bits. Times at
 * the end of the year 294276 don't fit. */
QByteArray countable(const Column &column, const QByteArray &name)
{
    const bool zoned = column.kind == ColumnKind::Timestamp;
    return name + " > '-infinity' AND " + name + " < " +
           (zoned ? "TIMESTAMPTZ '290000-01-01 00:00:00+00'" : "TIMESTAMP '290000-01-01 00:00:00'");
}
} // namespace

void DialectSql::bind(const QByteArray &value)
{
    m_out.sql += '?';
    m_out.binds.append(value);
}

QByteArray DialectSql::table() const
{
    const auto quoted = [&](const QString &name) { return quotedIdentifier(name, m_table.dialect); };
    const QString &space = m_table.dialect == Dialect::MySql ? m_table.database : m_table.schema;
    const QString own = quoted(m_table.name);
    return (space.isEmpty() ? own : quoted(space) + QLatin1Char('.') + own).toUtf8();
}

QByteArray DialectSql::name(const Column &column) const
{
    return quotedIdentifier(column.name, m_table.dialect).toUtf8();
}

void DialectSql::key(const Column &column, const QByteArray &value)
{
    if (m_table.dialect != Dialect::MySql || column.kind != ColumnKind::Text) {
        typed(column, value);
        return;
    }
    converted(column, value);
    m_out.sql += " COLLATE " + column.collation;
}

void DialectSql::isKey(const Column &column, const QByteArray &value)
{
    const QByteArray name = this->name(column);
    const bool postgres = m_table.dialect == Dialect::PostgreSql;
    if (!column.nullable || postgres) {
        m_out.sql += column.nullable ? '(' + name + " = " : name + " = ";
        key(column, value);
        if (!column.nullable)
            return;
        m_out.sql += " OR (" + name + " IS NULL AND "; // no index serves IS NOT DISTINCT FROM
        bind(value);
        m_out.sql += " IS NULL))";
        return;
    }
    m_out.sql += name + (m_table.dialect == Dialect::Sqlite ? " IS " : " <=> ");
    key(column, value);
}

void DialectSql::converted(const Column &column, const QByteArray &value)
{
    const auto bound = [&](const QByteArray &before, const QByteArray &after) {
        m_out.sql += before;
        bind(value);
        m_out.sql += after;
    };
    const QByteArray charset = " USING " + column.charset + ')';
    if (!column.isForeign()) {
        bound("CONVERT(", charset);
        return;
    }
    // A bound value has no character set. It counts as UTF-8 if the conversion to the column's character set
    // and back gives the same text.
    const QByteArray there = " USING utf8mb4)" + charset;
    bound("IF(CAST(CONVERT(CONVERT(CONVERT(", there + " USING utf8mb4) AS BINARY) <=> ");
    bound("CAST(", " AS BINARY), ");
    bound("CONVERT(CONVERT(", there + ", ");
    bound("CONVERT(", charset + ')');
}

void DialectSql::typed(const Column &column, const QByteArray &value)
{
    QByteArray type;
    const bool number = column.kind == ColumnKind::Epoch || column.kind == ColumnKind::Bit ||
                        column.kind == ColumnKind::Boolean;
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        type = column.typeText.toUtf8();
        break;
    case Dialect::Sqlite:
        type = number ? "INTEGER" : column.kind == ColumnKind::Bytes ? "BLOB" : "TEXT";
        break;
    case Dialect::MySql:
        if (column.isForeign()) {
            converted(column, value);
            return;
        }
        type = !number ? "" : column.typeText.contains(QLatin1String("unsigned")) ? "UNSIGNED" : "SIGNED";
        break;
    }
    if (type.isEmpty()) {
        bind(value);
        return;
    }
    m_out.sql += "CAST(";
    bind(value);
    m_out.sql += " AS " + type + ')';
}

QByteArray DialectSql::bytes(const Column &column) const
{
    const QByteArray name = this->name(column);
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        if (column.kind == ColumnKind::Boolean)
            return "CAST(CAST(" + name + " AS integer) AS text)";
        return "CAST(" + name + " AS text) COLLATE \"C\"";
    case Dialect::Sqlite: // a text's bytes are in the file's encoding
        return column.charset == "utf16" ? "CASE typeof(" + name + ") WHEN 'blob' THEN " + name +
                                               " ELSE CAST(" + name + " AS TEXT) END"
                                         : "CAST(" + name + " AS BLOB)";
    case Dialect::MySql:
        break;
    }
    if (column.isForeign()) {
        const QByteArray own = "CAST(" + name + " AS BINARY)";
        const QByteArray text = "CONVERT(" + name + " USING utf8mb4)";
        return "IF(CAST(CONVERT(" + text + " USING " + column.charset + ") AS BINARY) <=> " + own +
               ", CAST(" + text + " AS BINARY), " + own + ')';
    }
    if (column.kind == ColumnKind::Bit)
        return "CAST(" + name + " + 0 AS BINARY)";
    if (column.kind == ColumnKind::Opaque)
        return "CAST(CAST(" + name + " AS CHAR) AS BINARY)";
    return "CAST(" + name + " AS BINARY)";
}

QByteArray DialectSql::shown(const Column &column) const
{
    return cut(column, bytes(column));
}

QByteArray DialectSql::cut(const Column &column, const QByteArray &bytes) const
{
    if (!column.isLong)
        return bytes;
    const QByteArray most = QByteArray::number(kReadOfLongValue);
    // SQLite's substr() of an empty blob is NULL.
    return m_table.dialect == Dialect::Sqlite
               ? "ifnull(substr(" + bytes + ", 1, " + most + "), " + bytes + ')'
               : "LEFT(" + bytes + ", " + most + ')';
}

QByteArray DialectSql::timeText(const Column &column) const
{
    const QByteArray name = this->name(column);
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        if (column.kind == ColumnKind::Epoch)
            return "CAST(" + name + " AS text)";
        return "COALESCE(CAST(" + rawTime(column) + " AS text), " + oddTime(column) + ')';
    case Dialect::Sqlite:
        return bytes(column);
    case Dialect::MySql:
        break;
    }
    return "CAST(CAST(" + name + " AS CHAR) AS BINARY)";
}

QByteArray DialectSql::rawTime(const Column &column) const
{
    const QByteArray name = this->name(column);
    const bool epoch = column.kind == ColumnKind::Epoch;
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        return epoch ? "CAST(" + name + " AS bigint)"
                     : "CASE WHEN " + countable(column, name) + " THEN CAST(EXTRACT(EPOCH FROM " + name +
                           ") * 1000000 AS bigint) END";
    case Dialect::Sqlite: // each value has its own type, whatever the column declares
        return "CASE typeof(" + name + ") WHEN 'integer' THEN " + name + " END";
    case Dialect::MySql:
        break;
    }
    const QByteArray sinceEpoch = "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', " + name + ")";
    // The session's zone is UTC. UNIX_TIMESTAMP() returns decimals, which cost more, but it can count the
    // zero date.
    if (column.kind == ColumnKind::Timestamp)
        return "IFNULL(" + sinceEpoch + ", CAST(UNIX_TIMESTAMP(" + name + ") * 1000000 AS SIGNED))";
    if (column.kind == ColumnKind::DateTime)
        return sinceEpoch;
    return "CAST(" + name + " AS SIGNED)";
}

QByteArray DialectSql::oddTime(const Column &column) const
{
    const QByteArray name = this->name(column);
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        // Seconds for a finite time that can't be counted: its text would depend on the session.
        return column.kind == ColumnKind::Epoch
                   ? QByteArray()
                   : "CASE WHEN " + countable(column, name) + " THEN NULL WHEN isfinite(" + name +
                         ") THEN CAST(EXTRACT(EPOCH FROM " + name + ") AS text) ELSE CAST(" + name +
                         " AS text) END";
    case Dialect::Sqlite:
        return "CASE WHEN typeof(" + name + ") <> 'integer' THEN " + cut(column, bytes(column)) + " END";
    case Dialect::MySql:
        break;
    }
    if (column.kind != ColumnKind::DateTime)
        return {};
    // Cheaper than rawTime(), and NULL for the same values: no date, and dates with a part of zero.
    return "IF(TO_DAYS(" + name + ") IS NULL, " + timeText(column) + ", NULL)";
}

void DialectSql::same(const QByteArray &left, const QByteArray &value)
{
    m_out.sql += left;
    switch (m_table.dialect) {
    case Dialect::PostgreSql:
        m_out.sql += " IS NOT DISTINCT FROM CAST(";
        bind(value);
        m_out.sql += " AS text)";
        return;
    case Dialect::Sqlite:
        m_out.sql += " IS CAST(";
        bind(value);
        m_out.sql += m_table.isUtf16() ? " AS TEXT)" : " AS BLOB)";
        return;
    case Dialect::MySql:
        break;
    }
    m_out.sql += " <=> ";
    bind(value);
}

void DialectSql::epochNow(const Column &column, const QByteArray &nowUs, const QByteArray &later)
{
    m_out.sql += "((" + nowUs;
    if (!later.isEmpty()) {
        m_out.sql += " + ";
        bind(later);
    }
    m_out.sql += m_table.dialect == Dialect::MySql ? ") DIV " : ") / ";
    m_out.sql += QByteArray::number(column.unitUs) + ")";
}

void DialectSql::now(const Column &column, int precision, const QByteArray &later)
{
    if (column.kind == ColumnKind::Epoch)
        epochNow(column, nowUsSql(m_table.dialect), later);
    else if (m_table.dialect == Dialect::PostgreSql)
        nowPostgreSql(column, precision, later);
    else if (m_table.dialect == Dialect::Sqlite)
        nowSqlite(column, later);
    else
        nowMySql(column, precision, later);
}

void DialectSql::nowMySql(const Column &column, int precision, const QByteArray &later)
{
    m_out.sql += "(UTC_TIMESTAMP(" + QByteArray::number(precision) + ")";
    if (column.kind == ColumnKind::DateTime)
        shift("offset_us");
    if (!later.isEmpty())
        shift(later);
    m_out.sql += ')';
}

void DialectSql::nowPostgreSql(const Column &column, int precision, const QByteArray &later)
{
    // A column rounds the times that it stores, even up into the future: truncate them before.
    const char *unit = precision >= 6 ? "microseconds" : precision >= 3 ? "milliseconds" : "second";
    m_out.sql += QByteArray("(date_trunc('") + unit + "', statement_timestamp()";
    m_out.sql += column.kind == ColumnKind::DateTime ? " AT TIME ZONE 'UTC')" : ")";
    if (column.kind == ColumnKind::DateTime)
        shift("offset_us");
    if (!later.isEmpty())
        shift(later);
    m_out.sql += ')';
}

void DialectSql::nowSqlite(const Column &column, const QByteArray &later)
{
    m_out.sql += "strftime('%Y-%m-%d %H:%M:%f', (" + nowUsSql(Dialect::Sqlite);
    if (column.kind == ColumnKind::DateTime) {
        m_out.sql += " + ";
        bind("offset_us");
    }
    if (!later.isEmpty()) {
        m_out.sql += " + ";
        bind(later);
    }
    m_out.sql += ") / 1000000.0, 'unixepoch')";
}

void DialectSql::moment(const Column &column)
{
    if (m_table.dialect == Dialect::Sqlite) { // one writer at a time: a statement never waits
        now(column, 6);
        return;
    }
    if (m_table.dialect == Dialect::PostgreSql) {
        if (column.kind == ColumnKind::Epoch) {
            epochNow(column, "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)", {});
            return;
        }
        m_out.sql += column.kind == ColumnKind::DateTime ? "(clock_timestamp() AT TIME ZONE 'UTC'"
                                                         : "(clock_timestamp()";
        if (column.kind == ColumnKind::DateTime)
            shift("offset_us");
        m_out.sql += ')';
        return;
    }
    if (column.kind == ColumnKind::Epoch) {
        epochNow(column, "CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)", {});
        return;
    }
    m_out.sql += "(SYSDATE(6)"; // of a session in UTC
    if (column.kind == ColumnKind::DateTime)
        shift("offset_us");
    m_out.sql += ')';
}

void DialectSql::laterOf(const Column &column, const Column &base, const QByteArray &later)
{
    const bool sqlite = m_table.dialect == Dialect::Sqlite;
    m_out.sql += sqlite ? "MAX(" : "GREATEST(";
    now(column, column.precision);
    m_out.sql += ", ";
    if (column.kind == ColumnKind::Epoch) {
        m_out.sql += name(base) + " + ";
        bind(later);
        m_out.sql += m_table.dialect == Dialect::MySql ? " DIV " : " / ";
        m_out.sql += QByteArray::number(column.unitUs);
    } else if (sqlite) {
        m_out.sql += "strftime('%Y-%m-%d %H:%M:%f', " + name(base) + ", '+' || (";
        bind(later);
        m_out.sql += " / 1000000.0) || ' seconds')";
    } else {
        m_out.sql += name(base);
        shift(later);
    }
    m_out.sql += ')';
}

void DialectSql::shift(const QByteArray &value)
{
    if (m_table.dialect == Dialect::PostgreSql) {
        m_out.sql += " + CAST(";
        bind(value);
        m_out.sql += " AS bigint) * INTERVAL '1 microsecond'";
        return;
    }
    m_out.sql += " + INTERVAL ";
    bind(value);
    m_out.sql += " MICROSECOND";
}

void DialectSql::write(const Column &column, const ColumnWrite &write, const QByteArray &value)
{
    switch (write.kind) {
    case ColumnWrite::Nothing:
    case ColumnWrite::Null:
        m_out.sql += "NULL";
        return;
    case ColumnWrite::AsFree: // NULL where `value` is null
    case ColumnWrite::Value:
        typed(column, value);
        return;
    case ColumnWrite::Now:
        now(column, column.precision);
        return;
    case ColumnWrite::Epoch:
        break;
    }
    if (column.kind == ColumnKind::Epoch)
        m_out.sql += '0';
    else if (m_table.dialect == Dialect::PostgreSql && column.kind == ColumnKind::Timestamp)
        m_out.sql += "TIMESTAMPTZ '1970-01-01 00:00:01+00'";
    else
        m_out.sql +=
            m_table.dialect == Dialect::Sqlite ? "'1970-01-01 00:00:01'" : "TIMESTAMP '1970-01-01 00:00:01'";
}

} // namespace lockkeeper::stores::sql
