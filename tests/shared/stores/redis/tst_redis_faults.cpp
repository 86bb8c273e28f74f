// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/acl_rules.h"
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

namespace tst_redis_faults {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;

namespace {

std::unique_ptr<Store> storeFor(const SourceSpec &spec)
{
    return std::move(*redis::makeStore(spec));
}

const domain::Access *accessTo(const ServerInfo &info, QByteArrayView need)
{
    for (const domain::Access &access : info.access) {
        if (access.need == need)
            return &access;
    }
    return nullptr;
}

} // namespace

/** Servers that are away, slow, locked or of the wrong role: an error with its cause, never an empty table.
 */
class TestRedisFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start({}, true)); }
    void init()
    {
        m_server.command({"FLUSHALL"});
        m_server.command({"ACL", "DELUSER", "lk"});
    }

    void nobodyThere_data()
    {
        QTest::addColumn<QUrl>("url");
        QTest::newRow("no socket") << QUrl(QStringLiteral("redis+unix:///nonexistent/redis.sock"));
        QTest::newRow("refused") << QUrl(QStringLiteral("redis://127.0.0.1:1/0"));
        QTest::newRow("no such host") << QUrl(QStringLiteral("redis://no-such-host.invalid/0"));
    }
    void nobodyThere()
    {
        QFETCH(QUrl, url);
        StoreHarness harness(storeFor(redisSpec(url)));
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.size(), 1);
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Unreachable);
        QVERIFY(!harness.m_failures.first().cause.isEmpty());
        QVERIFY(!harness.scan());
        QCOMPARE(harness.m_ends.first().error.code, ErrorCode::Unreachable);
        QVERIFY(harness.inspect("k").error.has_value());
        QCOMPARE(harness.release({}).outcome, Outcome::Unreachable);
        QCOMPARE(harness.m_failures.size(), 1);
    }

    void wrongPassword()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_server.command({"ACL", "SETUSER", "lk", "on", ">right", "allkeys", "+@all"});
        StoreHarness wrong(storeFor(redisSpec(m_server.url(0, QStringLiteral("lk")), "*", "wrong-secret")));
        QVERIFY(!wrong.open());
        QCOMPARE(wrong.m_failures.size(), 1);
        QCOMPARE(wrong.m_failures.first().code, ErrorCode::Authentication);
        QVERIFY(!base::isTransient(wrong.m_failures.first().code));
        QVERIFY(!wrong.m_failures.first().line().contains(QLatin1String("wrong-secret")));
        StoreHarness right(storeFor(redisSpec(m_server.url(0, QStringLiteral("lk")), "*", "right")));
        QVERIFY(right.open());
        // The user without its password isn't mistaken for the default user, who may do everything here.
        StoreHarness none(storeFor(redisSpec(m_server.url(0, QStringLiteral("lk")), "*")));
        QVERIFY(!none.open());
        QCOMPARE(none.m_failures.first().code, ErrorCode::Authentication);
        m_server.command({"ACL", "SETUSER", "lk", "nopass", "-@all", "+ping"});
        StoreHarness nopass(storeFor(redisSpec(m_server.url(0, QStringLiteral("lk")), "*")));
        QVERIFY(nopass.open());
        QVERIFY(std::none_of(nopass.m_info.access.cbegin(), nopass.m_info.access.cend(),
                             [](const domain::Access &access) { return access.granted; }));
    }

    void noPasswordWhereOneIsNeeded()
    {
        RedisServer closed;
        QVERIFY(closed.start({QStringLiteral("--requirepass"), QStringLiteral("pw")}));
        StoreHarness none(storeFor(redisSpec(closed.url())));
        QVERIFY(!none.open());
        QCOMPARE(none.m_failures.first().code, ErrorCode::Authentication);
        StoreHarness right(storeFor(redisSpec(closed.url(), "*", "pw")));
        QVERIFY(right.open());
    }

    void theDocumentedRulesSuffice()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        m_server.command({"SET", "lock:a", "token", "PX", "100000"});
        grant(QByteArray("on >pw resetkeys %R~lock:* -@all ") + redis::kObserveRules);
        StoreHarness observer(storeFor(spec()));
        QVERIFY(observer.open());
        for (const domain::Access &access : std::as_const(observer.m_info.access))
            QCOMPARE(access.granted, !access.forBreaking);
        QVERIFY(observer.scan());
        QVERIFY(observer.find("lock:a") != nullptr);
        const auto refused = observer.release(orderFor(observer.inspect("lock:a")));
        QCOMPARE(refused.outcome, Outcome::Refused);
        QCOMPARE(refused.error.code, ErrorCode::PermissionDenied);
        QVERIFY(m_server.command({"EXISTS", "lock:a"}).integer == 1);

        grant(QByteArray("~lock:* ") + redis::kBreakRules);
        StoreHarness breaker(storeFor(spec()));
        QVERIFY(breaker.open());
        for (const domain::Access &access : std::as_const(breaker.m_info.access))
            QVERIFY2(access.granted, access.need.constData());
        QCOMPARE(breaker.release(orderFor(breaker.inspect("lock:a"), true)).outcome, Outcome::Released);
        m_server.command({"SET", "lock:b", "token"}); // stuck: that it has no deadline is compared too
        const auto stuck = breaker.release(orderFor(breaker.inspect("lock:b"), true));
        QVERIFY2(stuck.outcome == Outcome::Released, qPrintable(stuck.error.line()));
    }

    /** Each right that is missing is named, and the statement that the remedy gives, run as it is, brings it.
     */
    void aMissingRightIsNamedAndItsRemedyWorks_data()
    {
        QTest::addColumn<QByteArray>("missing");
        QTest::addColumn<QByteArray>("need");
        QTest::addColumn<bool>("scanFails");
        const auto row = [](const char *missing, const char *need, bool scanFails) {
            QTest::newRow(missing) << QByteArray(missing) << QByteArray(need) << scanFails;
        };
        row("-scan", "scan", true);
        row("-getrange", "getrange", true);
        row("-strlen", "strlen", false);
        row("-pexpiretime", "pexpiretime", true);
        row("-time", "time", true);
        row("-info", "info", false);
        row("-type", "type", false);
        row("-eval", "release", false);
        row("-evalsha", "release", false);
        row("-del", "release", false);
        row("resetkeys %R~lock:*", "release", false);
        row("resetkeys", "getrange", false); // SCAN shows the names: unknown locks
    }
    void aMissingRightIsNamedAndItsRemedyWorks()
    {
        QFETCH(QByteArray, missing);
        QFETCH(QByteArray, need);
        QFETCH(bool, scanFails);
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        if (RedisServer::version() < 700 &&
            (missing.contains("%R") || missing.contains("pexpiretime") || missing == "-del"))
            QSKIP("the rule is one of Redis 7, or can't be asked about before");
        m_server.command({"SET", "lock:a", "token"});
        grant(QByteArray("on >pw resetkeys ~lock:* -@all ") + redis::kObserveRules + ' ' +
              redis::kBreakRules);
        grant(missing);
        StoreHarness harness(storeFor(spec()));
        QVERIFY(harness.open());
        const domain::Access *access = accessTo(harness.m_info, need);
        QVERIFY(access != nullptr);
        QVERIFY(!access->granted);
        QVERIFY2(access->remedy.startsWith(QLatin1String("ACL SETUSER lk ")), qPrintable(access->remedy));
        QCOMPARE(harness.scan(), !scanFails);
        if (scanFails) {
            QCOMPARE(harness.m_ends.first().error.code, ErrorCode::PermissionDenied);
            QVERIFY(!harness.m_ends.first().error.remedy.isEmpty());
        }
        QCOMPARE(m_server.command(access->remedy.toLatin1().split(' ')).bytes, QByteArray("OK"));
        QVERIFY(harness.open());
        QVERIFY(accessTo(harness.m_info, need)->granted);
        QVERIFY(harness.scan());
    }

    void withoutPexpiretimeDeadlinesAreBracketed()
    {
        if (RedisServer::version() < 600)
            QSKIP("there are users from Redis 6 on");
        grant(QByteArray("on >pw resetkeys ~lock:* -@all ") + redis::kObserveRules + ' ' +
              redis::kBreakRules + " -pexpiretime +pttl");
        const qint64 at = 4'000'000'000'123;
        m_server.command({"SET", "lock:a", "token"});
        m_server.command({"PEXPIREAT", "lock:a", QByteArray::number(at)});
        m_server.command({"SET", "lock:b", "token"});
        StoreHarness harness(storeFor(spec()));
        QVERIFY(harness.open());
        if (RedisServer::version() >= 700) {
            QCOMPARE(harness.m_info.warning.code, ErrorCode::PermissionDenied);
            QCOMPARE(harness.m_info.warning.remedy, QStringLiteral("ACL SETUSER lk +pexpiretime"));
        }
        QVERIFY(harness.scan());
        const Observation *lock = harness.find("lock:a");
        QVERIFY(lock->expirySlackUs > 0 && lock->expirySlackUs < 1'000'000);
        QVERIFY(lock->expiresUs <= at * 1000 && at * 1000 <= lock->expiresUs + lock->expirySlackUs);
        const auto stale = harness.inspect("lock:a");
        m_server.command({"PEXPIREAT", "lock:a", QByteArray::number(at + 5'000)});
        QCOMPARE(harness.release(orderFor(stale, true)).outcome, Outcome::HolderChanged);
        QCOMPARE(harness.release(orderFor(harness.inspect("lock:a"), true)).outcome, Outcome::Released);
        const auto eternal = harness.inspect("lock:b");
        QCOMPARE(eternal.lock.freshness, QByteArray("-1"));
    }

    void commandsThatAreGone_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("need"); ///< that it is missing for
        QTest::newRow("EVAL") << QByteArray("EVAL") << QByteArray("release");
        QTest::newRow("EVALSHA") << QByteArray("EVALSHA") << QByteArray("release");
        QTest::newRow("DEL") << QByteArray("DEL") << QByteArray("release");
        QTest::newRow("TYPE") << QByteArray("TYPE") << QByteArray("type");
        QTest::newRow("HGETALL") << QByteArray("HGETALL") << QByteArray("hgetall");
        QTest::newRow("MEMORY") << QByteArray("MEMORY") << QByteArray("memory|usage");
        QTest::newRow("INFO") << QByteArray("INFO") << QByteArray("info");
    }
    /** A missing command counts as a missing right, and hides no more than a forbidden command. */
    void commandsThatAreGone()
    {
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, need);
        RedisServer server;
        QVERIFY(server.start({QStringLiteral("--rename-command"), QString::fromLatin1(command), QString()}));
        SourceSpec spec = redisSpec(server.url());
        LockSet tokens = spec.locks.first();
        tokens.match = "lock:*";
        LockSet hashes = tokens;
        hashes.scheme = "redis.redisson";
        hashes.match = "job:*";
        spec.locks = {tokens, hashes};
        server.command({"SET", "lock:a", "3b5f0c1de9f84c2c9d1e5b7a6c4d3e2f", "PX", "600000"});
        server.command({"HSET", "job:x", "6c84fb90-12c4-11e1-840d-7b25c5ee775a:31", "1"});
        server.command({"PEXPIRE", "job:x", "600000"});
        StoreHarness harness(storeFor(spec));
        QVERIFY2(harness.open(),
                 harness.m_failures.isEmpty() ? "" : qPrintable(harness.m_failures.first().line()));
        const domain::Access *access = accessTo(harness.m_info, need);
        QVERIFY(access && !access->granted);
        QVERIFY2(access->remedy.contains(QLatin1String("no such command")), qPrintable(access->remedy));
        QVERIFY(harness.scan());
        QVERIFY(harness.find("lock:a") && harness.find("lock:a")->held);
        const Observation *hash = harness.find("job:x");
        QVERIFY(hash != nullptr);
        const bool unread = need == "memory|usage" || need == "hgetall";
        QCOMPARE(hash->held, !unread);
        QCOMPARE(hash->off == domain::ReleaseOff::NotPermitted, unread);
    }

    void aReplicaIsReadOnly()
    {
        RedisServer replica;
        QVERIFY(replica.start(
            {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(m_server.port())}));
        m_server.command({"SET", "lock:a", "token"});
        QTRY_VERIFY_WITH_TIMEOUT(replica.command({"EXISTS", "lock:a"}).integer == 1, 15'000);
        StoreHarness harness(storeFor(redisSpec(replica.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.m_info.readOnly);
        QVERIFY(harness.scan());
        QVERIFY(harness.find("lock:a") != nullptr);
        const auto report = harness.release(orderFor(harness.inspect("lock:a")));
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, ErrorCode::ReadOnly);

        StoreHarness primary(storeFor(redisSpec(m_server.url())));
        QVERIFY(primary.open());
        QVERIFY(m_server.waitForReplica());
        const auto confirmed = primary.release(orderFor(primary.inspect("lock:a")));
        QCOMPARE(confirmed.outcome, Outcome::Released);
        QVERIFY(confirmed.replicated);
        m_server.command({"SET", "lock:a", "token"});
        replica.pause();
        const auto lonely = primary.release(orderFor(primary.inspect("lock:a")));
        replica.resume();
        QCOMPARE(lonely.outcome, Outcome::Released);
        QVERIFY(!lonely.replicated);
        QCOMPARE(lonely.error.cause, QStringLiteral("not replicated"));
        // The role changes under an open connection: the server's own word counts.
        StoreHarness turned(storeFor(redisSpec(m_server.url())));
        QVERIFY(turned.open());
        m_server.command({"SET", "lock:a", "token"});
        const auto seen = turned.inspect("lock:a");
        m_server.command({"REPLICAOF", "127.0.0.1", "1"});
        const auto late = turned.release(orderFor(seen));
        m_server.command({"REPLICAOF", "NO", "ONE"});
        QCOMPARE(late.outcome, Outcome::Refused);
        QCOMPARE(late.error.code, ErrorCode::ReadOnly);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 1);
    }

    void aLoadingServerIsWaitedFor()
    {
        if (RedisServer::slowLoading().isEmpty())
            QSKIP("a server can be made to load slowly from Redis 7 on");
        RedisServer slow;
        QVERIFY(slow.start(RedisServer::slowLoading()));
        RedisPlain plain(slow.socketPath());
        for (int i = 0; i < 10'000; ++i)
            plain.append({"SET", QByteArray::number(i), "v"});
        for (int i = 0; i < 10'000; ++i)
            plain.next();
        QCOMPARE(slow.command({"SAVE"}).bytes, QByteArray("OK"));
        QVERIFY(slow.restart());
        StoreHarness harness(storeFor(redisSpec(slow.url())));
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Loading);
        QVERIFY(base::isTransient(ErrorCode::Loading));
        QVERIFY(QTest::qWaitFor([&] { return harness.open(); }, 30'000));
        QVERIFY(harness.scan());
    }

    void aServerThatStopsAnsweringTimesOut()
    {
        SourceSpec impatient = redisSpec(m_server.url());
        impatient.statementTimeoutMs = 300;
        StoreHarness harness(storeFor(impatient));
        QVERIFY(harness.open());
        m_server.pause();
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!harness.scan());
        QVERIFY(harness.waitForFailure());
        m_server.resume();
        QVERIFY(timer.elapsed() >= 250 && timer.elapsed() < 20'000);
        QCOMPARE(harness.m_ends.first().error.code, ErrorCode::Timeout);
        QCOMPARE(harness.m_failures.size(), 1);
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Timeout);
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
    }

    void aServerThatNeverAnswersTimesOutWhileOpening()
    {
        SourceSpec impatient = redisSpec(m_server.url());
        impatient.connectTimeoutMs = 300;
        impatient.statementTimeoutMs = 300;
        StoreHarness harness(storeFor(impatient));
        m_server.pause();
        QVERIFY(!harness.open());
        m_server.resume();
        QCOMPARE(harness.m_failures.size(), 1);
        QVERIFY(base::isTransient(harness.m_failures.first().code));
    }

    void aSlowLinkIsNotADeadOne()
    {
        m_server.command({"SET", "k", "t"});
        Proxy proxy(m_server.socketPath());
        QVERIFY(proxy.listen());
        proxy.setDelayMs(100);
        SourceSpec slow = redisSpec(m_server.url());
        slow.url.setPath(proxy.path());
        StoreHarness harness(storeFor(slow));
        QVERIFY(harness.open());
        const auto takesOneRoundTrip = [&harness] {
            QElapsedTimer timer;
            timer.start();
            return harness.inspect("k").lock.held && timer.elapsed() < 190;
        };
        QTRY_VERIFY_WITH_TIMEOUT(takesOneRoundTrip(), 20'000); // where two take 200 ms at least
        QVERIFY(harness.scan());
        QCOMPARE(harness.m_failures.size(), 0);
    }

    void restartUnderLoad()
    {
        RedisServer server;
        QVERIFY(server.start());
        StoreHarness harness(storeFor(redisSpec(server.url())));
        QByteArray instance;
        for (int round = 0; round < 5; ++round) {
            QVERIFY(harness.open());
            QVERIFY(harness.m_info.instance != instance);
            instance = harness.m_info.instance;
            server.command({"SET", "lock:a", "token"});
            const auto before = harness.inspect("lock:a");
            QCOMPARE(before.guard.instance, instance);
            harness.beginScan();
            server.kill();
            int looked = 0;
            harness.store().readPoints(
                {{0, "lock:a"}}, [](const Page &) {}, [&looked] { ++looked; });
            QVERIFY(harness.waitForFailure());
            QCOMPARE(harness.m_failures.size(), 1);
            QVERIFY(harness.waitFor([&] { return looked == 1; }));
            QCOMPARE(harness.m_failures.first().code, ErrorCode::ConnectionLost);
            QVERIFY(server.restart());
            server.command({"SET", "lock:a", "token"}); // the same token, in another run of the server
            QVERIFY(harness.open());
            const auto report = harness.release(orderFor(before));
            QCOMPARE(report.outcome, Outcome::Refused);
            QVERIFY(report.error.cause.contains(QLatin1String("restarted")));
            QCOMPARE(server.command({"EXISTS", "lock:a"}).integer, 1);
            instance = harness.m_info.instance;
            QVERIFY(server.restart());
            QVERIFY(harness.waitForFailure());
        }
    }

    void closingAnswersWhatIsOwedAndIsSilent()
    {
        m_server.command({"SET", "k", "t"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        const auto seen = harness.inspect("k");
        harness.sendRelease(orderFor(seen));
        harness.store().close();
        QVERIFY(harness.waitFor([&] { return !harness.m_reports.isEmpty(); }));
        QCOMPARE(harness.m_reports.first().outcome, Outcome::Unknown);
        QVERIFY(harness.inspect("k").error.has_value()); // a turn of the event loop later
        QVERIFY(harness.m_failures.isEmpty());
        QVERIFY(harness.open());
        QVERIFY(harness.m_failures.isEmpty());
        QVERIFY(harness.scan());
    }

    void closingAndDeletingInsideAnAnswer()
    {
        m_server.command({"SET", "k", "t"});
        auto store = storeFor(redisSpec(m_server.url()));
        int openings = 0;
        int ends = 0;
        connect(store.get(), &Store::opened, this, [&] {
            ++openings;
            store->scan(
                [&](const Page &) {
                    store->close();
                    if (openings < 3)
                        store->open();
                    else
                        store.release()->deleteLater();
                },
                [&](const ScanEnd &end) { ends += end.complete ? 100 : 1; });
        });
        store->open();
        QTRY_VERIFY(store == nullptr);
        QCOMPARE(openings, 3);
        QCOMPARE(ends, 3); // each scan, broken off
        // At once, without waiting for the event loop.
        auto other = storeFor(redisSpec(m_server.url()));
        connect(other.get(), &Store::opened, this, [&] {
            other->readPoints(
                {{0, "k"}}, [&](const Page &) { other.reset(); }, [] {});
        });
        other->open();
        QTRY_VERIFY(other == nullptr);
    }

private:
    SourceSpec spec() const { return redisSpec(m_server.url(0, QStringLiteral("lk")), "lock:*", "pw"); }

    void grant(const QByteArray &rules)
    {
        QList<QByteArray> command{"ACL", "SETUSER", "lk"};
        command += RedisServer::rules(rules);
        QCOMPARE(m_server.command(command).bytes, QByteArray("OK"));
    }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisFaults)

} // namespace tst_redis_faults

#include "tst_redis_faults.moc"
