// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/source_spec.h"

#include <QHash>
#include <QTimer>

#include <functional>

namespace lockkeeper::locks::redis {

/**
 * The channels on which a server's clients announce that a lock is free. All subscriptions share one
 * connection, which is opened for the first one and again after a loss. A subscriber is woken by each
 * message, and also when its subscription comes into force, even on a new connection. A channel that the user
 * may not subscribe to wakes nobody; waiters must also check by themselves.
 *
 * A pattern subscribes to all channels that it matches, with one command.
 *
 * In a cluster each channel is subscribed to twice: as a channel of all nodes, and as a channel of this
 * node's shard (Redis 7), where Redisson publishes if it can. When a slot leaves the node, the shard's
 * channel goes with it. The subscriber is then woken, and finds out where the lock is.
 */
class ReleaseChannels final : public QObject
{
    Q_OBJECT

public:
    /** Called with the channel of a message, and with an empty one when the subscription comes into force. */
    using Hear = std::function<void(const QByteArray &channel)>;

    ReleaseChannels(const stores::SourceSpec &spec, stores::redis::Endpoint endpoint);

    void subscribe(const QByteArray &channel, LockClient::Wake wake);
    /** `refused` is called if this user may not subscribe to the pattern. */
    void subscribePattern(const QByteArray &pattern, Hear hear, LockClient::Wake refused);
    void unsubscribe(const QByteArray &channelOrPattern);
    /** True if some channels can't be matched by patterns. */
    bool hasShards() const { return m_shards; }

private:
    struct Subscription
    {
        Hear hear;
        LockClient::Wake refused = {}; ///< null: a single channel
        bool isPattern() const { return refused != nullptr; }
    };

    void add(const QByteArray &name, Subscription subscription);
    void connectNow();
    void onConnected();
    void onLost();
    void onMessage(const redisReply *reply);
    void send(const QByteArray &name);
    void onShardAnswer(const QByteArray &name, const redisReply *reply);
    void tell(const QByteArray &name, const QByteArray &channel);

    QByteArray m_password;
    qint64 m_connectTimeoutMs;
    stores::redis::RedisConnection m_connection;
    QHash<QByteArray, Subscription> m_subscriptions; ///< by channel or pattern
    QTimer m_again;                                  ///< for reconnecting
    QTimer m_ping; ///< detects a dead link: a server that only publishes owes no answers
    bool m_shards;
    bool m_ready = false;
    bool m_opening = false;
};

} // namespace lockkeeper::locks::redis
