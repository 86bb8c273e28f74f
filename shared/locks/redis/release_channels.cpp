// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/release_channels.h"

#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/redis_stores.h"

#include <chrono>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {
constexpr std::chrono::milliseconds kAgainAfter(500);
constexpr std::chrono::seconds kPingEach(10);
} // namespace

ReleaseChannels::ReleaseChannels(const SourceSpec &spec, Endpoint endpoint)
    : m_password(spec.password),
      m_connectTimeoutMs(spec.connectTimeoutMs),
      m_connection(std::move(endpoint), spec.statementTimeoutMs),
      m_shards(topologyOf(spec.url) == Topology::Cluster)
{
    connect(&m_connection, &RedisConnection::connected, this, &ReleaseChannels::onConnected);
    connect(&m_connection, &RedisConnection::lost, this, &ReleaseChannels::onLost);
    m_connection.setPushHandler([this](const redisReply *reply) { onMessage(reply); });
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &ReleaseChannels::connectNow);
    connect(&m_ping, &QTimer::timeout, this,
            [this] { m_connection.send({"PING"}, [](const redisReply *) {}); });
}

void ReleaseChannels::subscribe(const QByteArray &channel, LockClient::Wake wake)
{
    add(channel, {[wake = std::move(wake)](const QByteArray &) { wake(); }});
}

void ReleaseChannels::subscribePattern(const QByteArray &pattern, Hear hear, LockClient::Wake refused)
{
    add(pattern, {std::move(hear), std::move(refused)});
}

void ReleaseChannels::add(const QByteArray &name, Subscription subscription)
{
    const bool isNew = !m_subscriptions.contains(name);
    m_subscriptions.insert(name, std::move(subscription));
    if (!m_ready)
        connectNow();
    else if (isNew)
        send(name);
}

void ReleaseChannels::unsubscribe(const QByteArray &channelOrPattern)
{
    const auto found = m_subscriptions.constFind(channelOrPattern);
    if (found == m_subscriptions.cend())
        return;
    const bool isPattern = found->isPattern();
    m_subscriptions.erase(found);
    if (!m_ready)
        return;
    const auto ignore = [](const redisReply *) {};
    m_connection.send({isPattern ? "PUNSUBSCRIBE" : "UNSUBSCRIBE", channelOrPattern}, ignore);
    if (m_shards && !isPattern)
        m_connection.send({"SUNSUBSCRIBE", channelOrPattern}, ignore);
}

void ReleaseChannels::connectNow()
{
    if (m_ready || m_subscriptions.isEmpty() || std::exchange(m_opening, true))
        return;
    m_again.stop();
    m_connection.open(m_connectTimeoutMs);
}

void ReleaseChannels::onConnected()
{
    shakeHands(m_connection, m_password, [this](const base::Result<RedisFacts> &facts) {
        if (!facts) {
            m_connection.fail(facts.error());
            return;
        }
        m_ready = true;
        m_ping.start(kPingEach);
        const QList<QByteArray> names = m_subscriptions.keys();
        for (const QByteArray &name : names)
            send(name);
    });
}

void ReleaseChannels::onLost()
{
    m_ready = false;
    m_opening = false;
    m_ping.stop();
    m_again.start(kAgainAfter);
}

void ReleaseChannels::send(const QByteArray &name)
{
    const bool isPattern = m_subscriptions.value(name).isPattern();
    const bool alsoOfShard = m_shards && !isPattern;
    const char *command = isPattern ? "PSUBSCRIBE" : "SUBSCRIBE";
    m_connection.send({command, name}, [this, name, alsoOfShard](const redisReply *reply) {
        if (reply == nullptr)
            return;
        if (!isError(reply)) {
            if (!alsoOfShard)
                tell(name, {});
            return;
        }
        qCWarning(lcRedis) << "waiting without being woken:" << bytesOf(reply).toByteArray();
        if (const LockClient::Wake refused = m_subscriptions.value(name).refused) {
            m_subscriptions.remove(name);
            refused();
        }
    });
    if (alsoOfShard)
        m_connection.send({"SSUBSCRIBE", name},
                          [this, name](const redisReply *reply) { onShardAnswer(name, reply); });
}

/** Both subscriptions are answered by now, whatever this answer is. */
void ReleaseChannels::onShardAnswer(const QByteArray &name, const redisReply *reply)
{
    if (reply == nullptr)
        return;
    if (isError(reply, "ERR"))
        m_shards = false; // an older server, where no client publishes to a shard
    else if (isError(reply) && !isError(reply, "MOVED"))
        qCWarning(lcRedis) << "waiting without the shard's messages:" << bytesOf(reply).toByteArray();
    tell(name, {});
}

void ReleaseChannels::onMessage(const redisReply *reply)
{
    const QByteArrayView kind = bytesOf(reply->element[0]);
    const QByteArray name = bytesOf(reply->element[1]).toByteArray();
    if (reply->elements == 3 && (kind == "message" || kind == "smessage"))
        tell(name, name);
    else if (kind == "sunsubscribe") // its slot has moved
        tell(name, {});
    else if (reply->elements == 4 && kind == "pmessage")
        tell(name, bytesOf(reply->element[2]).toByteArray());
}

void ReleaseChannels::tell(const QByteArray &name, const QByteArray &channel)
{
    if (const Hear hear = m_subscriptions.value(name).hear) // a copy: it may unsubscribe, or destroy this
        hear(channel);
}

} // namespace lockkeeper::locks::redis
