// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace tst_redis_semaphore {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

constexpr qint64 kLeaseMs = 60'000;
const QByteArray kScore("1795000000000");

using Command = QList<QByteArray>;

/** A permit in one line: its name, state, owner, flaw and deadline. */
QByteArray lineOf(const Observation &permit)
{
    static const QList<QByteArray> kFlaws{"",         "truncated", "wrong_type", "no_identity",
                                          "bad_time", "malformed"};
    QByteArray line = permit.name + (permit.held ? " held " : " free ") + permit.owner;
    if (permit.flaw != Flaw::None)
        line += " flaw=" + kFlaws.value(int(permit.flaw));
    if (permit.expiry == domain::ExpiryKind::At)
        line += " until=" + QByteArray::number(permit.expiresUs / 1'000);
    return line;
}

} // namespace

/** The permits of redis-semaphore's and Redisson's sorted sets, on a real server. */
class TestRedisSemaphore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    void aSetIsRead_data()
    {
        QTest::addColumn<Command>("make");
        QTest::addColumn<bool>("deadlines");
        QTest::addColumn<QByteArray>("lines");
        const auto row = [](const char *name, const Command &make, const char *lines,
                            bool deadlines = false) {
            QTest::newRow(name) << make << deadlines << QByteArray(lines);
        };
        row("refreshed then", {"ZADD", "k", kScore, "m"}, "m/k held m until=1795000060000");
        row("several", {"ZADD", "k", kScore, "m", "1795000000001", "n"},
            "m/k held m until=1795000060000, n/k held n until=1795000060001");
        row("deadlines", {"ZADD", "{k}:timeout", kScore, "m"}, "m/{k}:timeout held m until=1795000000000",
            true);
        row("raw id",
            {"ZADD", "{k}:timeout", kScore, QByteArray("\0\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf", 16)},
            "%00%01%02%03%04%05%06%07%08%09%0A%0B%0C%0D%0E%0F/{k}:timeout held "
            "000102030405060708090a0b0c0d0e0f "
            "until=1795000000000",
            true);
        row("slash and percent", {"ZADD", "k", kScore, "a/b%"}, "a%2Fb%25/k held a/b% until=1795000060000");
        row("no name", {"ZADD", "k", kScore, ""}, "%/k held  flaw=no_identity until=1795000060000");
        row("for ever", {"ZADD", "k", "inf", "m"}, "m/k held m flaw=bad_time");
        row("never", {"ZADD", "k", "-inf", "m"}, "m/k held m flaw=bad_time");
        row("negative", {"ZADD", "k", "-5", "m"}, "m/k held m flaw=bad_time");
        row("nothing", {"ZADD", "k", "0", "m"}, "m/k held m flaw=bad_time");
        row("seconds", {"ZADD", "k", "1795000000", "m"}, "m/k held m flaw=bad_time");
        row("microseconds", {"ZADD", "k", "1795000000000000", "m"}, "m/k held m flaw=bad_time");
        row("deadlines in seconds", {"ZADD", "{k}:timeout", "1795000000.25", "m"},
            "m/{k}:timeout held m flaw=bad_time", "deadline");
        row("past every year", {"ZADD", "k", "1e300", "m"}, "m/k held m flaw=bad_time");
        row("a part of a millisecond", {"ZADD", "k", "1795000000000.5", "m"},
            "m/k held m until=1795000060000");
        row("a string", {"SET", "k", "m"}, "/k free  flaw=wrong_type");
        row("a hash", {"HSET", "k", "m", "1"}, "/k free  flaw=wrong_type");
        row("a member of 2 MiB", {"ZADD", "k", kScore, QByteArray(2 << 20, 'm')}, "/k free  flaw=truncated");
    }
    void aSetIsRead()
    {
        QFETCH(Command, make);
        QFETCH(bool, deadlines);
        QFETCH(QByteArray, lines);
        QVERIFY(!m_server.command(make).isError());
        const QByteArray key = make.at(1);
        StoreHarness harness(storeFor(deadlines));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const QList<Observation> permits = all(harness);
        QByteArrayList texts;
        for (const Observation &permit : permits) {
            texts.append(lineOf(permit));
            // A look by the name shows the same.
            QCOMPARE(lineOf(harness.readPoints({{0, permit.name}}).value(0)), texts.constLast());
        }
        QCOMPARE(texts.join(", "), lines);
        // A release breaks exactly the permit that was read; it never breaks a permit without an identity.
        for (const Observation &permit : permits) {
            const qint64 before = m_server.command({"ZCARD", key}).integer;
            const bool breakable = permit.held && permit.flaw != Flaw::NullIdentity;
            const auto report = harness.release(orderFor(harness.inspect(permit.name), true));
            QCOMPARE(report.outcome, breakable ? Outcome::Released : Outcome::Refused);
            QCOMPARE(m_server.command({"ZCARD", key}).integer, before - (breakable ? 1 : 0));
        }
    }

    void otherLayouts_data()
    {
        QTest::addColumn<Permits>("permits");
        QTest::addColumn<Command>("make");
        QTest::addColumn<QByteArray>("lines");
        const auto row = [](const char *name, Permits permits, const Command &make, const char *lines) {
            QTest::newRow(name) << permits << make << QByteArray(lines);
        };
        row("Symfony, a writer", Permits::Symfony, {"ZADD", "k", kScore, "m", kScore, "__write__"},
            "m/k held m until=1795000000000 write");
        row("Symfony, readers", Permits::Symfony, {"ZADD", "k", kScore, "m", "1795000000001", "n"},
            "m/k held m until=1795000000000 read, n/k held n until=1795000000001 read");
        row("Symfony before 5.2", Permits::Symfony, {"SET", "k", "m"}, "/k free  flaw=wrong_type");
        row("Sidekiq", Permits::Sidekiq, {"HSET", "k", "job", "1795000000.5", "other", "1795000001.25"},
            "job/k held job never, other/k held other never");
        row("Sidekiq, a value of 70 KiB", Permits::Sidekiq, {"HSET", "k", "job", QByteArray(70'000, 'v')},
            "job/k free  flaw=truncated never");
        row("Sidekiq, 2 MiB", Permits::Sidekiq, {"HSET", "k", "job", QByteArray(2 << 20, 'v')},
            "/k free  flaw=truncated");
        row("huey", Permits::Huey, {"HSET", "k", "app.lock.nightly", "1", "result-1", "data", ".lock.", "1"},
            "app.lock.nightly/k held  never");
        row("a set", Permits::Huey, {"ZADD", "k", "1", "m"}, "/k free  flaw=wrong_type");
    }
    /** By scan and by look. */
    void otherLayouts()
    {
        QFETCH(Permits, permits);
        QFETCH(Command, make);
        QFETCH(QByteArray, lines);
        QVERIFY(!m_server.command(make).isError());
        SourceSpec spec = specFor(false);
        spec.locks.first().keys.permits = permits;
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const QList<Observation> found = all(harness);
        QByteArrayList texts;
        const auto text = [](const Observation &permit) {
            return lineOf(permit) + (permit.expiry == domain::ExpiryKind::None ? " never" : "") +
                   (permit.mode.isEmpty() ? "" : ' ' + permit.mode);
        };
        for (const Observation &permit : found) {
            texts.append(text(permit));
            if (permit.flaw == Flaw::None)
                QCOMPARE(text(harness.readPoints({{0, permit.name}}).value(0)), texts.constLast());
        }
        QCOMPARE(texts.join(", "), lines);
        QVERIFY(!harness.readPoints({{0, "none/k"}}).value(0).present);
    }

    /** A job that acquires its lock again has another acquisition; huey's constant never shows that. */
    void whatNamesAField()
    {
        SourceSpec spec = specFor(false);
        spec.locks.first().keys.permits = Permits::Sidekiq;
        const QByteArray job("5b1f8e0b2a7d4c3e9f60a1b2");
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        m_server.command({"HSET", "k", job, "1795000000.5"});
        const Observation first = harness.readPoints({{0, job + "/k"}}).value(0);
        m_server.command({"HSET", "k", job, "1795000001.5"});
        const Observation second = harness.readPoints({{0, job + "/k"}}).value(0);
        QVERIFY(first.dated && !first.identity.isEmpty() && first.identity != second.identity);
        m_server.command({"HSET", "k", job, "locked"});
        QVERIFY(!harness.readPoints({{0, job + "/k"}}).value(0).dated);
        spec.locks.first().keys.permits = Permits::Huey;
        StoreHarness huey(std::move(*redis::makeStore(spec)));
        QVERIFY(huey.open());
        m_server.command({"HSET", "k", "app.lock." + job, "1795000001.5"});
        QVERIFY(!huey.readPoints({{0, "app.lock." + job + "/k"}}).value(0).dated);
    }

    void aSetShowsItsLease_data()
    {
        QTest::addColumn<QList<int>>("ages");
        QTest::addColumn<int>("leftMs");
        QTest::addColumn<int>("leaseMs");
        const auto row = [](const char *name, const QList<int> &ages, int leftMs, int leaseMs) {
            QTest::newRow(name) << ages << leftMs << leaseMs;
        };
        row("it never ends", {20'000}, 0, 60'000);
        row("as configured", {20'000}, 40'000, 60'000);
        row("the clocks differ a little", {20'000}, 41'500, 60'000);
        row("shorter", {5'000}, 5'000, 60'000);
        row("longer", {20'000}, 100'000, 120'000);
        row("longer, long since", {70'000}, 50'000, 120'000);
        row("the newest counts", {100'000, 20'000, 40'000}, 100'000, 120'000);
        row("no round figure", {20'000}, 57'500, 78'000);
        row("a clock that is ahead", {-5'000}, 120'000, 120'000);
    }
    /** The set's own lease counts if it is longer than the configured lease, by scan and by look. */
    void aSetShowsItsLease()
    {
        QFETCH(QList<int>, ages);
        QFETCH(int, leftMs);
        QFETCH(int, leaseMs);
        const qint64 nowMs = m_server.command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000;
        for (const int age : ages)
            m_server.command({"ZADD", "k", QByteArray::number(nowMs - age), QByteArray::number(age)});
        if (leftMs > 0)
            m_server.command({"PEXPIREAT", "k", QByteArray::number(nowMs + leftMs)});
        for (const bool byScan : {true, false}) {
            StoreHarness harness(storeFor(false)); // remembers nothing of the one before
            QVERIFY(harness.open());
            if (byScan)
                QVERIFY(harness.scan());
            QCOMPARE(all(harness).size(), byScan ? ages.size() : 0);
            for (const int age : ages) {
                const QByteArray name = encodedName(age);
                const auto permits = byScan ? all(harness) : harness.readPoints({{0, name}});
                const auto it = std::find_if(permits.begin(), permits.end(),
                                             [&](const Observation &any) { return any.name == name; });
                QVERIFY(it != permits.end());
                QCOMPARE(it->expiresUs / 1'000 - it->freshness.toLongLong(), leaseMs);
            }
        }
    }

    void aRightIsMissing_data()
    {
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<int>("leaseMs");
        QTest::addColumn<int>("refusal");
        QTest::newRow("to ask at all") << QByteArray() << 60'000 << int(base::ErrorCode::PermissionDenied);
        QTest::newRow("to ask exactly")
            << QByteArray("+pttl") << 120'000 << int(base::ErrorCode::Unsupported);
    }
    /** Without the right to read keys' deadlines, the configured lease must suffice. The store reports that,
     * and breaks nothing as expired. */
    void aRightIsMissing()
    {
        QFETCH(QByteArray, right);
        QFETCH(int, leaseMs);
        QFETCH(int, refusal);
        if (m_server.command({"PEXPIRETIME", "k"}).isError())
            QSKIP("PEXPIRETIME is there from Redis 7 on");
        const qint64 thenMs = m_server.command({"TIME"}).list.value(0).bytes.toLongLong() * 1'000 - 70'000;
        m_server.command({"ZADD", "k", QByteArray::number(thenMs), "m"});
        m_server.command({"PEXPIREAT", "k", QByteArray::number(thenMs + 120'000)});
        Command grant{"ACL",   "SETUSER", "old",    "reset",    "on",           ">pw",   "~k",
                      "-@all", "+scan",   "+zcard", "+zrange",  "+zscore",      "+time", "+info",
                      "+type", "+zrem",   "+eval",  "+evalsha", "+memory|usage"};
        if (!right.isEmpty())
            grant += right;
        QVERIFY(!m_server.command(grant).isError());
        SourceSpec spec = specFor(false, QStringLiteral("old"));
        spec.password = "pw";
        StoreHarness harness(std::move(*redis::makeStore(spec)));
        QVERIFY(harness.open());
        const auto denied = std::find_if(harness.m_info.access.cbegin(), harness.m_info.access.cend(),
                                         [](const domain::Access &a) { return a.need == "pexpiretime"; });
        QVERIFY(denied != harness.m_info.access.cend() && !denied->granted && !denied->forBreaking);
        QVERIFY2(denied->remedy.contains(QLatin1String("+pexpiretime")), qPrintable(denied->remedy));
        QVERIFY(harness.scan());
        QCOMPARE(all(harness).size(), 1);
        QCOMPARE(all(harness).constFirst().expiresUs, (thenMs + leaseMs) * 1'000);
        const auto inspection = harness.inspect("m/k");
        QCOMPARE(inspection.lock.expiresUs, (thenMs + leaseMs) * 1'000);
        ReleaseOrder order = orderFor(inspection, true);
        order.mustBeExpired = true;
        const auto report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(int(report.error.code), refusal);
        QCOMPARE(m_server.command({"ZCARD", "k"}).integer, 1);
    }

    /** A set that is too large isn't read, and its members aren't reported as gone. */
    void moreThanIsRead()
    {
        Command command{"ZADD", "k"};
        for (int i = 0; i < 4'096; ++i)
            command += {kScore, "m" + QByteArray::number(i)};
        m_server.command(command);
        StoreHarness harness(storeFor(false));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        QCOMPARE(all(harness).size(), 4'096);
        if (const auto &covers = harness.m_ends.constLast().covers) // without it the scan covers everything
            QVERIFY(covers({0, "m7/k"}));
        m_server.command({"ZADD", "k", kScore, "one more"});
        QVERIFY(harness.scan());
        QCOMPARE(all(harness).size(), 1);
        QCOMPARE(lineOf(all(harness).constFirst()), QByteArray("/k free  flaw=truncated"));
        QVERIFY(harness.m_ends.constLast().covers);
        QVERIFY(!harness.m_ends.constLast().covers({0, "m7/k"}));
        QVERIFY(harness.m_ends.constLast().covers({0, "m7/other"}));
        QCOMPARE(lineOf(harness.readPoints({{0, "m7/k"}}).value(0)),
                 QByteArray("m7/k held m7 until=1795000060000"));
    }

    void whatIsGoneIsAbsent()
    {
        m_server.command({"ZADD", "k", kScore, "m"});
        StoreHarness harness(storeFor(false));
        QVERIFY(harness.open());
        QVERIFY(!harness.readPoints({{0, "n/k"}}).value(0).present);
        QVERIFY(!harness.readPoints({{0, "m/none"}}).value(0).present);
        QVERIFY(!harness.readPoints({{0, "/k"}}).value(0).present); // it can be read
        m_server.command({"DEL", "k"});
        m_server.command({"SET", "k", "text"});
        QVERIFY(!harness.readPoints({{0, "m/k"}}).value(0).present);
    }

private:
    static QList<Observation> all(const StoreHarness &harness)
    {
        QList<Observation> permits;
        for (const Page &page : harness.m_pages)
            permits += page.locks;
        std::sort(permits.begin(), permits.end(),
                  [](const Observation &a, const Observation &b) { return a.name < b.name; });
        return permits;
    }

    static QByteArray encodedName(int age) { return QByteArray::number(age) + "/k"; }

    std::unique_ptr<Store> storeFor(bool deadlines) const
    {
        return std::move(*redis::makeStore(specFor(deadlines)));
    }

    SourceSpec specFor(bool deadlines, const QString &user = {}) const
    {
        SourceSpec spec = redisSpec(m_server.url(0, user), deadlines ? "{*}:timeout" : "k");
        spec.locks.first().scheme = "redis.semaphore";
        spec.locks.first().keys.leaseUs = kLeaseMs * 1'000;
        spec.locks.first().keys.permits = deadlines ? Permits::Redisson : Permits::RedisSemaphore;
        return spec;
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisSemaphore)

} // namespace tst_redis_semaphore

#include "tst_redis_semaphore.moc"
