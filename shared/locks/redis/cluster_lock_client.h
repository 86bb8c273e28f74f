// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/cluster/cluster_guide.h"

#include <QQueue>

#include <functional>
#include <map>

namespace lockkeeper::stores::redis {

class RedisLockClient;
struct Redirect;

/**
 * Takes locks in a Redis Cluster: each at the primary of its slot, by a client of that server. What a node
 * sends elsewhere (MOVED, ASK) it hasn't run, and is asked there once more; what was lost on the way is not.
 * Answers from different nodes come as they come.
 */
class ClusterLockClient final : public LockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<RedisLockClient>(const Endpoint &)>;

    /** `patienceMs`: after so long a client has answered whatever it was asked. */
    ClusterLockClient(QByteArray password, QList<Endpoint> seeds, Make make, qint64 patienceMs,
                      QObject *parent = nullptr);
    ~ClusterLockClient() override;

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    struct Question
    {
        QByteArray name;
        Attempt otherwise; ///< how it counts where it can't be asked
        std::function<void(LockClient &)> ask;
        int hops = 0;
    };

    void put(quint64 request, Question question);
    void onMap(const ClusterMap &map);
    void onNoMap(const base::Error &error);
    void send(quint64 request);
    void sendTo(quint64 request, const QString &host, quint16 port, bool asking);
    void onAnswer(RedisLockClient *from, const AttemptResult &result);
    bool follow(const RedisLockClient *from, quint64 request, const base::Error &error);
    void retire(RedisLockClient *client);
    void fail(quint64 request, const base::Error &error);

    ClusterGuide m_guide;
    QList<Endpoint> m_seeds;
    Make m_make;
    qint64 m_patienceMs;
    ClusterMap m_map;
    bool m_known = false;             ///< m_map is worth something
    QHash<quint64, Question> m_asked; ///< not answered yet
    QQueue<quint64> m_waiting;        ///< of them: for the map
    std::map<std::pair<QString, quint16>, std::unique_ptr<RedisLockClient>> m_clients;
};

} // namespace lockkeeper::stores::redis
