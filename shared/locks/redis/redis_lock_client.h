// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/locks/redis/client_scheme.h"
#include "shared/locks/redis/fair_waits.h"
#include "shared/locks/redis/release_channels.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/source_spec.h"

#include <deque>

namespace lockkeeper::locks::redis {

/**
 * Acquires, renews and releases locks of one server with the commands of a ClientScheme. The requests of one
 * turn of the event loop are sent together. Requests that come while it connects wait for the connection, and
 * fail with it. A request of redis.json takes half a second or more, and others may be answered meanwhile.
 */
class RedisLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `match` are the keys that this client may touch, for the remedy of a missing right. */
    RedisLockClient(stores::SourceSpec spec, stores::redis::Endpoint endpoint, QByteArray match,
                    std::unique_ptr<ClientScheme> scheme);
    /** Still sends the last requests. */
    ~RedisLockClient() override;

    Traits traits() const override { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;
    void subscribe(const QByteArray &name, Wake wake) override;
    void unsubscribe(const QByteArray &name) override;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) override;
    void forget(const QByteArray &name, const QByteArray &id) override;
    /** Acquire, Renew (for the lease's own length) or Release. */
    void ask(ClientAct act, Lease lease, Done done);
    /** Makes waiters register. */
    void setRegisters() { m_traits.registers = true; }
    /** Sends ASKING before each request from now on, for a cluster node that is taking over the slot. */
    void setAsking(bool asking) { m_asking = asking; }
    const stores::redis::Endpoint &endpoint() const { return m_connection.endpoint(); }
    /** The run id of the current server; empty: not connected, or INFO is forbidden. */
    const QByteArray &runId() const { return m_runId; }

private:
    class CommandAnswers;
    struct RedisRequest
    {
        ClientCall call;
        Done done;
        bool asking = false;
        int owed = 0; ///< answers still to come for its current command
    };

    void ask(RedisRequest &&request);
    void start(RedisRequest &&request);
    void put(RedisRequest &&request);
    void flushSoon();
    void flush();
    void take(const redisReply *reply);
    void proceed(RedisRequest &&request, const ClientStep &step);
    base::Error errorFrom(const RedisRequest &request, const redisReply *reply) const;
    void fail(const RedisRequest &request, const base::Error &error, bool unknown = false);
    void failUnsent(const base::Error &error);
    void failAll(const base::Error &error);
    void onConnected();

    stores::SourceSpec m_spec;
    stores::redis::RedisConnection m_connection;
    stores::redis::AclSubject m_asker;
    std::unique_ptr<ClientScheme> m_scheme;
    Traits m_traits;
    std::deque<RedisRequest> m_waiting; ///< waiting for the connection
    std::deque<RedisRequest> m_sent;    ///< will be answered in this order
    stores::redis::CommandBatch m_out;  ///< commands of the last `m_unsent` of m_sent
    size_t m_unsent = 0;
    bool m_flushing = false; ///< m_out will be sent in this turn of the event loop
    bool m_reading = false;  ///< answers are being read: m_out will be sent after the last
    bool m_ready = false;
    bool m_opening = false;
    bool m_asking = false;
    QByteArray m_runId;
    ReleaseChannels m_channels;
    FairWaits m_waits;
};

} // namespace lockkeeper::locks::redis
