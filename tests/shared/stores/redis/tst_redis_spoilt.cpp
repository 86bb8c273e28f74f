// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/script.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_spoilt {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

namespace {

const QByteArray kLock("lock:a");

} // namespace

/** Answers that are garbled on their way, or missing: the report of a release, and acts that never follow. */
class TestRedisSpoilt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({}, true)); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_server.command({"SET", kLock, "token"});
    }

    /** Wrong bytes are an error or another value. Nothing hangs, and no held lock is reported as released. */
    void garbledAnswers_data()
    {
        QTest::addColumn<int>("oneOf");
        QTest::newRow("every answer") << 1;
        QTest::newRow("every fifth") << 5;
    }
    void garbledAnswers()
    {
        QFETCH(int, oneOf);
        Proxy proxy(m_server.socketPath());
        QVERIFY(proxy.listen());
        SourceSpec spec = specBehind(proxy);
        spec.connectTimeoutMs = 500;
        spec.statementTimeoutMs = 200; // of a length that is too long the rest never comes
        for (int i = 0; i < 50; ++i)
            m_server.command({"SET", "lock:" + QByteArray::number(i), QByteArray(i, 't'), "PX", "600000"});
        proxy.garbleOneOf(oneOf);
        int opened = 0;
        int lost = 0;
        for (int round = 0; round < 150; ++round) {
            m_server.command({"SET", kLock, "token"});
            StoreHarness harness(std::move(*redis::makeStore(spec)));
            if (harness.open()) {
                ++opened;
                harness.scan();
                const Inspection seen = harness.inspect(kLock);
                const ReleaseReport report = harness.release(orderFor(seen));
                QCOMPARE(harness.m_reports.size(), 1); // it was answered
                if (report.outcome == Outcome::Released)
                    QCOMPARE(m_server.command({"EXISTS", kLock}).integer, 0);
            }
            lost += harness.m_failures.isEmpty() ? 0 : 1;
            QVERIFY(harness.m_failures.size() <= 1);
        }
        qInfo("of 150 links %d opened and %d were lost", opened, lost);
        QVERIFY(lost > 10);
        if (oneOf > 1)
            QVERIFY(opened > 10);
        proxy.garbleOneOf(0);
        m_server.command({"SET", kLock, "token"});
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(harness.find(kLock)->owner, QByteArray("token"));
        QCOMPARE(m_server.command({"DBSIZE"}).integer, 51); // nothing else was broken
    }

    /** For each script: the operation was done, but its answer is cut off. */
    void aLostAnswerIsUnknownAndNotRepeated_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::addColumn<QList<QByteArray>>("make");
        QTest::addColumn<QByteArray>("subject");
        QTest::addColumn<QByteArray>("write");
        const auto row = [](const char *scheme, const QList<QByteArray> &make, const char *subject,
                            const char *write) {
            QTest::newRow(scheme) << QByteArray(scheme) << make << QByteArray(subject) << QByteArray(write);
        };
        row("redis.token", {"SET", kLock, "token"}, "lock:a", "del");
        row("redis.json", {"SET", kLock, "{\"owner\":\"a\",\"state\":\"execute\"}"}, "lock:a", "del");
        row("redis.redisson", {"HSET", kLock, "8743c9c0-0795-4907-87fd-6c719a6b4586:12", "1"}, "lock:a",
            "del");
        row("redis.semaphore", {"ZADD", kLock, "1795000000000", "m"}, "m/lock:a", "zrem");
    }
    void aLostAnswerIsUnknownAndNotRepeated()
    {
        QFETCH(QByteArray, scheme);
        QFETCH(QList<QByteArray>, make);
        QFETCH(QByteArray, subject);
        QFETCH(QByteArray, write);
        constexpr int kRounds = 250;
        Proxy proxy(m_server.socketPath());
        QVERIFY(proxy.listen());
        SourceSpec spec = specBehind(proxy);
        spec.locks.first().scheme = scheme;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        m_server.command({"DEL", kLock});
        // EVALSHA then finds the script, and works at the first try.
        for (const redis::Script &script :
             {redis::guardedScript("token_release"), redis::guardedScript("redisson_release"),
              redis::guardedScript("semaphore_release")})
            m_server.command({"SCRIPT", "LOAD", script.text});
        const qint64 before = calls(write);
        for (int round = 0; round < kRounds; ++round) {
            proxy.cutAnswersAfter(-1);
            QVERIFY(harness.open());
            QVERIFY(!m_server.command(make).isError());
            const ReleaseOrder order = orderFor(harness.inspect(subject), round % 2 == 0);
            proxy.cutAnswersAfter(round % 5 * 5); // no part of the answer, or its beginning
            QCOMPARE(harness.release(order).outcome, Outcome::Unknown);
            QVERIFY(harness.waitForFailure());
            QTRY_COMPARE(m_server.command({"EXISTS", kLock}).integer, 0);
            // A second read resolves it: the key is gone, and a repeated release finds nothing.
            proxy.cutAnswersAfter(-1);
            QVERIFY(harness.open());
            QVERIFY(!harness.inspect(subject).lock.present);
            QCOMPARE(harness.release(order).outcome, Outcome::AlreadyFree);
        }
        QCOMPARE(calls(write) - before, kRounds);
    }

    /** The script has answered; whether there are replicas isn't known any more. */
    void aLinkThatEndsBehindTheReleaseConfirmsNothing()
    {
        Proxy proxy(m_server.socketPath());
        QVERIFY(proxy.listen());
        StoreHarness harness(std::move(*redis::makeStore(specBehind(proxy))));
        QVERIFY(harness.open());
        const ReleaseOrder order = orderFor(harness.inspect(kLock));
        m_server.command({"SCRIPT", "LOAD", redis::guardedScript("token_release").text});
        constexpr qint64 kVerdictAndMore = 60; // "released" and a time are 47 at most, and INFO is longer
        proxy.cutAnswersAfter(kVerdictAndMore);
        const ReleaseReport report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Released);
        QVERIFY(!report.replicated);
        QCOMPARE(report.error.cause, QStringLiteral("not replicated"));
        QCOMPARE(report.error.code, ErrorCode::ConnectionLost);
    }

    void withoutWaitNothingIsConfirmed()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        RedisServer replica;
        QVERIFY(replica.start(
            {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(m_server.port())}));
        QVERIFY(QTest::qWaitFor([&] { return m_server.waitForReplica(); }, 20'000));
        m_server.command(RedisServer::rules("ACL SETUSER lk on >pw allkeys allchannels +@all -wait"));
        StoreHarness harness(
            std::move(*redis::makeStore(redisSpec(m_server.url(0, QStringLiteral("lk")), "lock:*", "pw"))));
        QVERIFY(harness.open());
        const ReleaseReport report = harness.release(orderFor(harness.inspect(kLock)));
        QCOMPARE(report.outcome, Outcome::Released);
        QVERIFY(!report.replicated);
        QCOMPARE(report.error.cause, QStringLiteral("not replicated"));
        QCOMPARE(report.error.remedy, QStringLiteral("ACL SETUSER lk +wait"));
    }

    /** Without a run id no guard exists: the lock may come from another run of the server. */
    void withoutInfoNothingIsBroken()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_server.command(RedisServer::rules("ACL SETUSER lk on >pw allkeys allchannels +@all -info"));
        StoreHarness harness(
            std::move(*redis::makeStore(redisSpec(m_server.url(0, QStringLiteral("lk")), "lock:*", "pw"))));
        QVERIFY(harness.open());
        const ReleaseReport report = harness.release(orderFor(harness.inspect(kLock)));
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, ErrorCode::PermissionDenied);
        QCOMPARE(report.error.remedy, QStringLiteral("ACL SETUSER lk +info"));
        QCOMPARE(m_server.command({"EXISTS", kLock}).integer, 1);
    }

private:
    SourceSpec specBehind(const Proxy &proxy) const
    {
        SourceSpec spec = redisSpec(m_server.url(), "lock:*");
        spec.url.setPath(proxy.path());
        return spec;
    }

    /** How often the server has run `command`. */
    qint64 calls(const QByteArray &command)
    {
        const QByteArray stats = m_server.command({"INFO", "commandstats"}).bytes;
        const QByteArray head = "cmdstat_" + command + ":calls=";
        const qsizetype at = stats.indexOf(head);
        const qsizetype from = at + head.size();
        return at < 0 ? 0 : stats.mid(from, stats.indexOf(',', from) - from).toLongLong();
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisSpoilt)

} // namespace tst_redis_spoilt

#include "tst_redis_spoilt.moc"
