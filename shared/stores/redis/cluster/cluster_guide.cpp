// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_guide.h"

#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/handshake.h"

#include <algorithm>
#include <hiredis/hiredis.h>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;
using base::failure;

namespace {

constexpr qint64 kConnectMs = 2'000;
constexpr qint64 kSilenceMs = 3'000;

const redisReply *at(const redisReply *reply, size_t index, int type)
{
    if (reply == nullptr || reply->type != REDIS_REPLY_ARRAY || reply->elements <= index ||
        reply->element[index]->type != type)
        return nullptr;
    return reply->element[index];
}

/** Returns the node's index in the map, to which a new node is added; -1 if the reply is no node. */
qsizetype noteNode(ClusterMap &map, const redisReply *node, const QString &asked)
{
    const redisReply *port = at(node, 1, REDIS_REPLY_INTEGER);
    const redisReply *id = at(node, 2, REDIS_REPLY_STRING);
    if (port == nullptr || id == nullptr || port->integer < 1 || port->integer > 65'535)
        return -1;
    const QString host = QString::fromUtf8(bytesOf(node->element[0]));
    const QByteArray name = bytesOf(id).toByteArray();
    for (qsizetype i = 0; i < map.nodes.size(); ++i) {
        if (map.nodes.at(i).id == name)
            return i;
    }
    map.nodes.append({name, host.isEmpty() ? asked : host, quint16(port->integer), {}, {}});
    return map.nodes.size() - 1;
}

} // namespace

base::Result<ClusterMap> ClusterMap::of(const redisReply *reply, const QString &asked)
{
    ClusterMap map;
    map.owner.fill(-1);
    const auto nonsense =
        failure(ErrorCode::Protocol, QStringLiteral("CLUSTER SLOTS returned an unknown answer"));
    if (reply == nullptr || reply->type != REDIS_REPLY_ARRAY)
        return nonsense;
    for (size_t i = 0; i < reply->elements; ++i) {
        const redisReply *range = reply->element[i];
        const redisReply *from = at(range, 0, REDIS_REPLY_INTEGER);
        const redisReply *to = at(range, 1, REDIS_REPLY_INTEGER);
        const redisReply *node = at(range, 2, REDIS_REPLY_ARRAY);
        if (from == nullptr || to == nullptr || node == nullptr || from->integer < 0 ||
            to->integer >= kHashSlots || from->integer > to->integer)
            return nonsense;
        const qsizetype index = noteNode(map, node, asked);
        if (index < 0)
            return nonsense;
        std::fill(map.owner.begin() + from->integer, map.owner.begin() + to->integer + 1, qint16(index));
        QString &text = map.nodes[index].ranges;
        text += (text.isEmpty() ? QString() : QStringLiteral(",")) + QString::number(from->integer);
        if (to->integer > from->integer)
            text += QLatin1Char('-') + QString::number(to->integer);
    }
    return map;
}

void ClusterMap::addNodes(QByteArrayView lines, const QString &asked)
{
    int serving = 0;
    int seen = 0;
    for (const QByteArray &line : lines.toByteArray().split('\n')) {
        // ID HOST:PORT@BUS[,NAME…] FLAGS PRIMARY PING PONG EPOCH LINK [SLOTS…]
        const QList<QByteArray> words = line.trimmed().split(' ');
        if (words.size() < 8)
            continue;
        const QList<QByteArray> flags = words.at(2).split(',');
        const QList<QByteArray> names = words.at(1).split(',');
        const QByteArray address = names.first().left(names.first().indexOf('@'));
        const qsizetype colon = address.lastIndexOf(':');
        const quint16 port = address.mid(colon + 1).toUShort();
        const auto isIn = std::find_if(nodes.begin(), nodes.end(), [&words](const ClusterNode &node) {
            return node.id == words.first();
        });
        const QString host = colon > 0 ? QString::fromUtf8(address.left(colon)) : asked;
        if (flags.contains("master") && words.size() > 8 && !words.at(8).startsWith('[')) {
            ++serving;
            seen += flags.contains("fail") || flags.contains("fail?") ? 0 : 1;
        }
        if (isIn != nodes.end())
            isIn->address = host;
        else if (flags.contains("master") && !flags.contains("fail") && !flags.contains("handshake") &&
                 !flags.contains("noaddr") && port > 0)
            nodes.append({words.first(), host, port, {}, QString::fromUtf8(names.value(1))});
    }
    isCutOff = serving > 0 && seen <= serving / 2;
}

ClusterGuide::ClusterGuide(QByteArray password, QObject *parent)
    : QObject(parent), m_password(std::move(password))
{
}

void ClusterGuide::ask(const QList<Endpoint> &nodes)
{
    if (m_link != nullptr)
        return;
    m_nodes = nodes;
    m_cutOff.reset();
    openNext();
}

void ClusterGuide::stop()
{
    m_nodes.clear();
    dropLink();
}

void ClusterGuide::dropLink()
{
    if (m_link == nullptr)
        return;
    m_link->disconnect(this);
    m_link->close();
    m_link.release()->deleteLater(); // the connection itself may be the caller
}

void ClusterGuide::openNext()
{
    dropLink();
    m_link = std::make_unique<RedisConnection>(m_nodes.takeFirst(), kSilenceMs);
    connect(m_link.get(), &RedisConnection::connected, this, &ClusterGuide::question);
    connect(m_link.get(), &RedisConnection::lost, this, [this](const Error &error) {
        if (!m_nodes.isEmpty()) {
            openNext();
            return;
        }
        dropLink();
        if (m_cutOff)
            end(*m_cutOff);
        else
            Q_EMIT unanswered(error);
    });
    m_link->open(kConnectMs);
}

void ClusterGuide::question()
{
    logIn(*m_link, m_link->endpoint().user, m_password);
    m_link->send({"CLUSTER", "SLOTS"}, [this](const redisReply *reply) { takeSlots(reply); });
    m_link->send({"ASKING"}, [this](const redisReply *reply) { noteAccess("asking", reply); });
    m_link->send({"CLUSTER", "NODES"}, [this](const redisReply *reply) { takeNodes(reply); });
}

void ClusterGuide::takeSlots(const redisReply *reply)
{
    if (reply == nullptr)
        return; // lost() reports it
    const AclSubject asker{m_link->endpoint().user, {}};
    auto map = isError(reply) ? base::Result<ClusterMap>(tl::unexpected(errorOf(reply, asker)))
                              : ClusterMap::of(reply, m_link->endpoint().host);
    if (map && map->nodes.isEmpty())
        map = failure(ErrorCode::Unreachable, QStringLiteral("the cluster serves no slot"));
    if (map) {
        m_map = std::move(*map); // nothing else has been answered yet
        return;
    }
    Error error = map.error();
    error.cause.prepend(m_link->endpoint().address() + QStringLiteral(": "));
    m_link->fail(error);
}

void ClusterGuide::noteAccess(const char *need, const redisReply *reply)
{
    if (reply == nullptr)
        return;
    const Error error = errorOf(reply, {m_link != nullptr ? m_link->endpoint().user : QByteArray(), {}});
    const bool denied = isError(reply) && error.code == ErrorCode::PermissionDenied;
    m_map.access.append({need, !denied, false, denied ? error.remedy : QString()});
}

/** The last answer. */
void ClusterGuide::takeNodes(const redisReply *reply)
{
    if (reply == nullptr)
        return;
    noteAccess("cluster|nodes", reply);
    if (reply->type == REDIS_REPLY_STRING)
        m_map.addNodes(bytesOf(reply), m_link->endpoint().host);
    if (m_map.isCutOff && !m_cutOff)
        m_cutOff = m_map;
    if (m_map.isCutOff && !m_nodes.isEmpty()) {
        openNext();
        return;
    }
    dropLink();
    end(m_map.isCutOff ? *m_cutOff : m_map);
}

void ClusterGuide::end(const ClusterMap &map)
{
    const ClusterMap told = map; // `map` may be a member, which the next ask() changes
    Q_EMIT answered(told);
}

} // namespace lockkeeper::stores::redis
