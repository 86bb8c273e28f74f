// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/login_limits.h"

#include <QHostAddress>

#include <algorithm>

namespace lockkeeper::agent::login {

namespace {

constexpr double kAtOnce = 20;
constexpr double kPerHour = 80;
constexpr double kHourUs = 3'600e6;
constexpr qsizetype kMostEntries = 5'000; ///< of each kind

/** Counts an IPv6 /64 network as one machine: a client with one of its addresses can use them all. */
QString machineOf(const QString &address)
{
    const QHostAddress host(address);
    if (host.protocol() != QAbstractSocket::IPv6Protocol)
        return address;
    Q_IPV6ADDR bytes = host.toIPv6Address();
    std::fill(bytes.c + 8, bytes.c + 16, quint8(0));
    return QHostAddress(bytes).toString();
}

} // namespace

double LoginLimits::leftOf(const Buckets &buckets, const QString &key, qint64 nowUs)
{
    const auto it = buckets.constFind(key);
    if (it == buckets.cend())
        return kAtOnce;
    return std::min(kAtOnce, it->left + double(nowUs - it->atUs) * kPerHour / kHourUs);
}

void LoginLimits::take(Buckets &buckets, const QString &key, qint64 nowUs)
{
    const double left = leftOf(buckets, key, nowUs) - 1;
    if (!buckets.contains(key) && buckets.size() >= kMostEntries) {
        const auto fewest =
            std::max_element(buckets.cbegin(), buckets.cend(), [nowUs](const Bucket &a, const Bucket &b) {
                const auto refilled = [nowUs](const Bucket &one) {
                    return one.left + double(nowUs - one.atUs) * kPerHour / kHourUs;
                };
                return refilled(a) < refilled(b);
            });
        buckets.erase(fewest);
    }
    buckets.insert(key, {left, nowUs});
}

void LoginLimits::giveBack(Buckets &buckets, const QString &key)
{
    if (const auto it = buckets.find(key); it != buckets.end())
        it->left = std::min(kAtOnce, it->left + 1);
}

bool LoginLimits::mayTry(const QString &user, const QString &address, qint64 nowUs)
{
    return leftOf(m_users, user.toCaseFolded(), nowUs) >= 1 &&
           leftOf(m_machines, machineOf(address), nowUs) >= 1;
}

void LoginLimits::failed(const QString &user, const QString &address, qint64 nowUs)
{
    take(m_users, user.toCaseFolded(), nowUs);
    take(m_machines, machineOf(address), nowUs);
}

void LoginLimits::succeeded(const QString &user, const QString &address)
{
    giveBack(m_users, user.toCaseFolded());
    giveBack(m_machines, machineOf(address));
}

} // namespace lockkeeper::agent::login
