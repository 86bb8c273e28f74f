// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/sql/test_database.h"
#include "tests/support/agent_fixture.h"
#include "tests/support/etcd_server.h"
#include "tests/support/program.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"
#ifdef LOCKKEEPER_WITH_MONGODB
#include "tests/support/mongod_server.h"
#endif

#include <QTest>

namespace tst_overlapping_sets {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::LockEvent;

/** A lock that two lock sets take is one lock, under the stricter policy, in every kind of store. */
class TestOverlappingSets : public AgentFixture
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void oneLockOneRule_data();
    void oneLockOneRule();
    void keysOfAnotherScheme();
    void aTableUnderTwoNames();

private:
    QByteArray urlOf(const QByteArray &store);
    bool begin(const QByteArray &sets, const QByteArray &source = {});
    /** lockkeeperctl run, which holds the lock until the test's end. */
    void hold(const QByteArray &scheme, const QByteArray &name, const QByteArray &table);
    QList<domain::LockState> named(const QByteArray &name) const
    {
        QList<domain::LockState> found;
        for (const domain::LockState &lock : m_client->table.locks) {
            if (lock.key.name == name)
                found.append(lock);
        }
        return found;
    }

    QByteArray m_url;
    std::unique_ptr<RedisServer> m_redis;
    std::unique_ptr<EtcdServer> m_etcd;
    std::unique_ptr<ZookeeperServer> m_zookeeper;
#ifdef LOCKKEEPER_WITH_MONGODB
    std::unique_ptr<MongodServer> m_mongod;
#endif
    TestDatabases m_databases;
    std::unique_ptr<QProcess> m_holder;
};

void TestOverlappingSets::cleanup()
{
    endAgent();
    if (m_holder) {
        m_holder->terminate();
        m_holder->waitForFinished(20'000);
    }
    m_holder.reset();
    m_redis.reset();
    m_etcd.reset();
    m_zookeeper.reset();
#ifdef LOCKKEEPER_WITH_MONGODB
    m_mongod.reset();
#endif
}

QByteArray TestOverlappingSets::urlOf(const QByteArray &store)
{
    if (store == "redis") {
        m_redis = std::make_unique<RedisServer>();
        return m_redis->start() ? m_redis->url().toEncoded() : QByteArray();
    }
    if (store == "etcd" && EtcdServer::isInstalled()) {
        m_etcd = std::make_unique<EtcdServer>();
        return m_etcd->start() ? m_etcd->url().toEncoded() : QByteArray();
    }
    if (store == "zookeeper" && ZookeeperServer::isInstalled()) {
        m_zookeeper = std::make_unique<ZookeeperServer>();
        return m_zookeeper->start() ? m_zookeeper->url().toEncoded() : QByteArray();
    }
#ifdef LOCKKEEPER_WITH_MONGODB
    if (store == "mongodb" && MongodServer::isInstalled()) {
        m_mongod = std::make_unique<MongodServer>();
        // `run` takes no lock in a collection that keeps dead holders' documents.
        constexpr char kIndexed[] = R"({"createIndexes": "locks", "indexes": [{"key": {"updatedAt": 1},
            "name": "ttl", "expireAfterSeconds": 120}]})";
        const bool isUp = m_mongod->start() && !m_mongod->ask(kIndexed, "app").isEmpty();
        return isUp ? m_mongod->url().toEncoded() : QByteArray();
    }
#endif
    TestDatabase *database =
        store == "mariadb" || store == "postgresql" ? m_databases.fresh(QString::fromLatin1(store)) : nullptr;
    return database ? database->spec().url.toEncoded() : QByteArray();
}

bool TestOverlappingSets::begin(const QByteArray &sets, const QByteArray &source)
{
    makeAgent();
    m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + m_url + "\"\npoll_ms = 50\n" + source + sets);
    return startWatched();
}

void TestOverlappingSets::hold(const QByteArray &scheme, const QByteArray &name, const QByteArray &table)
{
    m_holder = std::make_unique<QProcess>();
    m_holder->setProgram(qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeperctl"));
    QStringList arguments{QStringLiteral("run"),      QStringLiteral("--store"),   QString::fromUtf8(m_url),
                          QStringLiteral("--scheme"), QString::fromLatin1(scheme), QStringLiteral("--lock"),
                          QString::fromLatin1(name),  QStringLiteral("--ttl"),     QStringLiteral("60s")};
    if (!table.isEmpty())
        arguments += {QStringLiteral("--table"), QString::fromLatin1(table)};
    if (scheme.startsWith("sql."))
        arguments.append(QStringLiteral("--create-table"));
    m_holder->setArguments(arguments +
                           QStringList{QStringLiteral("--"), QStringLiteral("sleep"), QStringLiteral("300")});
    m_holder->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_holder->start();
}

void TestOverlappingSets::oneLockOneRule_data()
{
    QTest::addColumn<QByteArray>("store");
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("wide");
    QTest::addColumn<QByteArray>("narrow");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("push");
    const auto row = [](const char *what, const char *store, const char *scheme, const char *table,
                        const char *wide, const char *narrow, const char *name, bool push) {
        QTest::newRow(what) << QByteArray(store) << QByteArray(scheme) << QByteArray(table)
                            << QByteArray(wide) << QByteArray(narrow) << QByteArray(name) << push;
    };
    row("redis", "redis", "redis.token", "", "lock:*", "lock:pay:*", "lock:pay:a", false);
    row("redis, pushed", "redis", "redis.token", "", "lock:*", "lock:pay:*", "lock:pay:a", true);
    row("etcd", "etcd", "etcd.lease", "", "lk/*", "lk/pay/*", "lk/pay/a", false);
    row("etcd, pushed", "etcd", "etcd.lease", "", "lk/*", "lk/pay/*", "lk/pay/a", true);
    row("zookeeper", "zookeeper", "zookeeper.sequence", "", "/lk/*", "/lk/pay*", "/lk/pay", false);
    row("mongodb", "mongodb", "mongodb.ttl", "locks", "*", "pay-*", "pay-a", false);
    row("mongodb, pushed", "mongodb", "mongodb.ttl", "locks", "*", "pay-*", "pay-a", true);
    row("mariadb", "mariadb", "sql.shedlock", "shedlock", "*", "pay-*", "pay-a", false);
    row("postgresql", "postgresql", "sql.shedlock", "shedlock", "*", "pay-*", "pay-a", false);
}

void TestOverlappingSets::oneLockOneRule()
{
    QFETCH(const QByteArray, store);
    QFETCH(const QByteArray, scheme);
    QFETCH(const QByteArray, table);
    QFETCH(const QByteArray, wide);
    QFETCH(const QByteArray, narrow);
    QFETCH(const QByteArray, name);
    QFETCH(const bool, push);
    m_url = urlOf(store);
    if (m_url.isEmpty())
        QSKIP("there is no such server here");
    hold(scheme, name, table);
    const QByteArray set = "  [[source.locks]]\n  scheme = \"" + scheme + "\"\n" +
                           (table.isEmpty() ? QByteArray() : "  table = \"" + table + "\"\n");
    // The wider one stands first: it must not win by that.
    const QByteArray sets = set + "  match = \"" + wide + "\"\n" + set + "  match = \"" + narrow +
                            "\"\n  approval = \"always\"\n";
    QTRY_VERIFY_WITH_TIMEOUT(m_holder->state() == QProcess::Running, 20'000);
    QVERIFY(begin(sets, push ? "push = true\nreconcile_ms = 1000\n" : ""));
    const auto isHeld = [this, &name] {
        const auto locks = named(name);
        return !locks.isEmpty() && locks.first().isHeld();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isHeld(), 30'000);
    QCOMPARE(named(name).size(), 1);
    QCOMPARE(m_client->count(EventKind::Acquired, name), 1);

    const QString holder = QString::fromUtf8(named(name).first().owner);
    const Output asked = ctl({QStringLiteral("release"), QStringLiteral("s"), QString::fromUtf8(name),
                              QStringLiteral("--holder"), holder, QStringLiteral("--reason"),
                              QStringLiteral("test"), QStringLiteral("--yes")});
    QVERIFY2(asked.status == 8, asked.err.constData());
    QVERIFY2(asked.err.contains("awaiting approval"), asked.err.constData());
    QVERIFY(isHeld());
    const Output listed = ctl({QStringLiteral("locks"), QStringLiteral("--json")});
    QCOMPARE(listed.out.count(name), 1);

    QByteArray checked;
    m_client.reset();
    m_agent->terminate();
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &checked), 0);
    QVERIFY2(checked.contains("sees     1 locks"), checked.constData());
}

/** A key has one type, and one set that shows it, whichever scheme that set has. */
void TestOverlappingSets::keysOfAnotherScheme()
{
    m_url = urlOf("redis");
    QVERIFY(!m_redis->command({"SET", "lock:pay:a", "t1", "PX", "600000"}).isError());
    QVERIFY(!m_redis->command({"SET", "lock:b", "t2", "PX", "600000"}).isError());
    QVERIFY(begin("  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n"
                  "  [[source.locks]]\n  scheme = \"redis.redisson\"\n  match = \"lock:pay:*\"\n"
                  "  break = \"never\"\n"));
    QTRY_COMPARE(named("lock:b").size(), 1);
    QTRY_COMPARE(named("lock:pay:a").size(), 1);
    QCOMPARE(named("lock:pay:a").first().key.scheme, QByteArray("redis.redisson"));
    // The wider set's scheme doesn't lead to it either.
    const domain::LockKey key{QStringLiteral("s"), "redis.token", "db0", "lock:pay:a"};
    QCOMPARE(m_client->breakHeldBy(key, "t1"), domain::Outcome::Refused);
    QCOMPARE(m_client->breakHeldBy({QStringLiteral("s"), "redis.token", "db0", "lock:b"}, "t2"),
             domain::Outcome::Released);
}

/** Only the server knows that they are one table. */
void TestOverlappingSets::aTableUnderTwoNames()
{
    m_url = urlOf("postgresql");
    if (m_url.isEmpty())
        QSKIP("there is no such server here");
    m_databases.fresh(
        QStringLiteral("postgresql"),
        QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP, "
                       "locked_at TIMESTAMP, locked_by VARCHAR(255))"));
    m_agent = std::make_unique<AgentProcess>();
    m_agent->configure("[[source]]\nname = \"s\"\nurl = \"" + m_url +
                       "\"\n[[source.locks]]\npreset = \"shedlock\"\n[[source.locks]]\nscheme = "
                       "\"sql.shedlock\"\ntable = \"shedlock\"\nmatch = \"pay-*\"\n");
    QByteArray checked;
    QCOMPARE(m_agent->run({QStringLiteral("--check")}, &checked), 1);
    QVERIFY2(checked.contains("are the same table, and two lock sets match the same locks in it"),
             checked.constData());
    QVERIFY(m_agent->start());
    m_client = std::make_unique<TestClient>();
    QVERIFY(m_client->open(m_agent->socket()));
    m_client->subscribe(0, true);
    QTRY_VERIFY(m_client->sources.value(QStringLiteral("s"))
                    .error.cause.contains(QStringLiteral("are the same table")));
    QVERIFY(m_client->sources.value(QStringLiteral("s")).link != domain::Link::Up);
}

LOCKKEEPER_TEST(TestOverlappingSets)

} // namespace tst_overlapping_sets

#include "tst_overlapping_sets.moc"
