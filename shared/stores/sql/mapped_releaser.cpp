// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/mapped_releaser.h"

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::ExpiryKind;
using domain::Outcome;

ReleaseResult MappedReleaser::run(const ReleaseOrder &order, JobStage &stage)
{
    if (const auto verdict = refusedAtOnce(order))
        return *verdict;
    ReleaseResult result = RowRelease(m_table, m_facts, m_seams)
                               .run(
                                   order, stage, [&] { return m_table.readRow(order.guard.key.name); },
                                   [&](const MappedReading &reading) { return judged(order, reading); },
                                   [&](const MappedReading &reading) { return guardValues(order, reading); });
    if (result.report.outcome == Outcome::Released && isUnsafe(order))
        result.report.error = {
            ErrorCode::Unsupported, QStringLiteral("released without a guard: the row has no identity"), {}};
    return result;
}

MappedReleaser::Verdict MappedReleaser::refusedAtOnce(const ReleaseOrder &order) const
{
    if (m_table.rules().protocol() == Protocol::Version)
        return releaseEnded(order, Outcome::Refused,
                            {ErrorCode::Unsupported,
                             QStringLiteral("nobody holds an optimistic lock: there is nothing to break"),
                             {}});
    if (!decodedValues(order.guard.identity) || !decodedValues(order.guard.freshness))
        return releaseEnded(order, Outcome::Refused,
                            {ErrorCode::Usage, QStringLiteral("the guard is of another mapping"), {}});
    return std::nullopt;
}

MappedReleaser::Verdict MappedReleaser::judged(const ReleaseOrder &order, const MappedReading &reading) const
{
    const Observation &seen = reading.lock;
    if (!reading.row || !seen.held)
        return releaseEnded(order, Outcome::AlreadyFree);
    if (isUnsafe(order) && m_mode != BreakMode::Unsafe)
        return releaseEnded(
            order, Outcome::Refused,
            {ErrorCode::Usage,
             QStringLiteral("the guard has no identity: there is nothing to release safely by"),
             {}});
    if (seen.identity != order.guard.identity)
        return releaseEnded(order, Outcome::HolderChanged);
    if (seen.flaw == Flaw::Truncated)
        return releaseEnded(
            order, Outcome::Refused,
            {ErrorCode::Unsupported,
             QStringLiteral("a value of the row is longer than 64 KiB: it isn't compared by its beginning"),
             {}});
    if (seen.flaw == Flaw::Malformed)
        return releaseEnded(order, Outcome::Refused,
                            {ErrorCode::Corrupt, QStringLiteral("the table has more than one row"), {}});
    if (isFresh(order) && seen.freshness != order.guard.freshness)
        return releaseEnded(order, Outcome::HolderChanged,
                            {ErrorCode::Unknown, QStringLiteral("the lease was renewed since"), {}});
    const bool past = seen.expiry == ExpiryKind::At && reading.nowUs >= seen.expiresUs + seen.expirySlackUs;
    if (order.mustBeExpired && !past)
        return releaseEnded(
            order, Outcome::Refused,
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
    for (const SeenValue &value : std::as_const(seen)) // the guard's own are the later ones
        values->insert(value.key, value.value);
    const qint64 deadline = reading.lock.expiresUs + reading.lock.expirySlackUs;
    values->insert("expired_at_us", order.mustBeExpired ? deadline : 0);
    for (const auto &write : m_table.table().writes.keys()) {
        if (isTimeKey(write))
            values->insert("offset_us", m_table.rules().time(write).writeOffsetUs(reading.nowUs));
    }
    return values;
}

} // namespace lockkeeper::stores::sql
