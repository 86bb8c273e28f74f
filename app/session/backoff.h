// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRandomGenerator>

#include <algorithm>

namespace lockkeeper::app::session {

/** The delay before the next attempt: doubled with each failure up to a limit, ± a quarter. */
class Backoff
{
public:
    Backoff(int firstMs, int lastMs) : m_firstMs(firstMs), m_lastMs(lastMs), m_nextMs(firstMs) {}

    void reset() { m_nextMs = m_firstMs; }
    /** Sets the longest delay, after an error that a retry can't fix. */
    void setToLast() { m_nextMs = m_lastMs; }
    int next()
    {
        const int base = m_nextMs;
        m_nextMs = std::min(m_lastMs, m_nextMs * 2);
        const int jitter = base / 4;
        return std::min(m_lastMs, base - jitter + int(QRandomGenerator::global()->bounded(2 * jitter + 1)));
    }

private:
    int m_firstMs;
    int m_lastMs;
    int m_nextMs;
};

} // namespace lockkeeper::app::session
