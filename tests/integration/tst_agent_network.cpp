// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"
#include "tests/support/two_machines.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
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
    void overTlsByTheirRoles();

private:
    /** A client's program on the near machine. */
    Output ask(const char *user, const QStringList &words) const;
    bool exists(const char *lock) { return m_redis->command({"EXISTS", lock}).integer == 1; }

    TwoMachines m_machines;
    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    QTemporaryDir m_home; ///< of the user at the near machine
    QString m_fingerprint;
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
        "[tls]\ncertificate = \"agent.crt\"\nkey = \"agent.key\"\n"
        "[[access]]\nwho = \"user:ann\"\nrole = \"operator\"\n"
        "[[access]]\nwho = \"user:bob\"\nrole = \"approver\"\n"
        "[[source]]\nname = \"orders\"\nurl = \"" +
            m_redis->url().toEncoded() +
            "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n"
            "  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"payment:*\"\n  approval = "
            "\"always\"\n",
        "tls://" + TwoMachines::farAddress().toUtf8() + ":7420");
    QByteArray printed;
    QCOMPARE(m_agent->run(
                 {QStringLiteral("--make-certificate"), QStringLiteral("--host"), TwoMachines::farAddress()},
                 &printed),
             0);
    m_fingerprint = QString::fromLatin1(printed.trimmed());
    for (const char *user : {"ann", "bob", "eve"}) {
        QCOMPARE(m_agent->run({QStringLiteral("user"), QStringLiteral("add"), QLatin1String(user)}, &printed,
                              QByteArray("of ") + user + '\n'),
                 0);
    }
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
    Output locks;
    const auto isSeen = [&] {
        locks = run("lockkeeperctl", far + QStringList{QStringLiteral("locks")}, path);
        return locks.status == 0 && locks.out.contains("lock:a");
    };
    QVERIFY2(QTest::qWaitFor(isSeen, 30'000), (locks.out + locks.err).constData());
    const QStringList words{QStringLiteral("release"),  QStringLiteral("orders"), QStringLiteral("lock:a"),
                            QStringLiteral("--holder"), QStringLiteral("w1"),     QStringLiteral("--reason"),
                            QStringLiteral("test"),     QStringLiteral("--yes")};
    const Output release = run("lockkeeperctl", far + words, path);
    QVERIFY2(release.status == 0, (release.out + release.err).constData());
    m_machines.goFar();
    QCOMPARE(m_redis->command({"EXISTS", "lock:a"}).integer, 0);
}

Output TestAgentNetwork::ask(const char *user, const QStringList &words) const
{
    m_machines.goNear();
    const QStringList who{QStringLiteral("--agent"),    QStringLiteral("tls://") + TwoMachines::farAddress(),
                          QStringLiteral("--trust"),    m_fingerprint,
                          QStringLiteral("--user"),     QLatin1String(user),
                          QStringLiteral("--password"), QStringLiteral("env:LOGIN"),
                          QStringLiteral("--json")};
    Output output = run("lockkeeperctl", who + words,
                        {QStringLiteral("LOGIN=of ") + QLatin1String(user),
                         QStringLiteral("XDG_CONFIG_HOME=") + m_home.path()});
    m_machines.goFar();
    return output;
}

/** A viewer looks, an operator breaks, a protected lock needs two persons, and the audit names them. */
void TestAgentNetwork::overTlsByTheirRoles()
{
    for (const char *lock : {"lock:b", "payment:1"})
        QCOMPARE(m_redis->command({"SET", lock, "w1", "PX", "600000"}).bytes, QByteArray("OK"));
    const auto release = [](const char *lock) {
        return QStringLiteral("release orders %1 --holder w1 --reason test --yes")
            .arg(QLatin1String(lock))
            .split(QLatin1Char(' '));
    };
    QTRY_VERIFY(ask("eve", {QStringLiteral("locks")}).out.contains("payment:1"));
    QCOMPARE(ask("eve", release("lock:b")).status, 4);
    QVERIFY(exists("lock:b"));
    const Output broken = ask("ann", release("lock:b"));
    QVERIFY2(broken.status == 0, (broken.out + broken.err).constData());
    QVERIFY(!exists("lock:b"));
    const Output asked = ask("ann", release("payment:1"));
    QVERIFY2(asked.status == 8, (asked.out + asked.err).constData());
    QVERIFY(exists("payment:1"));
    const Output list = ask("bob", {QStringLiteral("approvals")});
    const QString id = QString::number(
        QJsonDocument::fromJson(list.out.trimmed()).object().value(QLatin1String("id")).toInt());
    QCOMPARE(ask("ann", {QStringLiteral("approve"), id, QStringLiteral("--yes")}).status, 4);
    QVERIFY(exists("payment:1"));
    const Output approved = ask("bob", {QStringLiteral("approve"), id, QStringLiteral("--yes")});
    QVERIFY2(approved.status == 0, (approved.out + approved.err).constData());
    QVERIFY(!exists("payment:1"));
    const Output audit =
        ask("bob", {QStringLiteral("audit"), QStringLiteral("--verify"), QStringLiteral("--public-key"),
                    m_agent->folder() + QStringLiteral("/data/audit.key.pub")});
    QVERIFY2(audit.status == 0, (audit.out + audit.err).constData());
    QVERIFY(audit.out.contains("\"approver\":\"bob\""));
    QVERIFY(audit.out.contains("\"act\":\"login\""));
}

LOCKKEEPER_TEST(TestAgentNetwork)

} // namespace tst_agent_network

#include "tst_agent_network.moc"
