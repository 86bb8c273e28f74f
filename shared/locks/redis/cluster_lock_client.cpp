// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/cluster_lock_client.h"

#include "shared/locks/redis/redis_lock_client.h"
#include "shared/stores/redis/connection/redirect.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;
using base::Error;
using base::ErrorCode;

ClusterLockClient::ClusterLockClient(QByteArray password, QList<Endpoint> seeds, Make make, qint64 patienceMs,
                                     const Traits &traits)
    : RoutedLockClient(patienceMs, traits),
      m_guide(std::move(password)),
      m_seeds(std::move(seeds)),
      m_make(std::move(make))
{
    connect(&m_guide, &ClusterGuide::answered, this, &ClusterLockClient::onMap);
    connect(&m_guide, &ClusterGuide::unanswered, this, &ClusterLockClient::failWaiting);
}

ClusterLockClient::~ClusterLockClient() = default;

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

void ClusterLockClient::find()
{
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
    sendWaiting();
}

void ClusterLockClient::send(const RoutedCall &question)
{
    const qint16 owner = m_map.owner[hashSlotOf(question.name)];
    if (owner < 0) {
        m_known = false;
        const Error error{
            ErrorCode::Unreachable, QStringLiteral("no node of the cluster has this lock's slot"), {}};
        QMetaObject::invokeMethod(
            this, [question, error] { question.fail(error); }, Qt::QueuedConnection);
        return;
    }
    const ClusterNode &node = m_map.nodes.at(owner);
    sendTo(question, node.host, node.port, false);
}

void ClusterLockClient::sendTo(const RoutedCall &question, const QString &host, quint16 port, bool asking)
{
    std::unique_ptr<RedisLockClient> &client = m_clients[{host, port}];
    if (client == nullptr) {
        Endpoint node = m_seeds.first();
        node.host = host;
        node.port = port;
        client = m_make(node);
        connect(client.get(), &LockClient::doubted, this, &LockClient::doubted);
    }
    client->setAsking(asking);
    question.ask(*client, [this, from = client.get(), question](const AttemptResult &result) {
        onAnswer(from, question, result);
    });
    client->setAsking(false);
}

void ClusterLockClient::onAnswer(RedisLockClient *from, const RoutedCall &question,
                                 const AttemptResult &result)
{
    const bool isElsewhere = result.error && sendsElsewhere(result.error->cause.toUtf8());
    if (isElsewhere && follow(from, question, *result.error))
        return;
    AttemptResult told = result;
    const bool reroute = mustReroute(result);
    if (isElsewhere || reroute)
        m_known = false;
    if (isElsewhere)
        told.error->code = ErrorCode::Busy; // transient: a moving slot arrives sooner or later
    else if (reroute)
        drop(from);
    question.done(told);
}

/** Sends the question to the node that the error names. False: there is no other node to ask. */
bool ClusterLockClient::follow(const RedisLockClient *from, const RoutedCall &question, const Error &error)
{
    const auto to = redirectOf(error.cause.toUtf8());
    if (!to || question.hops == kMostHops)
        return false;
    RoutedCall again = question;
    ++again.hops;
    if (!to->ask)
        m_known = false;
    sendTo(again, to->hostFrom(from->endpoint().host), to->port, to->ask);
    return true;
}

void ClusterLockClient::drop(RedisLockClient *client)
{
    const auto it = std::find_if(m_clients.begin(), m_clients.end(),
                                 [client](const auto &any) { return any.second.get() == client; });
    if (it == m_clients.end())
        return;
    RedisLockClient *old = it->second.release();
    m_clients.erase(it);
    retire(old);
}

} // namespace lockkeeper::locks::redis
