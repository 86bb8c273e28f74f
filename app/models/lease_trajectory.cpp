// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/lease_trajectory.h"

#include <algorithm>

namespace lockkeeper::app::models {

namespace {
constexpr int kMaxRenewals = 2000;
constexpr int kMaxMissed = 100;

/** The deadline that the line falls towards, if there is one. */
domain::TimeUs deadlineOf(const domain::LockState &state)
{
    const bool runs = state.isHeld() && state.expiry == domain::ExpiryKind::At;
    return runs ? state.expiresUs : std::nullopt;
}

} // namespace

void LeaseTrajectory::add(const domain::LockState &state, qint64 nowUs)
{
    if (nowUs < m_lastUs)
        return;
    m_lastUs = nowUs;
    const domain::TimeUs deadline = deadlineOf(state);
    const bool sameHold = state.isHeld() && state.owner == m_owner && state.acquiredUs == m_acquiredUs;
    if (!sameHold)
        m_renewalCount = 0;
    noteRenewal(state, nowUs);
    m_owner = state.owner;
    m_acquiredUs = state.acquiredUs;
    if (!deadline) {
        end(nowUs);
        return;
    }
    const bool connected = m_deadlineUs && sameHold;
    if (m_deadlineUs && *m_deadlineUs != *deadline)
        push(nowUs, *m_deadlineUs - nowUs, false); // The end of the line to the old deadline.
    push(nowUs, *deadline - nowUs, !connected);
    m_deadlineUs = deadline;
    forget(nowUs);
    thin();
}

void LeaseTrajectory::noteRenewal(const domain::LockState &state, qint64 nowUs)
{
    if (state.isHeld() && state.renewals > m_renewalCount) {
        const qint64 at = std::min(nowUs, state.renewedUs.value_or(nowUs));
        addMissed(at);
        m_renewals.append({at, false});
        m_lastRenewalUs = at;
    } else if (m_renewalCount == 0 && state.renewals == 0) {
        m_lastRenewalUs.reset();
    }
    m_renewalCount = state.renewals;
    m_usualGapUs = state.renewals >= 2 ? state.longestRenewalGapUs : 0;
}

/** Marks the renewals that were due before `untilUs`, by the same rule as domain::liveness(). */
void LeaseTrajectory::addMissed(qint64 untilUs)
{
    m_renewals.append(missed(untilUs));
}

QList<LeaseTrajectory::Renewal> LeaseTrajectory::missed(qint64 untilUs) const
{
    QList<Renewal> list;
    if (!m_lastRenewalUs || m_usualGapUs <= 0 || !m_deadlineUs ||
        untilUs - *m_lastRenewalUs < 2 * m_usualGapUs)
        return list;
    for (int i = 1; i <= kMaxMissed && *m_lastRenewalUs + i * m_usualGapUs <= untilUs; ++i)
        list.append({*m_lastRenewalUs + i * m_usualGapUs, true});
    return list;
}

void LeaseTrajectory::end(qint64 nowUs)
{
    if (nowUs < m_lastUs)
        return;
    m_lastUs = nowUs;
    if (m_deadlineUs)
        push(nowUs, *m_deadlineUs - nowUs, false);
    m_deadlineUs.reset();
    m_lastRenewalUs.reset();
    m_renewalCount = 0;
    forget(nowUs);
}

void LeaseTrajectory::openGap(qint64 fromUs)
{
    if (m_gaps.isEmpty() || m_gaps.last().toUs)
        m_gaps.append({fromUs, std::nullopt});
}

void LeaseTrajectory::closeGap(qint64 toUs)
{
    if (m_gaps.isEmpty() || m_gaps.last().toUs)
        return;
    m_gaps.last().toUs = std::max(toUs, m_gaps.last().fromUs);
    forget(toUs);
}

QList<LeaseTrajectory::Renewal> LeaseTrajectory::renewals(qint64 nowUs) const
{
    return m_renewals + missed(nowUs);
}

/** If the new point is on the same line, only moves the last point: the passing of time makes no corners. */
void LeaseTrajectory::push(qint64 atUs, qint64 remainingUs, bool startsAnew)
{
    const qsizetype size = m_points.size();
    if (size >= 1 && !startsAnew && m_points.last().atUs == atUs &&
        m_points.last().remainingUs == remainingUs)
        return;
    if (size >= 2 && !startsAnew && !m_points.last().startsAnew) {
        const auto deadline = [](const Point &point) { return point.atUs + point.remainingUs; };
        const qint64 end = atUs + remainingUs;
        if (deadline(m_points[size - 1]) == end && deadline(m_points[size - 2]) == end) {
            m_points.last().atUs = atUs;
            m_points.last().remainingUs = remainingUs;
            return;
        }
    }
    m_points.append({atUs, remainingUs, startsAnew || size == 0});
}

/**
 * Drops data that has left the span. The last corner before the edge stays, so that the line starts at the
 * edge.
 */
void LeaseTrajectory::forget(qint64 nowUs)
{
    const qint64 edge = nowUs - kSpanUs;
    qsizetype old = 0;
    while (old + 1 < m_points.size() && m_points[old + 1].atUs < edge)
        ++old;
    if (old > 0) {
        m_points.remove(0, old);
        m_points.first().startsAnew = true;
    }
    m_renewals.removeIf([edge](const Renewal &renewal) { return renewal.atUs < edge; });
    if (m_renewals.size() > kMaxRenewals)
        m_renewals.remove(0, m_renewals.size() - kMaxRenewals);
    m_gaps.removeIf([edge](const UnseenSpan &gap) { return gap.toUs && *gap.toUs < edge; });
}

/**
 * Thins out the line if it has more corners than the chart has pixels: removes every second tooth with both
 * of its corners.
 */
void LeaseTrajectory::thin()
{
    if (m_points.size() <= kMaxPoints)
        return;
    QList<Point> kept;
    kept.reserve(m_points.size());
    for (qsizetype i = 0; i < m_points.size(); ++i) {
        const bool tooth = i % 4 == 2 || i % 4 == 3;
        if (!tooth || m_points[i].startsAnew || i + 2 >= m_points.size())
            kept.append(m_points[i]);
    }
    m_points = kept.size() <= kMaxPoints ? kept : kept.last(kMaxPoints);
    m_points.first().startsAnew = true;
}

} // namespace lockkeeper::app::models
