// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/alerts/engine/alert_reading.h"
#include "shared/events/lock_event.h"

#include <QHash>

#include <deque>
#include <optional>

namespace lockkeeper::agent::alerts {

/**
 * The recent past of the locks that rules about it match: their last holds, changes of holder, and since when
 * each is free. Kept in memory, from the agent's start on. At most kMostLocks; further locks aren't tracked.
 * Pure: time comes with the calls, by the agent's wall clock.
 */
class LockPasts
{
public:
    static constexpr qsizetype kMostLocks = 100'000;
    static constexpr qsizetype kLeastHolds = 20; ///< fewer holds have no p99

    /** Notes an event of a lock. `offsetUs`: the store's clock minus the agent's. */
    void take(const events::LockEvent &event, qint64 offsetUs);
    /** Notes a lock as it is shown, for one whose past isn't known yet. */
    void show(const domain::LockState &lock, qint64 nowUs);
    /** Notes that the table doesn't have the lock. */
    void showAbsent(const domain::LockKey &key, qint64 nowUs);
    void forgetAll() { m_pasts.clear(); }

    /** The current hold's length in thousandths of the p99 of the lock's earlier holds. */
    AlertReading heldRatio(const domain::LockState &lock, qint64 offsetUs) const;
    /** The changes of the holder within the hour before `nowUs`. */
    AlertReading holderChanges(const domain::LockKey &key, qint64 nowUs) const;
    /** The time without a holder. */
    AlertReading absent(const domain::LockKey &key) const;
    /** When the oldest of those changes leaves the hour; empty: there is none. */
    std::optional<qint64> nextChangeLeavesUs(const domain::LockKey &key, qint64 nowUs) const;
    bool isFull() const { return m_pasts.size() >= kMostLocks; }

private:
    struct LockPast
    {
        QByteArray owner;              ///< the last one
        std::optional<qint64> beganUs; ///< of the current hold, by the store's clock, if known well
        qint64 beganWindowUs = 0;
        std::optional<qint64> freeSinceUs; ///< empty: held, or not known
        std::deque<qint64> holds;          ///< lengths in microseconds, newest last
        std::deque<qint64> changes;        ///< moments, oldest first
    };

    LockPast *past(const domain::LockKey &key);
    static void begin(LockPast &past, const events::LockEvent &event, qint64 atUs);
    static void end(LockPast &past, const events::LockEvent &event, qint64 atUs);

    QHash<domain::LockKey, LockPast> m_pasts;
};

} // namespace lockkeeper::agent::alerts
