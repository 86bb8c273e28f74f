// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/invalidation/notification.h"
#include "shared/stores/source_spec.h"

namespace lockkeeper::stores::redis::push {

/**
 * The second connection of a source with push. It subscribes to the server's invalidation messages, and to
 * the keyspace events of the prefixes where the user may and the server sends any. Changes nothing in the
 * server. Lives in the thread that made it; never reconnects by itself.
 */
class Subscriber : public QObject
{
    Q_OBJECT

public:
    using Hearer = std::function<void(const Notification &)>;

    /** `heardAll` is called after `hearer` got all messages that came together. */
    Subscriber(const SourceSpec &spec, Hearer hearer, std::function<void()> heardAll,
               QObject *parent = nullptr);
    ~Subscriber() override;

    /** Connects to the server that `endpoint` leads to; answers ready() or lost(). `runId` as of
     * shakeHands(). */
    void open(const Endpoint &endpoint, const QList<QByteArray> &prefixes, const QByteArray &runId);
    /** No lost() follows. */
    void close();
    /** Ends the connection as if it had broken. */
    void fail(const base::Error &error);
    /** `ponged` comes behind all messages that the server had for this connection when it answered. */
    void ping(std::function<void()> ponged);

Q_SIGNALS:
    /** Subscribed; `id` is what CLIENT TRACKING redirects to. */
    void ready(qint64 id);
    /** Once for each open(), unless closed. */
    void lost(const lockkeeper::base::Error &error);

private:
    void login(const QByteArray &runId);
    void subscribe();
    bool isFailure(const redisReply *reply);

    const SourceSpec &m_spec;
    Hearer m_hearer;
    std::function<void()> m_heardAll;
    std::unique_ptr<RedisConnection> m_connection;
    QList<QByteArray> m_prefixes;
    qint64 m_id = 0;
};

/** An error reply; for a missing right with the rule that push needs. */
base::Error pushError(const redisReply *reply, const Endpoint &endpoint);

} // namespace lockkeeper::stores::redis::push
