// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/config/config.h"
#include "shared/base/java_text.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_sets {

using namespace lockkeeper;

/** Lock sets of Redis: how their keys are laid out. */
class RedisSetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layoutsOfRedis();
};

void RedisSetsTest::layoutsOfRedis()
{
    const auto setOf = [](const char *lines) {
        const auto outcome = agent::config::parse(
            QByteArray("[[source]]\nname = \"s\"\nurl = \"redis://h\"\n[[source.locks]]\n") + lines + '\n',
            QStringLiteral("F"));
        return outcome ? outcome->sources.first().locks.first() : stores::LockSet();
    };
    const stores::LockSet json =
        setOf("scheme = \"redis.json\"\nmatch = \"job:*\"\nowner_field = \"host\"\nstate_field = \"\"\n"
              "last_sync_field = \"ended\"");
    QCOMPARE(json.scheme, QByteArray("redis.json"));
    QCOMPARE(json.match, QByteArray("job:*"));
    QCOMPARE(json.keys.ownerField, QByteArray("host"));
    QCOMPARE(json.keys.stateField, QByteArray());
    QCOMPARE(json.keys.heldValue, QByteArray("execute"));
    QCOMPARE(json.keys.lastSyncField, QByteArray("ended"));
    const stores::LockSet semaphore = setOf("preset = \"redis-semaphore\"\nlease = \"30s\"\nlimit = 4");
    QCOMPARE(semaphore.scheme, QByteArray("redis.semaphore"));
    QCOMPARE(semaphore.match, QByteArray("semaphore:*"));
    QCOMPARE(semaphore.keys.leaseUs, 30'000'000);
    QCOMPARE(semaphore.keys.limit, 4);
    QCOMPARE(semaphore.keys.permits, stores::Permits::RedisSemaphore);
    QCOMPARE(setOf("preset = \"redisson-permits\"").keys.permits, stores::Permits::Redisson);
    QCOMPARE(setOf("preset = \"symfony-redis\"").keys.permits, stores::Permits::Symfony);
    QCOMPARE(setOf("preset = \"sidekiq-unique-jobs-7\"").keys.permits, stores::Permits::Sidekiq);
    QCOMPARE(setOf("scheme = \"redis.semaphore\"\nscores = \"huey\"").keys.permits, stores::Permits::Huey);
    const stores::LockSet mutex = setOf("preset = \"redis-semaphore-mutex\"\nmatch = \"mutex:a*\"");
    QCOMPARE(mutex.scheme, QByteArray("redis.token"));
    QCOMPARE(mutex.match, QByteArray("mutex:a*"));
    const stores::LockSet java = setOf("scheme = \"redis.token\"\nmatch = \"lock:*\"\nserializer = \"jdk\"");
    QCOMPARE(java.match, base::javaGlob("lock:*"));
    QVERIFY(base::globMatches(java.match, base::javaName("lock:order:1")));
    QVERIFY(!base::globMatches(java.match, "lock:order:1"));
}

LOCKKEEPER_TEST(RedisSetsTest)

} // namespace tst_redis_sets

#include "tst_redis_sets.moc"
