// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace lockkeeper::stores::redis::push {

/**
 * At most so many commands in any second, evenly: a bucket that holds a twentieth of a second's worth and is
 * filled at the rate of the rest. Times are monotonic microseconds. Pure.
 */
class CommandBudget
{
public:
    explicit CommandBudget(qint64 aSecond)
        : m_burst(std::max<qint64>(1, aSecond / 20)), m_rate(std::max<qint64>(1, aSecond - m_burst))
    {
    }

    /** How many may be sent now; negative after a page that cost more than there was. */
    qint64 left(qint64 nowUs)
    {
        if (m_filledUs > 0)
            m_left = std::min(double(m_burst), m_left + double(nowUs - m_filledUs) * double(m_rate) / 1e6);
        m_filledUs = nowUs;
        return qint64(std::floor(m_left));
    }
    void spend(qint64 commands) { m_left -= double(commands); }
    /** How long until `commands` may be sent; a burst's worth at most. */
    qint64 waitUs(qint64 commands, qint64 nowUs)
    {
        const qint64 lacking = std::min(commands, m_burst) - left(nowUs);
        return lacking <= 0 ? 0 : lacking * 1'000'000 / m_rate + 1;
    }

private:
    qint64 m_burst;
    qint64 m_rate;
    double m_left = double(m_burst);
    qint64 m_filledUs = 0;
};

} // namespace lockkeeper::stores::redis::push
