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
 * Takes locks of scheme redis.redlock ("Distributed locks with Redis", redis.io): the same token by SET NX PX
 * on all nodes at once, held where a majority took it and time is left of the lease, less what it took and
 * the drift; otherwise it is given back on every node. A node that doesn't answer soon, against the lease's
 * length, counts as none. So does one that turns out to be the server of another one (by its run id, where
 * INFO is allowed), and while two are known to be, nothing is taken. The lease of an answer lasts as long as
 * is safe, not as long as was asked for.
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
    struct Round
    {
        Done tell;                          ///< empty: it is our own
        ClientAct act = ClientAct::Acquire; ///< … Renew or Release
        Lease lease;
        qint64 beganUs = 0;
        qsizetype done = 0;                                   ///< nodes that did what was asked
        qsizetype refused = 0;                                ///< that have another token, or none
        qsizetype failed = 0;                                 ///< that didn't answer, or by an error
        base::Error error = {};                               ///< the first one's
        QHash<QByteArray, const RedisLockClient *> runs = {}; ///< who answered, by its run id
    };

    void begin(Round round);
    void take(quint64 id, const RedisLockClient *node, const AttemptResult &result);
    void giveUpOnTheRest(quint64 id);
    void decide(quint64 id, bool over);
    void answer(const Round &round, Attempt attempt, qint64 validUs, bool unknown);
    /** Two nodes that are one. */
    std::optional<base::Error> sameServer() const;
    qsizetype quorum() const;

    std::vector<std::unique_ptr<RedisLockClient>> m_nodes;
    QHash<quint64, Round> m_rounds;
    quint64 m_lastRound = 0;
};

} // namespace lockkeeper::locks::redis
