// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/locks/redis/redis_lock_client.h"

#include <QHash>

#include <memory>
#include <vector>

namespace lockkeeper::locks::redis {

/**
 * Acquires locks of the scheme redis.redlock ("Distributed locks with Redis", redis.io). Sets the same token
 * on all nodes at once by SET NX PX. The lock is held if a majority accepted the token, and if time is left
 * of the lease after subtracting the elapsed time and the drift. Otherwise the token is released on every
 * node.
 *
 * A node that doesn't answer soon, compared with the lease's length, counts as failed. So does a node that
 * turns out to be the same server as another node (by its run id, if INFO is allowed). While two such nodes
 * are known, nothing is acquired. The lease in an answer has the length that is safe, not the requested
 * length.
 */
class RedlockLockClient final : public LockClient
{
    Q_OBJECT

public:
    explicit RedlockLockClient(std::vector<std::unique_ptr<RedisLockClient>> nodes);

    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;

private:
    struct QuorumRound
    {
        Done tell;                          ///< empty: a round of our own, without a caller
        ClientAct act = ClientAct::Acquire; ///< Acquire, Renew or Release
        Lease lease;
        qint64 beganUs = 0;
        qsizetype done = 0;                                   ///< nodes that carried out the request
        qsizetype refused = 0;                                ///< nodes with another token, or none
        qsizetype failed = 0;                                 ///< nodes without an answer, or with an error
        base::Error error = {};                               ///< first error
        QHash<QByteArray, const RedisLockClient *> runs = {}; ///< nodes that have answered, by run id
    };

    void begin(QuorumRound round);
    void take(quint64 id, const RedisLockClient *node, const AttemptResult &result);
    void giveUpOnTheRest(quint64 id);
    void decide(quint64 id, bool over);
    void answer(const QuorumRound &round, Attempt attempt, qint64 validUs, bool unknown);
    /** An error if two nodes are the same server. */
    std::optional<base::Error> sameServer() const;
    qsizetype quorum() const;

    std::vector<std::unique_ptr<RedisLockClient>> m_nodes;
    QHash<quint64, QuorumRound> m_rounds;
    quint64 m_lastRound = 0;
};

} // namespace lockkeeper::locks::redis
