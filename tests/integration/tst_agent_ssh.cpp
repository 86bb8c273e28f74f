// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/ssh_stream.h"
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <pwd.h>
#include <unistd.h>

namespace tst_agent_ssh {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using base::ErrorCode;
using events::EventKind;

/** Clients reach an agent over a real ssh: their answers, and the errors where they get none. */
class TestAgentSsh : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void clientSeesLiveLocks();
    void shellReleases();
    void lostLinkIsToldAndOpensAgain();
    void largeAnswersComeWhole();
    void noisyShellIsSkipped();
    void faults_data();
    void faults();
    void changedHostKeyIsRefused();
    void noSshHere();

private:
    QString address(const QString &host = QStringLiteral("far")) const
    {
        return QStringLiteral("ssh://") + host + m_agent->socket();
    }
    /** The reason why no connection was established. */
    base::Error refusal(const QString &text);
    bool isOpened(transport::Client &client, const QString &text);

    std::unique_ptr<SshServer> m_ssh;
    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    QByteArray m_path; ///< as it was
};

void TestAgentSsh::initTestCase()
{
    if (const QString missing = SshServer::missing(); !missing.isEmpty())
        QSKIP(qPrintable(missing));
    m_ssh = std::make_unique<SshServer>();
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    m_path = qgetenv("PATH");
    QVERIFY(m_redis->start());
    m_agent->configure(
        "[[source]]\nname = \"orders\"\nurl = \"" + m_redis->url().toEncoded() +
        "\"\npoll_ms = 50\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    QVERIFY(m_agent->start());
    QVERIFY(m_ssh->start());
    qputenv("PATH", m_ssh->clientPath().toUtf8());
}

void TestAgentSsh::cleanupTestCase()
{
    if (m_ssh)
        qputenv("PATH", m_path);
    m_ssh.reset();
    m_agent.reset();
    m_redis.reset();
}

bool TestAgentSsh::isOpened(transport::Client &client, const QString &text)
{
    const auto parsed = transport::parseAddress(text, QStringLiteral("/"));
    if (!parsed)
        return false;
    std::optional<base::Error> end;
    const auto noted = connect(&client, &transport::Client::disconnected, this,
                               [&end](const base::Error &error) { end = error; });
    client.open(*parsed);
    const bool settled = QTest::qWaitFor([&] { return client.isConnected() || end; }, 30'000);
    disconnect(noted);
    if (end)
        qWarning("%s", qPrintable(end->line()));
    return settled && !end;
}

base::Error TestAgentSsh::refusal(const QString &text)
{
    transport::Client client(QStringLiteral("test"));
    std::optional<base::Error> end;
    connect(&client, &transport::Client::disconnected, this,
            [&end](const base::Error &error) { end = error; });
    const auto parsed = transport::parseAddress(text, QStringLiteral("/"));
    if (!parsed)
        return parsed.error();
    client.open(*parsed);
    const bool ended = QTest::qWaitFor([&] { return end.has_value(); }, 30'000);
    return ended ? *end : base::Error{};
}

void TestAgentSsh::clientSeesLiveLocks()
{
    TestClient client;
    QVERIFY(isOpened(client.client, address()));
    client.subscribe(std::nullopt);
    QTRY_VERIFY_WITH_TIMEOUT(client.tableWhole, 20'000);
    m_redis->command({"SET", "lock:a", "token-1", "NX", "PX", "600000"});
    QVERIFY(client.waitForEvent([](const events::LockEvent &event) {
        return event.kind == EventKind::Acquired && event.key.name == "lock:a" && event.owner == "token-1";
    }));
    QCOMPARE(client.faults, QStringList());
}

void TestAgentSsh::shellReleases()
{
    m_redis->command({"SET", "lock:b", "token-2", "NX", "PX", "600000"});
    const QString path = QStringLiteral("PATH=") + m_ssh->clientPath();
    const auto ctl = [&](const QStringList &arguments) {
        return run("lockkeeperctl", QStringList{QStringLiteral("--agent"), address()} + arguments, {path});
    };
    QTRY_VERIFY_WITH_TIMEOUT(ctl({QStringLiteral("locks")}).out.contains("lock:b"), 20'000);
    const Output released =
        ctl({QStringLiteral("release"), QStringLiteral("orders"), QStringLiteral("lock:b"),
             QStringLiteral("--holder"), QStringLiteral("token-2"), QStringLiteral("--reason"),
             QStringLiteral("over ssh"), QStringLiteral("--yes")});
    QVERIFY2(released.status == 0, released.err.constData());
    QVERIFY(m_redis->command({"GET", "lock:b"}).isNil());
    // The audit names the user who logged in there.
    QVERIFY(ctl({QStringLiteral("audit")}).out.contains(::getpwuid(::getuid())->pw_name));
}

void TestAgentSsh::lostLinkIsToldAndOpensAgain()
{
    transport::Client client(QStringLiteral("test"));
    QVERIFY(isOpened(client, address()));
    std::optional<base::Error> end;
    connect(&client, &transport::Client::disconnected, this,
            [&end](const base::Error &error) { end = error; });
    m_ssh->stop(); // the listener; sessions live on
    QVERIFY(client.isConnected());
    m_agent->kill();
    QTRY_VERIFY_WITH_TIMEOUT(end, 20'000);
    QCOMPARE(int(end->code), int(ErrorCode::ConnectionLost));
    QVERIFY(m_agent->start());
    QVERIFY(m_ssh->start());
    QVERIFY(isOpened(client, address()));
}

void TestAgentSsh::largeAnswersComeWhole()
{
    for (int i = 0; i < 3000; ++i)
        m_redis->command({"SET", "lock:many:" + QByteArray::number(i), QByteArray(400, 'o'), "PX", "600000"});
    TestClient client;
    QVERIFY(isOpened(client.client, address()));
    const auto fits = [&client] {
        const auto table = client.list();
        return table && std::count_if(table->keyBegin(), table->keyEnd(), [](const domain::LockKey &key) {
                            return key.name.startsWith("lock:many:");
                        }) == 3000;
    };
    QTRY_VERIFY_WITH_TIMEOUT(fits(), 30'000);
}

void TestAgentSsh::noisyShellIsSkipped()
{
    const QString program = m_ssh->folder() + QStringLiteral("/lockkeeperctl");
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho 'Welcome to far!'\nexec " + qgetenv("LOCKKEEPER_BIN") +
                 "/lockkeeperctl \"$@\"\n");
    script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    script.close();
    m_ssh->stop();
    QVERIFY(m_ssh->start(m_ssh->folder()));
    transport::Client client(QStringLiteral("test"));
    QVERIFY(isOpened(client, address()));
    m_ssh->stop();
    QVERIFY(m_ssh->start());
}

void TestAgentSsh::faults_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("socket");
    QTest::addColumn<QByteArray>("program"); ///< a script for the far side; empty: the real one
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("cause");
    QTest::newRow("no such host") << "no-such-host.invalid"
                                  << "" << QByteArray() << int(ErrorCode::Unreachable)
                                  << "there is no host named";
    QTest::newRow("nothing listens") << "127.0.0.1:1"
                                     << "" << QByteArray() << int(ErrorCode::Unreachable)
                                     << "ssh can't reach";
    QTest::newRow("another user") << "nobody-there@far"
                                  << "" << QByteArray() << int(ErrorCode::Authentication)
                                  << "rejected this user";
    QTest::newRow("no agent there") << "far"
                                    << "/nowhere/a.sock" << QByteArray() << int(ErrorCode::Unreachable)
                                    << "no agent at local:/nowhere/a.sock";
    QTest::newRow("no lockkeeperctl there")
        << "far"
        << "" << QByteArray("none") << int(ErrorCode::NotFound) << "has no lockkeeperctl";
    QTest::newRow("an old one there")
        << "far"
        << "" << QByteArray("echo \"lockkeeperctl: unknown command 'bridge'\" >&2; exit 2")
        << int(ErrorCode::Unsupported) << "too old";
    QTest::newRow("something else there")
        << "far"
        << "" << QByteArray("yes 'no bridge'") << int(ErrorCode::Protocol) << "didn't answer as a bridge";
    QTest::newRow("it dies there") << "far"
                                   << "" << QByteArray("kill -9 $$") << int(ErrorCode::Unreachable) << "far";
}

void TestAgentSsh::faults()
{
    QFETCH(QString, host);
    QFETCH(QString, socket);
    QFETCH(QByteArray, program);
    const QString folder = m_ssh->folder() + QStringLiteral("/other");
    QDir().mkpath(folder);
    QFile::remove(folder + QStringLiteral("/lockkeeperctl"));
    if (!program.isEmpty()) {
        if (program != "none") {
            QFile script(folder + QStringLiteral("/lockkeeperctl"));
            QVERIFY(script.open(QIODevice::WriteOnly));
            script.write("#!/bin/sh\n" + program + '\n');
            script.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        }
        m_ssh->stop();
        QVERIFY(m_ssh->start(folder));
    }
    const base::Error error = refusal(QStringLiteral("ssh://") + host + socket);
    QTEST(int(error.code), "code");
    QFETCH(QString, cause);
    QVERIFY2(error.cause.contains(cause), qPrintable(error.cause));
    QVERIFY(!error.remedy.isEmpty());
    QVERIFY(!error.cause.contains(QLatin1Char('\n')));
    if (!program.isEmpty()) {
        m_ssh->stop();
        QVERIFY(m_ssh->start());
    }
}

void TestAgentSsh::changedHostKeyIsRefused()
{
    QVERIFY(m_ssh->changeHostKey());
    const base::Error error = refusal(address());
    QCOMPARE(int(error.code), int(ErrorCode::Authentication));
    QVERIFY2(error.cause.contains(QStringLiteral("isn't the one that is known")), qPrintable(error.cause));
    QVERIFY(error.remedy.contains(QStringLiteral("ssh-keygen -R")));
}

void TestAgentSsh::noSshHere()
{
    qputenv("PATH", "/nowhere");
    const base::Error error = refusal(address());
    qputenv("PATH", m_ssh->clientPath().toUtf8());
    QCOMPARE(int(error.code), int(ErrorCode::NotFound));
    QVERIFY(error.remedy.contains(QStringLiteral("OpenSSH")));
}

LOCKKEEPER_TEST(TestAgentSsh)

} // namespace tst_agent_ssh

#include "tst_agent_ssh.moc"
