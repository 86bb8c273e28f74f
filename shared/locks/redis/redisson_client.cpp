// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/redisson_client.h"

#include "shared/stores/redis/schemes/redisson_names.h"

#include <QUuid>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

Traits RedissonClient::traits() const
{
    Traits traits;
    traits.reenters = true;
    traits.fencing = m_fencing;
    traits.wakes = true;
    return traits;
}

QByteArray RedissonClient::token() const
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + ":1";
}

void RedissonClient::composeRenewal(CommandBatch &to, const ClientCall &call) const
{
    addScript(to, call, m_renew, {call.lease.name}, {call.lease.token, millisecondsOf(call.lease)});
}

void RedissonClient::compose(CommandBatch &to, ClientCall &call) const
{
    const Lease &lease = call.lease;
    if (call.act == ClientAct::Renew)
        composeRenewal(to, call);
    else if (call.act == ClientAct::Release)
        addScript(to, call, m_unlock, {lease.name}, {lease.token, channelOf(lease.name), shards()});
    else if (m_fencing)
        addScript(to, call, m_acquire, {lease.name, redissonPrefixed("redisson_lock_token", lease.name)},
                  {lease.token, millisecondsOf(lease)});
    else
        addScript(to, call, m_acquire, {lease.name}, {lease.token, millisecondsOf(lease)});
}

ClientStep RedissonClient::take(ClientCall &call, const redisReply *reply) const
{
    const bool acquires = call.act == ClientAct::Acquire || call.act == ClientAct::Enqueue;
    return acquires ? fencedStep(call, reply) : ClientScheme::take(call, reply);
}

QByteArray RedissonClient::besideRules() const
{
    return m_fencing ? "~redisson_lock_token:* +incr" : QByteArray();
}

QByteArray RedissonClient::channelOf(const QByteArray &name) const
{
    return redissonPrefixed("redisson_lock__channel", name);
}

Traits RedissonFairClient::traits() const
{
    Traits traits = RedissonClient::traits();
    traits.wakes = false;
    traits.queues = true;
    return traits;
}

void RedissonFairClient::compose(CommandBatch &to, ClientCall &call) const
{
    const Lease &lease = call.lease;
    const QByteArray queue = redissonPrefixed("redisson_lock_queue", lease.name);
    const QByteArray timeouts = redissonPrefixed("redisson_lock_timeout", lease.name);
    const NumberText placeMs(kPlaceUs / 1'000);
    switch (call.act) {
    case ClientAct::Acquire:
    case ClientAct::Enqueue: {
        const QByteArrayView queues = call.act == ClientAct::Enqueue ? "1" : "0";
        if (fencing())
            addScript(to, call, m_acquire,
                      {lease.name, queue, timeouts, redissonPrefixed("redisson_lock_token", lease.name)},
                      {lease.token, millisecondsOf(lease), placeMs, queues});
        else
            addScript(to, call, m_acquire, {lease.name, queue, timeouts},
                      {lease.token, millisecondsOf(lease), placeMs, queues});
        break;
    }
    case ClientAct::Renew:
        composeRenewal(to, call);
        break;
    case ClientAct::Release:
        addScript(to, call, m_unlock, {lease.name, queue, timeouts},
                  {lease.token, channelOf(lease.name), shards(), placeMs});
        break;
    case ClientAct::Announce: // composeRegister()
    case ClientAct::Withdraw:
        break;
    }
}

QByteArray RedissonFairClient::besideRules() const
{
    const QByteArray queue = "~redisson_lock_queue:* ~redisson_lock_timeout:*";
    const QByteArray counter = RedissonClient::besideRules();
    return counter.isEmpty() ? queue : queue + ' ' + counter;
}

} // namespace lockkeeper::locks::redis
