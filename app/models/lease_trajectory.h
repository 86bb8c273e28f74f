// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::models {

/**
 * The remaining time of one lock's lease over the last 15 minutes, for a chart. A plain class that receives
 * each state. It keeps at most 2,000 points: a point on a line with its neighbours isn't kept, and beyond the
 * limit every second tooth is removed. All times are in microseconds by the store's clock.
 */
class LeaseTrajectory
{
public:
    static constexpr qint64 kSpanUs = 15 * 60 * 1'000'000ll;
    static constexpr int kMaxPoints = 2000;

    /**
     * A corner of the line: between two corners, only time passes. A break marks a point that doesn't connect
     * to the next.
     */
    struct Point
    {
        qint64 atUs = 0;
        qint64 remainingUs = 0;  ///< negative past the deadline
        bool startsAnew = false; ///< not connected to the previous point: free, no expiry or unknown
        bool operator==(const Point &) const = default;
    };
    /** A renewal that happened, or (missed) the time when the next was due but didn't happen. */
    struct Renewal
    {
        qint64 atUs = 0;
        bool missed = false;
        bool operator==(const Renewal &) const = default;
    };
    /** An unobserved time. `toUs` empty: not over yet. */
    struct UnseenSpan
    {
        qint64 fromUs = 0;
        std::optional<qint64> toUs;
        bool operator==(const UnseenSpan &) const = default;
    };

    /** A state as of `nowUs`; times that run backwards are ignored. */
    void add(const domain::LockState &state, qint64 nowUs);
    /** The lock is gone. */
    void end(qint64 nowUs);
    void openGap(qint64 fromUs);
    void closeGap(qint64 toUs);

    /** The line's corners, oldest first, not older than 15 min before the last. */
    const QList<Point> &points() const { return m_points; }
    /** Renewals that happened and, judged at `nowUs` by the longest usual interval, renewals missed since. */
    QList<Renewal> renewals(qint64 nowUs) const;
    const QList<UnseenSpan> &gaps() const { return m_gaps; }

private:
    void noteRenewal(const domain::LockState &state, qint64 nowUs);
    void addMissed(qint64 untilUs);
    QList<Renewal> missed(qint64 untilUs) const;
    void push(qint64 atUs, qint64 remainingUs, bool startsAnew);
    void forget(qint64 nowUs);
    void thin();

    QList<Point> m_points;
    QList<Renewal> m_renewals;
    QList<UnseenSpan> m_gaps;
    std::optional<qint64> m_deadlineUs; ///< of the last state; empty: the line has ended
    qint64 m_lastUs = 0;
    QByteArray m_owner;
    domain::TimeUs m_acquiredUs;
    std::optional<qint64> m_lastRenewalUs;
    qint64 m_usualGapUs = 0;
    quint32 m_renewalCount = 0;
};

} // namespace lockkeeper::app::models
