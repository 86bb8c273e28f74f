// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <functional>

namespace lockkeeper::stores::redis {

class RedisConnection;

/**
 * The guarded force-release: one Lua script, by EVALSHA, and by EVAL where the server answered that it
 * doesn't know the script (then nothing was run). Sent once; a lost answer is Unknown (of a check, which
 * writes nothing, Unreachable) and never repeated. After a release the server's replicas have half a second
 * to confirm it.
 */
class KeyReleaser
{
public:
    using Done = std::function<void(const ReleaseReport &)>;

    /** The way to send an order whose preconditions hold. */
    struct OrderCall
    {
        QByteArray name;     ///< the lock's, in its set
        AclSubject asker;    ///< whose rights an error is about
        bool asking = false; ///< the server takes the lock's slot over: ASKING goes first
    };

    explicit KeyReleaser(RedisConnection &connection);

    /** `done` is called once, unless the connection is destroyed; at once where nothing was sent. */
    void release(const ReleaseOrder &order, std::shared_ptr<const KeyScheme> scheme, const OrderCall &way,
                 Done done);

private:
    struct ReleaseTask;
    using TaskPtr = std::shared_ptr<ReleaseTask>;

    void run(const TaskPtr &task, bool bySha);
    void takeVerdict(const TaskPtr &task, const redisReply *reply, bool bySha);
    void askReplicas(const TaskPtr &task);
    void waitForReplicas(const TaskPtr &task);
    /** Released, but no replica is known to have it. `reply`: the answer instead; null: none came. */
    static void endUnconfirmed(const TaskPtr &task, const redisReply *reply);

    RedisConnection &m_connection;
};

} // namespace lockkeeper::stores::redis
