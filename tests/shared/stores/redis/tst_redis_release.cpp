// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/acl_rules.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/redis/store/redis_store.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_redis_release {

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

/** The release script as it is, without the line that checks `term`. */
QByteArray scriptWithout(const QByteArray &term)
{
    QList<QByteArray> lines = redis::guardedScript("token_release").text.split('\n');
    const QByteArray mark = "-- guard: " + term;
    const qsizetype before = lines.size();
    lines.removeIf([&mark](const QByteArray &line) { return line.endsWith(mark); });
    return lines.size() == before - 1 ? lines.join('\n') : QByteArray();
}

} // namespace

/** The guarded force-release: which holders it may remove, and its report of a lost answer. */
class TestRedisRelease : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() { m_server.command({"FLUSHALL"}); }

    /** `meanwhile` happens between the read of the guard and the release. */
    void guardMatrix_data()
    {
        QTest::addColumn<QList<QByteArray>>("meanwhile");
        QTest::addColumn<bool>("checkFreshness");
        QTest::addColumn<int>("outcome");
        const auto row = [](const char *name, const QList<QByteArray> &meanwhile, bool fresh,
                            Outcome outcome) { QTest::newRow(name) << meanwhile << fresh << int(outcome); };
        row("nothing", {"PING"}, false, Outcome::Released);
        row("nothing, fresh", {"PING"}, true, Outcome::Released);
        row("released", {"DEL", "k"}, false, Outcome::AlreadyFree);
        row("renewed", {"PEXPIRE", "k", "90000"}, false, Outcome::Released);
        row("renewed, fresh", {"PEXPIRE", "k", "90000"}, true, Outcome::HolderChanged);
        row("renewed by a millisecond", {"PEXPIREAT", "k", "4000000000001"}, true, Outcome::HolderChanged);
        row("deadline removed", {"PERSIST", "k"}, true, Outcome::HolderChanged);
        row("taken over", {"SET", "k", "token-b", "PX", "100000"}, false, Outcome::HolderChanged);
        row("taken over, fresh", {"SET", "k", "token-b", "PX", "100000"}, true, Outcome::HolderChanged);
        row("longer value", {"APPEND", "k", "x"}, false, Outcome::HolderChanged);
        row("shorter value", {"SET", "k", "token-"}, false, Outcome::HolderChanged);
        row("case", {"SET", "k", "TOKEN-A"}, false, Outcome::HolderChanged);
        row("rewritten", {"SET", "k", "token-a"}, false, Outcome::Released);
        row("rewritten, fresh", {"SET", "k", "token-a"}, true, Outcome::HolderChanged);
        row("now empty", {"SET", "k", ""}, false, Outcome::HolderChanged);
    }
    void guardMatrix()
    {
        QFETCH(QList<QByteArray>, meanwhile);
        QFETCH(bool, checkFreshness);
        QFETCH(int, outcome);
        if (meanwhile.constLast() == "4000000000001" && m_server.command({"PEXPIRETIME", "k"}).isError())
            QSKIP("deadlines are exact from Redis 7 on");
        m_server.command({"SET", "k", "token-a"});
        m_server.command({"PEXPIREAT", "k", "4000000000000"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        ReleaseOrder order = orderFor(harness.inspect("k"), checkFreshness);
        QVERIFY(!m_server.command(meanwhile).isError());
        const RedisReply before = m_server.command({"EXISTS", "k"});
        order.dryRun = true;
        QCOMPARE(int(harness.release(order).outcome), outcome);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, before.integer);
        order.dryRun = false;
        const auto report = harness.release(order);
        QCOMPARE(int(report.outcome), outcome);
        QCOMPARE(harness.m_reports.size(), 1);
        QVERIFY(report.storeUs.value_or(0) > 1'700'000'000'000'000);
        QVERIFY(report.replicated);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer,
                 Outcome(outcome) == Outcome::Released ? 0 : before.integer);
        if (Outcome(outcome) == Outcome::Released)
            QCOMPARE(harness.release(order).outcome, Outcome::AlreadyFree);
    }

    /** A client that is woken for nothing acquires no lock, but the wake-up was written all the same. */
    void nobodyIsWokenByWhatIsRefused()
    {
        if (RedisServer::version() < 602)
            QSKIP("no such ACL rules before Redis 6.2");
        QList<QByteArray> user{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock*", "-@all"};
        user += QByteArray("+scan +getrange +strlen +pexpiretime +pttl +time +info +type +eval +evalsha "
                           "+wait +ping +client +select +lpush +pexpire")
                    .split(' ');
        QVERIFY(!m_server.command(user).isError());
        SourceSpec spec = redisSpec(m_server.url(0, QStringLiteral("lk")), "lock:*", "pw");
        spec.locks[0].preset = QStringLiteral("python-redis-lock");
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        m_server.command({"SET", "lock:job", "id"});
        QCOMPARE(harness.release(orderFor(harness.inspect("lock:job"))).outcome, Outcome::Refused);
        QCOMPARE(m_server.command({"EXISTS", "lock:job", "lock-signal:job"}).integer, 1);
    }

    void wakesAsTheClientsOwnUnlockDoes_data()
    {
        QTest::addColumn<bool>("permitted");
        QTest::newRow("permitted") << true;
        QTest::newRow("without the right") << false;
    }
    void wakesAsTheClientsOwnUnlockDoes()
    {
        QFETCH(bool, permitted);
        if (m_server.command({"ACL", "WHOAMI"}).isError() || RedisServer::version() < 602)
            QSKIP("no ACL rules for channels before Redis 6.2");
        QList<QByteArray> user{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~a:*", "~lock:*", "-@all"};
        user += QByteArray("+scan +getrange +strlen +pexpiretime +pttl +time +info +type +del +eval +evalsha "
                           "+wait +ping +client +select")
                    .split(' ');
        if (permitted)
            user += QByteArray("&*-channel* +publish ~lock-signal:* +lpush +pexpire").split(' ');
        QVERIFY(!m_server.command(user).isError());
        SourceSpec spec = redisSpec(m_server.url(0, QStringLiteral("lk")), "a:*", "pw");
        spec.locks[0].preset = QStringLiteral("spring-redis");
        spec.locks.append(spec.locks.at(0));
        spec.locks[1].match = "lock:*";
        spec.locks[1].preset = QStringLiteral("python-redis-lock");
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        for (const domain::Access &access : std::as_const(harness.m_info.access)) {
            if (RedisServer::version() >= 700 || access.need != "wake")
                QCOMPARE(access.granted, permitted || access.need != "wake");
        }
        m_server.command({"SET", "a:b:job", "uuid"});
        m_server.command({"SET", "lock:job", "id"});
        RedisPlain waiter(m_server.socketPath());
        waiter.command({"PSUBSCRIBE", "a:b-channel:*"});
        const auto spring = harness.release(orderFor(harness.inspect("a:b:job", 0)));
        const auto python = harness.release(orderFor(harness.inspect("lock:job", 1)));
        for (const ReleaseReport &report : {spring, python}) {
            QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
            QCOMPARE(report.error.cause.isEmpty(), permitted);
            QCOMPARE(report.error.remedy.isEmpty(), permitted);
        }
        QCOMPARE(m_server.command({"EXISTS", "a:b:job", "lock:job"}).integer, 0);
        QCOMPARE(m_server.command({"LLEN", "lock-signal:job"}).integer, permitted ? 1 : 0);
        if (!permitted)
            return;
        QVERIFY(m_server.command({"PTTL", "lock-signal:job"}).integer > 0);
        const RedisReply message = waiter.next();
        QCOMPARE(message.list.value(2).bytes, QByteArray("a:b-channel:a:b:job"));
        QCOMPARE(message.list.value(3).bytes, QByteArray("a:b:job"));
    }

    /** simple-redis-mutex: one channel for all locks, and a message that says which of them is free. */
    void wakesByAMessage()
    {
        const QByteArray lock("@simple-redis-mutex:lock-orders");
        SourceSpec spec = redisSpec(m_server.url(), "@simple-redis-mutex:lock-*");
        spec.locks[0].preset = QStringLiteral("simple-redis-mutex");
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        m_server.command({"SET", lock, "0.48120567123", "PX", "60000"});
        RedisPlain waiter(m_server.socketPath());
        waiter.command({"SUBSCRIBE", "@simple-redis-mutex:locks-releases"});
        const ReleaseReport report = harness.release(orderFor(harness.inspect(lock)));
        QVERIFY2(report.outcome == Outcome::Released, qPrintable(report.error.line()));
        const QJsonObject message = QJsonDocument::fromJson(waiter.next().list.value(2).bytes).object();
        QCOMPARE(message.value(QLatin1String("key")).toString(), QString::fromLatin1(lock));
        QCOMPARE(message.value(QLatin1String("value")).toString(), QStringLiteral("0.48120567123"));
    }

    void anotherTypeIsAChangedHolder()
    {
        for (const QList<QByteArray> &make :
             {QList<QByteArray>{"HSET", "k", "f", "v"}, {"RPUSH", "k", "v"}}) {
            m_server.command({"SET", "k", "token"});
            StoreHarness harness(storeFor(redisSpec(m_server.url())));
            QVERIFY(harness.open());
            const auto seen = harness.inspect("k");
            m_server.command({"DEL", "k"});
            m_server.command(make);
            const auto report = harness.release(orderFor(seen));
            QCOMPARE(report.outcome, Outcome::HolderChanged);
            QCOMPARE(report.error, base::Error{});
            QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
            m_server.command({"DEL", "k"});
        }
    }

    void whatCannotBeGuardedIsNeverSent_data()
    {
        QTest::addColumn<QByteArray>("spoil");
        for (const char *spoil :
             {"identity", "instance", "no instance", "freshness", "scheme", "place", "set", "never"})
            QTest::newRow(spoil) << QByteArray(spoil);
    }
    void whatCannotBeGuardedIsNeverSent()
    {
        QFETCH(QByteArray, spoil);
        m_server.command({"SET", "k", "token"});
        SourceSpec spec = redisSpec(m_server.url());
        if (spoil == "never")
            spec.locks.first().breakMode = BreakMode::Never;
        StoreHarness harness(storeFor(spec));
        QVERIFY(harness.open());
        ReleaseOrder order = orderFor(harness.inspect("k"), true);
        if (spoil == "identity")
            order.guard.identity.clear();
        else if (spoil == "instance")
            order.guard.instance = QByteArray(40, '0');
        else if (spoil == "no instance")
            order.guard.instance.clear();
        else if (spoil == "freshness")
            order.guard.freshness.clear();
        else if (spoil == "scheme")
            order.guard.key.scheme = "redis.json";
        else if (spoil == "place")
            order.guard.key.place = "db7";
        else if (spoil == "set")
            order.set = 3;
        const qint64 before = calls("evalsha") + calls("eval");
        const auto report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY(!report.error.cause.isEmpty());
        QCOMPARE(calls("evalsha") + calls("eval"), before);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
    }

    void aLeaseThatIsThereHasNotExpired()
    {
        m_server.command({"SET", "k", "token", "PX", "60000"});
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        ReleaseOrder order = orderFor(harness.inspect("k"), true);
        order.mustBeExpired = true;
        const auto report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Refused);
        QVERIFY(report.error.cause.contains(QLatin1String("hasn't expired")));
        m_server.command({"PEXPIRE", "k", "1"});
        QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
        QCOMPARE(harness.release(order).outcome, Outcome::AlreadyFree);
    }

    void aFlushedScriptIsSentAgain()
    {
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        for (int round = 0; round < 3; ++round) {
            m_server.command({"SCRIPT", "FLUSH"});
            m_server.command({"SET", "k", "token"});
            QCOMPARE(harness.release(orderFor(harness.inspect("k"))).outcome, Outcome::Released);
        }
    }

    void withoutTheRightNothingWeakerIsTried_data()
    {
        QTest::addColumn<QByteArray>("missing");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("eval") << QByteArray("-eval") << QStringLiteral("ACL SETUSER lk +eval");
        QTest::newRow("evalsha") << QByteArray("-evalsha") << QStringLiteral("ACL SETUSER lk +evalsha");
        // Since Redis 7.2, servers name the command that a script was refused.
        QTest::newRow("del") << QByteArray("-del")
                             << (RedisServer::version() >= 702 ? QStringLiteral("ACL SETUSER lk +del")
                                                               : QStringLiteral("ACL SETUSER lk ~lock:* ") +
                                                                     QLatin1String(redis::kBreakRules));
        QTest::newRow("keys") << QByteArray("resetkeys %R~lock:*")
                              << QStringLiteral("ACL SETUSER lk ~lock:*");
    }
    void withoutTheRightNothingWeakerIsTried()
    {
        QFETCH(QByteArray, missing);
        QFETCH(QString, remedy);
        if (m_server.command({"PEXPIRETIME", "k"}).isError())
            QSKIP("the rules are those of Redis 7");
        m_server.command({"SET", "lock:a", "token"});
        m_server.command({"SCRIPT", "FLUSH"});
        QList<QByteArray> grant{"ACL", "SETUSER", "lk", "reset", "on", ">pw", "~lock:*", "-@all"};
        grant += QByteArray(redis::kObserveRules).split(' ') + QByteArray(redis::kBreakRules).split(' ') +
                 missing.split(' ');
        QCOMPARE(m_server.command(grant).bytes, QByteArray("OK"));
        StoreHarness harness(storeFor(redisSpec(m_server.url(0, QStringLiteral("lk")), "lock:*", "pw")));
        QVERIFY(harness.open());
        ReleaseOrder order = orderFor(harness.inspect("lock:a"));
        const qint64 before = calls("del");
        const auto report = harness.release(order);
        QCOMPARE(report.outcome, Outcome::Refused);
        QCOMPARE(report.error.code, ErrorCode::PermissionDenied);
        QCOMPARE(report.error.remedy, remedy);
        order.dryRun = true;
        QCOMPARE(harness.release(order).outcome, Outcome::Refused);
        QCOMPARE(calls("del"), before);
        QCOMPARE(m_server.command({"EXISTS", "lock:a"}).integer, 1);
    }

    /** The operation was done, but its answer is cut off. */
    void aLostAnswerIsUnknownAndNotRepeated()
    {
        Proxy proxy(m_server.socketPath());
        QVERIFY(proxy.listen());
        SourceSpec spec = redisSpec(m_server.url());
        spec.url.setPath(proxy.path());
        StoreHarness harness(storeFor(spec));
        prime();
        const qint64 before = calls("del");
        constexpr int kRounds = 100;
        for (int round = 0; round < kRounds; ++round) {
            proxy.cutAnswersAfter(-1);
            QVERIFY(harness.open());
            m_server.command({"SET", "k", "token"});
            const ReleaseOrder order = orderFor(harness.inspect("k"));
            proxy.cutAnswersAfter(round % 3 * 5); // no part of the answer, or its beginning
            const auto report = harness.release(order);
            QCOMPARE(report.outcome, Outcome::Unknown);
            QVERIFY(harness.waitForFailure());
            QCOMPARE(harness.m_failures.size(), 1);
            QTRY_COMPARE(m_server.command({"EXISTS", "k"}).integer, 0);
        }
        QCOMPARE(calls("del") - before, kRounds);
        // A dry run has written nothing, whatever its answer was.
        proxy.cutAnswersAfter(-1);
        QVERIFY(harness.open());
        m_server.command({"SET", "k", "token"});
        ReleaseOrder check = orderFor(harness.inspect("k"));
        check.dryRun = true;
        proxy.cutAnswersAfter(0);
        QCOMPARE(harness.release(check).outcome, Outcome::Unreachable);
        QCOMPARE(m_server.command({"EXISTS", "k"}).integer, 1);
    }

    /** Every term of the guard is needed: the script without it allows an event that the whole script
     * refuses. */
    void everyTermOfTheGuardIsNeeded_data()
    {
        QTest::addColumn<QByteArray>("term");
        QTest::addColumn<QList<QByteArray>>("meanwhile");
        QTest::addColumn<bool>("mustBeExpired");
        QTest::addColumn<int>("right");
        QTest::addColumn<int>("mutated");
        QTest::newRow("type") << QByteArray("type")
                              << QList<QByteArray>{"EVAL",
                                                   "redis.call('DEL','k') redis.call('HSET','k','f','v')",
                                                   "0"}
                              << false << int(Outcome::HolderChanged) << int(Outcome::Refused);
        QTest::newRow("length") << QByteArray("length")
                                << QList<QByteArray>{"SET", "k", "token-ab", "KEEPTTL"} << false
                                << int(Outcome::HolderChanged) << int(Outcome::Released);
        QTest::newRow("value") << QByteArray("value") << QList<QByteArray>{"SET", "k", "token-b", "KEEPTTL"}
                               << false << int(Outcome::HolderChanged) << int(Outcome::Released);
        QTest::newRow("freshness") << QByteArray("freshness") << QList<QByteArray>{"PEXPIRE", "k", "99999"}
                                   << false << int(Outcome::HolderChanged) << int(Outcome::Released);
        QTest::newRow("expired") << QByteArray("expired") << QList<QByteArray>{"PING"} << true
                                 << int(Outcome::Refused) << int(Outcome::Released);
    }
    void everyTermOfTheGuardIsNeeded()
    {
        QFETCH(QByteArray, term);
        QFETCH(QList<QByteArray>, meanwhile);
        QFETCH(bool, mustBeExpired);
        QFETCH(int, right);
        QFETCH(int, mutated);
        const QByteArray without = scriptWithout(term);
        QVERIFY(!without.isEmpty());
        for (const auto &[text, expected] :
             {std::pair{redis::guardedScript("token_release").text, right}, std::pair{without, mutated}}) {
            m_server.command({"DEL", "k"});
            m_server.command({"SET", "k", "token-a", "PX", "50000"});
            const SourceSpec spec = redisSpec(m_server.url());
            StoreHarness harness(
                std::make_unique<redis::RedisStore>(spec, *redis::endpointOf(spec.url), redis::Script(text)));
            QVERIFY(harness.open());
            ReleaseOrder order = orderFor(harness.inspect("k"), true);
            order.mustBeExpired = mustBeExpired;
            if (meanwhile.contains("KEEPTTL") && RedisServer::version() < 600)
                QSKIP("SET has KEEPTTL from Redis 6 on");
            QVERIFY(!m_server.command(meanwhile).isError());
            QCOMPARE(int(harness.release(order).outcome), expected);
            QCOMPARE(m_server.command({"EXISTS", "k"}).integer,
                     Outcome(expected) == Outcome::Released ? 0 : 1);
        }
    }

    void locksOfAnotherLibraryAreSeenAndBroken()
    {
        const QString code = QStringLiteral("import sys, redis\n"
                                            "r = redis.Redis(unix_socket_path=sys.argv[1])\n"
                                            "lock = r.lock('report', timeout=60)\n"
                                            "assert lock.acquire(blocking=False)\n"
                                            "print(lock.local.token.decode(), flush=True)\n"
                                            "sys.stdin.readline()\n"
                                            "try:\n"
                                            "    lock.release()\n"
                                            "    print('released')\n"
                                            "except redis.exceptions.LockNotOwnedError:\n"
                                            "    print('lost')\n");
        QProcess python;
        python.start(QStringLiteral("/usr/bin/python3"), {QStringLiteral("-c"), code, m_server.socketPath()});
        if (!python.waitForStarted() || !python.waitForReadyRead(15'000))
            QSKIP(qPrintable(QStringLiteral("needs python3-redis: ") +
                             QString::fromLocal8Bit(python.readAllStandardError())));
        const QByteArray token = python.readLine().trimmed();
        StoreHarness harness(storeFor(redisSpec(m_server.url())));
        QVERIFY(harness.open());
        QVERIFY(harness.scan());
        const Observation *lock = harness.find("report");
        QVERIFY(lock != nullptr && lock->held);
        QCOMPARE(lock->owner, token);
        QCOMPARE(lock->expiry, domain::ExpiryKind::At);
        QCOMPARE(harness.release(orderFor(harness.inspect("report"), true)).outcome, Outcome::Released);
        python.write("\n");
        QVERIFY(python.waitForFinished(15'000));
        QCOMPARE(python.readAllStandardOutput().trimmed(), QByteArray("lost"));
    }

private:
    /** How often the server has run `command`. */
    qint64 calls(const QByteArray &command)
    {
        const QByteArray stats = m_server.command({"INFO", "commandstats"}).bytes;
        const QByteArray head = "cmdstat_" + command + ":calls=";
        const qsizetype at = stats.indexOf(head);
        const qsizetype from = at + head.size();
        return at < 0 ? 0 : stats.mid(from, stats.indexOf(',', from) - from).toLongLong();
    }

    /** So that EVALSHA finds the script and does its work at the first try. */
    void prime() { m_server.command({"SCRIPT", "LOAD", redis::guardedScript("token_release").text}); }

    RedisServer m_server;
};

LOCKKEEPER_TEST(TestRedisRelease)

} // namespace tst_redis_release

#include "tst_redis_release.moc"
