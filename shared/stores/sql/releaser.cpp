// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/releaser.h"

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;
using domain::Outcome;

Releaser::Releaser(LockTable &table, const ServerFacts &facts, const ReleaseSeams &seams)
    : m_table(table), m_facts(facts), m_seams(seams)
{
}

ReleaseResult Releaser::run(const ReleaseOrder &order, JobStage &stage)
{
    if (const auto verdict = refusedAtOnce(order))
        return *verdict;
    return RowRelease(m_table, m_facts, m_seams)
        .run(
            order, stage, [&] { return m_table.readRow(order.guard.key.name); },
            [&](const RowReading &reading) { return judged(order, reading); },
            [&](const RowReading &reading) { return base::Result<Values>(guardValues(order, reading)); });
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

} // namespace lockkeeper::stores::sql
