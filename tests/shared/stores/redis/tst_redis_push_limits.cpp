// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/tcp_proxy.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>
#include <vector>

namespace tst_redis_push_limits {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace lockkeeper::tests::push;

namespace {

constexpr int kRounds = 5;
constexpr int kMostASecond = 20'000;

QByteArray keyOf(int i)
{
    return "lock:" + QByteArray::number(i);
}

/** The command that writes the key `i` in `round`, which the lock shows afterwards. */
QList<QByteArray> writeOf(const QByteArray &scheme, int i, int round)
{
    const QByteArray key = keyOf(i);
    const QByteArray number = QByteArray::number(round);
    if (scheme == "redis.redisson")
        return {"HSET", key, "8743c9c0-0795-4907-87fd-6c719a6b4586:12", number};
    if (scheme == "redis.semaphore")
        return {"ZADD", key, number, "m"};
    return {"SET", key, "{\"owner\":\"" + number + "\",\"state\":\"execute\"}"};
}

QByteArray roundOf(const QByteArray &scheme, const Observation &lock)
{
    if (scheme == "redis.redisson")
        return QByteArray::number(lock.depth);
    return scheme == "redis.semaphore" ? lock.freshness : lock.owner;
}

qint64 commandsOf(RedisServer &server)
{
    const QByteArray info = server.command({"INFO", "stats"}).bytes;
    const qsizetype at = info.indexOf("total_commands_processed:") + 25;
    return info.mid(at, info.indexOf('\r', at) - at).toLongLong();
}

} // namespace

/** The limits of push: its load on a server, its detection of a subscription that died silently, and the
 * changes about which it claims nothing. */
class TestRedisPushLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        if (RedisServer::version() < 600)
            QSKIP("servers tell of changes from Redis 6.0 on");
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
    }

    void everySchemesBurstIsBounded_data()
    {
        QTest::addColumn<QByteArray>("scheme");
        QTest::addColumn<int>("keys");
        QTest::addColumn<bool>("queued");
        QTest::newRow("json") << QByteArray("redis.json") << 15'000 << false;
        QTest::newRow("redisson") << QByteArray("redis.redisson") << 6'000 << false;
        QTest::newRow("redisson, with queues") << QByteArray("redis.redisson") << 4'000 << true;
        QTest::newRow("semaphore") << QByteArray("redis.semaphore") << 15'000 << false;
    }
    /** Every command of a key's read counts, not only the first commands. */
    void everySchemesBurstIsBounded()
    {
        QFETCH(QByteArray, scheme);
        QFETCH(int, keys);
        QFETCH(bool, queued);
        RedisPlain plain(m_server->socketPath());
        for (int i = 0; queued && i < keys; ++i)
            plain.append({"RPUSH", "redisson_lock_queue:{" + keyOf(i) + '}', "w:1"});
        for (int i = 0; queued && i < keys; ++i)
            plain.next();
        SourceSpec spec = specOf(*m_server);
        spec.locks.first().scheme = scheme;
        spec.pushCommandsPerSecond = kMostASecond;
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        const qint64 before = commandsOf(*m_server);
        QElapsedTimer timer;
        timer.start();
        for (int round = 1; round <= kRounds; ++round) {
            for (int i = 0; i < keys; ++i)
                plain.append(writeOf(scheme, i, round));
            for (int i = 0; i < keys; ++i)
                plain.next();
        }
        QHash<QByteArray, QByteArray> last;
        qsizetype at = 0;
        const auto settled = [&] {
            for (; at < watch.changes.size(); ++at)
                last.insert(watch.changes.at(at).lock.name, roundOf(scheme, watch.changes.at(at).lock));
            return last.size() == keys &&
                   std::all_of(last.cbegin(), last.cend(),
                               [](const QByteArray &round) { return round == QByteArray::number(kRounds); });
        };
        QVERIFY(waitFor(settled, 60'000));
        const qint64 ms = timer.elapsed();
        const qint64 asked = commandsOf(*m_server) - before - qint64(keys) * kRounds;
        QVERIFY2(ms > 1'000, "too short a burst to tell");
        const qint64 allowed = kMostASecond * ms / 1'000;
        QVERIFY2(asked <= allowed, qPrintable(QStringLiteral("%1 of %2").arg(asked).arg(allowed)));
        qInfo("%lld commands in %lld ms", asked, ms);
        QVERIFY(std::any_of(watch.changes.cbegin(), watch.changes.cend(),
                            [](const Change &change) { return change.coalesced > 0; }));
    }

    /** Locks whose deadlines pass together are read within the same bound, and delay nothing. */
    void looksAreBounded()
    {
        constexpr int kLooks = 40'000;
        SourceSpec spec = specOf(*m_server);
        spec.pushCommandsPerSecond = kMostASecond;
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        QList<Subject> locks;
        for (int i = 0; i < kLooks; ++i)
            locks.append({0, keyOf(i)});
        const qint64 before = commandsOf(*m_server);
        QElapsedTimer timer;
        timer.start();
        watch.readPoints(locks);
        m_server->command({"SET", "lock:meanwhile", "A"});
        QVERIFY(watch.comes("lock:meanwhile"));
        const auto answered = [&watch] {
            qsizetype sum = 0;
            for (const Page &page : std::as_const(watch.pages))
                sum += page.locks.size();
            return sum;
        };
        QVERIFY(answered() < kLooks / 2);
        QVERIFY(waitFor([&] { return answered() == kLooks; }, 60'000));
        QCOMPARE(watch.looked, 1u);
        const qint64 ms = timer.elapsed();
        const qint64 asked = commandsOf(*m_server) - before;
        QVERIFY2(ms > 1'000, "too short to tell");
        const qint64 allowed = kMostASecond * ms / 1'000;
        QVERIFY2(asked <= allowed, qPrintable(QStringLiteral("%1 of %2").arg(asked).arg(allowed)));
        qInfo("%lld commands in %lld ms", asked, ms);
    }

    /** Looks that wait for their turn are answered when the link is lost. */
    void looksThatWaitAreAnswered()
    {
        SourceSpec spec = specOf(*m_server);
        spec.pushCommandsPerSecond = 1'000;
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        QList<Subject> locks;
        for (int i = 0; i < 20'000; ++i)
            locks.append({0, keyOf(i)});
        watch.readPoints(locks);
        const qsizetype pages = (locks.size() + spec.pageSize - 1) / spec.pageSize;
        QVERIFY(waitFor([&] { return !watch.pages.isEmpty(); }));
        QVERIFY(watch.pages.size() < pages);
        m_server->kill();
        QVERIFY(waitFor([&] { return watch.looked == 1 && !watch.failures.isEmpty(); }));
        QVERIFY(watch.pages.size() < pages);
    }

    /** The server has dropped the subscriber, and the subscriber isn't notified. */
    void aSubscriptionThatDiesSilentlyIsNoticed_data()
    {
        QTest::addColumn<int>("patienceMs");
        QTest::addColumn<bool>("mayAsk");
        QTest::addColumn<QString>("cause");
        QTest::newRow("by TRACKINGINFO") << 60'000 << true << QStringLiteral("ended the tracking");
        QTest::newRow("by PING") << 1'000 << false << QStringLiteral("has not answered");
    }
    void aSubscriptionThatDiesSilentlyIsNoticed()
    {
        QFETCH(int, patienceMs);
        QFETCH(bool, mayAsk);
        QFETCH(QString, cause);
        if (mayAsk && RedisServer::version() < 602)
            QSKIP("TRACKINGINFO is of Redis 6.2");
        m_server->command(RedisServer::rules("ACL SETUSER lk on >secret allkeys allchannels +@all"));
        if (!mayAsk)
            m_server->command({"ACL", "SETUSER", "lk", "-client|trackinginfo"});
        Proxy proxy(m_server->socketPath());
        QVERIFY(proxy.listen());
        SourceSpec spec = specOf(*m_server, {"lock:*"}, QStringLiteral("lk"));
        spec.url.setPath(proxy.path());
        spec.statementTimeoutMs = patienceMs;
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        proxy.keepClients();
        QCOMPARE(m_server->command({"CLIENT", "KILL", "TYPE", "pubsub"}).integer, 1);
        m_server->command({"SET", "lock:untold", "A"});
        QVERIFY(waitFor([&] { return watch.states.size() >= 3; }, 15'000));
        QVERIFY(!watch.states.at(1).on && watch.states.at(1).blind);
        QVERIFY2(watch.states.at(1).why.cause.contains(cause), qPrintable(watch.states.at(1).why.cause));
        QVERIFY(watch.states.at(2).on && watch.states.at(2).blind);
        QVERIFY(watch.failures.isEmpty());
        m_server->command({"SET", "lock:after", "A"});
        QVERIFY(watch.comes("lock:after"));
    }

    /** A balancer routes the second connection to another server. On the first server, the connection's
     * number belongs to another client. */
    void aSubscriberAtAnotherServerIsNone()
    {
        RedisServer other;
        QVERIFY(other.start());
        std::vector<std::unique_ptr<RedisPlain>> numbered;
        for (int i = 0; i < 50; ++i)
            numbered.push_back(std::make_unique<RedisPlain>(m_server->socketPath()));
        Proxy proxy(m_server->socketPath());
        QVERIFY(proxy.listen());
        SourceSpec spec = specOf(*m_server);
        spec.url.setPath(proxy.path());
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        proxy.leadTo(other.socketPath());
        QCOMPARE(m_server->command({"CLIENT", "KILL", "TYPE", "pubsub"}).integer, 1);
        QVERIFY(waitFor([&] { return watch.states.size() >= 3; }));
        QVERIFY(!watch.states.at(1).on && watch.states.at(1).blind);
        QVERIFY(!watch.states.at(2).on);
        QVERIFY2(watch.states.at(2).why.cause.contains(QLatin1String("another server")),
                 qPrintable(watch.states.at(2).why.cause));
        proxy.leadTo(m_server->socketPath());
        QVERIFY(waitFor([&] { return watch.states.constLast().on; }));
        QVERIFY(watch.states.constLast().blind && watch.failures.isEmpty());
        m_server->command({"SET", "lock:after", "A"});
        QVERIFY(watch.comes("lock:after"));
    }

    /** Keys that were notified but not yet read when the subscription is lost are part of the gap. */
    void theGapBeginsWithWhatIsUnread()
    {
        SourceSpec spec = specOf(*m_server);
        spec.pushCommandsPerSecond = 1'000;
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        QList<QByteArray> many{"MSET"};
        for (int i = 0; i < 5'000; ++i)
            many += {keyOf(i), "A"};
        m_server->command(many);
        QVERIFY(waitFor([&] { return watch.changes.size() > 400; })); // the watermark is far past their time
        QVERIFY(watch.changes.size() < 4'000);
        QCOMPARE(m_server->command({"CLIENT", "KILL", "TYPE", "pubsub"}).integer, 1);
        QVERIFY(waitFor([&] { return watch.states.size() >= 2; }));
        const Change &first = watch.changes.constFirst();
        QVERIFY(!watch.states.at(1).on && watch.states.at(1).toldUntilUs > 0);
        QVERIFY2(watch.states.at(1).toldUntilUs <= first.timeUs,
                 qPrintable(QString::number(watch.states.at(1).toldUntilUs - first.timeUs)));
    }

    /** Push claims nothing about a permit that was released before its set could be read; the set is read. */
    void ofAPermitThatNobodySawNothingIsClaimed()
    {
        SourceSpec spec = specOf(*m_server);
        spec.locks[0].scheme = "redis.semaphore";
        m_server->command({"ZADD", "lock:s", "1795000000000", "a", "1795000000000", "b"});
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        watch.scan();
        QVERIFY(waitFor([&] { return !watch.ends.isEmpty(); }));
        m_server->command({"EVAL",
                           "redis.call('ZADD',KEYS[1],1795000000000,'x') return "
                           "redis.call('ZREM',KEYS[1],'x')",
                           "1", "lock:s"});
        QVERIFY(watch.comes("a/lock:s"));
        // A change that a read shows is reported as it is.
        m_server->command({"ZADD", "lock:s", "1795000000001", "a", "1795000000001", "c"});
        QVERIFY(watch.comes("c/lock:s"));
        m_server->command({"ZADD", "lock:s", "1795000000002", "a"});
        m_server->command({"ZREM", "lock:s", "b", "c"});
        QVERIFY(watch.comes("c/lock:s", [](const Change &change) { return !change.lock.present; }));
        QVERIFY(watch.comes("b/lock:s", [](const Change &change) { return !change.lock.present; }));
        for (const Change &change : std::as_const(watch.changes))
            QVERIFY(!change.unseen && change.lock.name != "x/lock:s");
    }

    /** Most notifications about huey's hash concern results, not a lock that came and went. */
    void whatElseIsInAKeyIsNoLock()
    {
        SourceSpec spec = specOf(*m_server);
        spec.locks[0].scheme = "redis.semaphore";
        spec.locks[0].keys.permits = Permits::Huey;
        m_server->command({"HSET", "lock:h", "app.lock.a", "1"});
        Watch watch(spec);
        QVERIFY(watch.openPushing());
        watch.scan();
        QVERIFY(waitFor([&] { return !watch.ends.isEmpty(); }));
        for (int i = 1; i <= 20; ++i) {
            m_server->command({"HSET", "lock:h", "result", QByteArray::number(i)});
            bool told = i % 5 > 0; // some together, some each for itself
            watch.store().tracker().whenTold(base::SystemClock().wallUs(), [&told] { told = true; });
            QVERIFY(waitFor([&told] { return told; }));
        }
        m_server->command({"HSET", "lock:h", "app.lock.b", "1"});
        QVERIFY(watch.comes("app.lock.b/lock:h"));
        for (const Change &change : std::as_const(watch.changes))
            QVERIFY(!change.unseen && change.coalesced == 0);
    }

private:
    std::unique_ptr<RedisServer> m_server;
};

LOCKKEEPER_TEST(TestRedisPushLimits)

} // namespace tst_redis_push_limits

#include "tst_redis_push_limits.moc"
