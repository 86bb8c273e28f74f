// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/cluster_lock_client.h"

#include "shared/locks/redis/redis_lock_client.h"
#include "shared/stores/redis/connection/redirect.h"

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

ClusterLockClient::ClusterLockClient(QByteArray password, QList<Endpoint> seeds, Make make, qint64 patienceMs,
                                     QObject *parent)
    : LockClient(parent),
      m_guide(std::move(password)),
      m_seeds(std::move(seeds)),
      m_make(std::move(make)),
      m_patienceMs(patienceMs)
{
    connect(&m_guide, &ClusterGuide::answered, this, &ClusterLockClient::onMap);
    connect(&m_guide, &ClusterGuide::unanswered, this, &ClusterLockClient::onNoMap);
}

ClusterLockClient::~ClusterLockClient() = default;

void ClusterLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    put(request, {name, Attempt::Held, [=](LockClient &to) { to.tryAcquire(request, name, ttlUs); }});
}

void ClusterLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    put(request, {lease.name, Attempt::Lost, [=](LockClient &to) { to.renew(request, lease, ttlUs); }});
}

void ClusterLockClient::release(quint64 request, const Lease &lease)
{
    put(request, {lease.name, Attempt::Lost, [=](LockClient &to) { to.release(request, lease); }});
}

void ClusterLockClient::put(quint64 request, Question question)
{
    m_asked.insert(request, std::move(question));
    if (m_known) {
        send(request);
        return;
    }
    m_waiting.enqueue(request);
    QList<Endpoint> nodes;
    for (const auto &[address, client] : m_clients) {
        Endpoint node = m_seeds.first();
        node.host = address.first;
        node.port = address.second;
        nodes.append(node);
    }
    m_guide.ask(nodes + m_seeds);
}

void ClusterLockClient::onMap(const ClusterMap &map)
{
    m_map = map;
    m_known = true;
    for (const quint64 request : std::exchange(m_waiting, {}))
        send(request);
}

void ClusterLockClient::onNoMap(const Error &error)
{
    for (const quint64 request : std::exchange(m_waiting, {}))
        fail(request, error);
}

void ClusterLockClient::send(quint64 request)
{
    const qint16 owner = m_map.owner[hashSlotOf(m_asked.value(request).name)];
    if (owner < 0) {
        m_known = false;
        const Error error{
            ErrorCode::Unreachable, QStringLiteral("no node of the cluster has this lock's slot"), {}};
        QMetaObject::invokeMethod(
            this, [this, request, error] { fail(request, error); }, Qt::QueuedConnection);
        return;
    }
    const ClusterNode &node = m_map.nodes.at(owner);
    sendTo(request, node.host, node.port, false);
}

void ClusterLockClient::sendTo(quint64 request, const QString &host, quint16 port, bool asking)
{
    std::unique_ptr<RedisLockClient> &client = m_clients[{host, port}];
    if (client == nullptr) {
        Endpoint node = m_seeds.first();
        node.host = host;
        node.port = port;
        client = m_make(node);
        connect(client.get(), &LockClient::answered, this,
                [this, from = client.get()](const AttemptResult &result) { onAnswer(from, result); });
    }
    client->setAsking(asking);
    m_asked.value(request).ask(*client);
    client->setAsking(false);
}

void ClusterLockClient::onAnswer(RedisLockClient *from, const AttemptResult &result)
{
    if (result.error && follow(from, result.request, *result.error))
        return;
    const bool astray =
        result.error && (base::isTransient(result.error->code) || result.error->code == ErrorCode::ReadOnly);
    if (astray) { // whatever came between: the next question asks for the map first
        m_known = false;
        retire(from);
    }
    m_asked.remove(result.request);
    Q_EMIT answered(result);
}

/** False where nobody else is to be asked. */
bool ClusterLockClient::follow(const RedisLockClient *from, quint64 request, const Error &error)
{
    const auto to = redirectOf(error.cause.toUtf8());
    const auto question = m_asked.find(request);
    if (!to || question == m_asked.end() || question->hops == kMostHops)
        return false;
    ++question->hops;
    if (!to->ask)
        m_known = false;
    sendTo(request, to->hostFrom(from->endpoint().host), to->port, to->ask);
    return true;
}

/** It still answers what it was asked, and is asked no more. */
void ClusterLockClient::retire(RedisLockClient *client)
{
    const auto it = std::find_if(m_clients.begin(), m_clients.end(),
                                 [client](const auto &any) { return any.second.get() == client; });
    if (it == m_clients.end())
        return;
    RedisLockClient *old = it->second.release();
    m_clients.erase(it);
    old->setParent(this);
    QTimer::singleShot(std::chrono::milliseconds(m_patienceMs), old, &QObject::deleteLater);
}

void ClusterLockClient::fail(quint64 request, const Error &error)
{
    const Question question = m_asked.take(request);
    Q_EMIT answered({request, question.otherwise, {}, error});
}

} // namespace lockkeeper::stores::redis
