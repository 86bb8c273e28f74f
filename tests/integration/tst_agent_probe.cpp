// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_agent_probe {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

/** A real agent listens to a real redis-server's clients. */
class TestAgentProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void countsWhatTheWorkersCount();
    void endsAfterSoManyCommands();
    void isOffUnlessAllowed();
    void oneAtATime();
    void missingRightIsNamed();
    void aRejectedLoginIsTheReason();

private:
    bool begin(const QByteArray &more, const QUrl &url)
    {
        m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"" + url.toEncoded() +
                           "\"\npoll_ms = 100\n" + more +
                           "  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
        return m_agent->start() && m_client->open(m_agent->socket()) &&
               QTest::qWaitFor([&] { return m_client->ask<protocol::Done>(protocol::ReadNow{}).has_value(); },
                               20'000);
    }
    static protocol::ProbeRequest request(char digit, qint64 forUs)
    {
        protocol::ProbeRequest request;
        request.command = QByteArray(32, digit);
        request.source = QStringLiteral("orders");
        request.forUs = forUs;
        request.reason = QStringLiteral("who hammers it?");
        return request;
    }
    bool isMonitored() { return m_redis->command({"CLIENT", "LIST"}).bytes.contains(" flags=O"); }
    std::optional<protocol::ProbeResult> result(quint64 id)
    {
        const auto answer = m_client->wait(id, 20'000);
        if (answer && std::holds_alternative<protocol::ProbeResult>(*answer))
            return std::get<protocol::ProbeResult>(*answer);
        return std::nullopt;
    }
    QList<domain::AuditEntry> audit()
    {
        protocol::AuditQuery query;
        query.verify = true;
        const auto page = m_client->ask<protocol::AuditPage>(query);
        return page && page->verified ? page->entries : QList<domain::AuditEntry>();
    }

    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<AgentProcess> m_agent;
    std::unique_ptr<TestClient> m_client;
};

void TestAgentProbe::init()
{
    m_redis = std::make_unique<RedisServer>();
    m_agent = std::make_unique<AgentProcess>();
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_redis->start({}, true));
}

void TestAgentProbe::cleanup()
{
    m_client.reset();
    m_agent.reset();
    m_redis.reset();
}

void TestAgentProbe::countsWhatTheWorkersCount()
{
    if (RedisServer::version() < 602)
        QSKIP("the workers ask CLIENT INFO, which Redis 6.2 brought");
    QVERIFY(begin("probe = true\n", m_redis->tcpUrl()));
    QProcess workers;
    workers.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const QString script =
        qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/tests/support/clients/redis_workers.py");
    workers.start(QStringLiteral("/usr/bin/python3"),
                  {script, QStringLiteral("127.0.0.1"), QString::number(m_redis->port()),
                   QStringLiteral("10"), QStringLiteral("2"), QStringLiteral("1500")});
    QByteArray said;
    QVERIFY(
        QTest::qWaitFor([&] { return (said += workers.readAllStandardOutput()).contains("ready"); }, 60'000));
    const quint64 id = m_client->post(request('a', 6'000'000));
    QTRY_VERIFY(isMonitored());
    workers.write("go\n");
    QVERIFY(workers.waitForFinished(20'000));
    QVERIFY2(isMonitored(), "the workers were slower than the probe");
    const QJsonObject own = QJsonDocument::fromJson(workers.readAllStandardOutput()).object();
    const auto probe = result(id);
    QVERIFY(probe);
    QCOMPARE(probe->error, base::Error());
    QCOMPARE(probe->end, domain::ProbeEnd::Time);
    QCOMPARE(probe->unreadable, 0);
    int pairs = 0;
    qint64 attempts = 0;
    for (const domain::ProbeCount &count : probe->counts) {
        const QJsonArray told = own.value(QString::fromLatin1(count.lock))
                                    .toObject()
                                    .value(QString::fromLatin1(count.client))
                                    .toArray();
        QCOMPARE(told.size(), 2);
        QCOMPARE(count.attempts, told.at(0).toInteger());
        QCOMPARE(count.uncertain, count.attempts); // MONITOR shows no answers
        attempts += count.attempts;
        ++pairs;
    }
    QCOMPARE(pairs, 10);
    QVERIFY2(attempts > 100, qPrintable(QString::number(attempts)));
    QTRY_VERIFY(!isMonitored());
    const auto entries = audit();
    QCOMPARE(entries.size(), 1);
    QVERIFY(entries.at(0).isProbe());
    QCOMPARE(entries.at(0).outcome, Outcome::Probed);
    QCOMPARE(entries.at(0).reason, QStringLiteral("who hammers it?"));
    QCOMPARE(entries.at(0).id, probe->auditId);
    QVERIFY2(entries.at(0).detail.contains(QString::number(probe->commands)),
             qPrintable(entries.at(0).detail));
}

void TestAgentProbe::endsAfterSoManyCommands()
{
    QVERIFY(begin("probe = true\n", m_redis->tcpUrl()));
    protocol::ProbeRequest order = request('b', 10'000'000);
    order.mostCommands = 500;
    const quint64 id = m_client->post(order);
    QTRY_VERIFY(isMonitored());
    RedisPlain client(m_redis->socketPath());
    for (int i = 0; i < 2'000; ++i)
        client.append({"SET", "lock:a", "v", "NX"});
    for (int i = 0; i < 2'000; ++i)
        QVERIFY(!client.next().isError());
    const auto probe = result(id);
    QVERIFY(probe);
    QCOMPARE(probe->end, domain::ProbeEnd::Commands);
    QCOMPARE(probe->commands, 500);
    QVERIFY(probe->counts.value(0).client.startsWith("unix:"));
    QTRY_VERIFY(!isMonitored());
}

void TestAgentProbe::isOffUnlessAllowed()
{
    QVERIFY(begin({}, m_redis->tcpUrl()));
    const auto refused = m_client->ask<protocol::ProbeResult>(request('c', 1'000'000));
    QVERIFY(refused);
    QCOMPARE(refused->error.code, base::ErrorCode::PermissionDenied);
    QVERIFY(refused->error.remedy.contains(QLatin1String("probe = true")));
    const auto entries = audit();
    QCOMPARE(entries.size(), 1);
    QVERIFY(entries.at(0).isProbe());
    QCOMPARE(entries.at(0).outcome, Outcome::Refused);
    QVERIFY(!isMonitored());
}

void TestAgentProbe::oneAtATime()
{
    QVERIFY(begin("probe = true\n", m_redis->tcpUrl()));
    const quint64 first = m_client->post(request('d', 2'000'000));
    QTRY_VERIFY(isMonitored());
    const auto second = m_client->ask<protocol::ProbeResult>(request('e', 1'000'000));
    QVERIFY(second);
    QCOMPARE(second->error.code, base::ErrorCode::Busy);
    const auto probe = result(first);
    QVERIFY(probe);
    QCOMPARE(probe->error, base::Error());
    const auto repeated = m_client->ask<protocol::ProbeResult>(request('d', 1'000'000));
    QVERIFY(repeated);
    QCOMPARE(repeated->error.code, base::ErrorCode::Usage); // the same command isn't carried out twice
    QCOMPARE(repeated->auditId, probe->auditId);
    QCOMPARE(audit().size(), 2);
}

void TestAgentProbe::missingRightIsNamed()
{
    if (RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    m_redis->command(RedisServer::rules("ACL SETUSER lk on >pw ~* &* +@all -monitor"));
    QUrl url = m_redis->tcpUrl();
    url.setUserName(QStringLiteral("lk"));
    qputenv("LOCKKEEPER_TEST_PASSWORD", "pw");
    QVERIFY(begin("probe = true\npassword = \"env:LOCKKEEPER_TEST_PASSWORD\"\n", url));
    const auto refused = m_client->ask<protocol::ProbeResult>(request('f', 1'000'000));
    QVERIFY(refused);
    QCOMPARE(refused->error.code, base::ErrorCode::PermissionDenied);
    QCOMPARE(refused->error.remedy, QStringLiteral("ACL SETUSER lk +monitor"));
    QByteArray output;
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &output), 0);
    QVERIFY2(output.contains("MISSING  monitor (only to probe); run: ACL SETUSER lk +monitor"),
             output.constData());
}

/** The source is down because the server took no login: it isn't called unreachable. */
void TestAgentProbe::aRejectedLoginIsTheReason()
{
    if (RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    m_redis->command({"ACL", "SETUSER", "lk", "on", ">pw", "~*", "+@all"});
    QUrl url = m_redis->tcpUrl();
    url.setUserName(QStringLiteral("lk"));
    qputenv("LOCKKEEPER_TEST_PASSWORD", "wrong");
    m_agent->configure("[[source]]\nname = \"orders\"\nurl = \"" + url.toEncoded() +
                       "\"\nprobe = true\npassword = \"env:LOCKKEEPER_TEST_PASSWORD\"\n"
                       "[[source.locks]]\nscheme = \"redis.token\"\nmatch = \"lock:*\"\n");
    QVERIFY(m_agent->start() && m_client->open(m_agent->socket()));
    m_client->subscribe(0, true);
    QTRY_COMPARE(m_client->sources.value(QStringLiteral("orders")).error.code,
                 base::ErrorCode::Authentication);
    const auto refused = m_client->ask<protocol::ProbeResult>(request('9', 1'000'000));
    QVERIFY(refused);
    QCOMPARE(refused->error.code, base::ErrorCode::Authentication);
}

LOCKKEEPER_TEST(TestAgentProbe)

} // namespace tst_agent_probe

#include "tst_agent_probe.moc"
