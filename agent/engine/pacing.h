// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"
#include "agent/engine/source_engine.h"

#include <QHash>

#include <random>

namespace lockkeeper::agent::engine {

/**
 * The store's clock as this process can know it: the last reading and the monotonic time since. The wall
 * clock enters only to show how far the two are apart.
 *
 * Of a store of several servers each has a clock of its own (stores::Observation::server). One of them stands
 * for the store's; what is dated by another is compared with its own readings alone.
 */
class StoreClock
{
public:
    /** Takes a reading; true where that server's clock has been set back since the one before. `server` 0:
     * the store's only clock, or of a store of several a reading of all of them, which says little. */
    bool read(const Bracket &bracket, Instant now, quint16 server = 0);
    /** The store's clock shows `us` at least: it has told what was until then, and may have done so late. */
    void reached(qint64 us, Instant now);
    /** That server's clock showed `us` now, or a moment ago; nothing else is concluded from it. */
    void note(quint16 server, qint64 us, Instant now);
    /** What the store's clock shows when that server's shows `us`. */
    qint64 ofServer(quint16 server, qint64 us) const;
    /** How far the clock of `other` is ahead of that of `server`; 0 where it is little, or not known. */
    qint64 aheadUs(quint16 other, quint16 server) const;
    /** How long ago a reading was made that comes in now, as far as the store's one clock tells; 0 where it
     * doesn't, or was set back. */
    qint64 ageUs(const Bracket &bracket, Instant now) const
    {
        const bool tells = m_server == 0 && isKnown() && bracket.endedUs >= m_endedUs;
        return tells ? nowUs(now.monotonicUs) - bracket.endedUs : 0;
    }
    bool isKnown() const { return m_endedUs != 0; }
    /** 0 before the first reading. */
    qint64 nowUs(qint64 monotonicUs) const;
    /** When, by the monotonic clock, the store's clock will show `storeUs`. */
    qint64 monotonicAt(qint64 storeUs) const;
    qint64 offsetUs() const { return m_offsetUs; }
    qint64 uncertaintyUs() const { return m_uncertaintyUs; }
    qint64 lastUs() const { return m_endedUs; }

private:
    struct Reading
    {
        qint64 endedUs = 0;
        qint64 aheadUs = 0;     ///< of the monotonic clock, at least: an answer is older than its arrival
        qint64 aheadReadUs = 0; ///< monotonic
    };

    QHash<quint16, Reading> m_others; ///< where there are several servers: of each
    quint16 m_server = 0;             ///< whose clock is the store's
    qint64 m_endedUs = 0;
    qint64 m_receivedUs = 0;
    qint64 m_offsetUs = 0;
    qint64 m_uncertaintyUs = 0;
    qint64 m_offsetReadUs = 0;
};

/** How long to wait before the next attempt to connect: doubling from 0.25 s to 30 s, with jitter. */
class Backoff
{
public:
    /** Equal seeds give equal waits, and agents with different ones don't knock together. */
    explicit Backoff(quint64 seed) : m_random(seed) {}
    /** `transient`: waiting may help. Anything else is tried again slowly, as somebody has to act first. */
    qint64 nextUs(bool transient);
    void reset() { m_attempts = 0; }

private:
    std::mt19937_64 m_random;
    int m_attempts = 0;
};

/** When a scan may begin: from start to start, never two at once, and with a pause after a long one. */
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
    /** As soon as possible. */
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
