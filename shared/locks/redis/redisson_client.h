// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"

namespace lockkeeper::locks::redis {

/**
 * The lock library's side of redis.redisson: its plain lock, or with fencing tokens its fenced lock. To
 * Redisson a token is one thread of one process, which may acquire again what it holds. The lock's channel
 * wakes the waiters.
 */
class RedissonClient : public ClientScheme
{
public:
    RedissonClient(const stores::KeyLayout &layout, bool inCluster)
        : m_fencing(layout.fencing), m_shards(inCluster ? "1" : "0")
    {
    }

    Traits traits() const override;
    QByteArray token() const override;
    void compose(stores::redis::CommandBatch &to, ClientCall &call) const override;
    ClientStep take(ClientCall &call, const redisReply *reply) const override;
    QByteArray besideRules() const override;
    QByteArray channelOf(const QByteArray &name) const override;

protected:
    bool fencing() const { return m_fencing; }
    /** '1': waiters may be subscribed to the channels of the shard. */
    QByteArrayView shards() const { return m_shards; }
    void composeRenewal(stores::redis::CommandBatch &to, const ClientCall &call) const;

private:
    bool m_fencing;
    QByteArrayView m_shards;
    stores::redis::Script m_acquire = stores::redis::clientScript("redisson_acquire");
    stores::redis::Script m_renew = stores::redis::clientScript("redisson_renew");
    stores::redis::Script m_unlock = stores::redis::clientScript("redisson_unlock");
};

/** Redisson's fair lock: a queue of threads in the store, each woken by its own channel. */
class RedissonFairClient final : public RedissonClient
{
public:
    using RedissonClient::RedissonClient;

    Traits traits() const override;
    void compose(stores::redis::CommandBatch &to, ClientCall &call) const override;
    QByteArray besideRules() const override;

private:
    stores::redis::Script m_acquire = stores::redis::clientScript("redisson_fair_acquire", "redisson_queue");
    stores::redis::Script m_unlock = stores::redis::clientScript("redisson_fair_unlock", "redisson_queue");
};

} // namespace lockkeeper::locks::redis
