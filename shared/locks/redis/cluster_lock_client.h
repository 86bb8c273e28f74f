// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/cluster/cluster_guide.h"

#include <QHash>
#include <QPointer>
#include <QQueue>

#include <functional>
#include <map>

namespace lockkeeper::locks::redis {

using namespace stores;
using namespace stores::redis;

class RedisLockClient;
struct Redirect;

/**
 * Takes locks in a Redis Cluster: each at the primary of its slot, by a client of that server. What a node
 * sends elsewhere (MOVED, ASK) it hasn't run, and is asked there once more; what was lost on the way is not.
 * Answers from different nodes come as they come. Who stands in a lock's queue stands at its node, and keeps
 * the place when the slot moves, as the token is the same.
 */
class ClusterLockClient final : public LockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisLockClient>(const Endpoint &)>;

    /** `patienceMs`: after so long a client has answered whatever it was asked. `traits`: of those made. */
    ClusterLockClient(QByteArray password, QList<Endpoint> seeds, Make make, qint64 patienceMs,
                      const Traits &traits, QObject *parent = nullptr);
    ~ClusterLockClient() override;

    Traits traits() const override { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) override;
    void forget(const QByteArray &name, const QByteArray &id) override;

private:
    struct Question
    {
        QByteArray name;
        Attempt otherwise; ///< how it counts where it can't be asked
        std::function<void(LockClient &, Done)> ask;
        Done done;
        int hops = 0;
    };
    /** Who waits in a queue. */
    struct Queued
    {
        Lease wanted;
        QPointer<LockClient> at = nullptr; ///< null: nobody was asked yet
        bool leaves = false;
    };

    void put(Question question);
    void onMap(const ClusterMap &map);
    void onNoMap(const base::Error &error);
    void send(const Question &question);
    void sendTo(const Question &question, const QString &host, quint16 port, bool asking);
    void onAnswer(RedisLockClient *from, const Question &question, const AttemptResult &result);
    bool follow(const RedisLockClient *from, const Question &question, const base::Error &error);
    void retire(RedisLockClient *client);
    static void fail(const Question &question, const base::Error &error);

    ClusterGuide m_guide;
    QList<Endpoint> m_seeds;
    Make m_make;
    qint64 m_patienceMs;
    Traits m_traits;
    ClusterMap m_map;
    bool m_known = false;               ///< m_map is worth something
    QQueue<Question> m_waiting;         ///< for the map
    QHash<QByteArray, Queued> m_queued; ///< by token; not answered yet
    std::map<std::pair<QString, quint16>, std::unique_ptr<RedisLockClient>> m_clients;
};

} // namespace lockkeeper::locks::redis
