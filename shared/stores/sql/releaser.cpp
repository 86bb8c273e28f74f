// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/releaser.h"

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

namespace {
constexpr int kMostTries = 5;
}

Releaser::Releaser(LockTable &table, const ServerFacts &facts, const ReleaseSeams &seams)
    : m_table(table), m_facts(facts), m_seams(seams)
{
}

ReleaseResult Releaser::run(const ReleaseOrder &order, JobStage &stage)
{
    if (auto verdict = refusedAtOnce(order))
        return *verdict;
    for (int i = 0; i < kMostTries; ++i) {
        const auto reading = m_table.readRow(order.guard.key.name);
        if (!reading)
            return releaseFailedBefore(order, reading.error(), m_table.breakGrant());
        if (auto verdict = judged(order, *reading))
            return *verdict;
        if (m_seams.beforeWrite)
            m_seams.beforeWrite();
        if (auto verdict = write(order, *reading, stage))
            return *verdict;
    }
    return releaseEnded(order, Outcome::Refused,
                        {ErrorCode::Busy, QStringLiteral("the row changed each time it was read"),
                         QStringLiteral("Try again.")});
}

Releaser::Verdict Releaser::refusedAtOnce(const ReleaseOrder &order) const
{
    if (!ShedlockIdentity::decoded(order.guard.identity))
        return releaseEnded(
            order, Outcome::Refused,
            {ErrorCode::Usage,
             QStringLiteral("the guard has no identity: there is nothing to release safely by"),
             {}});
    return std::nullopt;
}

Releaser::Verdict Releaser::judged(const ReleaseOrder &order, const RowReading &reading) const
{
    if (!reading.row)
        return releaseEnded(order, Outcome::AlreadyFree);
    const Observation seen = m_table.observation(order.guard.key.name, reading);
    if (!seen.held)
        return releaseEnded(order, Outcome::AlreadyFree);
    if (seen.identity != order.guard.identity)
        return releaseEnded(order, Outcome::HolderChanged);
    if (order.checkFreshness && seen.freshness != order.guard.freshness)
        return releaseEnded(order, Outcome::HolderChanged,
                            {ErrorCode::Unknown, QStringLiteral("the lease was renewed since"), {}});
    if (order.mustBeExpired)
        return releaseEnded(
            order, Outcome::Refused,
            {ErrorCode::Usage, QStringLiteral("the lease hasn't expired by the store's clock"), {}});
    return std::nullopt;
}

Values Releaser::guardValues(const ReleaseOrder &order, const RowReading &reading) const
{
    // Identity and, where it counts, freshness come from the guard itself and not from what was just read.
    const auto identity = ShedlockIdentity::decoded(order.guard.identity).value_or(ShedlockIdentity{});
    const TimeColumn &expiresAt = m_table.reader().expiresAt();
    return {
        {"name", notNull(order.guard.key.name)},
        {"holder", notNull(identity.holder)},
        {"acquired_at", identity.acquiredAt},
        {"expires_at", order.checkFreshness ? order.guard.freshness : expiresAt.text(reading.row->expiresAt)},
        {"deadline_us", m_table.reader().heldUntilUs(reading.row->expiresAt)},
        {"offset_us", expiresAt.writeOffsetUs(reading.nowUs)}};
}

Releaser::Verdict Releaser::write(const ReleaseOrder &order, const RowReading &reading, JobStage &stage)
{
    // Preparing the UPDATE checks the right to it, so that a dry run ends as the release would.
    const auto release = m_table.statement("release");
    if (!release)
        return releaseFailedBefore(order, release.error(), m_table.breakGrant());
    if (order.dryRun && m_facts.readOnly)
        return releaseEnded(order, Outcome::Refused,
                            {ErrorCode::ReadOnly, QStringLiteral("the server is read-only"), {}});
    const auto statement = order.dryRun ? m_table.statement("release_check") : release;
    if (!statement)
        return releaseFailedBefore(order, statement.error(), m_table.breakGrant());
    if (order.dryRun ? stage.isCancelled() : !stage.beginWriting())
        return releaseEnded(order, Outcome::Unreachable,
                            {ErrorCode::Cancelled, QStringLiteral("called off before it was sent"), {}});
    if (const auto failed = (*statement)->run(guardValues(order, reading)))
        return order.dryRun ? releaseFailedBefore(order, failed->error, m_table.breakGrant())
                            : releaseFailedWrite(order, *failed, m_table.breakGrant());
    QSqlQuery &rows = (*statement)->rows();
    // The guard wants the deadline ahead of now and the UPDATE sets it to now, so a row that it found did
    // change.
    const qint64 count =
        order.dryRun ? (rows.next() ? rows.value(0).toLongLong() : 0) : rows.numRowsAffected();
    (*statement)->finish();
    if (count != 1)
        return std::nullopt;
    ReleaseResult result = releaseEnded(order, Outcome::Released);
    result.report.storeUs = reading.nowUs;
    return result;
}

} // namespace lockkeeper::stores::sql
