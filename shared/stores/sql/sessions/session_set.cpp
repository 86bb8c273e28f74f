// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/session_set.h"

#include "shared/stores/sql/connection/sql_errors.h"

#include <QDeadlineTimer>

#include <algorithm>

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::Outcome;
using domain::ReleaseOff;

namespace {
constexpr int kConfirmMs = 2'000;

Error errorOf(ReleaseOff why)
{
    switch (why) {
    case ReleaseOff::System:
        return {ErrorCode::Unsupported,
                QStringLiteral("a replication, system or monitoring connection is never killed"),
                {}};
    case ReleaseOff::PreparedXa:
        return {ErrorCode::Unsupported,
                QStringLiteral("a prepared transaction holds it without a connection"),
                QStringLiteral("Commit it or roll it back by its id.")};
    case ReleaseOff::TooYoung:
        return {ErrorCode::Unsupported,
                QStringLiteral("it hasn't been seen twice and for at least 5 seconds"),
                QStringLiteral("Try again in a few seconds.")};
    case ReleaseOff::Instrument:
        return {ErrorCode::Unsupported,
                QStringLiteral("nothing identifies this transaction, so a kill can't be guarded"),
                QStringLiteral("lockkeeper-agent --check shows what to enable.")};
    default:
        return {ErrorCode::Unsupported, QStringLiteral("several sessions hold it together"), {}};
    }
}
} // namespace

SessionSet::SessionSet(const SetContext &context, std::shared_ptr<SessionBoard> board, PictureFilter filter)
    : m_connection(context.connection),
      m_facts(context.facts),
      m_seams(context.seams),
      m_source(context.spec.name),
      m_board(std::move(board)),
      m_filter(std::move(filter)),
      m_scheme(context.lockSet().scheme)
{
}

base::Result<std::unique_ptr<SetReader>> SessionSet::open(const SetContext &context)
{
    if (context.connection.isPooled() && context.connection.dialect() == Dialect::MySql)
        return base::failure(
            ErrorCode::Unsupported,
            QStringLiteral("a proxy (ProxySQL, MaxScale or the like) is between the agent and the server: it "
                           "shows the sessions of only one of several servers"),
            QStringLiteral("Use the server's own address instead of a load balancer's."));
    std::shared_ptr<SessionBoard> board = context.sessions ? *context.sessions : nullptr;
    if (!board) {
        auto opened = SessionBoard::open(context.connection, context.spec, context.facts,
                                         context.sessions ? std::nullopt : std::optional(context.set));
        if (!opened)
            return tl::unexpected(opened.error());
        board = *std::move(opened);
        if (context.sessions)
            *context.sessions = board;
    }
    const LockSet &set = context.lockSet();
    PictureFilter filter;
    filter.set = context.set;
    filter.advisory = set.scheme == "sql.advisory";
    const QString listing = board->rights().listing;
    if (filter.advisory && set.names.isEmpty() && !listing.isEmpty())
        return base::failure(
            ErrorCode::Unsupported,
            QStringLiteral("this server doesn't list advisory locks, and the lock set has no \"names\""),
            QStringLiteral("Add \"names\" to the lock set, or let the server list them: %1").arg(listing));
    filter.match = set.match;
    filter.ignoresCase = filter.advisory && board->ignoresCase();
    filter.place =
        filter.advisory ? board->advisoryPlace() : board->database() + '.' + set.table.table.toUtf8() + '/';
    return std::unique_ptr<SetReader>(new SessionSet(context, std::move(board), std::move(filter)));
}

QList<domain::Access> SessionSet::access()
{
    QList<domain::Access> own;
    for (const domain::Access &access : m_board->rights().access) {
        if (access.need.endsWith(':' + m_scheme))
            own.append(access);
    }
    return own;
}

Error SessionSet::warning() const
{
    return m_filter.set == m_board->firstSet() ? m_board->rights().warning : Error();
}

base::Result<void> SessionSet::beginScan()
{
    return m_filter.set == m_board->firstSet() ? m_board->readIfOlder() : base::Result<void>();
}

void SessionSet::rewind()
{
    m_locks = observationsOf(m_board->picture(), m_filter, m_board->memory());
    m_next = 0;
}

base::Result<void> SessionSet::beginRange(const ReadSize &size)
{
    m_pageSize = size.page;
    return {};
}

SetPage SessionSet::page(QList<Observation> spare)
{
    Q_UNUSED(spare)
    SetPage page;
    page.locks = m_locks.mid(m_next, m_pageSize);
    page.scanned = page.locks.size();
    m_next += page.scanned;
    page.beganUs = m_board->picture().beganUs;
    page.endedUs = m_board->picture().endedUs;
    page.setEnds = page.rangeEnds = m_next >= m_locks.size();
    if (page.setEnds)
        m_locks.clear();
    return page;
}

base::Result<SetReading> SessionSet::one(const QByteArray &name)
{
    return m_board->readIfOlder().and_then([&] { return shown(name); });
}

base::Result<SetReading> SessionSet::oneAnew(const QByteArray &name)
{
    return m_board->read().and_then([&] { return shown(name); });
}

/** The lock as the board's present picture shows it. */
base::Result<SetReading> SessionSet::shown(const QByteArray &name) const
{
    const auto wanted = m_filter.advisory ? m_board->shownName(name) : base::Result<QByteArray>(name);
    if (!wanted)
        return tl::unexpected(wanted.error());
    if (const auto seen = m_filter.advisory ? m_board->checkSeen(*wanted) : base::Result<void>(); !seen)
        return tl::unexpected(seen.error());
    SetReading reading;
    reading.nowUs = m_board->picture().beganUs;
    for (const Observation &lock : observationsOf(m_board->picture(), m_filter, m_board->memory())) {
        if (lock.name == *wanted) {
            reading.lock = lock;
            return reading;
        }
    }
    reading.lock.set = m_filter.set;
    reading.lock.name = name;
    reading.lock.present = false;
    return reading;
}

std::optional<domain::WaitGraph> SessionSet::graph() const
{
    if (m_filter.set != m_board->firstSet())
        return std::nullopt;
    return graphOf(m_board->picture(), m_source);
}

SessionSet::Verdict SessionSet::judged(const ReleaseOrder &order, const Observation &seen) const
{
    if (!seen.present)
        return releaseEnded(Outcome::AlreadyFree);
    if (seen.identity != order.guard.identity)
        return releaseEnded(Outcome::HolderChanged);
    if (seen.freshness != order.guard.freshness)
        return releaseEnded(Outcome::HolderChanged,
                            {ErrorCode::Unknown,
                             QStringLiteral("the session has run another statement since it was read"),
                             QStringLiteral("Read the lock again.")});
    if (order.mustBeExpired)
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Usage, QStringLiteral("a lock of a session doesn't expire"), {}});
    if (m_facts.readOnly)
        return releaseEnded(Outcome::Refused, {ErrorCode::ReadOnly, QStringLiteral("the server is read-only"),
                                               QStringLiteral("Release at the primary.")});
    if (seen.off != ReleaseOff::None && !m_seams.withoutTerms.contains("mature"))
        return releaseEnded(Outcome::Refused, errorOf(seen.off));
    return std::nullopt;
}

ReleaseAttempt SessionSet::release(const ReleaseOrder &order, JobStage &stage)
{
    if (order.guard.identity.isEmpty())
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Usage,
                             QStringLiteral("the guard has no identity, so a release wouldn't be safe"),
                             {}});
    const auto name = subjectNameOf(m_filter.place, order.guard.key);
    const auto reading = oneAnew(name.value_or(order.guard.key.name));
    if (!reading)
        return releaseFailedBefore(reading.error());
    if (const auto verdict = judged(order, reading->lock))
        return *verdict;
    const auto served = m_filter.advisory ? m_board->serverName(order.guard.key.name)
                                          : base::Result<QByteArray>(order.guard.key.name);
    if (!served)
        return releaseFailedBefore(served.error());
    const KillTarget target{order.guard.identity.left(order.guard.identity.indexOf('/')),
                            order.guard.identity,
                            m_filter.advisory,
                            *served,
                            order.guard.freshness,
                            m_seams.withoutTerms.contains("mature")};
    if (order.dryRun)
        return dryRun(target);
    if (m_seams.beforeWrite)
        m_seams.beforeWrite();
    if (!stage.beginWriting())
        return releaseEnded(Outcome::Unreachable,
                            {ErrorCode::Cancelled, QStringLiteral("cancelled before it was sent"), {}});
    const KillReply reply = killGuarded(m_connection, target);
    if (reply.failure)
        return releaseFailedWrite(*reply.failure, killGrant());
    if (!reply.killed)
        return releaseEnded(Outcome::HolderChanged);
    return confirmed(target);
}

ReleaseAttempt SessionSet::dryRun(const KillTarget &target)
{
    for (const domain::Access &access : access()) {
        if (!access.granted && access.forBreaking)
            return releaseEnded(Outcome::Refused,
                                {ErrorCode::PermissionDenied, QStringLiteral("a right to break is missing"),
                                 QStringLiteral("Run: %1").arg(access.remedy)});
    }
    const auto would = wouldKill(m_connection, target);
    if (!would)
        return releaseFailedBefore(would.error());
    return releaseEnded(*would ? Outcome::Released : Outcome::HolderChanged);
}

/** The server has accepted the kill; the session still has its locks until it has rolled back. */
ReleaseAttempt SessionSet::confirmed(const KillTarget &target)
{
    const QString pause = m_connection.dialect() == Dialect::PostgreSql
                              ? QStringLiteral("SELECT pg_sleep(0.005)")
                              : QStringLiteral("SELECT SLEEP(0.005)");
    QDeadlineTimer limit(kConfirmMs);
    while (true) {
        const auto there = isAcquisitionThere(m_connection, target);
        if (!there) {
            ReleaseAttempt result = releaseEnded(Outcome::Unknown, there.error());
            if (isLinkLost(there.error().code))
                result.linkLost = there.error();
            return result;
        }
        if (!*there) {
            ReleaseAttempt result = releaseEnded(Outcome::Released);
            if (const auto now = m_connection.storeTimeUs())
                result.report.storeUs = *now;
            return result;
        }
        if (limit.hasExpired()) {
            ReleaseAttempt result = releaseEnded(
                Outcome::Unknown,
                {ErrorCode::Timeout, QStringLiteral("the session was killed and is still rolling back"),
                 QStringLiteral("Read the lock again.")});
            result.report.underWay = true;
            return result;
        }
        // The server waits, not this thread: otherwise each round trip would only query it more often.
        if (const auto waited = m_connection.query(pause); !waited && isLinkLost(waited.error().code)) {
            ReleaseAttempt result = releaseEnded(Outcome::Unknown, waited.error());
            result.linkLost = waited.error();
            return result;
        }
    }
}

QString SessionSet::killGrant() const
{
    for (const domain::Access &access : m_board->rights().access) {
        if (access.need == "break:" + m_scheme && !access.granted)
            return access.remedy.chopped(access.remedy.endsWith(QLatin1Char(';')) ? 1 : 0);
    }
    return {};
}

} // namespace lockkeeper::stores::sql
