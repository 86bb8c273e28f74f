// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/composite/clock_lead.h"
#include "shared/stores/redis/health/health_check.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_redis_health {

using namespace lockkeeper;
using namespace lockkeeper::stores::redis;
using domain::Finding;
using domain::Severity;

namespace {

constexpr qint64 kNowS = 1'795'000'000;

/** Lines for "name value" pairs that are separated by commas. */
QByteArray infoOf(const QByteArray &pairs)
{
    QByteArray text = "# Server\r\nrun_id:r1\r\nserver_time_usec:" + QByteArray::number(kNowS * 1'000'000) +
                      "\r\nnot a line\r\n:\r\n\r\n";
    for (const QByteArray &pair : pairs.split(' ')) {
        if (!pair.isEmpty())
            text += pair + "\r\n";
    }
    return text;
}

/** "danger evicted_keys 17; notice …", for one comparison. */
QByteArray textOf(const QList<Finding> &findings)
{
    QByteArrayList all;
    for (const Finding &one : findings)
        all.append(domain::severityName(one.severity).toByteArray() + ' ' + one.code + ' ' + one.value);
    return all.join("; ");
}

} // namespace

/** Findings from INFO: rows of its lines, without a server. */
class TestRedisLens : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void judges_data();
    void judges();
    void evictionIsDangerWhileItGrows();
    void evictionBeforeTheFirstLookIsPast();
    void restartForgetsTheCount();
    void masterOffsetMayComeLast();
    void hostileInfo();
    void whoShowsItIsNamed();
    void aClockThatIsOffIsNamed();
    void replicas_data();
    void replicas();
};

void TestRedisLens::replicas_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("expected"); // how many seconds its master may be ahead
    QTest::newRow("a master") << QByteArray("role:master") << QByteArray("master");
    QTest::newRow("heard of its master")
        << QByteArray("role:slave master_link_status:up master_last_io_seconds_ago:3")
        << QByteArray("replica 4");
    QTest::newRow("without it") << QByteArray(
                                       "role:slave master_link_status:down master_last_io_seconds_ago:-1")
                                << QByteArray("stalled replica");
    QTest::newRow("doesn't say when")
        << QByteArray("role:slave master_link_status:up") << QByteArray("replica");
}

void TestRedisLens::replicas()
{
    QFETCH(QByteArray, info);
    const lockkeeper::stores::Standing standing = standingOf(healthFactsOf(infoOf(info)));
    QByteArray text = standing.stalled ? "stalled " : "";
    text += standing.replica ? "replica" : "master";
    if (standing.asOfUs)
        text += ' ' + QByteArray::number(kNowS - *standing.asOfUs / 1'000'000);
    QTEST(text, "expected");
}

void TestRedisLens::judges_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("save"); // "?": CONFIG is forbidden
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *info, const char *save, const char *expected) {
        QTest::newRow(name) << QByteArray(info) << QByteArray(save) << QByteArray(expected);
    };
    const QByteArray hourAgo = "rdb_last_save_time:" + QByteArray::number(kNowS - 3'601);
    const QByteArray minuteAgo = "rdb_last_save_time:" + QByteArray::number(kNowS - 60);
    row("nothing told", "", "?", "");
    row("noeviction", "maxmemory:1000 maxmemory_policy:noeviction", "?", "");
    row("allkeys with a limit", "maxmemory:1000 maxmemory_policy:allkeys-lru", "?",
        "warning eviction_policy allkeys-lru");
    row("volatile takes keys with a TTL", "maxmemory:1000 maxmemory_policy:volatile-ttl", "?",
        "warning eviction_policy volatile-ttl");
    row("no limit, no eviction", "maxmemory:0 maxmemory_policy:volatile-lru", "?",
        "notice eviction_policy volatile-lru");
    row("limit not told", "maxmemory_policy:allkeys-random", "?", "notice eviction_policy allkeys-random");
    row("evicted before", "maxmemory:1 maxmemory_policy:noeviction evicted_keys:17", "?",
        "warning evicted_keys 17");
    row("none evicted", "evicted_keys:0", "?", "");
    row("append-only", "aof_enabled:1 rdb_changes_since_last_save:9", "", "");
    row("nothing saved", "aof_enabled:0 rdb_changes_since_last_save:9", "", "warning no_persistence 9");
    row("snapshots", "aof_enabled:0 rdb_changes_since_last_save:0", "3600 1", "notice snapshots_only 0");
    QTest::newRow("fresh snapshot") << "aof_enabled:0 rdb_changes_since_last_save:9 " + minuteAgo
                                    << QByteArray("3600 1") << QByteArray("notice snapshots_only 60");
    QTest::newRow("old snapshot, changes") << "aof_enabled:0 rdb_changes_since_last_save:9 " + hourAgo
                                           << QByteArray("?") << QByteArray("warning snapshots_only 3601");
    QTest::newRow("old snapshot, no changes") << "aof_enabled:0 rdb_changes_since_last_save:0 " + hourAgo
                                              << QByteArray("?") << QByteArray("notice snapshots_only 0");
    row("snapshot failed", "aof_enabled:0 rdb_last_bgsave_status:err", "3600 1",
        "danger save_failed rdb; notice snapshots_only 0");
    row("snapshot failed beside a log", "aof_enabled:1 rdb_last_bgsave_status:err", "3600 1",
        "warning save_failed rdb");
    row("log failed", "aof_enabled:1 aof_last_write_status:err", "", "danger save_failed aof");
    row("log rewriting failed", "aof_enabled:1 aof_last_bgrewrite_status:err", "", "danger save_failed aof");
    row("log off, its status is old", "aof_enabled:0 aof_last_write_status:err", "3600 1",
        "notice snapshots_only 0");
    row("no replica is no danger", "role:master connected_slaves:0 master_repl_offset:9", "?", "");
    row("replica close by",
        "role:master connected_slaves:1 slave0:ip=h,port=1,state=online,offset=9,lag=1 master_repl_offset:9",
        "?", "");
    row("silent replica",
        "role:master connected_slaves:2 slave0:ip=h,port=1,state=online,offset=9,lag=0 "
        "slave1:ip=h,port=2,state=online,offset=9,lag=5 master_repl_offset:9",
        "?", "warning replica_silent 5");
    row("replica far behind",
        "role:master connected_slaves:1 slave0:ip=h,port=1,state=online,offset=1,lag=0 "
        "master_repl_offset:1048577",
        "?", "warning replica_behind 1048576");
    row("replica being filled",
        "role:master connected_slaves:1 slave0:ip=h,port=1,state=wait_bgsave,offset=0,lag=0 "
        "master_repl_offset:1048577",
        "?", "notice replica_syncing 1");
    row("replica without its master",
        "role:slave master_link_status:down master_link_down_since_seconds:12 connected_slaves:0", "?",
        "danger replica_link_down 12");
    row("replica with its master", "role:slave master_link_status:up", "?", "");
    row("gravest first",
        "maxmemory:0 maxmemory_policy:volatile-lru role:slave master_link_status:down aof_enabled:0", "",
        "danger replica_link_down 0; warning no_persistence 0; notice eviction_policy volatile-lru");
}

void TestRedisLens::judges()
{
    QFETCH(QByteArray, info);
    QFETCH(QByteArray, save);
    QFETCH(QByteArray, expected);
    HealthJudge judge;
    const auto known = save == "?" ? std::nullopt : std::optional<QByteArray>(save);
    QCOMPARE(textOf(judge.judge(healthFactsOf(infoOf(info)), known)), expected);
    // The same reading again is the same judgement.
    QCOMPARE(textOf(judge.judge(healthFactsOf(infoOf(info)), known)), expected);
}

void TestRedisLens::evictionIsDangerWhileItGrows()
{
    HealthJudge judge;
    HealthFacts facts;
    facts.runId = "r1";
    facts.nowUs = 1'000'000'000;
    facts.evicted = 0;
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray());
    facts.evicted = 5;
    facts.nowUs += 15'000'000;
    const QList<Finding> grown = judge.judge(facts, {});
    QCOMPARE(textOf(grown), QByteArray("danger evicted_keys 5"));
    QCOMPARE(grown.first().whenUs, std::optional<qint64>(facts.nowUs));
    facts.nowUs += 599'000'000;
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("danger evicted_keys 5"));
    facts.nowUs += 2'000'000;
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("warning evicted_keys 5"));
}

void TestRedisLens::evictionBeforeTheFirstLookIsPast()
{
    HealthJudge judge;
    HealthFacts facts;
    facts.runId = "r1";
    facts.evicted = 5;
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("warning evicted_keys 5"));
    facts.evicted = 6; // without a clock, only the reading that shows it knows that it grows
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("danger evicted_keys 6"));
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("warning evicted_keys 6"));
}

void TestRedisLens::restartForgetsTheCount()
{
    HealthJudge judge;
    HealthFacts facts;
    facts.runId = "r1";
    facts.nowUs = 1'000'000'000;
    facts.evicted = 1;
    judge.judge(facts, {});
    facts.evicted = 2;
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("danger evicted_keys 2"));
    facts.runId = "r2";
    facts.evicted = 3; // of another run: not known to be more than before
    QCOMPARE(textOf(judge.judge(facts, {})), QByteArray("warning evicted_keys 3"));
}

void TestRedisLens::masterOffsetMayComeLast()
{
    const HealthFacts facts = healthFactsOf(
        infoOf("connected_slaves:1 slave0:ip=h,port=1,state=online,offset=40,lag=3 master_repl_offset:100"));
    QCOMPARE(facts.replicas.size(), 1);
    QCOMPARE(facts.replicas.first().behindBytes, qint64(60));
    QCOMPARE(facts.replicas.first().silentS, qint64(3));
    QVERIFY(facts.replicas.first().online);
}

void TestRedisLens::hostileInfo()
{
    HealthJudge judge;
    const QByteArray info = "connected_slaves:999999999999 slave0:offset=,lag=x,state= maxmemory:abc "
                            "evicted_keys:-5 rdb_last_save_time:99999999999999999999 aof_enabled:yes "
                            "maxmemory_policy:\xff\xfe";
    QCOMPARE(textOf(judge.judge(healthFactsOf(infoOf(info)), {})),
             QByteArray("notice eviction_policy \xff\xfe; notice replica_syncing 1"));
    judge.judge(healthFactsOf(QByteArray(1 << 20, ':')), {});
}

void TestRedisLens::whoShowsItIsNamed()
{
    using domain::Severity;
    const domain::Finding bad{"eviction_policy", Severity::Warning, "allkeys-lru"};
    const domain::Finding worse{"eviction_policy", Severity::Danger, "allkeys-random"};
    const domain::Finding other{"no_persistence", Severity::Notice, {}};
    QList<domain::Finding> all;
    addWorst(all, {bad}, "a:1");
    addWorst(all, {}, "b:1");
    addWorst(all, {bad, other}, "c:1");
    QCOMPARE(all.size(), 2);
    QCOMPARE(all.at(0).node, QByteArray("a:1, c:1"));
    QCOMPARE(all.at(1).node, QByteArray("c:1"));
    addWorst(all, {worse}, "d:1");
    QCOMPARE(all.at(0).value, QByteArray("allkeys-random"));
    QCOMPARE(all.at(0).node, QByteArray("d:1"));
    addWorst(all, {bad}, "e:1"); // not the worst
    QCOMPARE(all.at(0).node, QByteArray("d:1"));
    for (const char *node : {"f:1", "g:1", "h:1"})
        addWorst(all, {worse}, node);
    QCOMPARE(all.at(0).node, QByteArray("d:1, f:1, g:1"));
}

void TestRedisLens::aClockThatIsOffIsNamed()
{
    ClockLead clock;
    QList<domain::Finding> findings;
    addClock(findings, clock.aheadUs());
    QVERIFY(findings.isEmpty()); // nothing is known
    constexpr qint64 kSecond = 1'000'000;
    qint64 now = 1'000 * kSecond;
    clock.read(now + 3 * kSecond, now);
    for (int i = 1; i < 10; ++i) // answers that lay about for seconds
        clock.read(now + i * kSecond - kSecond, now + i * kSecond);
    QCOMPARE(clock.aheadUs(), std::optional<qint64>(3 * kSecond));
    addClock(findings, clock.aheadUs());
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().code, QByteArray("clock_offset"));
    QCOMPARE(findings.first().value, QByteArray("3000000"));
    now += 60 * kSecond; // it was set right
    clock.read(now - 10, now);
    QCOMPARE(clock.aheadUs(), std::optional<qint64>(-10));
    findings.clear();
    addClock(findings, clock.aheadUs());
    QVERIFY(findings.isEmpty());
    now += 60 * kSecond;
    clock.read(now - 4 * kSecond, now);
    addClock(findings, clock.aheadUs());
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings.first().value, QByteArray("-4000000"));
}

LOCKKEEPER_TEST(TestRedisLens)

} // namespace tst_redis_health

#include "tst_redis_health.moc"
