// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redlock_nodes.h"

#include "shared/stores/host_list.h"

namespace lockkeeper::tests {

bool RedlockNodes::start(int count, const QStringList &arguments, const QList<int> &clocks)
{
    for (int i = 0; i < count; ++i) {
        m_servers.push_back(std::make_unique<RedisServer>());
        m_servers.back()->setClock(std::chrono::seconds(clocks.value(i)));
        if (!m_servers.back()->start(arguments, true))
            return false;
    }
    return true;
}

QByteArray RedlockNodes::address(int index) const
{
    return "127.0.0.1:" + QByteArray::number(m_servers.at(size_t(index))->port());
}

QUrl RedlockNodes::url() const
{
    QStringList hosts;
    for (int i = 0; i < size(); ++i)
        hosts.append(QString::fromLatin1(address(i)));
    return stores::urlOf(QStringLiteral("redlock://%1/0").arg(hosts.join(QLatin1Char(','))));
}

QUrl RedlockNodes::urlOfTwice() const
{
    return stores::urlOf(QStringLiteral("redlock://127.0.0.1:%1,localhost:%1,127.0.0.1:%2/0")
                             .arg(m_servers.at(0)->port())
                             .arg(m_servers.at(1)->port()));
}

stores::SourceSpec RedlockNodes::spec(const QByteArray &match) const
{
    stores::SourceSpec spec = sourceOf(url(), "redis.redlock", match);
    spec.name = QStringLiteral("redlock");
    return spec;
}

bool RedlockNodes::set(const QList<int> &nodes, const QByteArray &key, const QByteArray &token, qint64 ttlMs)
{
    bool good = true;
    for (const int node : nodes) {
        QList<QByteArray> command{"SET", key, token};
        if (ttlMs > 0)
            command += {"PX", QByteArray::number(ttlMs)};
        good = at(node).command(command).bytes == "OK" && good;
    }
    return good;
}

void RedlockNodes::remove(const QList<int> &nodes, const QByteArray &key)
{
    for (const int node : nodes)
        at(node).command({"DEL", key});
}

QByteArray RedlockNodes::values(const QByteArray &key)
{
    QList<QByteArray> values;
    for (int i = 0; i < size(); ++i) {
        const RedisReply reply = at(i).command({"GET", key});
        values.append(reply.isNil() || reply.type == 0 ? QByteArray("-") : reply.bytes);
    }
    return values.join(' ');
}

void RedlockNodes::clear()
{
    for (const auto &server : m_servers)
        server->command({"FLUSHALL"});
}

QList<int> RedlockNodes::all(int count)
{
    QList<int> nodes;
    for (int i = 0; i < count; ++i)
        nodes.append(i);
    return nodes;
}

} // namespace lockkeeper::tests
