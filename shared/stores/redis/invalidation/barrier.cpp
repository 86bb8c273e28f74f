// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/barrier.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::stores::redis::push {

void Barrier::begin(qint64 us)
{
    m_on = true;
    m_provenUs = us;
    m_candidateUs = m_nextUs = 0;
    m_pings = 0;
}

void Barrier::end()
{
    m_on = false;
    m_pings = 0;
    callDue();
}

void Barrier::timeRead(qint64 us)
{
    m_nextUs = std::max(m_nextUs, us);
    start();
}

void Barrier::start()
{
    if (!m_on || m_pings > 0 || m_nextUs <= m_provenUs)
        return;
    m_candidateUs = m_nextUs;
    m_pings = 2;
    m_line.ping();
}

void Barrier::ponged()
{
    if (!m_on || m_pings == 0)
        return;
    if (--m_pings > 0) {
        m_line.ping();
        return;
    }
    m_provenUs = m_candidateUs;
    m_line.proven(m_provenUs);
    callDue();
    start();
}

void Barrier::renew()
{
    if (!m_on || m_pings > 0)
        return;
    m_line.askTime([this](qint64 us) {
        if (us + kSetBackUs < std::max(m_provenUs, m_nextUs)) {
            // The store's clock was set back: earlier proofs say nothing about its new times.
            m_provenUs = m_nextUs = 0;
        }
        timeRead(us);
    });
}

void Barrier::whenProven(qint64 us, std::function<void()> then)
{
    if (!m_on || us <= m_provenUs) {
        then();
        return;
    }
    m_waiting.emplace(us, std::move(then));
    timeRead(us);
}

void Barrier::whenProvenNow(std::function<void()> then)
{
    if (!m_on) {
        then();
        return;
    }
    const auto waits = m_waiting.emplace(std::numeric_limits<qint64>::max(), std::move(then));
    m_line.askTime([this, waits](qint64 us) { whenProven(us, m_waiting.extract(waits).mapped()); });
}

void Barrier::callDue()
{
    while (!m_waiting.empty() && (!m_on || m_waiting.begin()->first <= m_provenUs)) {
        const auto then = std::move(m_waiting.begin()->second);
        m_waiting.erase(m_waiting.begin());
        then();
    }
}

} // namespace lockkeeper::stores::redis::push
