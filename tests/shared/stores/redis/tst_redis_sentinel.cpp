// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/stores/host_list.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"
#include "tests/shared/locks/redis/lock_side.h"
#include "tests/support/lock_answers.h"
#include "tests/support/redis_sentinel.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QDeadlineTimer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_redis_sentinel {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using base::ErrorCode;
using domain::Outcome;
using locks::Attempt;
using locks::LockClient;

namespace {

/** Retries until the source is up, as the agent does. */
bool openInTime(StoreHarness &harness)
{
    return QTest::qWaitFor([&] { return harness.open(); }, 20'000);
}

/** Names a primary on this machine to one client, and another primary after switchTo(). */
class FakeSentinel : public QTcpServer
{
public:
    explicit FakeSentinel(quint16 primary) : m_primary(primary)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this] {
            m_client = nextPendingConnection();
            connect(m_client, &QTcpSocket::readyRead, m_client, [this] { answer(); });
        });
    }

    QUrl url() const { return urlOf(QStringLiteral("redis+sentinel://127.0.0.1:%1/main").arg(serverPort())); }
    int asked() const { return m_asked; }
    void switchTo(quint16 primary)
    {
        const QByteArray words = "main 127.0.0.1 " + QByteArray::number(std::exchange(m_primary, primary)) +
                                 " 127.0.0.1 " + QByteArray::number(primary);
        m_client->write("*3\r\n$7\r\nmessage\r\n$14\r\n+switch-master\r\n$" +
                        QByteArray::number(words.size()) + "\r\n" + words + "\r\n");
    }

private:
    void answer()
    {
        m_request += m_client->readAll();
        if (!m_request.contains("\nSUBSCRIBE"))
            return;
        const QByteArray login = m_request.contains("AUTH") ? "+OK\r\n" : "";
        const QByteArray port = QByteArray::number(m_primary);
        m_request.clear();
        ++m_asked;
        m_client->write(login + "*3\r\n$11\r\nunsubscribe\r\n$14\r\n+switch-master\r\n:0\r\n" +
                        "*2\r\n$9\r\n127.0.0.1\r\n$" + QByteArray::number(port.size()) + "\r\n" + port +
                        "\r\n*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n");
    }

    quint16 m_primary;
    QTcpSocket *m_client = nullptr;
    QByteArray m_request;
    int m_asked = 0;
};

} // namespace

/** redis+sentinel:// with a real sentinel, a primary and a replica. */
class TestRedisSentinel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_trio.start("watch")); }

    void urls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("read"); // empty: refused
        const auto row = [](const char *url, const char *read) {
            QTest::newRow(url) << QString::fromLatin1(url) << QString::fromLatin1(read);
        };
        row("redis+sentinel://a/main", "a:26379 main db0 ");
        row("redis+sentinel://lk@a:1,b:2,[::1]:3/main/4", "a:1 b:2 ::1:3 main db4 lk");
        row("redis+sentinel://a:1,b:2", "");
        row("redis+sentinel://a:1,b:2/", "");
        row("redis+sentinel://a:1/main/x", "");
        row("redis+sentinel://a:1/main/1/2", "");
        row("redis+sentinel://a:1/main?sentinel_password=clear", "");
        row("redis+sentinel://a:1/main?sentinel_user=w", "a:1/w main db0 ");
    }
    void urls()
    {
        QFETCH(QString, url);
        QFETCH(QString, read);
        const auto group = redis::sentinelGroupOf(redisSpec(urlOf(url)));
        QCOMPARE(group.has_value(), !read.isEmpty());
        if (!group)
            return;
        QString text;
        for (const redis::Endpoint &sentinel : group->sentinels)
            text +=
                sentinel.address() +
                (sentinel.user.isEmpty() ? QString() : QLatin1Char('/') + QString::fromUtf8(sentinel.user)) +
                QLatin1Char(' ');
        text += QString::fromUtf8(group->name + ' ' + group->primary.place() + ' ' + group->primary.user);
        QCOMPARE(text, read);
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("query");
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("no password") << QStringLiteral("main") << QString() << ErrorCode::Authentication;
        QTest::newRow("no such name")
            << QStringLiteral("other") << QStringLiteral("?sentinel_password=env:LK_TEST_SENTINEL")
            << ErrorCode::NotFound;
    }
    void whatIsWrongIsSaid()
    {
        QFETCH(QString, name);
        QFETCH(QString, query);
        QFETCH(ErrorCode, code);
        qputenv("LK_TEST_SENTINEL", "watch");
        StoreHarness harness(storeFor(m_trio.url(name, query)));
        QVERIFY(!harness.open());
        QVERIFY2(harness.m_failures.first().code == code, qPrintable(harness.m_failures.first().line()));
    }

    /** The first refusal names every right that the sentinel's user needs, and they suffice. */
    void oneRefusalNamesAllRights()
    {
        qputenv("LK_TEST_SENTINEL", "watch");
        if (m_trio.ask({"ACL", "SETUSER", "lk", "reset", "on", ">watch"}) != "OK")
            QSKIP("this sentinel has no ACL");
        const QUrl url =
            m_trio.url(QStringLiteral("main"),
                       QStringLiteral("?sentinel_user=lk&sentinel_password=env:LK_TEST_SENTINEL"));
        StoreHarness refused(storeFor(url));
        QVERIFY(!refused.open());
        const base::Error error = refused.m_failures.first();
        QCOMPARE(error.code, ErrorCode::PermissionDenied);
        const qsizetype statement = error.remedy.indexOf(QLatin1String("ACL SETUSER lk "));
        QVERIFY2(statement >= 0, qPrintable(error.line()));
        QCOMPARE(m_trio.ask(error.remedy.sliced(statement).toUtf8().split(' ')), QByteArray("OK"));

        auto group = redis::sentinelGroupOf(redisSpec(url));
        QVERIFY(group);
        group->sentinels.removeFirst(); // nobody listens there
        redis::SentinelGuide guide(*group);
        int found = 0;
        QStringList failures;
        connect(&guide, &redis::SentinelGuide::found, this, [&found] { ++found; });
        connect(&guide, &redis::SentinelGuide::notFound, this,
                [&failures](const base::Error &why) { failures.append(why.line()); });
        for (int round = 1; round <= 3; ++round) { // it leaves the channel before it asks again
            guide.find();
            const auto answers = [&] { return found + failures.size(); };
            QTRY_COMPARE(answers(), round);
            QCOMPARE(failures, QStringList());
        }
    }

    void nobodyToAsk()
    {
        StoreHarness harness(
            storeFor(urlOf(QStringLiteral("redis+sentinel://127.0.0.1:1,127.0.0.1:2/main"))));
        QVERIFY(!harness.open());
        QCOMPARE(harness.m_failures.size(), 1);
        QCOMPARE(harness.m_failures.first().code, ErrorCode::Unreachable);
        QVERIFY(harness.inspect("k").error.has_value());
        QCOMPARE(harness.release({}).outcome, Outcome::Unreachable);
    }

    /** The sentinel names a primary that no longer exists: the store asks another sentinel. */
    void aSentinelThatIsCutOffIsPassedBy()
    {
        const FakeSentinel stale(1);
        QString text = stores::textOf(url());
        text.replace(QLatin1String("127.0.0.1:1,"), QStringLiteral("127.0.0.1:%1,").arg(stale.serverPort()));
        StoreHarness harness(storeFor(urlOf(text)));
        QVERIFY(!harness.open());
        QVERIFY(harness.open());
        auto client =
            std::move(*locks::redis::makeLockClient(redisSpec(urlOf(text)), redisSpec(url()).locks.first()));
        QCOMPARE(ask(*client, "lock:b"), Attempt::Lost);
        QCOMPARE(ask(*client, "lock:b"), Attempt::Done);
    }

    /** The grant was on its way when the primary changed: the new primary doesn't know it. */
    void aGrantByADemotedPrimaryIsNone()
    {
        RedisServer one;
        RedisServer two;
        QVERIFY(one.start({}, true) && two.start({}, true));
        FakeSentinel sentinel(one.port());
        const auto client = clientOf(lockSpec(sentinel.url(), "redis.token/unfenced"));
        QCOMPARE(ask(*client, "first"), Attempt::Done);
        one.pause();
        std::optional<locks::AttemptResult> answer;
        client->tryAcquire({"k", "mine", 60'000'000, {}, {}},
                           [&answer](const locks::AttemptResult &result) { answer = result; });
        const int asked = sentinel.asked();
        sentinel.switchTo(two.port());
        QTRY_VERIFY(sentinel.asked() > asked);
        one.resume();
        QTRY_VERIFY(answer.has_value());
        QCOMPARE(one.command({"GET", "k"}).bytes, QByteArray("mine"));
        QVERIFY(answer->error && answer->attempt == Attempt::Held);
        QCOMPARE(answer->lease.token, QByteArray("mine"));
        QCOMPARE(ask(*client, "k"), Attempt::Done);
        QCOMPARE(two.command({"EXISTS", "k"}).integer, 1);
    }

    void whatANewPrimaryLacksIsLostAtOnce_data()
    {
        QTest::addColumn<bool>("renews");
        QTest::newRow("renewed") << true;
        QTest::newRow("not renewed") << false;
    }
    /** The next renewal would be minutes away, or never. */
    void whatANewPrimaryLacksIsLostAtOnce()
    {
        using namespace std::chrono_literals;
        QFETCH(bool, renews);
        RedisServer one;
        RedisServer two;
        QVERIFY(one.start({}, true) && two.start({}, true));
        FakeSentinel sentinel(one.port());
        LockSide side(lockSpec(sentinel.url(), "redis.token/unfenced"));
        const auto missing = *side.manager->lock("missing", {.ttl = 600s, .renews = renews});
        const auto there = *side.manager->lock("there", {.ttl = 600s, .renews = renews});
        QVERIFY(isTrue(taken(*missing)) && isTrue(taken(*there)));
        two.command({"SET", "there", there->token(), "PX", "900000"});
        const auto before = there->remaining();
        sentinel.switchTo(two.port());
        QTRY_VERIFY_WITH_TIMEOUT(!missing->isHeld(), 20'000);
        QVERIFY(missing->lostToken().stop_requested());
        QTRY_VERIFY(two.command({"PTTL", "there"}).integer <= 600'000);
        QVERIFY(there->isHeld());
        if (!renews)
            QVERIFY(there->remaining() < before);
    }

    /** In the client's view, the same primary restarted without its keys. */
    void whatThePrimaryHasForgottenIsLostAtOnce()
    {
        RedisServer one;
        QVERIFY(one.start({}, true));
        FakeSentinel sentinel(one.port());
        LockSide side(lockSpec(sentinel.url(), "redis.token/unfenced"));
        const auto lock = side.lock("k", std::chrono::minutes(10));
        QVERIFY(isTrue(taken(*lock)));
        one.command({"DEL", "k"});
        one.command({"CLIENT", "KILL", "TYPE", "normal"});
        QTRY_VERIFY_WITH_TIMEOUT(!lock->isHeld(), 20'000);
    }

    /** An ordered failover: the sentinel announces it, the store follows at once, and the earlier guard is
     * void. */
    void aFailoverIsFollowed()
    {
        m_trio.m_one.command({"SET", "lock:a", "holder"});
        StoreHarness harness(storeFor(url()));
        QVERIFY(openInTime(harness));
        QVERIFY(!harness.m_info.failover);
        QVERIFY(!harness.m_info.readOnly);
        QVERIFY(harness.scan());
        QVERIFY(harness.find("lock:a") != nullptr);
        const QByteArray before = harness.m_info.instance;
        const auto seen = harness.inspect("lock:a");
        auto client =
            std::move(*locks::redis::makeLockClient(redisSpec(url()), redisSpec(url()).locks.first()));
        QCOMPARE(ask(*client, "lock:c"), Attempt::Done);
        LockSet registering = redisSpec(url()).locks.first();
        registering.waitersRegistered = true;
        const auto waiting = std::move(*locks::redis::makeLockClient(redisSpec(url()), registering));
        QVERIFY(waiting->traits().registers);
        bool announced = false;
        waiting->announce("lock:c", {{"they", 0}}, 60'000'000,
                          [&announced](const auto &result) { announced = !result.error; });
        QTRY_VERIFY_WITH_TIMEOUT(announced, 15'000);
        QCOMPARE(m_trio.m_one.command({"ZCARD", "lockkeeper:waiters:{lock:c}"}).integer, 1);
        QCOMPARE(m_trio.m_one.command({"WAIT", "1", "5000"}).integer, 1); // no lock is to be lost here

        QVERIFY(m_trio.failOver());
        QVERIFY(harness.waitForFailure());
        QVERIFY(base::isTransient(harness.m_failures.first().code));
        QVERIFY(openInTime(harness));
        QVERIFY(harness.m_info.failover);
        QVERIFY(harness.m_info.instance != before);
        QVERIFY(harness.scan());
        QVERIFY(harness.find("lock:a") != nullptr);
        QCOMPARE(harness.release(orderFor(seen)).outcome, Outcome::Refused);
        QCOMPARE(harness.release(orderFor(harness.inspect("lock:a"))).outcome, Outcome::Released);
        QCOMPARE(exists("lock:a"), 0);
        // The first request may still reach the old primary, which refuses it.
        QVERIFY(QTest::qWaitFor([&] { return ask(*client, "lock:d") == Attempt::Done; }, 15'000));
        QCOMPARE(exists("lock:d"), 1);
        // The same primary again is no failover.
        harness.store().close();
        QVERIFY(openInTime(harness));
        QVERIFY(!harness.m_info.failover);
    }

    /** A waiter in the queue of a fair lock continues at the new primary. */
    void aQueueIsFollowed()
    {
        const SourceSpec spec = lockSpec(url(), "redis.redisson/fair");
        LockSide holder(spec);
        LockSide waiter(spec);
        const auto held = holder.lock("fair");
        LockAnswer answer;
        const auto tried = [&] { return isTrue(answer = taken(*held)); };
        QVERIFY(QTest::qWaitFor(tried, 20'000)); // the sentinel may not know the last failover yet
        const auto waiting = waiter.lock("fair");
        LockAnswer waited;
        waiting->acquire({}, [&waited](const base::Result<bool> &result) { waited = result; });
        const QList<QByteArray> length{"LLEN", "redisson_lock_queue:{fair}"};
        QTRY_COMPARE(RedisPlain(m_trio.m_two.socketPath()).command(length).integer, 1);
        const auto given = waiter.lock("fair");
        QVERIFY(isFalse(awaited(*given, std::chrono::milliseconds(200)))); // and leaves it
        QTRY_COMPARE(RedisPlain(m_trio.m_two.socketPath()).command(length).integer, 1);
        QTRY_VERIFY(m_trio.failOver());
        QTRY_VERIFY_WITH_TIMEOUT(
            RedisPlain(m_trio.m_one.socketPath()).command({"ROLE"}).list.value(0).bytes == "master", 20'000);
        QVERIFY(!waited);
        RedisPlain(m_trio.m_one.socketPath()).command({"DEL", "fair"});
        QTRY_VERIFY_WITH_TIMEOUT(isTrue(waited), 30'000);
        QCOMPARE(RedisPlain(m_trio.m_one.socketPath()).command(length).integer, 0);
        QCOMPARE(RedisPlain(m_trio.m_one.socketPath()).command({"HEXISTS", "fair", waiting->token()}).integer,
                 1);
    }

    /** A server is no longer the primary, and nobody has announced it yet: the waiter keeps waiting. */
    void aDemotedPrimaryEndsNoWait()
    {
        RedisServer &primary = m_trio.m_one;
        LockSide side(lockSpec(url(), "redis.token/unfenced"));
        const auto other = side.lock("other");
        QVERIFY(QTest::qWaitFor([&] { return isTrue(taken(*other)); }, 20'000));
        QCOMPARE(RedisPlain(primary.socketPath()).command({"SET", "demoted", "somebody"}).bytes,
                 QByteArray("OK"));
        const auto lock = side.lock("demoted");
        LockAnswer answer;
        lock->acquire({}, [&answer](const base::Result<bool> &result) { answer = result; });
        RedisPlain(primary.socketPath()).command({"CONFIG", "RESETSTAT"});
        RedisPlain(primary.socketPath()).command({"REPLICAOF", "127.0.0.1", "1"});
        QTRY_VERIFY_WITH_TIMEOUT(RedisPlain(primary.socketPath())
                                     .command({"INFO", "errorstats"})
                                     .bytes.contains("errorstat_READONLY"),
                                 20'000);
        RedisPlain(primary.socketPath()).command({"REPLICAOF", "NO", "ONE"});
        RedisPlain(primary.socketPath()).command({"DEL", "demoted"});
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), 20'000);
        QVERIFY2(isTrue(answer), *answer ? "held" : qPrintable(answer->error().line()));
    }

    /** The sentinel is away: the known primary stays in use. */
    void locksAreSeenWithoutASentinel()
    {
        StoreHarness harness(storeFor(url()));
        QVERIFY(openInTime(harness));
        m_trio.stopSentinel();
        const QDeadlineTimer noticed(1'500);
        while (!noticed.hasExpired())
            QVERIFY(harness.scan());
        QVERIFY(harness.m_failures.isEmpty());
    }

private:
    QUrl url() const
    {
        qputenv("LK_TEST_SENTINEL", "watch");
        return m_trio.url(QStringLiteral("main"), QStringLiteral("?sentinel_password=env:LK_TEST_SENTINEL"));
    }

    static std::unique_ptr<Store> storeFor(const QUrl &url)
    {
        return std::move(*redis::makeStore(redisSpec(url, "lock:*")));
    }

    /** On the second server, by a new connection: a failover ends the others. */
    qint64 exists(const QByteArray &key) const
    {
        const RedisReply reply = RedisPlain(m_trio.m_two.socketPath()).command({"EXISTS", key});
        return reply.type == 0 ? -1 : reply.integer;
    }

    static Attempt ask(LockClient &client, const QByteArray &name)
    {
        const auto answer = acquired(client, name, 60'000'000);
        return answer.error ? Attempt::Lost : answer.attempt;
    }

    SentinelTrio m_trio;
};

LOCKKEEPER_TEST(TestRedisSentinel)

} // namespace tst_redis_sentinel

#include "tst_redis_sentinel.moc"
