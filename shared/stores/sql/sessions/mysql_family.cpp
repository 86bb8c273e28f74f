// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/stores/sql/sessions/mysql_source.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::kSecondUs;
using domain::ReleaseOff;

namespace {
constexpr int kMostUserLocks = 10'000;
} // namespace

MySqlFamilySource::MySqlFamilySource(SqlConnection &connection, const ServerFacts &facts)
    : m_connection(connection), m_facts(facts)
{
}

base::Result<SessionRights> MySqlFamilySource::check(const SessionWants &wants)
{
    auto found = readMySqlRights(m_connection, m_facts, wants);
    if (!found)
        return tl::unexpected(found.error());
    m_found = *std::move(found);
    auto own = m_connection.query(QStringLiteral("SELECT CONNECTION_ID()"));
    if (!own)
        return tl::unexpected(own.error());
    m_ownId = own->next() ? own->value(0).toByteArray() : QByteArray();
    return m_found.rights;
}

base::Result<Picture> MySqlFamilySource::read(const SessionWants &wants, const QSet<QByteArray> &keep)
{
    Picture picture;
    m_waitSecondUs.clear();
    const auto began = m_connection.storeTimeUs();
    if (!began)
        return tl::unexpected(began.error());
    picture.beganUs = *began;
    if (wants.rows) {
        if (const auto rows = readRows(wants, picture); !rows)
            return tl::unexpected(rows.error());
        for (const domain::WholeTableLock &table : std::as_const(picture.wholeTables)) {
            Claim claim;
            claim.place = table.place + "/*";
            claim.name = table.place.mid(table.place.indexOf('.') + 1);
            claim.session = table.session;
            picture.claims.append(claim);
        }
    }
    if (wants.advisory) {
        if (const auto locks = readAdvisory(wants, picture); !locks)
            return tl::unexpected(locks.error());
    }
    const auto ended = m_connection.storeTimeUs();
    if (!ended)
        return tl::unexpected(ended.error());
    picture.endedUs = *ended;
    if (const auto described = describeSessions(picture, keep); !described)
        return tl::unexpected(described.error());
    complete(picture);
    return picture;
}

QByteArray MySqlFamilySource::addTransaction(const QSqlQuery &row, Picture &picture)
{
    const QByteArray transaction = row.value(0).toByteArray();
    const QByteArray connection = row.value(1).toByteArray();
    const bool isOrphan = connection.isEmpty() || connection == "0";
    const QByteArray id = isOrphan ? "trx:" + transaction : connection;
    SessionFacts &facts = picture.sessions[id];
    facts.session.id = id;
    facts.session.transaction = transaction;
    facts.session.transactionSinceUs = row.value(2).toLongLong() * kSecondUs;
    facts.rowsLocked = row.value(4).toLongLong();
    facts.rowsChanged = row.value(5).toLongLong();
    facts.identity = id + '.' + transaction; // until an event gives a better one
    if (isOrphan)
        facts.session.protectedAs = ReleaseOff::PreparedXa;
    if (!row.isNull(3))
        m_waitSecondUs.insert(id, row.value(3).toLongLong() * kSecondUs);
    return id;
}

base::Result<void> MySqlFamilySource::readAdvisory(const SessionWants &wants, Picture &picture)
{
    if (m_found.instruments.metadataLocks) {
        picture.seesAdvisoryWaiters = true;
        picture.evidence += picture.evidence.isEmpty() ? "metadata_locks" : "+metadata_locks";
        return listUserLocks(wants, picture);
    }
    picture.evidence += picture.evidence.isEmpty() ? "is_used_lock" : "+is_used_lock";
    return askForNames(wants, picture);
}

base::Result<void> MySqlFamilySource::listUserLocks(const SessionWants &wants, Picture &picture)
{
    auto rows = m_connection.query(
        QStringLiteral("SELECT m.OBJECT_NAME, t.PROCESSLIST_ID, m.LOCK_STATUS, m.OWNER_THREAD_ID, "
                       "m.OWNER_EVENT_ID, m.OBJECT_INSTANCE_BEGIN FROM performance_schema.metadata_locks m "
                       "JOIN performance_schema.threads t ON t.THREAD_ID = m.OWNER_THREAD_ID "
                       "WHERE m.OBJECT_TYPE = 'USER LEVEL LOCK' AND t.PROCESSLIST_ID IS NOT NULL LIMIT %1")
            .arg(kMostUserLocks));
    if (!rows)
        return tl::unexpected(rows.error());
    int count = 0;
    for (; rows->next(); ++count) {
        Claim claim;
        claim.advisory = true;
        claim.place = wants.advisoryPlace;
        claim.name = rows->value(0).toByteArray();
        claim.session = rows->value(1).toByteArray();
        claim.waiting = rows->value(2).toByteArray() == "PENDING";
        claim.event = claim.session + '/' + rows->value(3).toByteArray() + '/' +
                      rows->value(4).toByteArray() + '/' + rows->value(5).toByteArray();
        picture.sessions[claim.session].session.id = claim.session;
        picture.claims.append(claim);
    }
    picture.truncated = picture.truncated || count == kMostUserLocks;
    return {};
}

base::Result<void> MySqlFamilySource::askForNames(const SessionWants &wants, Picture &picture)
{
    for (const QByteArray &name : wants.names) {
        auto rows = m_connection.query(QStringLiteral("SELECT IS_USED_LOCK(?)"), {QString::fromUtf8(name)});
        if (!rows)
            return tl::unexpected(rows.error());
        if (!rows->next() || rows->isNull(0))
            continue;
        Claim claim;
        claim.advisory = true;
        claim.place = wants.advisoryPlace;
        claim.name = name;
        claim.session = rows->value(0).toByteArray();
        claim.event = claim.session; // distinguishes holders, but not two holds of one session
        picture.sessions[claim.session].session.id = claim.session;
        picture.claims.append(claim);
    }
    return {};
}

base::Result<void> MySqlFamilySource::describeSessions(Picture &picture, const QSet<QByteArray> &keep)
{
    QSet<QByteArray> ids;
    QSet<QByteArray> advisory;
    for (const Claim &claim : std::as_const(picture.claims)) {
        ids.insert(claim.session);
        if (claim.advisory)
            advisory.insert(claim.session);
    }
    for (const domain::WholeTableLock &table : std::as_const(picture.wholeTables))
        ids.insert(table.session);
    for (const QByteArray &id : keep) {
        if (picture.sessions.contains(id))
            ids.insert(id);
    }
    if (ids.isEmpty())
        return {};
    const auto processes = readProcesses(ids, picture.endedUs);
    if (!processes)
        return tl::unexpected(processes.error());
    const bool events = m_found.instruments.readable;
    const auto transactions = events ? readTransactionEvents(m_connection, ids)
                                     : base::Result<QHash<QByteArray, TransactionEvent>>({});
    if (!transactions)
        return tl::unexpected(transactions.error());
    if (const auto named = m_programs.fill(m_connection, ids, events); !named)
        return named;
    QHash<QByteArray, qint64> statementUs;
    for (const QByteArray &id : std::as_const(ids)) {
        SessionFacts &facts = picture.sessions[id];
        facts.session.id = id;
        const TransactionEvent event = transactions->value(id);
        if (!event.statement.isEmpty())
            setStatement(facts.session, event.statement);
        if (const auto process = processes->constFind(id); process != processes->constEnd()) {
            describe(facts.session, *process, m_ownId);
            if (process->exact)
                statementUs.insert(id, process->sinceUs);
        }
        if (event.statementAgeUs >= 0)
            statementUs.insert(id, picture.endedUs - event.statementAgeUs);
        facts.session.program = m_programs.of(id);
        protectOwn(facts.session);
        if (event.xaState == "PREPARED")
            facts.session.protectedAs = ReleaseOff::PreparedXa;
        if (!event.event.isEmpty())
            facts.identity = transactionIdentity(id, event);
        else if (facts.identity.isEmpty())
            facts.identity = id;
        const bool pinned = m_found.instruments.transactions && !event.event.isEmpty();
        facts.instrumented = advisory.contains(id)
                                 ? m_found.instruments.statements && m_found.instruments.metadataLocks
                                 : pinned;
    }
    dateWaits(picture, statementUs);
    return {};
}

/** InnoDB dates a wait by the second. The waiting statement began no later than its wait. */
void MySqlFamilySource::dateWaits(Picture &picture, const QHash<QByteArray, qint64> &statementUs) const
{
    for (Claim &claim : picture.claims) {
        if (!claim.waiting)
            continue;
        qint64 from = statementUs.value(claim.session, 0);
        qint64 to = picture.endedUs;
        if (const auto second = m_waitSecondUs.constFind(claim.session);
            !claim.advisory && second != m_waitSecondUs.constEnd()) {
            from = std::max(from, *second);
            to = std::min(to, *second + kSecondUs);
        }
        if (from == 0)
            continue;
        claim.sinceUs = std::max(from, to);
        claim.windowUs = *claim.sinceUs - from;
    }
}

} // namespace lockkeeper::stores::sql
