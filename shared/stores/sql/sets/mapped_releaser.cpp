// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sets/mapped_releaser.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using domain::ExpiryKind;
using domain::Outcome;

namespace {
constexpr int kMostTries = 5;
}

ReleaseAttempt MappedReleaser::run(const ReleaseOrder &order, JobStage &stage)
{
    if (const auto verdict = refusedAtOnce(order))
        return *verdict;
    for (int i = 0; i < kMostTries; ++i) {
        const auto reading = m_table.readRow(order.guard.key.name);
        if (!reading)
            return releaseFailedBefore(reading.error());
        if (auto verdict = judged(order, *reading))
            return *verdict;
        if (m_seams.beforeWrite)
            m_seams.beforeWrite();
        if (auto verdict = write(order, stage, guardValues(order, *reading), reading->nowUs))
            return *verdict;
    }
    return releaseEnded(Outcome::Refused,
                        {ErrorCode::Busy, QStringLiteral("the row changed each time it was read"),
                         QStringLiteral("Try again.")});
}

MappedReleaser::Verdict MappedReleaser::write(const ReleaseOrder &order, JobStage &stage,
                                              const base::Result<Values> &values, qint64 nowUs) const
{
    // In MySQL, preparing the write checks the right to it, so that a dry run ends as the release would.
    const auto release = m_table.statement("release");
    if (!release)
        return releaseFailedBefore(release.error(), m_table.breakGrant());
    if (order.dryRun && m_facts.readOnly)
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::ReadOnly, QStringLiteral("the server is read-only"), {}});
    const auto statement = order.dryRun ? m_table.statement("release_check") : release;
    if (!statement || !values)
        return releaseFailedBefore(statement ? values.error() : statement.error(), m_table.breakGrant());
    if (order.dryRun ? stage.isCancelled() : !stage.beginWriting())
        return releaseEnded(Outcome::Unreachable,
                            {ErrorCode::Cancelled, QStringLiteral("cancelled before it was sent"), {}});
    if (auto failed = (*statement)->run(*values)) {
        failed->error = m_table.explained(failed->error, m_table.breakGrant());
        return order.dryRun ? releaseFailedBefore(failed->error) : releaseFailedWrite(*failed);
    }
    QSqlQuery &rows = (*statement)->rows();
    // A held row differs from the values that a break writes: each row that was found was also changed.
    const qint64 count =
        order.dryRun ? (rows.next() ? rows.value(0).toLongLong() : 0) : rows.numRowsAffected();
    (*statement)->finish();
    if (count < 1)
        return std::nullopt;
    ReleaseAttempt result = releaseEnded(Outcome::Released);
    result.report.storeUs = nowUs;
    if (isUnsafe(order))
        result.report.error = {
            ErrorCode::Unsupported, QStringLiteral("released without a guard: the row has no identity"), {}};
    return result;
}

MappedReleaser::Verdict MappedReleaser::refusedAtOnce(const ReleaseOrder &order) const
{
    if (m_table.rules().protocol() == Protocol::Version)
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Unsupported,
                             QStringLiteral("an optimistic lock is never held: there is nothing to release"),
                             {}});
    if (!decodedValues(order.guard.identity) || !decodedValues(order.guard.freshness))
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Usage, QStringLiteral("the guard belongs to another mapping"), {}});
    return std::nullopt;
}

MappedReleaser::Verdict MappedReleaser::judged(const ReleaseOrder &order, const MappedReading &reading) const
{
    const Observation &seen = reading.lock;
    if (reading.row && seen.flaw == Flaw::Malformed)
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Corrupt,
                             m_table.table().names.isEmpty()
                                 ? QStringLiteral("the table has more than one row, or its status is neither "
                                                  "the held nor the free value")
                                 : QStringLiteral("the row's status is neither the held nor the free value"),
                             QStringLiteral("Correct \"held_value\" and \"free_value\" of the lock set.")});
    if (!reading.row || !seen.held)
        return releaseEnded(Outcome::AlreadyFree);
    // Every ShedLock table has identity columns: a row without values there is no reason for "unsafe".
    if (isUnsafe(order) && (m_mode != BreakMode::Unsafe || m_table.rules().protocol() == Protocol::ShedLock))
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Usage,
                             QStringLiteral("the guard has no identity, so a release wouldn't be safe"),
                             {}});
    if (seen.identity != order.guard.identity)
        return releaseEnded(Outcome::HolderChanged);
    if (seen.flaw == Flaw::Truncated)
        return releaseEnded(Outcome::Refused,
                            {ErrorCode::Unsupported,
                             QStringLiteral("a value of the row is longer than 64 KiB and can't be compared"),
                             {}});
    if (isFresh(order) && seen.freshness != order.guard.freshness)
        return releaseEnded(
            Outcome::HolderChanged,
            {ErrorCode::Unknown, QStringLiteral("the lease was renewed in the meantime"), {}});
    const bool past = seen.expiry == ExpiryKind::At && reading.nowUs >= seen.expiresUs + seen.expirySlackUs;
    if (order.mustBeExpired && !past)
        return releaseEnded(
            Outcome::Refused,
            {ErrorCode::Usage, QStringLiteral("the lease hasn't expired by the store's clock"), {}});
    return std::nullopt;
}

base::Result<Values> MappedReleaser::guardValues(const ReleaseOrder &order,
                                                 const MappedReading &reading) const
{
    auto values = m_table.fixedValues(order.guard.key.name);
    if (!values)
        return values;
    QList<SeenValue> seen = m_table.rules().seenValues(*reading.row);
    seen += decodedValues(order.guard.identity).value_or(QList<SeenValue>());
    if (isFresh(order))
        seen += decodedValues(order.guard.freshness).value_or(QList<SeenValue>());
    for (const SeenValue &value : std::as_const(seen)) // the guard's values come last, and win
        values->insert(value.key, value.value);
    const qint64 deadline = reading.lock.expiresUs + reading.lock.expirySlackUs;
    values->insert("expired_at_us", order.mustBeExpired ? deadline : 0);
    if (m_table.rules().protocol() == Protocol::ShedLock)
        values->insert("deadline_us", m_table.rules().heldUntilUs(*reading.row));
    for (const auto &write : m_table.table().writes.keys()) {
        if (isTimeKey(write))
            values->insert("offset_us", m_table.rules().time(write).writeOffsetUs(reading.nowUs));
    }
    return values;
}

} // namespace lockkeeper::stores::sql
