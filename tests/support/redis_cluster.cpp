// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_cluster.h"

#include "shared/stores/host_list.h"
#include "shared/stores/redis/connection/hash_slot.h"
#include "tests/support/free_port.h"

#include <QElapsedTimer>
#include <QThread>

#include <algorithm>

namespace lockkeeper::tests {

namespace {

constexpr int kPatienceMs = 30'000;
constexpr int kShare = stores::redis::kHashSlots / int(RedisCluster::kNodes) + 1;

} // namespace

/** On ports that were free a moment ago: somebody else may have had the same luck. 0: it doesn't start. */
quint16 RedisCluster::launch(RedisServer &node)
{
    const bool ownBus = RedisServer::version() >= 700; // before, it is the port and 10,000
    for (int attempt = 0; attempt < 20; ++attempt) {
        const quint16 bus = freePort();
        QStringList options{QStringLiteral("--cluster-enabled"),
                            QStringLiteral("yes"),
                            QStringLiteral("--cluster-node-timeout"),
                            QStringLiteral("2000"),
                            QStringLiteral("--cluster-require-full-coverage"),
                            QStringLiteral("no")};
        if (ownBus)
            options += {QStringLiteral("--cluster-port"), QString::number(bus)};
        if (node.start(options + RedisServer::slowLoading(), true))
            return ownBus ? bus : quint16(node.port() + 10'000);
    }
    return 0;
}

bool RedisCluster::start()
{
    for (size_t i = 0; i < kNodes; ++i) {
        const quint16 bus = launch(m_nodes[i]);
        if (bus == 0)
            return false;
        if (i == 0)
            m_bus = bus;
        const int from = int(i) * kShare;
        const int to = qMin(from + kShare, stores::redis::kHashSlots) - 1;
        QList<QByteArray> deal{"CLUSTER", "ADDSLOTS"};
        for (int slot = from; slot <= to; ++slot)
            deal.append(QByteArray::number(slot));
        m_nodes[i].command(deal);
        m_nodes[i].command({"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(int(i) + 1)});
        if (i > 0)
            meet(m_nodes[i]);
    }
    return waitUntilWhole();
}

void RedisCluster::meet(RedisServer &node)
{
    node.command(
        {"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(m_nodes[0].port()), QByteArray::number(m_bus)});
}

bool RedisCluster::addReplica()
{
    return addSpare() && spare().command({"CLUSTER", "REPLICATE", idOf(0)}).bytes == "OK" &&
           node(0).waitForReplica(keyAt(0, "replica:probe"));
}

bool RedisCluster::addSpare()
{
    m_spare = std::make_unique<RedisServer>();
    if (launch(*m_spare) == 0)
        return false;
    meet(*m_spare);
    const QByteArray id = m_spare->command({"CLUSTER", "MYID"}).bytes;
    const auto isKnown = [this, &id] {
        return m_spare->command({"CLUSTER", "INFO"}).bytes.contains("cluster_state:ok") &&
               std::all_of(m_nodes.begin(), m_nodes.end(), [&id](RedisServer &node) {
                   const QByteArray nodes = node.command({"CLUSTER", "NODES"}).bytes;
                   return nodes.contains(id) && !nodes.contains("handshake");
               });
    };
    QElapsedTimer timer;
    timer.start();
    while (!isKnown()) {
        if (timer.elapsed() > kPatienceMs)
            return false;
        QThread::msleep(20);
    }
    return true;
}

QList<RedisServer *> RedisCluster::all()
{
    QList<RedisServer *> nodes;
    for (RedisServer &node : m_nodes)
        nodes.append(&node);
    if (m_spare)
        nodes.append(m_spare.get());
    return nodes;
}

void RedisCluster::beginMove(quint16 slot, RedisServer &from, RedisServer &to)
{
    const QByteArray number = QByteArray::number(slot);
    to.command({"CLUSTER", "SETSLOT", number, "IMPORTING", from.command({"CLUSTER", "MYID"}).bytes});
    from.command({"CLUSTER", "SETSLOT", number, "MIGRATING", to.command({"CLUSTER", "MYID"}).bytes});
}

bool RedisCluster::moveKeys(quint16 slot, RedisServer &from, RedisServer &to, QByteArrayList keys)
{
    if (keys.isEmpty()) {
        const RedisReply found = from.command({"CLUSTER", "GETKEYSINSLOT", QByteArray::number(slot), "1000"});
        for (const RedisReply &key : found.list)
            keys.append(key.bytes);
    }
    if (keys.isEmpty())
        return true;
    const RedisReply moved = from.command(
        QList<QByteArray>{"MIGRATE", "127.0.0.1", QByteArray::number(to.port()), "", "0", "5000", "KEYS"} +
        keys);
    return moved.bytes == "OK" || moved.bytes == "NOKEY";
}

void RedisCluster::endMove(quint16 slot, RedisServer &to)
{
    const QByteArray id = to.command({"CLUSTER", "MYID"}).bytes;
    to.command({"CLUSTER", "SETSLOT", QByteArray::number(slot), "NODE", id});
    for (RedisServer *node : all())
        node->command({"CLUSTER", "SETSLOT", QByteArray::number(slot), "NODE", id});
}

bool RedisCluster::waitUntilWhole()
{
    QElapsedTimer timer;
    timer.start();
    for (RedisServer &node : m_nodes) {
        for (;;) {
            const QByteArray info = node.command({"CLUSTER", "INFO"}).bytes;
            if (info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:16384") &&
                info.contains("cluster_size:3"))
                break;
            if (timer.elapsed() > kPatienceMs)
                return false;
            QThread::msleep(20);
        }
    }
    return true;
}

size_t RedisCluster::nodeOf(const QByteArray &key) const
{
    return size_t(stores::redis::hashSlotOf(key) / kShare);
}

RedisReply RedisCluster::command(const QByteArray &key, const QList<QByteArray> &arguments)
{
    return m_nodes[nodeOf(key)].command(arguments);
}

QUrl RedisCluster::url() const
{
    return stores::urlOf(QStringLiteral("redis+cluster://127.0.0.1:1,127.0.0.1:%1").arg(m_nodes[1].port()));
}

QByteArray RedisCluster::idOf(size_t index)
{
    return m_nodes[index].command({"CLUSTER", "MYID"}).bytes;
}

QByteArray RedisCluster::keyAt(size_t index, const QByteArray &prefix) const
{
    for (int i = 0;; ++i) {
        const QByteArray key = prefix + QByteArray::number(i);
        if (nodeOf(key) == index)
            return key;
    }
}

} // namespace lockkeeper::tests
