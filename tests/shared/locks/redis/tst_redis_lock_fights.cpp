// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/foreign_client.h"
#include "tests/support/lock_fighter.h"
#include "tests/support/test_program.h"

namespace tst_redis_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;

/** Foreign clients and the lock library compete for the same lock. */
class TestRedisLockFights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({}, true)); }
    void init() { m_server.command({"FLUSHALL"}); }

    void oneAtATime_data()
    {
        QTest::addColumn<QByteArray>("client");
        QTest::addColumn<QByteArray>("who");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QString>("preset");
        const auto row = [](const char *name, const char *client, const char *who, const char *kind,
                            const char *preset = "") {
            QTest::newRow(name) << QByteArray(client) << QByteArray(who) << QByteArray(kind)
                                << QString::fromLatin1(preset);
        };
        row("Redisson", "redisson lock", "lock", "redis.redisson");
        row("Redisson, fair", "redisson fair", "fair", "redis.redisson/fair");
        row("Redisson, fenced", "redisson fenced", "fenced", "redis.redisson");
        row("redis-py", "redis-py", "lock", "redis.token");
        row("node-redlock", "node-redlock", "lock", "redis.token");
        row("redis-semaphore, mutex", "redis-semaphore mutex", "mutex", "redis.token");
        row("redis-semaphore", "redis-semaphore semaphore", "semaphore", "redis.semaphore");
        row("python-redis-lock", "python-redis-lock", "lock", "redis.token", "python-redis-lock");
    }
    void oneAtATime()
    {
        QFETCH(QByteArray, client);
        QFETCH(QByteArray, who);
        QFETCH(QByteArray, kind);
        QFETCH(QString, preset);
        constexpr int kRounds = 50;
        const ForeignClient foreign = ForeignClient::named(client);
        ForeignProgram theirs(foreign);
        theirs.start({{QStringLiteral("REDIS_SOCKET"), m_server.socketPath()},
                      {QStringLiteral("REDIS_PORT"), QString::number(m_server.port())}});
        if (!theirs.isReady())
            QSKIP(qPrintable(theirs.why));
        SourceSpec spec = lockSpec(m_server.url(), kind);
        spec.locks.first().preset = preset;
        LockSide side(spec);
        // A fair lock is acquired in turns.
        fight(
            theirs, {who + "#1", who + "#2"}, foreign.lockOf("fight"),
            [&] { return side.lock(foreign.keyOf("fight")); }, kRounds, kind.endsWith("/fair") ? kRounds : 0);
    }

private:
    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisLockFights)

} // namespace tst_redis_lock_fights

#include "tst_redis_lock_fights.moc"
