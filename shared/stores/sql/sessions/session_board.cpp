// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/session_board.h"

#include "shared/base/nearest.h"
#include "shared/base/text.h"
#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/sessions/index_shapes.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

SessionBoard::SessionBoard(SqlConnection &connection, const ServerFacts &facts)
    : m_connection(connection), m_facts(facts), m_source(makeSessionSource(connection, facts))
{
}

base::Result<std::shared_ptr<SessionBoard>> SessionBoard::open(SqlConnection &connection,
                                                               const SourceSpec &spec,
                                                               const ServerFacts &facts,
                                                               std::optional<quint16> only)
{
    std::shared_ptr<SessionBoard> board(new SessionBoard(connection, facts));
    if (const auto found = board->findTables(spec, only); !found)
        return tl::unexpected(found.error());
    auto rights = board->m_source->check(board->m_wants);
    if (!rights)
        return tl::unexpected(rights.error());
    board->m_rights = *std::move(rights);
    if (const auto named = board->findNames(spec); !named)
        return tl::unexpected(named.error());
    QStringList missing;
    bool blind = false;
    for (const domain::Access &access : board->m_rights.access) {
        blind = blind || (!access.granted && !access.forBreaking);
        if (!access.granted && !missing.contains(access.remedy))
            missing.append(access.remedy);
    }
    if (blind)
        return failure(ErrorCode::PermissionDenied,
                       QStringLiteral("this account may not see holders and waiters"),
                       QStringLiteral("Run: %1").arg(missing.join(QLatin1Char(' '))));
    return board;
}

base::Result<void> SessionBoard::findTables(const SourceSpec &spec, std::optional<quint16> only)
{
    const auto database = databaseName(m_connection);
    if (!database)
        return tl::unexpected(database.error());
    m_database = database->toUtf8();
    // Advisory locks of MySQL and MariaDB belong to the server, those of PostgreSQL to a database.
    m_wants.advisoryPlace =
        m_connection.dialect() == Dialect::PostgreSql ? m_database : QByteArrayLiteral("server");
    bool first = true;
    for (qsizetype i = 0; i < spec.locks.size(); ++i) {
        const LockSet &set = spec.locks.at(i);
        if (!domain::isConnectionScheme(set.scheme) || (only && i != *only))
            continue;
        if (std::exchange(first, false))
            m_firstSet = quint16(i);
        if (set.scheme == "sql.advisory") {
            m_wants.advisory = true;
            m_wants.names += QSet<QByteArray>(set.names.cbegin(), set.names.cend());
            continue;
        }
        m_wants.rows = true;
        if (const auto found = findIndexes(set.table.table); !found)
            return found;
        m_wants.tables.insert(m_database + '.' + set.table.table.toUtf8());
    }
    return {};
}

base::Result<void> SessionBoard::findIndexes(const QString &table)
{
    if (const auto ok = checkIdentifier(table, QStringLiteral("table")); !ok)
        return ok;
    const auto shapes = readIndexShapes(m_connection, m_database, table);
    if (!shapes)
        return tl::unexpected(shapes.error());
    if (!*shapes) {
        const auto names = tableNames(m_connection);
        const QString nearest = names ? base::nearestName(table, *names) : QString();
        if (m_connection.dialect() == Dialect::PostgreSql) {
            if (const auto open = checkSchemaIsOpen(m_connection, {table}, m_facts.account); !open)
                return open;
        }
        ResolvedTable hidden;
        hidden.dialect = m_connection.dialect();
        hidden.database = QString::fromUtf8(m_database);
        hidden.name = table;
        const QString grant = grantStatement(hidden, TableRight::Observe, m_facts.account) + QLatin1Char(';');
        return failure(
            ErrorCode::SchemaMismatch,
            QStringLiteral("there is no table \"%1\" that this account can see")
                .arg(base::displayText(table)),
            nearest.isEmpty()
                ? QStringLiteral("Check its name, or run: %1").arg(grant)
                : QStringLiteral("Did you mean \"%1\"? Or run: %2").arg(base::displayText(nearest), grant));
    }
    m_wants.indexes.insert(**shapes);
    return {};
}

/** The board shows the configuration's spelling, by which its author knows the lock. */
base::Result<void> SessionBoard::findNames(const SourceSpec &spec)
{
    QSet<QByteArray> written = m_wants.names;
    for (const LockSet &set : spec.locks) {
        if (set.scheme == "sql.advisory" && !set.match.contains('*') && !set.match.contains('?') &&
            !set.match.contains('[') && !set.match.contains('\\'))
            written.insert(set.match);
    }
    for (const QByteArray &name : std::as_const(written)) {
        const auto spelled = m_source->spelled(name);
        if (!spelled)
            return tl::unexpected(spelled.error());
        m_names.insert(*spelled, name);
    }
    return {};
}

base::Result<QByteArray> SessionBoard::shownName(const QByteArray &name) const
{
    return m_source->spelled(name).map(
        [this](const QByteArray &spelled) { return m_names.value(spelled, spelled); });
}

base::Result<void> SessionBoard::checkSeen(const QByteArray &shownName) const
{
    if (m_rights.listing.isEmpty() || m_wants.names.contains(shownName))
        return {};
    return failure(ErrorCode::Unsupported,
                   QStringLiteral("this server doesn't list advisory locks, and this one isn't in \"names\" "
                                  "of the lock set: its holder is unknown"),
                   QStringLiteral("Add its name to \"names\" of the lock set."));
}

base::Result<void> SessionBoard::read()
{
    auto picture = m_source->read(m_wants, m_memory.sessions());
    if (!picture)
        return tl::unexpected(picture.error());
    m_picture = *std::move(picture);
    for (Claim &claim : m_picture.claims) {
        if (claim.advisory)
            claim.name = m_names.value(claim.name, claim.name);
    }
    m_memory.take(m_picture);
    m_sinceRead.start();
    return {};
}

base::Result<void> SessionBoard::readIfOlder()
{
    const bool same = m_sinceRead.isValid() && m_sinceRead.elapsed() < m_source->leastIntervalMs();
    return same ? base::Result<void>() : read();
}

} // namespace lockkeeper::stores::sql
