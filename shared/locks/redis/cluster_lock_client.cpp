// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/cluster_lock_client.h"

#include "shared/locks/redis/redis_lock_client.h"
#include "shared/stores/redis/connection/redirect.h"

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks::redis {

using base::Error;
using base::ErrorCode;

ClusterLockClient::ClusterLockClient(QByteArray password, QList<Endpoint> seeds, Make make, qint64 patienceMs,
                                     const Traits &traits, QObject *parent)
    : LockClient(parent),
      m_guide(std::move(password)),
      m_seeds(std::move(seeds)),
      m_make(std::move(make)),
      m_patienceMs(patienceMs),
      m_traits(traits)
{
    connect(&m_guide, &ClusterGuide::answered, this, &ClusterLockClient::onMap);
    connect(&m_guide, &ClusterGuide::unanswered, this, &ClusterLockClient::onNoMap);
}

ClusterLockClient::~ClusterLockClient() = default;

void ClusterLockClient::tryAcquire(const Lease &wanted, Done done)
{
    put({wanted.name, Attempt::Held,
         [wanted](LockClient &to, Done then) { to.tryAcquire(wanted, std::move(then)); }, std::move(done)});
}

void ClusterLockClient::renew(const Lease &lease, qint64 ttlUs, Done done)
{
    put({lease.name, Attempt::Lost,
         [lease, ttlUs](LockClient &to, Done then) { to.renew(lease, ttlUs, std::move(then)); },
         std::move(done)});
}

void ClusterLockClient::release(const Lease &lease, Done done)
{
    put({lease.name, Attempt::Lost,
         [lease](LockClient &to, Done then) { to.release(lease, std::move(then)); }, std::move(done)});
}

void ClusterLockClient::enqueue(const Lease &wanted, Done done)
{
    m_queued.insert(wanted.token, {wanted});
    put({wanted.name, Attempt::Held,
         [this, wanted](LockClient &to, Done then) {
             to.enqueue(wanted, std::move(then));
             Queued &queued = m_queued[wanted.token];
             queued.at = &to;
             if (queued.leaves)
                 to.leave(wanted);
         },
         [this, token = wanted.token, done = std::move(done)](const AttemptResult &result) {
             m_queued.remove(token);
             done(result);
         }});
}

void ClusterLockClient::leave(const Lease &wanted)
{
    const auto queued = m_queued.find(wanted.token);
    if (queued == m_queued.end())
        return;
    queued->leaves = true;
    if (!queued->at.isNull())
        queued->at->leave(wanted);
}

void ClusterLockClient::announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                                 Done done)
{
    put({name, Attempt::Lost,
         [name, waiters, forUs](LockClient &to, Done then) {
             to.announce(name, waiters, forUs, std::move(then));
         },
         std::move(done)});
}

void ClusterLockClient::forget(const QByteArray &name, const QByteArray &id)
{
    put({name, Attempt::Lost,
         [name, id](LockClient &to, Done then) {
             to.forget(name, id);
             QMetaObject::invokeMethod(
                 &to, [then = std::move(then)] { then({}); }, Qt::QueuedConnection);
         },
         [](const AttemptResult &) {}});
}

void ClusterLockClient::put(Question question)
{
    if (m_known) {
        send(question);
        return;
    }
    m_waiting.enqueue(std::move(question));
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
    for (const Question &question : std::exchange(m_waiting, {}))
        send(question);
}

void ClusterLockClient::onNoMap(const Error &error)
{
    for (const Question &question : std::exchange(m_waiting, {}))
        fail(question, error);
}

void ClusterLockClient::send(const Question &question)
{
    const qint16 owner = m_map.owner[hashSlotOf(question.name)];
    if (owner < 0) {
        m_known = false;
        const Error error{
            ErrorCode::Unreachable, QStringLiteral("no node of the cluster has this lock's slot"), {}};
        QMetaObject::invokeMethod(
            this, [question, error] { fail(question, error); }, Qt::QueuedConnection);
        return;
    }
    const ClusterNode &node = m_map.nodes.at(owner);
    sendTo(question, node.host, node.port, false);
}

void ClusterLockClient::sendTo(const Question &question, const QString &host, quint16 port, bool asking)
{
    std::unique_ptr<RedisLockClient> &client = m_clients[{host, port}];
    if (client == nullptr) {
        Endpoint node = m_seeds.first();
        node.host = host;
        node.port = port;
        client = m_make(node);
    }
    client->setAsking(asking);
    question.ask(*client, [this, from = client.get(), question](const AttemptResult &result) {
        onAnswer(from, question, result);
    });
    client->setAsking(false);
}

void ClusterLockClient::onAnswer(RedisLockClient *from, const Question &question, const AttemptResult &result)
{
    const bool isElsewhere = result.error && sendsElsewhere(result.error->cause.toUtf8());
    if (isElsewhere && follow(from, question, *result.error))
        return;
    AttemptResult told = result;
    const bool astray =
        result.error && (base::isTransient(result.error->code) || result.error->code == ErrorCode::ReadOnly);
    if (isElsewhere || astray)
        m_known = false; // whatever came between: the next question asks for the map first
    if (isElsewhere)
        told.error->code = ErrorCode::Busy; // a slot on the move has arrived sooner or later
    else if (astray)
        retire(from);
    question.done(told);
}

/** False where nobody else is to be asked. */
bool ClusterLockClient::follow(const RedisLockClient *from, const Question &question, const Error &error)
{
    const auto to = redirectOf(error.cause.toUtf8());
    if (!to || question.hops == kMostHops)
        return false;
    Question again = question;
    ++again.hops;
    if (!to->ask)
        m_known = false;
    sendTo(again, to->hostFrom(from->endpoint().host), to->port, to->ask);
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
    for (const Queued &queued : std::as_const(m_queued)) {
        if (queued.at == old)
            old->leave(queued.wanted); // is answered, and may stand in line elsewhere
    }
    old->setParent(this);
    QTimer::singleShot(std::chrono::milliseconds(m_patienceMs), old, &QObject::deleteLater);
}

void ClusterLockClient::fail(const Question &question, const Error &error)
{
    question.done({.attempt = question.otherwise, .error = error});
}

} // namespace lockkeeper::locks::redis
