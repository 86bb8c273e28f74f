// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/subscriber.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/handshake.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

using base::Error;
using base::ErrorCode;

Error pushError(const redisReply *reply, const Endpoint &endpoint)
{
    const AclSubject asker{endpoint.user, {}};
    Error error = errorOf(reply, asker);
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy = aclStatement(
            asker, "&__redis__:invalidate +subscribe +ping +client|id +client|tracking +client|trackinginfo");
    else if (error.code == ErrorCode::Unsupported)
        error.remedy = QStringLiteral("Push needs Redis 6.0 or later.");
    return error;
}

Subscriber::Subscriber(const SourceSpec &spec, Hearer hearer, std::function<void()> heardAll, QObject *parent)
    : QObject(parent), m_spec(spec), m_hearer(std::move(hearer)), m_heardAll(std::move(heardAll))
{
}

Subscriber::~Subscriber() = default;

void Subscriber::open(const Endpoint &endpoint, const QList<QByteArray> &prefixes, const QByteArray &runId)
{
    m_prefixes = prefixes;
    m_connection = std::make_unique<RedisConnection>(endpoint, m_spec.statementTimeoutMs);
    m_connection->setPushHandler([this](const redisReply *message) {
        const Notification what = notificationOf(message, m_connection->endpoint().database);
        if (what.kind != Notification::NotificationKind::Nothing)
            m_hearer(what);
    });
    m_connection->setTakenHandler([this] { m_heardAll(); });
    connect(m_connection.get(), &RedisConnection::connected, this, [this, runId] { login(runId); });
    connect(m_connection.get(), &RedisConnection::lost, this, &Subscriber::lost);
    m_connection->open(m_spec.connectTimeoutMs);
}

void Subscriber::close()
{
    if (m_connection)
        m_connection->close();
}

void Subscriber::fail(const Error &error)
{
    if (m_connection)
        m_connection->fail(error);
}

void Subscriber::login(const QByteArray &runId)
{
    const auto take = [this](const base::Result<RedisFacts> &facts) {
        if (facts)
            subscribe();
        else
            fail(facts.error());
    };
    shakeHands(*m_connection, m_spec.password, take, runId);
}

/** The link has ended, or ends by this answer. */
bool Subscriber::isFailure(const redisReply *reply)
{
    if (reply != nullptr && isError(reply))
        fail(pushError(reply, m_connection->endpoint()));
    return reply == nullptr || isError(reply);
}

/** The server may send no keyspace events, or the user may not receive them: only received events prove it.
 */
void Subscriber::subscribe()
{
    m_connection->send({"CLIENT", "ID"}, [this](const redisReply *reply) {
        if (!isFailure(reply))
            m_id = reply->integer;
    });
    m_connection->send({"SUBSCRIBE", kInvalidate}, [this](const redisReply *reply) {
        if (!isFailure(reply))
            Q_EMIT ready(m_id);
    });
    const int database = m_connection->endpoint().database;
    const auto ignore = [](const redisReply *) {};
    for (const char *event : {"set", "del", "expired", "evicted", "rename_from", "rename_to", "restore"})
        m_connection->send({"SUBSCRIBE", channelHead("keyevent", database) + event}, ignore);
    for (const QByteArray &prefix : std::as_const(m_prefixes))
        m_connection->send(
            {"PSUBSCRIBE", channelHead("keyspace", database) + base::literalGlob(prefix) + '*'}, ignore);
}

void Subscriber::ping(std::function<void()> ponged)
{
    if (!m_connection)
        return;
    m_connection->send({"PING"}, [this, ponged = std::move(ponged)](const redisReply *reply) {
        if (!isFailure(reply))
            ponged();
    });
}

} // namespace lockkeeper::stores::redis::push
