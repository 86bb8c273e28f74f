// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/statements.h"

#include "shared/stores/sql/identifiers.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
constexpr auto kNowUs = "CAST(UNIX_TIMESTAMP(UTC_TIMESTAMP(6)) * 1000000 AS SIGNED)";
constexpr int kDeepestInclude = 4;

using Sections = QHash<QByteArray, QByteArray>;

QByteArray withoutTermMark(const QByteArray &line, const QSet<QByteArray> &withoutTerms)
{
    const qsizetype mark = line.indexOf("-- @");
    if (mark < 0)
        return line;
    return withoutTerms.contains(line.sliced(mark + 4).trimmed()) ? QByteArray() : line.first(mark);
}

Sections sectionsOf(const QByteArray &file, const QSet<QByteArray> &withoutTerms)
{
    Sections sections;
    QByteArray name;
    const QList<QByteArray> lines = file.split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("-- [")) {
            name = line.mid(4, line.indexOf(']') - 4);
            continue;
        }
        const QByteArray kept = withoutTermMark(line, withoutTerms).trimmed();
        if (name.isEmpty() || kept.isEmpty() || kept.startsWith("--"))
            continue;
        QByteArray &body = sections[name];
        body += (body.isEmpty() ? "" : " ") + kept;
    }
    return sections;
}

/** Writes one statement. Knows the table; appends to `out`. */
class Filler
{
public:
    Filler(const Sections &sections, const Table &table) : m_sections(sections), m_table(table) {}

    base::Result<Statement> fill(const QByteArray &section)
    {
        if (!append(m_sections.value(section), 0))
            return failure(
                ErrorCode::Corrupt,
                QStringLiteral("the statement \"%1\" can't be filled").arg(QString::fromUtf8(section)));
        return m_out;
    }

private:
    bool append(const QByteArray &text, int depth)
    {
        if (text.isEmpty() || depth > kDeepestInclude)
            return false;
        qsizetype at = 0;
        for (qsizetype open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
            const qsizetype close = text.indexOf('}', open);
            if (close < 0)
                return false;
            m_out.sql += text.mid(at, open - at);
            if (!placeholder(text.mid(open + 1, close - open - 1).split(':'), depth))
                return false;
            at = close + 1;
        }
        m_out.sql += text.mid(at);
        return true;
    }

    bool placeholder(const QList<QByteArray> &parts, int depth)
    {
        const QByteArray &kind = parts.first();
        const QByteArray argument = parts.value(1);
        if (kind == "include")
            return append(m_sections.value(argument), depth + 1);
        if (kind == "table")
            m_out.sql +=
                (quotedIdentifier(m_table.database) + QLatin1Char('.') + quotedIdentifier(m_table.name))
                    .toUtf8();
        else if (kind == "now_us")
            m_out.sql += kNowUs;
        else if (kind == "bind")
            bind(argument);
        else
            return ofColumn(kind, argument, parts.value(2));
        return true;
    }

    bool ofColumn(const QByteArray &kind, const QByteArray &key, const QByteArray &value)
    {
        const auto it = m_table.columns.constFind(key);
        if (it == m_table.columns.constEnd())
            return false;
        const QByteArray name = quotedIdentifier(it->name).toUtf8();
        if (kind == "col")
            m_out.sql += name;
        else if (kind == "bytes")
            m_out.sql += "CAST(" + name + " AS BINARY)";
        else if (kind == "text")
            m_out.sql += "CAST(CAST(" + name + " AS CHAR) AS BINARY)";
        else if (kind == "key")
            keyValue(*it, value);
        else if (kind == "raw")
            m_out.sql += rawTime(*it, name);
        else if (kind == "odd")
            m_out.sql += oddTime(*it, name);
        else if (kind == "now" || kind == "now_truncated")
            now(*it, kind == "now" ? 6 : it->precision, false);
        else if (kind == "moment")
            moment(*it);
        else if (kind == "later")
            now(*it, 6, true);
        else
            return false;
        return true;
    }

    void bind(const QByteArray &value)
    {
        m_out.sql += '?';
        m_out.binds.append(value);
    }

    void keyValue(const Column &column, const QByteArray &value)
    {
        if (column.kind != ColumnKind::Text) {
            bind(value);
            return;
        }
        m_out.sql += "CONVERT(";
        bind(value);
        m_out.sql += " USING " + column.charset + ") COLLATE " + column.collation;
    }

    static QByteArray rawTime(const Column &column, const QByteArray &name)
    {
        switch (column.kind) {
        case ColumnKind::Timestamp:
            return "CAST(UNIX_TIMESTAMP(" + name + ") * 1000000 AS SIGNED)";
        case ColumnKind::DateTime:
            return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + name + ")";
        default:
            return "CAST(" + name + " AS SIGNED)";
        }
    }

    static QByteArray oddTime(const Column &column, const QByteArray &name)
    {
        if (column.kind != ColumnKind::DateTime)
            return {};
        return ", IF(" + rawTime(column, name) + " IS NULL, CAST(CAST(" + name +
               " AS CHAR) AS BINARY), NULL)";
    }

    void now(const Column &column, int precision, bool later)
    {
        if (column.kind == ColumnKind::Epoch) {
            m_out.sql += QByteArray("((") + kNowUs;
            if (later) {
                m_out.sql += " + ";
                bind("ttl_us");
            }
            m_out.sql += ") DIV " + QByteArray::number(column.unitUs) + ")";
            return;
        }
        m_out.sql += "(UTC_TIMESTAMP(" + QByteArray::number(precision) + ")";
        if (column.kind == ColumnKind::DateTime)
            interval("offset_us");
        if (later)
            interval("ttl_us");
        m_out.sql += ')';
    }

    void moment(const Column &column)
    {
        if (column.kind == ColumnKind::Epoch) {
            m_out.sql += "(CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED) DIV " +
                         QByteArray::number(column.unitUs) + ")";
            return;
        }
        m_out.sql += "(SYSDATE(6)"; // of a session in UTC
        if (column.kind == ColumnKind::DateTime)
            interval("offset_us");
        m_out.sql += ')';
    }

    void interval(const QByteArray &value)
    {
        m_out.sql += " + INTERVAL ";
        bind(value);
        m_out.sql += " MICROSECOND";
    }

    const Sections &m_sections;
    const Table &m_table;
    Statement m_out;
};
} // namespace

QByteArray nowUsSql(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS bigint)";
    case Dialect::Sqlite: // its clock counts milliseconds
        return "(CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)";
    case Dialect::MySql:
        break;
    }
    return kNowUs;
}

base::Result<Statements> Statements::build(const QByteArray &file, const Table &table,
                                           const QSet<QByteArray> &withoutTerms)
{
    const Sections sections = sectionsOf(file, withoutTerms);
    Statements built;
    for (auto it = sections.begin(); it != sections.end(); ++it) {
        auto statement = Filler(sections, table).fill(it.key());
        if (!statement)
            return tl::unexpected(statement.error());
        built.m_statements.insert(it.key(), *std::move(statement));
    }
    return built;
}

} // namespace lockkeeper::stores::sql
