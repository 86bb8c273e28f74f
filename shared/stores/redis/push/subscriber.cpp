// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/push/subscriber.h"

#include "shared/stores/redis/errors.h"
#include "shared/stores/redis/handshake.h"
#include "shared/stores/redis/push/prefixes.h"

#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis::push {

using base::Error;
using base::ErrorCode;

Error pushError(const redisReply *reply, const Endpoint &endpoint)
{
    const Asker asker{endpoint.user, {}};
    Error error = errorOf(reply, asker);
    if (error.code == ErrorCode::PermissionDenied)
        error.remedy = aclStatement(asker, kPushRules);
    else if (error.code == ErrorCode::Unsupported)
        error.remedy = QStringLiteral("Push needs Redis 6.0 or later.");
    return error;
}

Subscriber::Subscriber(const SourceSpec &spec, Hearer hearer, std::function<void()> heardAll, QObject *parent)
    : QObject(parent), m_spec(spec), m_hearer(std::move(hearer)), m_heardAll(std::move(heardAll))
{
}

Subscriber::~Subscriber() = default;

void Subscriber::open(const Endpoint &endpoint, const QList<QByteArray> &prefixes)
{
    m_prefixes = prefixes;
    m_database = endpoint.database;
    m_byKeyspace = false;
    m_connection = std::make_unique<Connection>(endpoint, m_spec.statementTimeoutMs);
    m_connection->setPushHandler([this](const redisReply *message) { hear(message); });
    m_connection->setTakenHandler([this] { m_heardAll(); });
    connect(m_connection.get(), &Connection::connected, this, &Subscriber::login);
    connect(m_connection.get(), &Connection::lost, this, &Subscriber::lost);
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

void Subscriber::login()
{
    shakeHands(*m_connection, m_spec.password, [this](const base::Result<ServerFacts> &facts) {
        if (facts)
            askId();
        else
            fail(facts.error());
    });
}

void Subscriber::askId()
{
    m_connection->send({"CLIENT", "ID"}, [this](const redisReply *reply) {
        if (reply == nullptr)
            return;
        if (reply->type != REDIS_REPLY_INTEGER) {
            fail(pushError(reply, m_connection->endpoint()));
            return;
        }
        m_id = reply->integer;
        subscribe();
    });
}

void Subscriber::subscribe()
{
    m_connection->send({"SUBSCRIBE", kInvalidate}, [this](const redisReply *reply) {
        if (reply == nullptr)
            return;
        if (isError(reply)) {
            fail(pushError(reply, m_connection->endpoint()));
            return;
        }
        subscribeEvents();
        Q_EMIT ready(m_id);
    });
}

/** Whether the server has any, and whether they may be heard, isn't known: both are told by what comes. */
void Subscriber::subscribeEvents()
{
    const auto ignore = [](const redisReply *) {};
    for (const char *event : {"set", "del", "expired", "evicted", "rename_from", "rename_to", "restore"})
        m_connection->send({"SUBSCRIBE", keyeventHead(m_database) + event}, ignore);
    for (const QByteArray &prefix : std::as_const(m_prefixes))
        m_connection->send({"PSUBSCRIBE", keyspaceHead(m_database) + globOf(prefix)}, ignore);
}

void Subscriber::hear(const redisReply *message)
{
    const Told what = told(message, m_database);
    if (what.kind == Told::Kind::Event) {
        m_byKeyspace = m_byKeyspace || what.byKeyspace;
        if (m_byKeyspace && !what.byKeyspace)
            return;
    }
    if (what.kind != Told::Kind::Nothing)
        m_hearer(what);
}

void Subscriber::ping(std::function<void()> ponged)
{
    if (!m_connection)
        return;
    m_connection->send({"PING"}, [this, ponged = std::move(ponged)](const redisReply *reply) {
        if (isError(reply))
            fail(pushError(reply, m_connection->endpoint()));
        else if (reply != nullptr)
            ponged();
    });
}

} // namespace lockkeeper::stores::redis::push
