// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"
#include "agent/engine/source_engine.h"

#include <QHash>

#include <random>

namespace lockkeeper::agent::engine {

/**
 * Estimates the store's clock: the last reading plus the monotonic time since. The wall clock only shows how
 * far the two are apart.
 *
 * If a store has several servers, each has its own clock (stores::Observation::server). One of them stands
 * for the store's clock; times by another clock are compared only with readings of that clock.
 */
class StoreClock
{
public:
    /** Takes a reading. Returns true if that server's clock was set back since its last reading. `server` 0:
     * the store's only clock, or a joint reading of several servers, which says little. */
    bool read(const Bracket &bracket, Instant now, quint16 server = 0);
    /** The store's clock shows at least `us`: the store has reported the changes until then, perhaps late. */
    void reached(qint64 us, Instant now);
    /** That server's clock shows `us` now, or did a moment ago; nothing else is concluded from it. */
    void note(quint16 server, qint64 us, Instant now);
    /** The store's time at which that server's clock shows `us`. */
    qint64 ofServer(quint16 server, qint64 us) const;
    /** How far the clock of `other` is ahead of the clock of `server`; 0 if the difference is small or not
     * known. */
    qint64 aheadUs(quint16 other, quint16 server) const;
    /** The age of a reading that arrives now, by the store's only clock; 0 if it is unknown, or the clock was
     * set back. */
    qint64 ageUs(const Bracket &bracket, Instant now) const
    {
        const bool tells = m_server == 0 && isKnown() && bracket.endedUs >= m_endedUs;
        return tells ? nowUs(now.monotonicUs) - bracket.endedUs : 0;
    }
    bool isKnown() const { return m_endedUs != 0; }
    /** 0 before the first reading. */
    qint64 nowUs(qint64 monotonicUs) const;
    /** The monotonic time at which the store's clock will show `storeUs`. */
    qint64 monotonicAt(qint64 storeUs) const;
    qint64 offsetUs() const { return m_offsetUs; }
    qint64 uncertaintyUs() const { return m_uncertaintyUs; }
    qint64 lastUs() const { return m_endedUs; }

private:
    struct ClockReading
    {
        qint64 endedUs = 0;
        qint64 aheadUs = 0;     ///< least lead over the monotonic clock: an answer is older than its arrival
        qint64 aheadReadUs = 0; ///< monotonic
    };

    QHash<quint16, ClockReading> m_others; ///< by server, if there are several
    quint16 m_server = 0;                  ///< the server whose clock is the store's
    qint64 m_endedUs = 0;
    qint64 m_receivedUs = 0;
    qint64 m_offsetUs = 0;
    qint64 m_uncertaintyUs = 0;
    qint64 m_offsetReadUs = 0;
};

/** How long to wait before the next attempt to connect: doubling from 0.25 s to 30 s, with jitter. */
class ConnectBackoff
{
public:
    /** Equal seeds give equal waits; agents with different seeds don't retry together. */
    explicit ConnectBackoff(quint64 seed) : m_random(seed) {}
    /** `transient`: waiting may help. Other errors are retried slowly, because somebody has to act first. */
    qint64 nextUs(bool transient);
    void reset() { m_attempts = 0; }

private:
    std::mt19937_64 m_random;
    int m_attempts = 0;
};

/** When a scan may begin: the interval counts from start to start, scans never overlap, and a pause follows a
 * long scan. */
class ScanClock
{
public:
    void setPollUs(qint64 us) { m_pollUs = us; }
    bool isRunning() const { return m_running; }
    bool isDue(qint64 monotonicUs) const { return !m_running && m_dueUs <= monotonicUs; }
    qint64 dueUs() const { return m_running ? kNever : m_dueUs; }
    quint32 stamp() const { return m_stamp; }
    void begin(qint64 monotonicUs);
    void end(qint64 monotonicUs);
    void stop();
    /** Makes a scan due as soon as possible. */
    void hurry(qint64 monotonicUs);

private:
    qint64 m_pollUs = 500'000;
    qint64 m_beganUs = 0;
    qint64 m_dueUs = kNever;
    quint32 m_stamp = 0;
    bool m_running = false;
    bool m_again = false;
};

} // namespace lockkeeper::agent::engine
