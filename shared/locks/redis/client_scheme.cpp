// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/client_scheme.h"

#include "shared/locks/redis/json_client.h"
#include "shared/locks/redis/redisson_client.h"
#include "shared/locks/redis/token_client.h"

#include <QUuid>
#include <QVarLengthArray>

#include <hiredis/hiredis.h>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {

/** The permits of redis-semaphore. The lock set sets their length, because all clients must use the same. */
class SemaphoreClient final : public ClientScheme
{
public:
    explicit SemaphoreClient(const KeyLayout &layout) : m_leaseUs(layout.leaseUs), m_limit(layout.limit) {}

    Traits traits() const override
    {
        Traits traits;
        traits.shares = m_limit > 1;
        return traits;
    }

    QByteArray token() const override { return QUuid::createUuid().toByteArray(QUuid::WithoutBraces); }

    void compose(CommandBatch &to, ClientCall &call) const override
    {
        const Lease &lease = call.lease;
        const NumberText leaseMs(m_leaseUs / 1'000);
        if (call.act == ClientAct::Acquire)
            addScript(to, call, m_acquire, {lease.name}, {lease.token, leaseMs, NumberText(m_limit)});
        else if (call.act == ClientAct::Renew)
            addScript(to, call, m_renew, {lease.name}, {lease.token, leaseMs});
        else
            addScript(to, call, m_unlock, {lease.name}, {lease.token});
    }

    ClientStep take(ClientCall &call, const redisReply *reply) const override
    {
        call.lease.ttlUs = m_leaseUs;
        return ClientScheme::take(call, reply);
    }

private:
    qint64 m_leaseUs;
    int m_limit;
    Script m_acquire = clientScript("semaphore_acquire");
    Script m_renew = clientScript("semaphore_renew");
    Script m_unlock = clientScript("semaphore_unlock");
};

} // namespace

ClientScheme::~ClientScheme() = default;

ClientStep ClientScheme::take(ClientCall &call, const redisReply *reply) const
{
    const bool done =
        reply->type == REDIS_REPLY_STATUS || (reply->type == REDIS_REPLY_INTEGER && reply->integer == 1);
    const bool acquires = call.act == ClientAct::Acquire || call.act == ClientAct::Enqueue;
    return {.attempt = done ? Attempt::Done : acquires ? Attempt::Held : Attempt::Lost};
}

bool ClientScheme::mayHaveTaken(const ClientCall &) const
{
    return true;
}

void addScript(CommandBatch &to, const ClientCall &call, const Script &script,
               std::initializer_list<QByteArrayView> keys, std::initializer_list<QByteArrayView> arguments)
{
    const NumberText count(qint64(keys.size()));
    QVarLengthArray<QByteArrayView, 16> all{call.byText ? "EVAL" : "EVALSHA",
                                            call.byText ? script.text : script.sha, count};
    for (const QByteArrayView key : keys)
        all.append(key);
    for (const QByteArrayView argument : arguments)
        all.append(argument);
    to.add(std::span<const QByteArrayView>(all.constData(), size_t(all.size())));
}

ClientStep fencedStep(ClientCall &call, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER) {
        if (reply->integer > 0)
            call.lease.fencing = QByteArray::number(qint64(reply->integer));
        return {.attempt = Attempt::Done};
    }
    ClientStep held;
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 1 &&
        reply->element[0]->type == REDIS_REPLY_INTEGER && reply->element[0]->integer >= 0)
        held.freeInUs = reply->element[0]->integer * 1'000;
    return held;
}

std::unique_ptr<ClientScheme> clientSchemeOf(const LockSet &set, const QByteArray &owner, Topology topology)
{
    const bool inCluster = topology == Topology::Cluster;
    if (set.scheme == "redis.json")
        return std::make_unique<JsonClient>(set.keys, owner);
    if (set.scheme == "redis.redisson" && set.keys.fair)
        return std::make_unique<RedissonFairClient>(set.keys, inCluster);
    if (set.scheme == "redis.redisson")
        return std::make_unique<RedissonClient>(set.keys, inCluster);
    if (set.scheme == "redis.semaphore")
        return std::make_unique<SemaphoreClient>(set.keys);
    return std::make_unique<TokenClient>(set);
}

} // namespace lockkeeper::locks::redis
