// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_push_events {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace lockkeeper::tests::push;

/** Details that a real server's keyspace events add to its messages. */
class TestRedisPushEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keyspaceEventsSayHow_data();
    void keyspaceEventsSayHow();
    void nobodyGivesBackWhatIsEvicted();
    void aReplicaDeletesWhatHasExpired();

private:
    std::unique_ptr<RedisServer> m_server;
};

void TestRedisPushEvents::init()
{
    m_server = std::make_unique<RedisServer>();
    QVERIFY(m_server->start());
    if (RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
}

void TestRedisPushEvents::keyspaceEventsSayHow_data()
{
    QTest::addColumn<QByteArray>("flags");
    QTest::newRow("by event") << QByteArray("EA");
    QTest::newRow("by key") << QByteArray("KA");
    QTest::newRow("both") << QByteArray("KEA");
}

void TestRedisPushEvents::keyspaceEventsSayHow()
{
    QFETCH(QByteArray, flags);
    m_server->command({"CONFIG", "SET", "notify-keyspace-events", flags});
    RedisPlain other(m_server->socketPath());
    other.command({"SELECT", "1"});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:k", "K"});
    QVERIFY(watch.comes("lock:k"));
    m_server->command({"EVAL", "redis.call('SET', KEYS[1], 'A') redis.call('DEL', KEYS[1])", "1", "lock:a"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(watch.find("lock:a")->unseen && watch.find("lock:a")->deleted);
    other.command({"SET", "lock:o", "A"});
    QVERIFY(watch.comes("lock:o"));
    QVERIFY(!watch.find("lock:o")->unseen);
    m_server->command({"DEL", "lock:k"});
    QVERIFY(
        watch.comes("lock:k", [](const Change &c) { return !c.lock.present && c.deleted && !c.expired; }));
    m_server->command({"SET", "lock:e", "E", "PX", "20"});
    QVERIFY(
        watch.comes("lock:e", [](const Change &c) { return !c.lock.present && c.expired && !c.deleted; }));
}

/** The server evicts the key for its memory. That is neither an expiry nor a deletion by a client. */
void TestRedisPushEvents::nobodyGivesBackWhatIsEvicted()
{
    m_server->command({"CONFIG", "SET", "notify-keyspace-events", "KEA"});
    m_server->command({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:k", "K"});
    QVERIFY(watch.comes("lock:k", [](const Change &c) { return c.lock.present; }));
    m_server->command({"CONFIG", "SET", "maxmemory", "1"});
    m_server->command({"SET", "other", "x"}); // refused, after all has been evicted
    const auto isGone = [](const Change &c) { return !c.lock.present; };
    QVERIFY(watch.comes("lock:k", isGone));
    QVERIFY(!watch.find("lock:k", isGone)->deleted && !watch.find("lock:k", isGone)->expired);
}

/** A replica deletes an expired key when its primary orders it, so the replica's own events don't say how a
 * lease ended. */
void TestRedisPushEvents::aReplicaDeletesWhatHasExpired()
{
    RedisServer primary;
    RedisServer replica;
    QVERIFY(primary.start({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")}, true));
    QVERIFY(replica.start({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                           QString::number(primary.port()), QStringLiteral("--notify-keyspace-events"),
                           QStringLiteral("KEA")}));
    const auto isUp = [&replica] {
        return replica.command({"INFO", "replication"}).bytes.contains("master_link_status:up");
    };
    QTRY_VERIFY(isUp());
    Watch watch(specOf(replica));
    QVERIFY(watch.openPushing());
    primary.command({"SET", "lock:e", "E", "PX", "1000"});
    QVERIFY(watch.comes("lock:e", [](const Change &c) { return c.lock.present; }));
    const auto isGone = [](const Change &c) { return !c.lock.present; };
    QVERIFY(watch.comes("lock:e", isGone));
    QVERIFY(!watch.find("lock:e", isGone)->deleted);
}

LOCKKEEPER_TEST(TestRedisPushEvents)

} // namespace tst_redis_push_events

#include "tst_redis_push_events.moc"
