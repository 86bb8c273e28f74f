// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_key.h"

#include <QHash>

#include <deque>

namespace lockkeeper::agent::liveness {

/** The reason for a probe: somebody looks at the lock, or the agent checks a lock that is in trouble. */
enum class ProbeCause : quint8 { Look = 0, Trouble };

/** Whether a probe may begin now. */
enum class ProbePermit : quint8 {
    Now = 0,
    UnderWay, ///< this lock is being probed
    Rests,    ///< this lock was probed less than `every` ago
    NoBudget, ///< its source had its probes of this minute
    Full,     ///< as many probes as allowed are under way
};

/**
 * Decides when probes may begin: one at a time and at most one in `every` for a lock, a budget a minute for
 * each source, and a bound on all. The agent's own checks leave a quarter of the budget to those who look.
 * Pure: times are monotonic microseconds.
 */
class ProbePlan
{
public:
    struct ProbeLimits
    {
        qint64 everyUs = 10'000'000;
        int budget = 60; ///< probes a minute for the lock's source
    };
    static constexpr int kMostAtOnce = 16;

    ProbePermit permit(const domain::LockKey &lock, const ProbeLimits &limits, ProbeCause cause,
                       qint64 nowUs) const;
    /** Call it after permit() returned Now. */
    void begin(const domain::LockKey &lock, qint64 nowUs);
    void end(const domain::LockKey &lock);
    /** When the lock was probed last; empty: not in the last hour, the longest `every`. */
    std::optional<qint64> lastUs(const domain::LockKey &lock) const;
    /** Forgets what no longer limits anything. */
    void forgetOld(qint64 nowUs);
    int underWay() const { return m_underWay; }

private:
    struct LastProbe
    {
        qint64 beganUs = 0;
        bool isUnderWay = false;
    };

    int usedInLastMinute(const QString &source, qint64 nowUs) const;

    QHash<domain::LockKey, LastProbe> m_locks;
    QHash<QString, std::deque<qint64>> m_sources; ///< the beginnings of the last minute's probes
    int m_underWay = 0;
};

} // namespace lockkeeper::agent::liveness
