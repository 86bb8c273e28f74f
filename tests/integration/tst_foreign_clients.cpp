// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/foreign_clients.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>

namespace tst_foreign_clients {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** The clients of tests/clients that keep their locks in Redis. */
class TestForeignClients : public ForeignClientsTest
{
    Q_OBJECT

public:
    TestForeignClients() : ForeignClientsTest({"redis"}) {}

private:
    bool startStores() override
    {
        if (!m_redis.start({}, true))
            return false;
        environment.insert(QStringLiteral("REDIS_SOCKET"), m_redis.socketPath());
        environment.insert(QStringLiteral("REDIS_PORT"), QString::number(m_redis.port()));
        return true;
    }
    int sleepers() override
    {
        static const QRegularExpression kAsleep(QStringLiteral(" flags=[A-Za-z]*b| p?sub=[1-9]"));
        const QString clients = QString::fromUtf8(m_redis.command({"CLIENT", "LIST"}).bytes);
        return int(clients.count(kAsleep));
    }
    QByteArray sources() const override
    {
        return sourceOf("redis", m_redis.url(), "poll_ms = 50\npush = true\n");
    }

    RedisServer m_redis;
};

LOCKKEEPER_TEST(TestForeignClients)

} // namespace tst_foreign_clients

#include "tst_foreign_clients.moc"
