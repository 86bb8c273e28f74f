// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/probe_plan.h"

#include "shared/base/clock.h"

#include <algorithm>

namespace lockkeeper::agent::liveness {

namespace {
constexpr qint64 kMinuteUs = 60 * base::kSecondUs;
} // namespace

int ProbePlan::usedInLastMinute(const QString &source, qint64 nowUs) const
{
    const auto it = m_sources.constFind(source);
    if (it == m_sources.cend())
        return 0;
    const auto recent = std::upper_bound(it->cbegin(), it->cend(), nowUs - kMinuteUs);
    return int(it->cend() - recent);
}

ProbePermit ProbePlan::permit(const domain::LockKey &lock, const ProbeLimits &limits, ProbeCause cause,
                              qint64 nowUs) const
{
    const auto last = m_locks.constFind(lock);
    if (last != m_locks.cend() && last->isUnderWay)
        return ProbePermit::UnderWay;
    if (last != m_locks.cend() && nowUs - last->beganUs < limits.everyUs)
        return ProbePermit::Rests;
    const int share = cause == ProbeCause::Look ? limits.budget : std::max(1, limits.budget * 3 / 4);
    if (usedInLastMinute(lock.source, nowUs) >= share)
        return ProbePermit::NoBudget;
    return m_underWay >= kMostAtOnce ? ProbePermit::Full : ProbePermit::Now;
}

void ProbePlan::begin(const domain::LockKey &lock, qint64 nowUs)
{
    m_locks.insert(lock, {nowUs, true});
    m_sources[lock.source].push_back(nowUs);
    ++m_underWay;
}

void ProbePlan::end(const domain::LockKey &lock)
{
    const auto it = m_locks.find(lock);
    if (it == m_locks.end() || !it->isUnderWay)
        return;
    it->isUnderWay = false;
    --m_underWay;
}

std::optional<qint64> ProbePlan::lastUs(const domain::LockKey &lock) const
{
    const auto it = m_locks.constFind(lock);
    return it == m_locks.cend() ? std::nullopt : std::optional(it->beganUs);
}

void ProbePlan::forgetOld(qint64 nowUs)
{
    m_locks.removeIf([nowUs](const auto &item) {
        return !item.value().isUnderWay && nowUs - item.value().beganUs >= base::kHourUs;
    });
    for (auto &times : m_sources) {
        while (!times.empty() && nowUs - times.front() >= kMinuteUs)
            times.pop_front();
    }
    m_sources.removeIf([](const auto &item) { return item.value().empty(); });
}

} // namespace lockkeeper::agent::liveness
