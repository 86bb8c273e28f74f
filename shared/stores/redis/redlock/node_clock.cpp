// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/node_clock.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {
constexpr qint64 kDriftOneIn = 2'000; ///< two clocks part by at most 500 µs a second
constexpr qint64 kLeastUs = 100;      ///< finer than this is noise
} // namespace

void NodeClock::read(qint64 beganUs, qint64 endedUs, qint64 sentUs, qint64 receivedUs)
{
    // Read not before `sent` and not after `received`, the first reading not after the second.
    const qint64 low = endedUs - receivedUs;
    const qint64 high = beganUs - sentUs;
    if (endedUs < beganUs || high < low)
        return; // one of the clocks was set in the meantime
    const qint64 age = std::max<qint64>(0, receivedUs - m_readUs) / kDriftOneIn;
    const qint64 oldLow = m_lowUs - age;
    const qint64 oldHigh = m_highUs + age;
    const bool agree = m_known && low <= oldHigh && oldLow <= high;
    m_lowUs = agree ? std::max(low, oldLow) : low;
    m_highUs = agree ? std::min(high, oldHigh) : high;
    m_readUs = receivedUs;
    publish();
}

void NodeClock::publish()
{
    if (!m_known || m_offsetUs < m_lowUs || m_offsetUs > m_highUs)
        m_offsetUs = m_lowUs + (m_highUs - m_lowUs) / 2;
    const qint64 needed = std::max({m_highUs - m_offsetUs, m_offsetUs - m_lowUs, kLeastUs});
    if (!m_known || needed > m_uncertaintyUs || needed * 4 < m_uncertaintyUs)
        m_uncertaintyUs = needed * 2;
    m_known = true;
}

} // namespace lockkeeper::stores::redis
