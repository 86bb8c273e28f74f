// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <mutex>
#include <thread>

namespace tst_redis_push_events {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace lockkeeper::tests::push;

namespace {

constexpr int kHolds = 1'500;
constexpr int kClients = 3;

/** Takes and gives back, so many times in one go, and takes once more where there is a holder to be named. */
const QByteArray kInOneGo("redis.call('DEL', KEYS[1]) "
                          "for i = 1, tonumber(ARGV[1]) do "
                          "redis.call('SET', KEYS[1], 'x' .. i) redis.call('DEL', KEYS[1]) end "
                          "if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2]) end");

/** Of the holds in their order, how many neither changes nor what is counted with them tell of: a count may
 * come with a later change, but not much later. */
qint64 passedOver(const QList<Change> &changes, const QList<QByteArray> &holds)
{
    constexpr int kLater = 5;
    struct Stretch
    {
        qint64 missing = 0; ///< between two that were seen
        qint64 told = 0;
    };
    QHash<QByteArray, qsizetype> order;
    for (const QByteArray &token : holds)
        order.insert(token, order.size());
    QList<Stretch> stretches{Stretch{}};
    qsizetype last = -1;
    bool held = false;
    for (const Change &change : changes) {
        stretches.last().told += change.coalesced + (change.unseen && !held ? 1 : 0);
        held = change.lock.present;
        const qsizetype at = held ? order.value(change.lock.owner, -1) : -1;
        if (at <= last)
            continue;
        stretches.last().missing = at - last - 1;
        stretches.append(Stretch{});
        last = at;
    }
    stretches.last().missing = holds.size() - 1 - last;
    qint64 over = 0;
    for (qsizetype i = 0; i < stretches.size(); ++i) {
        qint64 missing = stretches.at(i).missing - stretches.at(i).told;
        for (qsizetype later = i + 1; missing > 0 && later < std::min(i + kLater, stretches.size());
             ++later) {
            Stretch &other = stretches[later];
            const qint64 spare = std::clamp<qint64>(other.told - other.missing, 0, missing);
            other.told -= spare;
            missing -= spare;
        }
        over += std::max<qint64>(0, missing);
    }
    return over;
}

} // namespace

/** What a real server's keyspace events add to its messages. */
class TestRedisPushEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keyspaceEventsSayHow_data();
    void keyspaceEventsSayHow();
    void everyEndCounts_data() { keyspaceEventsSayHow_data(); }
    void everyEndCounts();
    void noHoldIsPassedOver();

private:
    std::unique_ptr<RedisServer> m_server;
};

void TestRedisPushEvents::init()
{
    m_server = std::make_unique<RedisServer>();
    QVERIFY(m_server->start());
    if (RedisServer::version() < 600)
        QSKIP("servers tell of changes from Redis 6.0 on");
}

void TestRedisPushEvents::keyspaceEventsSayHow_data()
{
    QTest::addColumn<QByteArray>("flags");
    QTest::newRow("by event") << QByteArray("EA");
    QTest::newRow("by key") << QByteArray("KA");
    QTest::newRow("both") << QByteArray("KEA");
}

void TestRedisPushEvents::keyspaceEventsSayHow()
{
    QFETCH(QByteArray, flags);
    m_server->command({"CONFIG", "SET", "notify-keyspace-events", flags});
    RedisPlain other(m_server->socketPath());
    other.command({"SELECT", "1"});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:k", "K"});
    QVERIFY(watch.comes("lock:k"));
    m_server->command({"EVAL", "redis.call('SET', KEYS[1], 'A') redis.call('DEL', KEYS[1])", "1", "lock:a"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(watch.find("lock:a")->unseen && watch.find("lock:a")->deleted);
    other.command({"SET", "lock:o", "A"});
    QVERIFY(watch.comes("lock:o"));
    QVERIFY(!watch.find("lock:o")->unseen);
    m_server->command({"DEL", "lock:k"});
    QVERIFY(
        watch.comes("lock:k", [](const Change &c) { return !c.lock.present && c.deleted && !c.expired; }));
    m_server->command({"SET", "lock:e", "E", "PX", "20"});
    QVERIFY(
        watch.comes("lock:e", [](const Change &c) { return !c.lock.present && c.expired && !c.deleted; }));
}

/** One message tells of all that happens in one go, and an event of each step. */
void TestRedisPushEvents::everyEndCounts()
{
    QFETCH(QByteArray, flags);
    m_server->command({"CONFIG", "SET", "notify-keyspace-events", flags});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    // What the server tells of is known once it has told of it.
    m_server->command({"SET", "lock:first", "A"});
    m_server->command({"DEL", "lock:first"});
    QVERIFY(watch.comes("lock:first", [](const Change &c) { return !c.lock.present; }));
    watch.changes.clear();

    m_server->command({"EVAL", kInOneGo, "1", "lock:a", "5"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(watch.find("lock:a")->unseen && !watch.find("lock:a")->lock.present);
    QCOMPARE(watch.find("lock:a")->coalesced, 4U);

    m_server->command({"SET", "lock:a", "alice"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return c.lock.owner == "alice"; }));
    QCOMPARE(watch.find("lock:a", [](const Change &c) { return c.lock.present; })->coalesced, 0U);
    m_server->command({"EVAL", kInOneGo, "1", "lock:a", "3", "bob"});
    const auto isBobs = [](const Change &c) { return c.lock.owner == "bob"; };
    QVERIFY(watch.comes("lock:a", isBobs));
    QCOMPARE(watch.find("lock:a", isBobs)->coalesced, 3U); // beside the end of what had been read
    watch.changes.clear();
    m_server->command({"EVAL", kInOneGo, "1", "lock:a", "2"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return !c.lock.present; }));
    QCOMPARE(watch.find("lock:a")->coalesced, 2U);
    watch.changes.clear();
    m_server->command({"SET", "lock:a", "carol"});
    m_server->command({"DEL", "lock:a"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return !c.lock.present; }));
    for (const Change &change : std::as_const(watch.changes))
        QVERIFY(change.coalesced <= 1);
}

/** However short they are, and however soon one follows the other. */
void TestRedisPushEvents::noHoldIsPassedOver()
{
    m_server->command({"CONFIG", "SET", "notify-keyspace-events", "KA"});
    Watch watch(specOf(*m_server, {"lock:a"}));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:a", "first"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return c.lock.present; }));
    m_server->command({"DEL", "lock:a"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return !c.lock.present; }));
    watch.changes.clear();
    std::mutex mutex;
    QList<QByteArray> holds; // in their order
    std::vector<std::thread> clients;
    for (int id = 0; id < kClients; ++id) {
        clients.emplace_back([&, id] {
            RedisPlain plain(m_server->socketPath());
            QRandomGenerator random(quint32(id) + 1);
            for (int done = 0; done < kHolds / kClients;) {
                const QByteArray token = QByteArray::number(id) + '-' + QByteArray::number(done);
                if (plain.command({"SET", "lock:a", token, "NX", "PX", "60000"}).bytes != "OK")
                    continue;
                {
                    const std::lock_guard<std::mutex> guard(mutex);
                    holds.append(token);
                }
                const QDeadlineTimer hold(std::chrono::microseconds(random.bounded(300)), Qt::PreciseTimer);
                while (!hold.hasExpired())
                    std::this_thread::yield();
                plain.command({"DEL", "lock:a"});
                ++done;
            }
        });
    }
    const auto isOver = [&] {
        const std::lock_guard<std::mutex> guard(mutex);
        return holds.size() == qsizetype(kHolds / kClients) * kClients;
    };
    const bool over = waitFor(isOver, 60'000);
    for (std::thread &client : clients)
        client.join();
    QVERIFY(over);
    m_server->command({"SET", "lock:a", "last"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return c.lock.owner == "last"; }));
    holds.append("last");
    QSet<QByteArray> seen;
    for (const Change &change : std::as_const(watch.changes))
        seen.insert(change.lock.owner);
    const qint64 passed = passedOver(watch.changes, holds);
    qInfo("%d holds, %d seen with their holder, %d passed over", int(holds.size()), int(seen.size()),
          int(passed));
    QVERIFY2(passed == 0, qPrintable(QString::number(passed)));
}

LOCKKEEPER_TEST(TestRedisPushEvents)

} // namespace tst_redis_push_events

#include "tst_redis_push_events.moc"
