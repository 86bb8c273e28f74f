// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/redis/connection.h"
#include "shared/stores/redis/errors.h"
#include "shared/stores/redis/script.h"
#include "shared/stores/source_spec.h"

#include <QQueue>

namespace lockkeeper::stores::redis {

/**
 * Takes locks of scheme redis.token: `SET name token NX PX ttl` with 128 random bits as the token of each
 * acquisition; renews and releases by scripts that compare it. Requests that come while the link is being
 * made wait for it; they share its failure.
 */
class RedisLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `match` are the keys that this client may touch, for the remedy of a missing right. */
    RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match, QObject *parent = nullptr);

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    /** The same with the lease's own token, which other servers get as well. */
    void acquireAs(quint64 request, const Lease &lease) { ask({request, Kind::Acquire, lease}); }
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    enum class Kind : quint8 { Acquire, Renew, Release };
    struct Request
    {
        quint64 id = 0;
        Kind kind = Kind::Acquire;
        Lease lease;
    };

    void ask(Request request);
    void send(const Request &request);
    void take(const Request &request, const redisReply *reply);
    void answer(const Request &request, Attempt attempt);
    void fail(const Request &request, const base::Error &error);
    void failAll(const base::Error &error);
    void onConnected();

    SourceSpec m_spec;
    Connection m_connection;
    Asker m_asker;
    Script m_renew;
    Script m_unlock;
    QQueue<Request> m_waiting; ///< for the link
    bool m_ready = false;
    bool m_opening = false;
};

} // namespace lockkeeper::stores::redis
