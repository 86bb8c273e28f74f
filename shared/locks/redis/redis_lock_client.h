// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/locks/redis/client_scheme.h"
#include "shared/stores/redis/connection/connection.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/source_spec.h"

#include <QQueue>

namespace lockkeeper::locks::redis {

/**
 * Takes, renews and gives back locks of one server as the scheme's ClientScheme does. Requests that come
 * while the link is being made wait for it; they share its failure. Those of redis.json take half a second
 * and more, and others may be answered meanwhile.
 */
class RedisLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `match` are the keys that this client may touch, for the remedy of a missing right. */
    RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match,
                    std::unique_ptr<ClientScheme> scheme, QObject *parent = nullptr);

    Traits traits() const override { return m_scheme->traits(); }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    /** What is asked from now on goes behind ASKING: the node of a cluster takes the lock's slot over. */
    void setAsking(bool asking) { m_asking = asking; }
    const Endpoint &endpoint() const { return m_connection.endpoint(); }

private:
    struct Request
    {
        Done done;
        ClientAct act = ClientAct::Acquire;
        Lease lease;
        int commands = 0; ///< answered
        bool asking = false;
    };

    void ask(Request request);
    void start(const Request &request);
    void proceed(const Request &request, const ClientStep &step);
    void send(const Request &request, const QList<QByteArray> &command);
    void take(Request request, const redisReply *reply);
    void answer(const Request &request, Attempt attempt);
    void fail(const Request &request, const base::Error &error);
    void failAll(const base::Error &error);
    void onConnected();

    SourceSpec m_spec;
    Connection m_connection;
    Asker m_asker;
    std::unique_ptr<ClientScheme> m_scheme;
    QQueue<Request> m_waiting; ///< for the link
    bool m_ready = false;
    bool m_opening = false;
    bool m_asking = false;
};

} // namespace lockkeeper::locks::redis
