// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_race.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_race {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** With clients at full speed, a break removes only the lock that its guard names. */
class TestRedisRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (RedisServer::version() < 602)
            QSKIP("its clients need PXAT, which Redis 6.2 brought");
        QVERIFY(m_server.start());
        m_rounds = qEnvironmentVariableIntValue("LOCKKEEPER_RACE_ROUNDS");
        if (m_rounds <= 0)
            m_rounds = 4'000;
    }
    void init() { m_server.command({"FLUSHALL"}); }

    void noLeaseIsLostWithoutItsGuard_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        for (const char *scheme :
             {"redis.token", "redis.json", "redis.redisson", "redis.semaphore", kFieldRace})
            QTest::newRow(scheme) << QByteArray(scheme);
    }
    void noLeaseIsLostWithoutItsGuard()
    {
        QFETCH(QByteArray, scheme);
        RacePlan plan;
        plan.scheme = scheme;
        plan.rounds = m_rounds;
        const RaceResult result = runRedisRace(m_server.socketPath(), {}, plan);
        qInfo("%lld rounds: %lld released, %lld changed, %lld free; %lld acquisitions, %lld renewals, %lld "
              "lost, %lld wrong",
              result.rounds, result.released, result.holderChanged, result.alreadyFree, result.acquisitions,
              result.renewals, result.lost, result.wrong);
        QCOMPARE(result.rounds, plan.rounds);
        QCOMPARE(result.wrong, 0);
        QCOMPARE(result.other, 0);
        // It was a real race: some guards matched, and some came too late.
        QVERIFY(result.released > plan.rounds / 1'000);
        // A released permit is gone; a released lock has another holder.
        QVERIFY((scheme.startsWith("redis.semaphore") ? result.alreadyFree : result.holderChanged) >
                plan.rounds / 50);
        QVERIFY(result.lost > 0 && result.lost <= result.released);
    }

    /** Values that say nothing, from clients that err in nothing. */
    void constantValues_data()
    {
        QTest::addColumn<bool>("pins");
        QTest::newRow("the deadline is pinned") << true;
        QTest::newRow("it isn't") << false;
    }
    void constantValues()
    {
        QFETCH(bool, pins);
        RacePlan plan;
        plan.constant = "true";
        plan.pins = pins;
        plan.checkFreshness = false;
        plan.rounds = pins ? m_rounds : 2'000;
        const RaceResult result = runRedisRace(m_server.socketPath(), {}, plan);
        QCOMPARE(result.rounds, plan.rounds);
        QCOMPARE(result.wrong > 0, !pins);
        QVERIFY(result.released > plan.rounds / 1'000 && result.lost > 0);
    }

    /** Clients that each write the same token into all their locks, as Spring's RedisLockRegistry does. */
    void reusedTokens_data()
    {
        QTest::addColumn<bool>("pins");
        QTest::addColumn<bool>("waits");
        QTest::newRow("as the agent does") << true << true;
        QTest::newRow("the deadline isn't pinned") << false << true;
        QTest::newRow("a guard of the same millisecond") << true << false;
    }
    void reusedTokens()
    {
        QFETCH(bool, pins);
        QFETCH(bool, waits);
        RacePlan plan;
        plan.reuses = true;
        plan.pins = pins;
        plan.waits = waits;
        plan.checkFreshness = false;
        plan.rounds = m_rounds / 2;
        const RaceResult result = runRedisRace(m_server.socketPath(), {}, plan);
        QCOMPARE(result.rounds, plan.rounds);
        QCOMPARE(result.wrong > 0, !pins || !waits);
        QVERIFY(result.released > 0 && result.lost > 0);
    }

    void aMissingTermIsFound_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::addColumn<QByteArray>("term");
        const auto row = [](const char *scheme, const char *term) {
            QTest::addRow("%s, %s", scheme, term) << QByteArray(scheme) << QByteArray(term);
        };
        row("redis.token", "value");
        row("redis.token", "freshness");
        row("redis.json", "value");
        row("redis.json", "freshness");
        row("redis.redisson", "holder and count");
        row("redis.redisson", "freshness");
        row("redis.semaphore", "freshness");
        row(kFieldRace, "value");
    }
    void aMissingTermIsFound()
    {
        QFETCH(QByteArray, scheme);
        QFETCH(QByteArray, term);
        QByteArray text = scheme == "redis.redisson" ? stores::redis::guardedScript("redisson_release").text
                          : scheme == kFieldRace     ? stores::redis::guardedScript("field_release").text
                          : scheme == "redis.semaphore"
                              ? stores::redis::guardedScript("semaphore_release").text
                              : stores::redis::guardedScript("token_release").text;
        const qsizetype mark = text.indexOf("-- guard: " + term + '\n');
        QVERIFY(mark > 0);
        const qsizetype line = text.lastIndexOf('\n', mark);
        text.remove(line, mark - line);
        RacePlan plan;
        plan.scheme = scheme;
        plan.rounds = 2'000;
        plan.pins = false; // each term for itself
        const RaceResult result = runRedisRace(m_server.socketPath(), stores::redis::Script(text), plan);
        QCOMPARE(result.rounds, plan.rounds);
        QVERIFY(result.wrong > 0);
    }

private:
    RedisServer m_server;
    int m_rounds = 0;
};

LOCKKEEPER_TEST(TestRedisRace)

} // namespace tst_redis_race

#include "tst_redis_race.moc"
