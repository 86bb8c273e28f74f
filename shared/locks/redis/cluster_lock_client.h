// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/routed_lock_client.h"
#include "shared/stores/redis/cluster/cluster_guide.h"

#include <functional>
#include <map>

namespace lockkeeper::locks::redis {

class RedisLockClient;
struct Redirect;

/**
 * Acquires locks in a Redis Cluster: each at the primary of its slot, through a client of that server. A
 * request that a node redirects (MOVED, ASK) wasn't carried out, and is sent to the other node. A request
 * that was lost on the way isn't repeated. Answers from different nodes come in any order. A waiter queues at
 * the lock's node. It keeps its place when the slot moves, because its token stays the same.
 */
class ClusterLockClient final : public RoutedLockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisLockClient>(const stores::redis::Endpoint &)>;

    ClusterLockClient(QByteArray password, QList<stores::redis::Endpoint> seeds, Make make, qint64 patienceMs,
                      const Traits &traits);
    ~ClusterLockClient() override;

    void forget(const QByteArray &name, const QByteArray &id) override;

private:
    bool isKnown() const override { return m_known; }
    void find() override;
    void send(const RoutedCall &question) override;
    void onMap(const stores::redis::ClusterMap &map);
    void sendTo(const RoutedCall &question, const QString &host, quint16 port, bool asking);
    void onAnswer(RedisLockClient *from, const RoutedCall &question, const AttemptResult &result);
    bool follow(const RedisLockClient *from, const RoutedCall &question, const base::Error &error);
    void drop(RedisLockClient *client);

    stores::redis::ClusterGuide m_guide;
    QList<stores::redis::Endpoint> m_seeds;
    Make m_make;
    stores::redis::ClusterMap m_map;
    bool m_known = false; ///< m_map is valid
    std::map<std::pair<QString, quint16>, std::unique_ptr<RedisLockClient>> m_clients;
};

} // namespace lockkeeper::locks::redis
