// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/redis_connection.h"
#include "shared/stores/redis/health/health_check.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_redis_health_servers {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;
using namespace lockkeeper::tests;
using domain::Severity;

namespace {

constexpr int kPatienceMs = 20'000;
constexpr int kEveryMs = 100;

/** A health check over its own connection, and its last findings. */
class Watcher : public QObject
{
public:
    explicit Watcher(const QUrl &url) : m_connection(*endpointOf(url), 5'000), m_health(m_connection)
    {
        connect(&m_health, &HealthCheck::read, this, [this](const QList<domain::Finding> &findings) {
            m_last = findings;
            ++m_readings;
        });
        connect(&m_connection, &RedisConnection::connected, this, [this] {
            shakeHands(m_connection, {},
                       [this](const base::Result<RedisFacts> &) { m_health.start(kEveryMs); });
        });
        m_connection.open(5'000);
    }

    /** The severity of a code as a word; empty without such a finding. */
    QByteArray severityOf(const char *code) const
    {
        for (const domain::Finding &one : m_last) {
            if (one.code == code)
                return domain::severityName(one.severity).toByteArray();
        }
        return {};
    }
    QByteArray valueOf(const char *code) const
    {
        for (const domain::Finding &one : m_last) {
            if (one.code == code)
                return one.value;
        }
        return {};
    }

    RedisConnection m_connection;
    HealthCheck m_health;
    QList<domain::Finding> m_last;
    int m_readings = 0;
};

} // namespace

/** The health check of real servers in each state that it warns about. */
class TestRedisLensServers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evictionPolicyAndEvictedKeys();
    void noPersistence();
    void snapshotsAndAppendOnly();
    void stoppedReplicaLags();
    void replicaWithoutItsMaster();
    void withoutInfoItSaysSo();
    void storeTellsOnceOpen();
};

void TestRedisLensServers::evictionPolicyAndEvictedKeys()
{
    RedisServer server;
    QVERIFY(server.start());
    Watcher watcher(server.url());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.m_readings > 0, kPatienceMs);
    QCOMPARE(watcher.severityOf("eviction_policy"), QByteArray());
    server.command({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("eviction_policy"), QByteArray("notice"), kPatienceMs);
    server.command({"CONFIG", "SET", "maxmemory", "3mb"});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("eviction_policy"), QByteArray("warning"), kPatienceMs);
    QCOMPARE(watcher.valueOf("eviction_policy"), QByteArray("allkeys-lru"));
    QCOMPARE(watcher.severityOf("evicted_keys"), QByteArray());
    for (int i = 0; i < 400; ++i)
        server.command({"SET", "k" + QByteArray::number(i), QByteArray(10'000, 'x')});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("evicted_keys"), QByteArray("danger"), kPatienceMs);
    QVERIFY(watcher.valueOf("evicted_keys").toInt() > 0);
}

void TestRedisLensServers::noPersistence()
{
    RedisServer server;
    QVERIFY(server.start());
    server.command({"SET", "lock:a", "t"});
    Watcher watcher(server.url());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("no_persistence"), QByteArray("warning"), kPatienceMs);
    QCOMPARE(watcher.severityOf("snapshots_only"), QByteArray());
}

void TestRedisLensServers::snapshotsAndAppendOnly()
{
    RedisServer server;
    QVERIFY(server.start());
    server.command({"CONFIG", "SET", "save", "3600 1"});
    Watcher watcher(server.url());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("snapshots_only"), QByteArray("notice"), kPatienceMs);
    QCOMPARE(watcher.severityOf("no_persistence"), QByteArray());
    server.command({"CONFIG", "SET", "appendonly", "yes"});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("snapshots_only"), QByteArray(), kPatienceMs);
    server.command({"CONFIG", "SET", "appendonly", "no"});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("snapshots_only"), QByteArray("notice"), kPatienceMs);
}

void TestRedisLensServers::stoppedReplicaLags()
{
    RedisServer master;
    RedisServer replica;
    QVERIFY(master.start({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")}, true));
    Watcher watcher(master.url());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.m_readings > 0, kPatienceMs);
    QCOMPARE(watcher.severityOf("replica_silent"), QByteArray());
    QVERIFY(replica.start(
        {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(master.port())}));
    QTRY_VERIFY_WITH_TIMEOUT(replica.command({"INFO", "replication"}).bytes.contains("master_link_status:up"),
                             kPatienceMs);
    const int before = watcher.m_readings;
    QTRY_VERIFY_WITH_TIMEOUT(watcher.m_readings > before + 2, kPatienceMs);
    QCOMPARE(watcher.severityOf("replica_silent"), QByteArray());
    replica.pause();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("replica_silent"), QByteArray("warning"), kPatienceMs);
    QVERIFY(watcher.valueOf("replica_silent").toInt() >= 5);
    replica.resume();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("replica_silent"), QByteArray(), kPatienceMs);
}

void TestRedisLensServers::replicaWithoutItsMaster()
{
    RedisServer master;
    RedisServer replica;
    QVERIFY(master.start({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")}, true));
    QVERIFY(replica.start(
        {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(master.port())}));
    QTRY_VERIFY_WITH_TIMEOUT(replica.command({"INFO", "replication"}).bytes.contains("master_link_status:up"),
                             kPatienceMs);
    Watcher watcher(replica.url());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.m_readings > 0, kPatienceMs);
    QCOMPARE(watcher.severityOf("replica_link_down"), QByteArray());
    master.kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.severityOf("replica_link_down"), QByteArray("danger"), kPatienceMs);
}

void TestRedisLensServers::withoutInfoItSaysSo()
{
    RedisServer server;
    QVERIFY(server.start());
    if (RedisServer::version() < 600)
        QSKIP("there are users from Redis 6 on");
    server.command({"ACL", "SETUSER", "lk", "on", "nopass", "~*", "-@all", "+ping", "+scan"});
    RedisConnection connection(*endpointOf(server.url()), 5'000);
    HealthCheck lens(connection);
    QSignalSpy read(&lens, &HealthCheck::read);
    QSignalSpy up(&connection, &RedisConnection::connected);
    connection.open(5'000);
    QVERIFY(up.wait(kPatienceMs));
    connection.send({"AUTH", "lk", "any"}, [](const redisReply *) {});
    lens.start(kEveryMs);
    QVERIFY(read.wait(kPatienceMs));
    const auto findings = read.first().first().value<QList<domain::Finding>>();
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().code, QByteArray("lens_blind"));
    QVERIFY(!read.wait(5 * kEveryMs)); // it doesn't knock again and again
    const RedisReply log = server.command({"ACL", "LOG"});
    QVERIFY(log.list.size() <= 2); // INFO once, CONFIG once
}

/** The store reports its findings once it is open, and again after each reconnection. */
void TestRedisLensServers::storeTellsOnceOpen()
{
    RedisServer server;
    QVERIFY(server.start());
    StoreHarness harness(std::move(*redis::makeStore(redisSpec(server.url()))));
    QSignalSpy told(&harness.store(), &Store::findingsRead);
    QVERIFY(harness.open());
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, kPatienceMs);
    server.restart();
    QVERIFY(harness.waitForFailure());
    QVERIFY(harness.open());
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 2, kPatienceMs);
    const auto findings = told.last().first().value<QList<domain::Finding>>();
    QVERIFY(std::any_of(findings.begin(), findings.end(),
                        [](const domain::Finding &one) { return one.code == "no_persistence"; }));
}

LOCKKEEPER_TEST(TestRedisLensServers)

} // namespace tst_redis_health_servers

#include "tst_redis_health_servers.moc"
