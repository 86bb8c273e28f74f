// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/pacing.h"

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::agent::engine {

namespace {
constexpr qint64 kSetBackUs = 100'000;         ///< a smaller step may be two overlapping answers
constexpr qint64 kOffsetAgeUs = 16'000'000;    ///< how long a better reading of the offset counts
constexpr qint64 kSilentUs = 600'000'000;      ///< after this silence another server's clock is the store's
constexpr qint64 kApartUs = 100'000;           ///< a smaller difference may be the delays of two answers
constexpr qint64 kLongestPauseUs = 30'000'000; ///< after a scan; a longer scan was a stop of the process
constexpr qint64 kFirstRetryUs = 250'000;
constexpr qint64 kLastRetryUs = 30'000'000;
} // namespace

bool StoreClock::read(const Bracket &bracket, Instant now, quint16 server)
{
    if (server == 0 && m_server != 0) {
        // The reading is the lowest or the highest of their clocks: it shows until when something is known,
        // not the time.
        if (bracket.endedUs > m_endedUs && bracket.endedUs <= nowUs(now.monotonicUs) + kApartUs) {
            m_receivedUs += bracket.endedUs - m_endedUs;
            m_endedUs = bracket.endedUs;
        }
        return false;
    }
    if (server != 0) {
        ClockReading &last = m_others[server];
        const bool setBack = bracket.endedUs + kSetBackUs < last.endedUs;
        last.endedUs = bracket.endedUs;
        if (setBack)
            last.aheadReadUs = 0;
        note(server, bracket.endedUs, now);
        if (m_server != server && m_server != 0 && now.monotonicUs - m_receivedUs < kSilentUs)
            return setBack;
        if (m_server != server)
            m_offsetReadUs = m_endedUs = 0; // they are from another clock
        m_server = server;
    }
    if (m_server == 0 && bracket.endedUs == m_endedUs)
        return false; // the same reading again: a scan's end may arrive long after its last page
    const qint64 uncertainty = (bracket.endedUs - bracket.beganUs + 1) / 2;
    if (m_offsetReadUs == 0 || uncertainty <= m_uncertaintyUs ||
        now.monotonicUs - m_offsetReadUs > kOffsetAgeUs) {
        m_offsetUs = bracket.endedUs - now.wallUs;
        m_uncertaintyUs = uncertainty;
        m_offsetReadUs = now.monotonicUs;
    }
    const bool setBack = bracket.endedUs + kSetBackUs < m_endedUs;
    m_endedUs = bracket.endedUs;
    m_receivedUs = now.monotonicUs;
    return setBack;
}

void StoreClock::reached(qint64 us, Instant now)
{
    if (us <= nowUs(now.monotonicUs))
        return;
    m_endedUs = us;
    m_receivedUs = now.monotonicUs;
}

void StoreClock::note(quint16 server, qint64 us, Instant now)
{
    if (server == 0)
        return;
    ClockReading &last = m_others[server];
    const qint64 ahead = us - now.monotonicUs;
    if (ahead < last.aheadUs && last.aheadReadUs != 0 && now.monotonicUs - last.aheadReadUs <= kOffsetAgeUs)
        return;
    last.aheadUs = ahead;
    last.aheadReadUs = now.monotonicUs;
}

qint64 StoreClock::ofServer(quint16 server, qint64 us) const
{
    return us == kNever ? us : us - aheadUs(server, m_server);
}

qint64 StoreClock::aheadUs(quint16 other, quint16 server) const
{
    const auto its = m_others.constFind(other);
    const auto those = m_others.constFind(server);
    if (its == m_others.cend() || those == m_others.cend())
        return 0;
    const qint64 ahead = its->aheadUs - those->aheadUs;
    return std::abs(ahead) < kApartUs ? 0 : ahead;
}

qint64 StoreClock::nowUs(qint64 monotonicUs) const
{
    return isKnown() ? m_endedUs + std::max<qint64>(0, monotonicUs - m_receivedUs) : 0;
}

qint64 StoreClock::monotonicAt(qint64 storeUs) const
{
    return storeUs == kNever || !isKnown() ? kNever : m_receivedUs + (storeUs - m_endedUs);
}

qint64 ConnectBackoff::nextUs(bool transient)
{
    const qint64 full =
        transient ? std::min(kLastRetryUs, kFirstRetryUs << std::min(m_attempts, 7)) : kLastRetryUs;
    ++m_attempts;
    // Between three and four quarters of the full wait.
    return full - qint64(m_random() % quint64(full / 4));
}

void ScanClock::begin(qint64 monotonicUs)
{
    m_running = true;
    m_again = false;
    m_beganUs = monotonicUs;
    ++m_stamp;
}

void ScanClock::end(qint64 monotonicUs)
{
    m_running = false;
    const qint64 pauseEnds = monotonicUs + std::min((monotonicUs - m_beganUs) / 10, kLongestPauseUs);
    m_dueUs = m_again ? pauseEnds : std::max(m_beganUs + m_pollUs, pauseEnds);
}

void ScanClock::stop()
{
    m_running = false;
    m_again = false;
    m_dueUs = kNever;
}

void ScanClock::hurry(qint64 monotonicUs)
{
    if (m_running)
        m_again = true;
    else
        m_dueUs = std::min(m_dueUs, monotonicUs);
}

} // namespace lockkeeper::agent::engine
