// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/routed_lock_client.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

namespace lockkeeper::locks::redis {

/** Acquires locks at the primary of a Sentinel group, through an inner client that is replaced when the
 * primary changes. Holders then verify their leases at the new primary at once, because a failover may lose
 * the last leases that the old one granted. */
class SentinelLockClient final : public RoutedLockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<LockClient>(const stores::redis::Endpoint &)>;

    SentinelLockClient(stores::redis::SentinelGroup group, Make make, qint64 patienceMs,
                       const Traits &traits);

    void forget(const QByteArray &name, const QByteArray &id) override;
    void subscribe(const QByteArray &name, Wake wake) override;
    void unsubscribe(const QByteArray &name) override;

private:
    bool isKnown() const override { return m_inner != nullptr; }
    void find() override { m_guide.find(); }
    void send(const RoutedCall &question) override;
    void dropPrimary();
    void onFound(const stores::redis::Endpoint &primary);
    void onMoved();
    void onAnswer(const LockClient *from, const RoutedCall &question, const AttemptResult &result);

    stores::redis::SentinelGuide m_guide;
    Make m_make;
    std::unique_ptr<LockClient> m_inner; ///< null while the primary isn't known
    QPointer<LockClient> m_demoted;      ///< its server is no longer the primary: its grants don't count
    QString m_address;                   ///< address of the last primary found
    QHash<QByteArray, Wake> m_wakes;     ///< by name: subscriptions to repeat at the next primary
};

} // namespace lockkeeper::locks::redis
