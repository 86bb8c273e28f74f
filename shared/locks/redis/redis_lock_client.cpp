// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/redis_lock_client.h"

#include "shared/stores/redis/connection/handshake.h"

#include <QTimer>

namespace lockkeeper::locks::redis {

using base::Error;
using base::ErrorCode;

RedisLockClient::RedisLockClient(SourceSpec spec, Endpoint endpoint, QByteArray match,
                                 std::unique_ptr<ClientScheme> scheme, QObject *parent)
    : LockClient(parent),
      m_spec(std::move(spec)),
      m_connection(std::move(endpoint), m_spec.statementTimeoutMs),
      m_asker{m_connection.endpoint().user, std::move(match)},
      m_scheme(std::move(scheme))
{
    connect(&m_connection, &Connection::connected, this, &RedisLockClient::onConnected);
    connect(&m_connection, &Connection::lost, this, [this](const Error &error) { failAll(error); });
}

void RedisLockClient::tryAcquire(const Lease &wanted, Done done)
{
    Lease lease = wanted;
    if (lease.token.isEmpty())
        lease.token = m_scheme->token();
    ask({std::move(done), ClientAct::Acquire, std::move(lease)});
}

void RedisLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    Lease longer = lease;
    longer.ttlUs = ttlUs;
    ask({std::move(done), ClientAct::Renew, std::move(longer)});
}

void RedisLockClient::release(const Lease &lease, Done done)
{
    ask({std::move(done), ClientAct::Release, lease});
}

void RedisLockClient::ask(Request request)
{
    request.asking = m_asking;
    if (m_ready && m_connection.isOpen()) {
        start(request);
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
            start(m_waiting.dequeue());
    });
}

void RedisLockClient::start(const Request &request)
{
    if (request.act != ClientAct::Release && request.lease.ttlUs < 1'000) {
        fail(request, {ErrorCode::Usage, QStringLiteral("a lease lasts at least one millisecond"), {}});
        return;
    }
    proceed(request, m_scheme->begin(request.act, request.lease));
}

void RedisLockClient::proceed(const Request &request, const ClientStep &step)
{
    if (step.command.isEmpty())
        answer(request, step.attempt);
    else if (step.afterMs == 0)
        send(request, step.command);
    else
        QTimer::singleShot(step.afterMs, this, [this, request, step] { send(request, step.command); });
}

void RedisLockClient::send(const Request &request, const QList<QByteArray> &command)
{
    CommandBatch batch;
    batch.setAsking(request.asking);
    batch.add(command);
    if (!m_connection.send(batch, [this, request](const redisReply *reply) { take(request, reply); }))
        fail(request, m_connection.failure());
}

void RedisLockClient::take(Request request, const redisReply *reply)
{
    if (reply == nullptr) {
        fail(request, m_connection.failure());
    } else if (isError(reply)) {
        fail(request, errorOf(reply, m_asker, Purpose::Hold));
    } else {
        const int index = request.commands++;
        proceed(request, m_scheme->next(request.act, index, request.lease, reply));
    }
}

void RedisLockClient::answer(const Request &request, Attempt attempt)
{
    AttemptResult result;
    result.attempt = attempt;
    if (attempt == Attempt::Done && request.act != ClientAct::Release)
        result.lease = request.lease;
    request.done(result);
}

/** A link may break within the call of somebody who asks, and whoever is told may destroy this. */
void RedisLockClient::fail(const Request &request, const Error &error)
{
    AttemptResult result;
    result.attempt = request.act == ClientAct::Acquire ? Attempt::Held : Attempt::Lost;
    result.error = error;
    QMetaObject::invokeMethod(
        this, [done = request.done, result] { done(result); }, Qt::QueuedConnection);
}

void RedisLockClient::failAll(const Error &error)
{
    m_ready = false;
    m_opening = false;
    const QQueue<Request> waiting = std::exchange(m_waiting, {});
    for (const Request &request : waiting)
        fail(request, error);
}

} // namespace lockkeeper::locks::redis
