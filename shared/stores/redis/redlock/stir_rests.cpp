// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redlock/stir_rests.h"

#include <utility>

namespace lockkeeper::stores::redis {

namespace {
constexpr qint64 kRestMs = 100;
constexpr qsizetype kMostRests = 10'000;
} // namespace

void StirRests::keep(const Subject &lock, const Stir &rest, qint64 nowMs)
{
    if (rest.isEmpty())
        return;
    m_rests.insert(lock, {rest, nowMs + kRestMs});
    m_byTime.emplace_back(nowMs + kRestMs, lock);
}

Stir StirRests::take(const Subject &lock, qsizetype quorum, qint64 nowMs)
{
    age(quorum, nowMs);
    Stir stir = m_rests.take(lock).stir;
    if (!m_counts.isEmpty())
        stir.count(m_counts.take(lock));
    return stir;
}

void StirRests::age(qsizetype quorum, qint64 nowMs)
{
    while (!m_byTime.empty() && m_byTime.front().first <= nowMs) {
        const Subject lock = m_byTime.front().second;
        m_byTime.pop_front();
        const auto rest = m_rests.constFind(lock);
        if (rest == m_rests.cend() || rest->untilMs > nowMs)
            continue;
        if (rest->stir.nodesTold() >= quorum && m_counts.size() < kMostRests)
            m_counts[lock].count(rest->stir);
        m_rests.erase(rest);
    }
}

void StirRests::clear()
{
    m_rests.clear();
    m_byTime.clear();
    m_counts.clear();
}

} // namespace lockkeeper::stores::redis
