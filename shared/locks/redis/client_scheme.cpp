// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/client_scheme.h"

#include "shared/locks/redis/json_client.h"
#include "shared/stores/redis/connection/script.h"
#include "shared/stores/redis/schemes/redisson_names.h"

#include <QUuid>

#include <hiredis/hiredis.h>

namespace lockkeeper::locks::redis {

namespace {

QByteArray milliseconds(const Lease &lease)
{
    return QByteArray::number(lease.ttlUs / 1000);
}

ClientStep script(const Script &script, const Lease &lease, const QList<QByteArray> &more = {})
{
    return {Attempt::Held, QList<QByteArray>{"EVAL", script.text, "1", lease.name, lease.token} + more, 0};
}

class TokenClient final : public ClientScheme
{
public:
    QByteArray token() override { return QUuid::createUuid().toByteArray(QUuid::Id128); }

    ClientStep begin(ClientAct act, const Lease &lease) override
    {
        if (act == ClientAct::Acquire)
            return {Attempt::Held, {"SET", lease.name, lease.token, "NX", "PX", milliseconds(lease)}, 0};
        return act == ClientAct::Renew ? script(m_renew, lease, {milliseconds(lease)})
                                       : script(m_unlock, lease);
    }

private:
    Script m_renew = clientScript("token_renew");
    Script m_unlock = clientScript("token_unlock");
};

/** A token is one thread of one process, as Redisson sees it: what it holds it may enter again. */
class RedissonClient final : public ClientScheme
{
public:
    Traits traits() const override
    {
        Traits traits;
        traits.reenters = true;
        return traits;
    }
    QByteArray token() override { return QUuid::createUuid().toByteArray(QUuid::WithoutBraces) + ":1"; }

    ClientStep begin(ClientAct act, const Lease &lease) override
    {
        switch (act) {
        case ClientAct::Acquire:
            return script(m_acquire, lease, {milliseconds(lease)});
        case ClientAct::Renew:
            return script(m_renew, lease, {milliseconds(lease)});
        case ClientAct::Release:
            break;
        }
        return script(m_unlock, lease, {redissonPrefixed("redisson_lock__channel", lease.name)});
    }

private:
    Script m_acquire = clientScript("redisson_acquire");
    Script m_renew = clientScript("redisson_renew");
    Script m_unlock = clientScript("redisson_unlock");
};

/** The permits of redis-semaphore. A permit lasts as long as the lock set says: all clients agree on that. */
class SemaphoreClient final : public ClientScheme
{
public:
    explicit SemaphoreClient(const KeyLayout &layout)
        : m_leaseMs(QByteArray::number(layout.leaseUs / 1000)), m_limit(QByteArray::number(layout.limit))
    {
    }

    QByteArray token() override { return QUuid::createUuid().toByteArray(QUuid::WithoutBraces); }

    ClientStep begin(ClientAct act, const Lease &lease) override
    {
        switch (act) {
        case ClientAct::Acquire:
            return script(m_acquire, lease, {m_leaseMs, m_limit});
        case ClientAct::Renew:
            return script(m_renew, lease, {m_leaseMs});
        case ClientAct::Release:
            break;
        }
        return script(m_unlock, lease);
    }

private:
    QByteArray m_leaseMs;
    QByteArray m_limit;
    Script m_acquire = clientScript("semaphore_acquire");
    Script m_renew = clientScript("semaphore_renew");
    Script m_unlock = clientScript("semaphore_unlock");
};

} // namespace

ClientScheme::~ClientScheme() = default;

ClientStep ClientScheme::next(ClientAct act, int, Lease &, const redisReply *reply)
{
    const bool done =
        reply->type == REDIS_REPLY_STATUS || (reply->type == REDIS_REPLY_INTEGER && reply->integer == 1);
    const Attempt otherwise = act == ClientAct::Acquire ? Attempt::Held : Attempt::Lost;
    return {done ? Attempt::Done : otherwise, {}, 0};
}

std::unique_ptr<ClientScheme> clientSchemeOf(const LockSet &set, const QByteArray &owner)
{
    if (set.scheme == "redis.json")
        return std::make_unique<JsonClient>(set.keys, owner);
    if (set.scheme == "redis.redisson")
        return std::make_unique<RedissonClient>();
    if (set.scheme == "redis.semaphore")
        return std::make_unique<SemaphoreClient>(set.keys);
    return std::make_unique<TokenClient>();
}

} // namespace lockkeeper::locks::redis
