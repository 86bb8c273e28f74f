// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/table_set.h"

#include "shared/base/text.h"
#include "shared/stores/sql/row_layout.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;

QByteArray likePrefix(const QByteArray &glob)
{
    QByteArray prefix;
    for (const char c : glob) {
        // Plain ASCII compares alike in every collation, or at least no more strictly than byte by byte.
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == ':' || c == '.' || c == '/' || c == '_';
        if (!plain)
            break;
        prefix += c == '_' ? QByteArray("\\_") : QByteArray(1, c);
    }
    return prefix.isEmpty() ? prefix : prefix + '%';
}

QVariant notNull(const QByteArray &bytes)
{
    return bytes.isNull() ? QByteArrayLiteral("") : bytes;
}

TableSet::TableSet(const SetContext &context, Table table, Statements statements)
    : m_connection(context.connection),
      m_table(std::move(table)),
      m_statements(std::move(statements)),
      m_set(context.set),
      m_match(context.lockSet().match),
      m_observeGrant(grantStatement(m_table, TableRight::Observe, context.facts.account)),
      m_breakGrant(grantStatement(m_table, TableRight::Break, context.facts.account))
{
    // Of a joined name only the whole is matched; SQLite's LIKE knows no escapes.
    if (m_table.names.size() == 1 && m_table.names.first().kind == ColumnKind::Text &&
        m_table.dialect != Dialect::Sqlite)
        m_likePrefix = likePrefix(m_match);
}

base::Error TableSet::withObserveGrant(base::Error error) const
{
    if (error.code == ErrorCode::PermissionDenied && !m_observeGrant.isEmpty())
        error.remedy = QStringLiteral("Run: %1;").arg(m_observeGrant);
    return error;
}

bool TableSet::matches(const QByteArray &name) const
{
    return m_match == "*" || base::globMatches(m_match, name);
}

base::Result<Prepared *> TableSet::statement(const QByteArray &name)
{
    if (const auto it = m_prepared.constFind(name); it != m_prepared.constEnd())
        return it->get();
    auto prepared = m_connection.prepare(m_statements.statement(name));
    if (!prepared)
        return tl::unexpected(prepared.error());
    return m_prepared.insert(name, std::shared_ptr<Prepared>(std::move(*prepared)))->get();
}

QList<domain::Access> TableSet::access()
{
    const QByteArray name = m_table.name.toUtf8();
    bool mayBreak = statement("release").has_value();
    // PostgreSQL checks rights when a statement is run, not when it is prepared.
    if (mayBreak && m_table.dialect == Dialect::PostgreSql)
        mayBreak = mayBreakPostgresql(m_connection, m_table).value_or(false);
    return {{"observe:" + name, true, false, {}},
            {"break:" + name, mayBreak, true, mayBreak ? QString() : m_breakGrant + QLatin1Char(';')}};
}

void TableSet::rewind()
{
    m_range = {};
    m_lastKey.clear();
}

base::Result<void> TableSet::beginRange(int limit)
{
    const QByteArray name = QByteArray(m_lastKey.isEmpty() ? "first_page" : "next_page") +
                            (m_likePrefix.isEmpty() ? "" : "_like");
    const auto statement = this->statement(name);
    if (!statement)
        return tl::unexpected(withObserveGrant(statement.error()));
    Values values{{"prefix", m_likePrefix}, {"limit", limit}};
    addValues(values);
    for (qsizetype i = 0; i < m_lastKey.size(); ++i)
        values.insert(partName("after", i), m_lastKey.at(i));
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(withObserveGrant(failed->error));
    const auto ended = storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    m_range = {*statement, limit, 0, 0, *ended};
    return {};
}

int TableSet::firstKeyColumn() const
{
    if (m_table.pageKey.isEmpty())
        return 0;
    const RowLayout layout = RowLayout::of(m_table);
    return layout.field(m_table.pageKey)->at;
}

void TableSet::noteKey(const QSqlQuery &row)
{
    const qsizetype columns = std::max<qsizetype>(m_table.pageColumns().size(), 1);
    const int first = firstKeyColumn();
    m_lastKey.resize(columns);
    for (qsizetype i = 0; i < columns; ++i) // an empty name is a name
        m_lastKey[i] = notNull(row.value(first + int(i)).toByteArray()).toByteArray();
}

SetPage TableSet::page(int most, QList<Observation> spare)
{
    QSqlQuery &rows = m_range.statement->rows();
    const int now = nowColumn();
    SetPage page;
    page.locks = std::move(spare);
    page.locks.resize(most);
    qsizetype kept = 0;
    bool more = true;
    while (page.scanned < most && (more = rows.next())) {
        ++page.scanned;
        if (m_range.beganUs == 0)
            m_range.beganUs = rows.value(now).toLongLong();
        if (observeRow(page.locks[kept], rows, m_range.beganUs))
            ++kept;
        if (++m_range.scanned == m_range.limit)
            noteKey(rows);
    }
    page.locks.resize(kept);
    page.endedUs = m_range.endedUs;
    page.beganUs = m_range.beganUs == 0 ? m_range.endedUs : m_range.beganUs;
    page.setEnds = !more && m_range.scanned < m_range.limit;
    page.rangeEnds = !more || m_range.scanned == m_range.limit;
    if (page.rangeEnds)
        m_range.statement->finish();
    return page;
}

} // namespace lockkeeper::stores::sql
