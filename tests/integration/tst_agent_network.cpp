// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"
#include "tests/support/two_machines.h"

#include <QTest>

namespace tst_agent_network {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Clients on another machine than agent and store: they have nothing but the network. */
class TestAgentNetwork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void overSsh();

private:
    TwoMachines m_machines;
    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
};

void TestAgentNetwork::initTestCase()
{
    if (const QString missing = TwoMachines::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    QVERIFY(m_machines.start());
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    QVERIFY(m_redis->start());
    m_agent->configure(
        "[[source]]\nname = \"orders\"\nurl = \"" + m_redis->url().toEncoded() +
        "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    QVERIFY(m_agent->start());
}

void TestAgentNetwork::cleanupTestCase()
{
    m_agent.reset();
    m_redis.reset();
}

void TestAgentNetwork::overSsh()
{
    if (const QString missing = SshServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    SshServer ssh;
    ssh.setAddress(TwoMachines::farAddress());
    QVERIFY(ssh.start());
    QCOMPARE(m_redis->command({"SET", "lock:a", "w1", "PX", "60000"}).bytes, QByteArray("OK"));
    m_machines.goNear();
    const QStringList path{QStringLiteral("PATH=") + ssh.clientPath()};
    const QStringList far{QStringLiteral("--agent"), QStringLiteral("ssh://far") + m_agent->socket()};
    const Output locks = run("lockkeeperctl", far + QStringList{QStringLiteral("locks")}, path);
    QVERIFY2(locks.status == 0 && locks.out.contains("lock:a"), (locks.out + locks.err).constData());
    const QStringList words{QStringLiteral("release"),  QStringLiteral("orders"), QStringLiteral("lock:a"),
                            QStringLiteral("--holder"), QStringLiteral("w1"),     QStringLiteral("--reason"),
                            QStringLiteral("test"),     QStringLiteral("--yes")};
    const Output release = run("lockkeeperctl", far + words, path);
    QVERIFY2(release.status == 0, (release.out + release.err).constData());
    m_machines.goFar();
    QCOMPARE(m_redis->command({"EXISTS", "lock:a"}).integer, 0);
}

LOCKKEEPER_TEST(TestAgentNetwork)

} // namespace tst_agent_network

#include "tst_agent_network.moc"
