// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_cluster.h"

#include "shared/stores/host_list.h"
#include "shared/stores/redis/hash_slot.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QTcpServer>
#include <QThread>

namespace lockkeeper::tests {

namespace {

constexpr int kPatienceMs = 30'000;
constexpr int kShare = stores::redis::kHashSlots / int(RedisCluster::kNodes) + 1;

quint16 freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

} // namespace

bool RedisCluster::start()
{
    std::array<quint16, kNodes> buses{};
    for (size_t i = 0; i < kNodes; ++i) {
        buses[i] = freePort();
        if (!m_nodes[i].start({QStringLiteral("--cluster-enabled"), QStringLiteral("yes"),
                               QStringLiteral("--cluster-port"), QString::number(buses[i]),
                               QStringLiteral("--cluster-node-timeout"), QStringLiteral("2000"),
                               QStringLiteral("--cluster-require-full-coverage"), QStringLiteral("no")},
                              true))
            return false;
        const int from = int(i) * kShare;
        const int to = qMin(from + kShare, stores::redis::kHashSlots) - 1;
        m_nodes[i].command({"CLUSTER", "ADDSLOTSRANGE", QByteArray::number(from), QByteArray::number(to)});
        m_nodes[i].command({"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(int(i) + 1)});
        if (i > 0)
            m_nodes[i].command({"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(m_nodes[0].port()),
                                QByteArray::number(buses[0])});
    }
    return waitUntilWhole();
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
