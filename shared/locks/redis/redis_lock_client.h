// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/locks/redis/client_scheme.h"
#include "shared/locks/redis/fair_waits.h"
#include "shared/locks/redis/release_channels.h"
#include "shared/stores/redis/connection/connection.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/source_spec.h"

#include <deque>

namespace lockkeeper::locks::redis {

/**
 * Takes, renews and gives back locks of one server as the scheme's ClientScheme does. What is asked in one
 * turn of the event loop goes out together. Requests that come while the link is being made wait for it; they
 * share its failure. Those of redis.json take half a second and more, and others may be answered meanwhile.
 */
class RedisLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `match` are the keys that this client may touch, for the remedy of a missing right. */
    RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match,
                    std::unique_ptr<ClientScheme> scheme);
    /** What was asked last still goes out. */
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
    /** Those who wait register. */
    void setRegisters() { m_traits.registers = true; }
    /** What is asked from now on goes behind ASKING: the node of a cluster takes the lock's slot over. */
    void setAsking(bool asking) { m_asking = asking; }
    const Endpoint &endpoint() const { return m_connection.endpoint(); }
    /** Of the server that is asked now; empty: there is none, or INFO is forbidden. */
    const QByteArray &runId() const { return m_runId; }

private:
    class Answers;
    struct Request
    {
        ClientCall call;
        Done done;
        bool asking = false;
        int owed = 0; ///< answers to its present command
    };

    void ask(Request &&request);
    void start(Request &&request);
    void put(Request &&request);
    void flushSoon();
    void flush();
    void take(const redisReply *reply);
    void proceed(Request &&request, const ClientStep &step);
    base::Error errorFrom(const Request &request, const redisReply *reply) const;
    void fail(const Request &request, const base::Error &error, bool unknown = false);
    void failUnsent(const base::Error &error);
    void failAll(const base::Error &error);
    void onConnected();

    SourceSpec m_spec;
    Connection m_connection;
    Asker m_asker;
    std::unique_ptr<ClientScheme> m_scheme;
    Traits m_traits;
    std::deque<Request> m_waiting; ///< for the link
    std::deque<Request> m_sent;    ///< to be answered in this order
    CommandBatch m_out;            ///< commands of the last `m_unsent` of m_sent
    size_t m_unsent = 0;
    bool m_flushing = false; ///< they will be sent in this turn of the event loop
    bool m_reading = false;  ///< answers are being taken: they will be sent after the last
    bool m_ready = false;
    bool m_opening = false;
    bool m_asking = false;
    QByteArray m_runId;
    ReleaseChannels m_channels;
    FairWaits m_waits;
};

} // namespace lockkeeper::locks::redis
