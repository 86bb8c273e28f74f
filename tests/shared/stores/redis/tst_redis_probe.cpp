// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/store/redis_store.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_redis_probe {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** A probe of a real redis-server: it counts the clients' attempts, and it ends. */
class TestRedisProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_server.reset(); }
    void countsWhatTheWorkersCount();
    void endsAfterSoManyCommands();
    void oneAtATime();
    void missingRightIsNamed();
    void endsWithTheStore();
    void lostServerIsAnError();
    void anotherServersCommandsAreNone();

private:
    std::unique_ptr<StoreHarness> open(const QUrl &url, bool allowed = true, const QByteArray &password = {})
    {
        SourceSpec spec = redisSpec(url, "lock:*", password);
        spec.probe = allowed;
        const auto endpoint = redis::endpointOf(url);
        auto harness = std::make_unique<StoreHarness>(std::make_unique<redis::RedisStore>(spec, *endpoint));
        m_reports.clear();
        m_answered.clear();
        return harness->open() ? std::move(harness) : nullptr;
    }
    bool isMonitored() { return m_server->command({"CLIENT", "LIST"}).bytes.contains(" flags=O"); }
    static ProbeOrder order(qint64 forUs)
    {
        ProbeOrder order;
        order.forUs = forUs;
        return order;
    }
    void ask(StoreHarness &harness, const ProbeOrder &order, int number = 7)
    {
        harness.store().probe(order, [this, number](const ProbeReport &report) {
            m_reports.append(report);
            m_answered.append(number);
        });
    }

    std::unique_ptr<RedisServer> m_server;
    QList<ProbeReport> m_reports;
    QList<int> m_answered; ///< which probe each is of
};

void TestRedisProbe::init()
{
    m_server = std::make_unique<RedisServer>();
    QVERIFY(m_server->start({}, true));
}

void TestRedisProbe::countsWhatTheWorkersCount()
{
    if (RedisServer::version() < 602)
        QSKIP("the workers ask CLIENT INFO, which Redis 6.2 brought");
    const auto harness = open(m_server->tcpUrl());
    QVERIFY(harness);
    QProcess workers;
    workers.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const QString script =
        qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/tests/support/clients/redis_workers.py");
    workers.start(QStringLiteral("/usr/bin/python3"),
                  {script, QStringLiteral("127.0.0.1"), QString::number(m_server->port()),
                   QStringLiteral("10"), QStringLiteral("2"), QStringLiteral("1500")});
    QByteArray said;
    QVERIFY(
        QTest::qWaitFor([&] { return (said += workers.readAllStandardOutput()).contains("ready"); }, 60'000));
    ask(*harness, order(9'000'000));
    QTRY_VERIFY(isMonitored());
    workers.write("go\n");
    QTRY_COMPARE_WITH_TIMEOUT(workers.state(), QProcess::NotRunning, 30'000);
    QVERIFY2(isMonitored(), "the workers were slower than the probe");
    const QJsonObject own = QJsonDocument::fromJson(workers.readAllStandardOutput()).object();
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 1, 15'000);
    const ProbeReport report = m_reports.first();
    QVERIFY2(!report.error, report.error ? qPrintable(report.error->line()) : "");
    QCOMPARE(m_answered, QList<int>{7});
    QCOMPARE(report.unreadable, 0);
    QCOMPARE(report.end, ProbeEnd::Time);
    qint64 attempts = 0;
    for (const ProbeCount &count : report.counts) {
        const QJsonObject of = own.value(QString::fromLatin1(count.lock)).toObject();
        const QJsonArray told = of.value(QString::fromLatin1(count.client)).toArray();
        QCOMPARE(told.size(), 2);
        QCOMPARE(count.attempts, told.at(0).toInteger());
        QCOMPARE(count.uncertain, count.attempts); // MONITOR shows no answers
        attempts += count.attempts;
    }
    QCOMPARE(report.counts.size(), 10);
    QVERIFY2(attempts > 50, qPrintable(QString::number(attempts)));
    QTRY_VERIFY(!isMonitored());
}

/** A balancer routes the second connection to another server. Its commands say nothing about these locks. */
void TestRedisProbe::anotherServersCommandsAreNone()
{
    RedisServer other;
    QVERIFY(other.start());
    Proxy proxy(m_server->socketPath());
    QVERIFY(proxy.listen());
    QUrl url = m_server->url();
    url.setPath(proxy.path());
    const auto harness = open(url);
    QVERIFY(harness);
    proxy.leadTo(other.socketPath());
    ask(*harness, order(1'000));
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 1, 15'000);
    QVERIFY(m_reports.first().error);
    QVERIFY2(m_reports.first().error->cause.contains(QLatin1String("another server")),
             qPrintable(m_reports.first().error->cause));
    proxy.leadTo(m_server->socketPath());
    ask(*harness, order(1'000));
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 2, 15'000);
    QVERIFY(!m_reports.last().error);
}

void TestRedisProbe::endsAfterSoManyCommands()
{
    const auto harness = open(m_server->tcpUrl());
    QVERIFY(harness);
    ProbeOrder bounded = order(10'000'000);
    bounded.mostCommands = 500;
    ask(*harness, bounded);
    QTRY_VERIFY(isMonitored());
    RedisPlain client(m_server->socketPath());
    for (int i = 0; i < 2'000; ++i)
        client.append({"SET", "lock:a", "v", "NX"});
    for (int i = 0; i < 2'000; ++i)
        QVERIFY(!client.next().isError());
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 1, 5'000);
    const auto error = m_reports.first().error;
    QVERIFY2(!error, error ? qPrintable(error->line()) : "");
    QCOMPARE(m_reports.first().end, ProbeEnd::Commands);
    QCOMPARE(m_reports.first().commands, 500);
    QVERIFY(m_reports.first().counts.value(0).client.startsWith("unix:"));
    QTRY_VERIFY(!isMonitored());
}

void TestRedisProbe::oneAtATime()
{
    const auto harness = open(m_server->tcpUrl());
    QVERIFY(harness);
    ask(*harness, order(1'500'000), 1);
    ask(*harness, order(1'000'000), 2);
    QTRY_COMPARE(m_reports.size(), 1);
    QCOMPARE(m_answered, QList<int>{2});
    QVERIFY(m_reports.first().error);
    QCOMPARE(m_reports.first().error->code, base::ErrorCode::Busy);
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 2, 15'000);
    QVERIFY(!m_reports.last().error);
    ask(*harness, order(100'000), 3);
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 3, 15'000);
    QVERIFY(!m_reports.last().error);
    QCOMPARE(m_answered, (QList<int>{2, 1, 3}));
}

void TestRedisProbe::missingRightIsNamed()
{
    if (RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    m_server->command(QList<QByteArray>{"ACL", "SETUSER", "lk"} +
                      RedisServer::rules("on >pw ~* &* +@all -monitor"));
    QUrl url = m_server->tcpUrl();
    url.setUserName(QStringLiteral("lk"));
    const auto harness = open(url, true, "pw");
    QVERIFY(harness);
    const auto access = std::find_if(harness->m_info.access.cbegin(), harness->m_info.access.cend(),
                                     [](const domain::Access &a) { return a.need == "monitor"; });
    QVERIFY(access != harness->m_info.access.cend());
    QVERIFY(!access->granted);
    QCOMPARE(access->remedy, QStringLiteral("ACL SETUSER lk +monitor"));
    ask(*harness, order(1'000'000));
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 1, 15'000);
    QVERIFY(m_reports.first().error);
    QCOMPARE(m_reports.first().error->code, base::ErrorCode::PermissionDenied);
    QCOMPARE(m_reports.first().error->remedy, QStringLiteral("ACL SETUSER lk +monitor"));
    const auto without = open(url, false, "pw");
    QVERIFY(without);
    for (const domain::Access &a : without->m_info.access)
        QVERIFY(a.need != "monitor"); // not asked where no probe is allowed
}

void TestRedisProbe::endsWithTheStore()
{
    const auto harness = open(m_server->tcpUrl());
    QVERIFY(harness);
    ask(*harness, order(10'000'000));
    QTRY_VERIFY(isMonitored());
    harness->store().close();
    QTRY_COMPARE(m_reports.size(), 1);
    QVERIFY(m_reports.first().error);
    QTRY_VERIFY(!isMonitored());
}

void TestRedisProbe::lostServerIsAnError()
{
    const auto harness = open(m_server->tcpUrl());
    QVERIFY(harness);
    ask(*harness, order(10'000'000));
    QTRY_VERIFY(isMonitored());
    m_server->kill();
    QTRY_COMPARE_WITH_TIMEOUT(m_reports.size(), 1, 10'000);
    QVERIFY(m_reports.first().error);
}

LOCKKEEPER_TEST(TestRedisProbe)

} // namespace tst_redis_probe

#include "tst_redis_probe.moc"
