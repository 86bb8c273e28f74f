// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/tables/statements.h"

#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/tables/client_sql.h"
#include "shared/stores/sql/tables/row_layout.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
constexpr int kDeepestInclude = 4;

using Sections = QHash<QByteArray, QByteArray>;

/** The line without its mark; empty where the mark excludes the line. */
QByteArray unmarked(const QByteArray &line, const ResolvedTable &table, const QSet<QByteArray> &withoutTerms)
{
    const qsizetype mark = std::max({line.indexOf("-- @"), line.indexOf("-- ?"), line.indexOf("-- !")});
    if (mark < 0)
        return line;
    const QByteArray argument = line.sliced(mark + 4).trimmed();
    const char kind = line.at(mark + 3);
    const bool stands = kind == '@'   ? !withoutTerms.contains(argument)
                        : kind == '?' ? table.has(argument)
                                      : !table.has(argument);
    return stands ? line.first(mark) : QByteArray();
}

Sections sectionsOf(const QByteArray &file, const ResolvedTable &table, const QSet<QByteArray> &withoutTerms)
{
    Sections sections;
    QByteArray name;
    const QList<QByteArray> lines = file.split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("-- [")) {
            name = line.mid(4, line.indexOf(']') - 4);
            continue;
        }
        const QByteArray kept = unmarked(line, table, withoutTerms).trimmed();
        if (name.isEmpty() || kept.isEmpty() || kept.startsWith("--"))
            continue;
        QByteArray &body = sections[name];
        body += (body.isEmpty() ? "" : " ") + kept;
    }
    return sections;
}

/** Writes one statement. Knows the table; appends to `m_out`. */
class Filler
{
public:
    Filler(const Sections &sections, const ResolvedTable &table, const QSet<QByteArray> &withoutTerms)
        : m_sections(sections),
          m_table(table),
          m_without(withoutTerms),
          m_sql(table, m_out),
          m_client(table, m_sql)
    {
    }

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
            m_sql.add(text.mid(at, open - at));
            if (!placeholder(text.mid(open + 1, close - open - 1).split(':'), depth))
                return false;
            at = close + 1;
        }
        m_sql.add(text.mid(at));
        return true;
    }

    bool placeholder(const QList<QByteArray> &parts, int depth)
    {
        const QByteArray &kind = parts.first();
        const QByteArray argument = parts.value(1);
        if (kind == "include")
            return append(m_sections.value(argument), depth + 1);
        if (kind == "table")
            m_sql.add(m_sql.table());
        else if (kind == "now_us")
            m_sql.add(nowUsSql(m_table.dialect));
        else if (kind == "bind")
            m_sql.bind(argument);
        else if (ofTable(kind))
            return true;
        else
            return ofColumn(kind, argument, parts.value(2));
        return true;
    }

    bool ofTable(const QByteArray &kind)
    {
        static const QHash<QByteArray, void (Filler::*)()> kWriters{
            {"row", &Filler::row},           {"order", &Filler::order},        {"after", &Filler::after},
            {"this", &Filler::thisRow},      {"like", &Filler::like},          {"locks", &Filler::locks},
            {"guard", &Filler::guard},       {"by_expiry", &Filler::byExpiry}, {"writes", &Filler::writes},
            {"nameless", &Filler::nameless}, {"status", &Filler::status},
        };
        const auto write = kWriters.value(kind);
        if (write == nullptr)
            return m_client.placeholder(kind);
        (this->*write)();
        return true;
    }

    bool ofColumn(const QByteArray &kind, const QByteArray &key, const QByteArray &value)
    {
        static const QHash<QByteArray, QByteArray (DialectSql::*)(const Column &) const> kTexts{
            {"col", &DialectSql::name},      {"bytes", &DialectSql::bytes}, {"shown", &DialectSql::shown},
            {"text", &DialectSql::timeText}, {"raw", &DialectSql::rawTime},
        };
        const auto it = m_table.columns.constFind(key);
        if (it == m_table.columns.constEnd())
            return false;
        if (const auto text = kTexts.value(kind); text != nullptr)
            m_sql.add((m_sql.*text)(*it));
        else if (kind == "same")
            m_sql.same(isTimeKey(key) ? m_sql.timeText(*it) : m_sql.bytes(*it), value);
        else if (kind == "key")
            m_sql.key(*it, value);
        else if (kind == "typed")
            m_sql.typed(*it, value);
        else if (kind == "odd")
            m_sql.add(m_sql.oddTime(*it).isEmpty() ? QByteArray() : ", " + m_sql.oddTime(*it));
        else if (kind == "now" || kind == "now_truncated")
            m_sql.now(*it, kind == "now" ? 6 : it->precision);
        else if (kind == "moment")
            m_sql.moment(*it);
        else if (kind == "later")
            m_sql.now(*it, 6, "ttl_us");
        else
            return false;
        return true;
    }

    void row()
    {
        QByteArrayList columns;
        for (const Column &name : m_table.names)
            columns.append(m_sql.shown(name));
        if (columns.isEmpty())
            columns.append("NULL");
        const RowLayout layout = RowLayout::of(m_table);
        for (const RowField &field : layout.fields) {
            const Column column = m_table.column(field.key);
            columns.append(field.isTime ? m_sql.rawTime(column) : m_sql.shown(column));
        }
        columns.append("lockkeeper_now_us");
        for (const RowField &field : layout.fields) {
            if (field.odd >= 0)
                columns.append(m_sql.oddTime(m_table.column(field.key)));
        }
        m_sql.add(columns.join(", "));
    }

    void order()
    {
        QByteArrayList columns;
        for (const Column &column : m_table.pageColumns())
            columns.append(m_sql.name(column));
        m_sql.add(columns.isEmpty() ? "1" : columns.join(", "));
    }

    /**
     * a > ?, or for two columns: a >= ? AND (a > ? OR b > ?), for which every server uses an index. MySQL
     * also uses one for (a > ? OR a = ? AND b > ?), whose first term fits nearly every row. In MySQL,
     * comparing texts costs more than reading the row.
     */
    void after() { afterFrom(0); }

    void afterFrom(qsizetype i)
    {
        const QList<Column> columns = m_table.pageColumns();
        if (columns.isEmpty()) {
            m_sql.add("1 = 0"); // there is one row
            return;
        }
        const auto compare = [&](const char *begin, const char *by) {
            m_sql.add(begin + m_sql.name(columns.at(i)) + by);
            m_sql.key(columns.at(i), partName("after", i));
        };
        if (i + 1 == columns.size()) {
            compare("", " > ");
            return;
        }
        const bool isMySql = m_table.dialect == Dialect::MySql;
        compare(isMySql ? "(" : "", isMySql ? " > " : " >= ");
        compare(isMySql ? " OR " : " AND (", isMySql ? " = " : " > ");
        m_sql.add(isMySql ? " AND " : " OR (");
        afterFrom(i + 1);
        m_sql.add(isMySql ? ")" : "))");
    }

    void thisRow()
    {
        if (m_table.names.isEmpty())
            m_sql.add("1 = 1");
        for (qsizetype i = 0; i < m_table.names.size(); ++i) {
            const Column &column = m_table.names.at(i);
            m_sql.add(i == 0 ? "" : " AND ");
            m_sql.isKey(column, partName("name", i));
            if (m_without.contains("name"))
                continue;
            m_sql.add(" AND ");
            m_sql.same(m_sql.bytes(column), partName("name", i));
        }
    }

    void like()
    {
        if (m_table.names.isEmpty() || m_table.names.first().kind != ColumnKind::Text) {
            m_sql.add("1 = 1");
            return;
        }
        m_sql.add(m_sql.name(m_table.names.first()) + " LIKE ");
        m_sql.key(m_table.names.first(), "prefix");
    }

    void byExpiry()
    {
        // MySQL's estimate from samples may be far off where deadlines pass all the time.
        if (m_table.dialect == Dialect::MySql && !m_table.expiryIndex.isEmpty())
            m_sql.add(" FORCE INDEX (" + quotedIdentifier(m_table.expiryIndex, m_table.dialect).toUtf8() +
                      ')');
    }

    /** True for rows with a NULL part in the name, which a scan in the name's order doesn't read. */
    void nameless()
    {
        QByteArrayList terms;
        for (const Column &name : m_table.names)
            terms.append(m_sql.name(name) + " IS NULL");
        m_sql.add('(' + terms.join(" OR ") + ')');
        status();
    }

    void locks()
    {
        QByteArrayList terms;
        for (const Column &name : m_table.names) {
            if (name.nullable)
                terms.append(m_sql.name(name) + " IS NOT NULL");
        }
        m_sql.add(terms.isEmpty() ? "1 = 1" : terms.join(" AND "));
        status();
    }

    void status()
    {
        if (m_table.filtersStatus) {
            m_sql.add(" AND ");
            m_sql.same(m_sql.bytes(m_table.column("status")), "held_value");
        }
    }

    void guard()
    {
        for (const QByteArray &key : columnKeys()) {
            if (!m_table.has(key) || m_without.contains(key))
                continue;
            const Column column = m_table.column(key);
            m_sql.same(isTimeKey(key) ? m_sql.timeText(column) : m_sql.bytes(column), key);
            m_sql.add(" AND ");
        }
        if (m_without.contains("expired")) {
            m_sql.add("1 = 1");
            return;
        }
        m_sql.add(nowUsSql(m_table.dialect) + " >= ");
        m_sql.bind("expired_at_us");
    }

    void writes()
    {
        QByteArrayList keys = m_table.writes.keys();
        std::sort(keys.begin(), keys.end());
        for (qsizetype i = 0; i < keys.size(); ++i) {
            const Column column = m_table.column(keys.at(i));
            m_sql.add((i == 0 ? "" : ", ") + m_sql.name(column) + " = ");
            m_sql.write(column, m_table.writes.value(keys.at(i)), "write_" + keys.at(i));
        }
    }

    const Sections &m_sections;
    const ResolvedTable &m_table;
    const QSet<QByteArray> &m_without;
    Statement m_out;
    DialectSql m_sql;
    ClientSql m_client;
};
} // namespace

QByteArray partName(const char *name, qsizetype i)
{
    return i == 0 ? QByteArray(name) : name + QByteArray::number(i);
}

base::Result<Statements> Statements::build(const QByteArray &file, const ResolvedTable &table,
                                           const QSet<QByteArray> &withoutTerms)
{
    const Sections sections = sectionsOf(file, table, withoutTerms);
    Statements built;
    for (auto it = sections.begin(); it != sections.end(); ++it) {
        auto statement = Filler(sections, table, withoutTerms).fill(it.key());
        if (!statement)
            return tl::unexpected(statement.error());
        built.m_statements.insert(it.key(), *std::move(statement));
    }
    return built;
}

} // namespace lockkeeper::stores::sql
