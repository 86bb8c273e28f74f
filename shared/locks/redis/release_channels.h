// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/connection/connection.h"
#include "shared/stores/source_spec.h"

#include <QHash>
#include <QTimer>

#include <functional>

namespace lockkeeper::locks::redis {

using namespace stores;
using namespace stores::redis;

/**
 * The channels on which a server's clients tell that a lock is free: all of them on one connection, made when
 * the first is listened to and again when it was lost. Who listens is woken by each message, and once the
 * subscription is in force, also that of a new connection. A channel that may not be subscribed to wakes
 * nobody: those who wait look by themselves as well.
 *
 * A pattern takes in all channels that it matches, with one command.
 *
 * In a cluster a channel is listened to twice: as one of all nodes, and as one of this node's shard (Redis
 * 7), which is where Redisson publishes if it can. A slot that leaves the node takes the latter along: then
 * who listens is woken, and finds out where the lock is.
 */
class ReleaseChannels final : public QObject
{
    Q_OBJECT

public:
    /** Called with the channel of a message, and with none when the subscription has come into force. */
    using Hear = std::function<void(const QByteArray &channel)>;

    ReleaseChannels(const SourceSpec &spec, Endpoint endpoint);

    void subscribe(const QByteArray &channel, LockClient::Wake wake);
    /** `refused`: this user may not, and has to do without. */
    void subscribePattern(const QByteArray &pattern, Hear hear, LockClient::Wake refused);
    void unsubscribe(const QByteArray &channelOrPattern);
    /** There are channels that no pattern takes in. */
    bool hasShards() const { return m_shards; }

private:
    struct Subscription
    {
        Hear hear;
        LockClient::Wake refused = {}; ///< null: of one channel
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
    Connection m_connection;
    QHash<QByteArray, Subscription> m_subscriptions; ///< by channel or pattern
    QTimer m_again;                                  ///< to connect
    QTimer m_ping; ///< nothing is owed by a server that only tells: a dead link is found out by asking
    bool m_shards;
    bool m_ready = false;
    bool m_opening = false;
};

} // namespace lockkeeper::locks::redis
