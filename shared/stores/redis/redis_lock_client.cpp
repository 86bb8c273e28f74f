// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_lock_client.h"

#include "shared/stores/redis/handshake.h"

#include <QRandomGenerator>

#include <array>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

QByteArray randomToken()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
    return QByteArray(reinterpret_cast<const char *>(words.data()), sizeof words).toHex();
}

} // namespace

RedisLockClient::RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match, QObject *parent)
    : LockClient(parent),
      m_spec(std::move(spec)),
      m_connection(std::move(endpoint), m_spec.statementTimeoutMs),
      m_asker{m_connection.endpoint().user, std::move(match)},
      m_renew(renewScript()),
      m_unlock(unlockScript())
{
    connect(&m_connection, &Connection::connected, this, &RedisLockClient::onConnected);
    connect(&m_connection, &Connection::lost, this, [this](const Error &error) { failAll(error); });
}

void RedisLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    ask({request, Kind::Acquire, {name, randomToken(), ttlUs, {}}});
}

void RedisLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    ask({request, Kind::Renew, {lease.name, lease.token, ttlUs, lease.proof}});
}

void RedisLockClient::release(quint64 request, const Lease &lease)
{
    ask({request, Kind::Release, lease});
}

void RedisLockClient::ask(Request request)
{
    if (m_ready && m_connection.isOpen()) {
        send(request);
        return;
    }
    m_ready = false;
    m_waiting.enqueue(std::move(request));
    if (!m_opening) {
        m_opening = true;
        m_connection.close();
        m_connection.open(m_spec.connectTimeoutMs);
    }
}

void RedisLockClient::onConnected()
{
    shakeHands(m_connection, m_spec.password, [this](const base::Result<ServerFacts> &facts) {
        if (!facts) {
            m_connection.fail(facts.error()); // lost() answers those who wait
            return;
        }
        m_ready = true;
        m_opening = false;
        while (m_ready && !m_waiting.isEmpty())
            send(m_waiting.dequeue());
    });
}

void RedisLockClient::send(const Request &request)
{
    const Lease &lease = request.lease;
    const qint64 ttlMs = lease.ttlUs / 1000;
    if (request.kind != Kind::Release && ttlMs < 1) {
        const Error error{ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}};
        QMetaObject::invokeMethod(
            this, [this, request, error] { fail(request, error); }, Qt::QueuedConnection);
        return;
    }
    const QByteArray ttl = QByteArray::number(ttlMs);
    const auto handler = [this, request](const redisReply *reply) { take(request, reply); };
    bool sent = false;
    switch (request.kind) {
    case Kind::Acquire:
        sent = m_connection.send({"SET", lease.name, lease.token, "NX", "PX", ttl}, handler);
        break;
    case Kind::Renew:
        sent = m_connection.send({"EVAL", m_renew.text, "1", lease.name, lease.token, ttl}, handler);
        break;
    case Kind::Release:
        sent = m_connection.send({"EVAL", m_unlock.text, "1", lease.name, lease.token}, handler);
        break;
    }
    if (!sent)
        fail(request, m_connection.failure());
}

void RedisLockClient::take(const Request &request, const redisReply *reply)
{
    if (reply == nullptr) {
        fail(request, m_connection.failure());
    } else if (isError(reply)) {
        fail(request, errorOf(reply, m_asker, Purpose::Hold));
    } else if (request.kind == Kind::Acquire) {
        answer(request, reply->type == REDIS_REPLY_NIL ? Attempt::Held : Attempt::Done);
    } else {
        const bool done = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
        answer(request, done ? Attempt::Done : Attempt::Lost);
    }
}

void RedisLockClient::answer(const Request &request, Attempt attempt)
{
    AttemptResult result;
    result.request = request.id;
    result.attempt = attempt;
    if (attempt == Attempt::Done && request.kind != Kind::Release)
        result.lease = request.lease;
    Q_EMIT answered(result);
}

void RedisLockClient::fail(const Request &request, const Error &error)
{
    AttemptResult result;
    result.request = request.id;
    result.attempt = request.kind == Kind::Acquire ? Attempt::Held : Attempt::Lost;
    result.error = error;
    Q_EMIT answered(result);
}

void RedisLockClient::failAll(const Error &error)
{
    m_ready = false;
    m_opening = false;
    const QQueue<Request> waiting = std::exchange(m_waiting, {});
    for (const Request &request : waiting)
        fail(request, error);
}

} // namespace lockkeeper::stores::redis
