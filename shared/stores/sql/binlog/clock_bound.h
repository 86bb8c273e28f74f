// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <mutex>

namespace lockkeeper::stores::sql::binlog {

/**
 * Upper bound of the store's clock. read() takes a reading of that clock and the local monotonic time at
 * which it was requested: at the request, the clock showed at most this reading. Since then it has advanced
 * at the local pace, apart from the drift with which clocks are slewed. For any thread.
 */
class ClockBound
{
public:
    void read(qint64 storeUs, qint64 askedUs)
    {
        const std::lock_guard lock(m_mutex);
        m_storeUs = storeUs;
        m_askedUs = askedUs;
    }
    /** 0 before the first reading. */
    qint64 latestUs(qint64 monotonicUs) const
    {
        const std::lock_guard lock(m_mutex);
        const qint64 since = monotonicUs - m_askedUs;
        return m_storeUs == 0 ? 0 : m_storeUs + since + since / kDrift;
    }

private:
    static constexpr qint64 kDrift = 2'000; ///< one part in 2,000: 500 ppm

    mutable std::mutex m_mutex;
    qint64 m_storeUs = 0;
    qint64 m_askedUs = 0;
};

} // namespace lockkeeper::stores::sql::binlog
