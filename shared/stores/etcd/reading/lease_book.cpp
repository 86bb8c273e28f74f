// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/reading/lease_book.h"

#include "shared/base/clock.h"
#include "shared/stores/etcd/connection/wire.h"

namespace lockkeeper::stores::etcd {

using base::kSecondUs;

/** Clients renew when a third of it is gone: with less than that left of the rest, they may be dead. */
bool LeaseBook::isDue(const BookedLease &entry, qint64 nowUs)
{
    return (entry.fromUs - nowUs) * 10 < entry.grantedUs * 6;
}

QList<qint64> LeaseBook::due(qint64 nowUs) const
{
    QList<qint64> asked;
    for (auto it = m_leases.cbegin(); it != m_leases.cend(); ++it) {
        if (isDue(*it, nowUs))
            asked.append(it.key());
    }
    return asked;
}

QList<qint64> LeaseBook::due(const QSet<qint64> &leases, qint64 nowUs) const
{
    QList<qint64> asked;
    for (const qint64 lease : leases) {
        const auto known = m_leases.constFind(lease);
        if (known == m_leases.cend() || isDue(*known, nowUs))
            asked.append(lease);
    }
    return asked;
}

void LeaseBook::take(qint64 lease, const QJsonObject &answer, qint64 beganUs, qint64 endedUs)
{
    const qint64 left = int64Of(answer.value(QLatin1String("TTL")));
    const qint64 granted = int64Of(answer.value(QLatin1String("grantedTTL")));
    constexpr qint64 kLongest = 20LL * 366 * 24 * 3'600; // etcd takes 9,000,000,000 s; that is no deadline
    if (left < 0 || left > kLongest || granted > kLongest)
        return; // expired with its keys since they were read: keep its known state
    m_leases.insert(
        lease, {granted * kSecondUs, beganUs + left * kSecondUs, endedUs - beganUs + kSecondUs, left > 0});
}

void LeaseBook::keep(const QSet<qint64> &leases)
{
    m_leases.removeIf([&leases](const auto &entry) { return !leases.contains(entry.key()); });
}

void LeaseBook::drop(const QSet<qint64> &leases)
{
    m_leases.removeIf([&leases](const auto &entry) { return leases.contains(entry.key()); });
}

void LeaseBook::date(Observation &lock, qint64 lease) const
{
    const auto known = m_leases.constFind(lease);
    if (known == m_leases.cend())
        return;
    lock.expiry = domain::ExpiryKind::At;
    lock.expiresBy = domain::Evidence::Ttl;
    lock.reclaimed = true; // etcd looks for expired leases twice a second
    lock.expiresUs = known->fromUs;
    lock.expirySlackUs = known->slackUs;
}

} // namespace lockkeeper::stores::etcd
