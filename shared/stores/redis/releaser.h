// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/errors.h"
#include "shared/stores/redis/schemes/key_scheme.h"

#include <functional>

namespace lockkeeper::stores::redis {

class Connection;

/** What a release is checked against before anything is sent. */
struct ReleaseGround
{
    QByteArray instance; ///< the server's run id; empty: not known
    QByteArray place;    ///< the set's
    bool replica = false;
    QByteArray user;
    bool asking = false; ///< the server takes the lock's slot over: ASKING goes first
};

/**
 * The guarded force-release: one Lua script, by EVALSHA, and by EVAL where the server answered that it
 * doesn't know the script (then nothing was run). Sent once; a lost answer is Unknown and never
 * repeated. After a release the server's replicas have half a second to confirm it.
 */
class Releaser
{
public:
    using Done = std::function<void(const ReleaseReport &)>;

    explicit Releaser(Connection &connection);

    /** `done` is called once, unless the connection is destroyed; at once where nothing was sent. */
    void release(const ReleaseOrder &order, const LockSet &set, std::shared_ptr<const KeyScheme> scheme,
                 const ReleaseGround &ground, Done done);

private:
    struct Task;
    using TaskPtr = std::shared_ptr<Task>;

    void run(const TaskPtr &task, bool bySha);
    void takeVerdict(const TaskPtr &task, const redisReply *reply, bool bySha);
    void askReplicas(const TaskPtr &task);
    void waitForReplicas(const TaskPtr &task);
    /** Released, and nobody knows of a replica that has it. `reply`: the answer instead; null: none came. */
    static void endUnconfirmed(const TaskPtr &task, const redisReply *reply);

    Connection &m_connection;
};

} // namespace lockkeeper::stores::redis
