// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/filing_queue.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {
constexpr std::chrono::milliseconds kCompany(50);
} // namespace

void FilingQueue::push(FilingTask item)
{
    const std::lock_guard lock(m_mutex);
    item.since = Clock::now();
    m_events += item.work.events.size();
    m_urgent += item.isUrgent();
    const bool wakes = m_items.empty() || item.isUrgent() || m_events >= WriteQueue::kRows;
    m_items.push_back(std::move(item));
    if (wakes)
        m_changed.notify_one();
}

void FilingQueue::stop()
{
    const std::lock_guard lock(m_mutex);
    m_stop = true;
    m_changed.notify_all();
}

void FilingQueue::wake()
{
    const std::lock_guard lock(m_mutex);
    m_woken = true;
    m_changed.notify_all();
}

bool FilingQueue::isDue(Clock::time_point now) const
{
    return !m_items.empty() && (m_stop || m_urgent > 0 || m_events >= WriteQueue::kRows ||
                                now - m_items.front().since >= kCompany);
}

FilingQueue::FilingBatch FilingQueue::take(Clock::time_point until, bool now)
{
    std::unique_lock lock(m_mutex);
    while (!m_stop && !m_woken && !isDue(Clock::now()) && !(now && !m_items.empty())) {
        const auto end = m_items.empty() ? until : std::min(until, m_items.front().since + kCompany);
        if (Clock::now() >= end)
            break;
        m_changed.wait_until(lock, end);
    }
    m_woken = false;
    FilingBatch batch;
    if (!now && !isDue(Clock::now()))
        return batch;
    qsizetype events = 0;
    while (!m_items.empty()) {
        FilingTask &item = m_items.front();
        const qsizetype more = item.work.events.size();
        // A caller that waits for a mark needn't wait for later work, and the audit uses separate
        // transactions.
        if (batch.audit || (!batch.reached.empty() && !item.mark) ||
            (!batch.works.empty() && (item.audit || events + more > WriteQueue::kRows)))
            break;
        m_urgent -= item.isUrgent();
        m_events -= more;
        events += more;
        if (item.mark)
            batch.reached.push_back(std::move(item.mark));
        else if (item.audit)
            batch.audit = std::move(item.audit);
        else
            batch.works.push_back(std::move(item.work));
        m_items.pop_front();
    }
    return batch;
}

std::deque<AuditTask> FilingQueue::takeAudits(std::vector<std::function<void()>> &reached)
{
    const std::lock_guard lock(m_mutex);
    std::deque<AuditTask> audits;
    for (auto it = m_items.begin(); it != m_items.end();) {
        if (!it->isUrgent()) {
            ++it;
            continue;
        }
        if (it->mark)
            reached.push_back(std::move(it->mark));
        else
            audits.push_back(std::move(*it->audit));
        it = m_items.erase(it);
        --m_urgent;
    }
    return audits;
}

void FilingQueue::waitForRetry(std::chrono::milliseconds pause)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, pause, [this] { return m_stop || m_urgent > 0; });
}

bool FilingQueue::isStopping() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

bool FilingQueue::isEmpty() const
{
    const std::lock_guard lock(m_mutex);
    return m_items.empty();
}

} // namespace lockkeeper::agent::journal
