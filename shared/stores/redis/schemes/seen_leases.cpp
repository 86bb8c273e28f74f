// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/seen_leases.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

namespace {
constexpr qint64 kYearMs = 366LL * 24 * 3'600 * 1'000; ///< longer: the scores aren't milliseconds
} // namespace

qint64 SeenLeases::take(const QByteArray &key, qint64 nowMs, std::optional<qint64> endsMs, qint64 newestMs)
{
    if (!endsMs || *endsMs - newestMs > kYearMs) {
        m_known.remove(key);
        return m_configuredMs;
    }
    LeaseRange range = leaseRangeOf(nowMs, *endsMs, newestMs);
    if (const auto it = m_known.constFind(key); it != m_known.cend() && it->endsMs > nowMs) {
        const LeaseRange both = narrowed(it->range, range);
        if (both.leastMs <= both.mostMs + kSlackMs)
            range = both;
    }
    range.mostMs = std::max(range.leastMs, range.mostMs);
    forgetEnded(nowMs);
    m_known.insert(key, {range, *endsMs});
    if (isLonger(range.leastMs) && range.leastMs > m_proven.leastMs)
        m_proven = range;
    return isLonger(range.mostMs) ? longestLeaseMs(range) : m_configuredMs;
}

std::optional<qint64> SeenLeases::provenMs() const
{
    return m_proven.leastMs > 0 ? std::optional(longestLeaseMs(m_proven)) : std::nullopt;
}

void SeenLeases::forgetEnded(qint64 nowMs)
{
    if (m_known.size() < m_most)
        return;
    m_known.removeIf([nowMs](const auto &entry) { return entry->endsMs <= nowMs; });
    m_most = std::max<qsizetype>(1'024, 2 * m_known.size());
}

} // namespace lockkeeper::stores::redis
