// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shared/stores/redis/push_watch.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QTest>

#include <semaphore>
#include <thread>

namespace tst_redis_push {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::tests;
using namespace lockkeeper::tests::push;

namespace {

qint64 calls(RedisServer &server, const QByteArray &command)
{
    const QByteArray info = server.command({"INFO", "commandstats"}).bytes;
    const qsizetype at = info.indexOf("cmdstat_" + command + ":calls=");
    return at < 0 ? 0
                  : info.mid(at + 15 + command.size(), info.indexOf(',', at) - at - 15 - command.size())
                        .toLongLong();
}

bool isHeldBy(const Change &change, const QByteArray &owner)
{
    return change.lock.present && change.lock.owner == owner;
}

} // namespace

/** The changes that the store makes from a real server's messages. */
class TestRedisPush : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void tellsOfEachChange();
    void windowsHoldTheTruth_data();
    void windowsHoldTheTruth();
    void manyKeysInOneMessage();
    void overlappingPrefixes();
    void emptiedAndSwapped();
    void cameAndWentUnseen();
    void anotherDatabaseIsNoClaim();
    void expiryIsTold();
    void lostSubscription_data();
    void lostSubscription();
    void serverRestart();
    void fallsBackToPolling_data();
    void fallsBackToPolling();
    void beforeRedis6ItIsPolled();
    void leastRightsSuffice();
    void silenceCostsLittle();
    void burstIsBounded();
    void looksLeaveOutWhatIsOnItsWay();

private:
    std::unique_ptr<RedisServer> m_server;
};

void TestRedisPush::init()
{
    m_server = std::make_unique<RedisServer>();
    QVERIFY(m_server->start());
    if (RedisServer::version() < 600 && qstrcmp(QTest::currentTestFunction(), "beforeRedis6ItIsPolled") != 0)
        QSKIP("servers tell of changes from Redis 6.0 on");
}

void TestRedisPush::tellsOfEachChange()
{
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    QVERIFY(watch.states.constLast().blind);
    QVERIFY(watch.infos.constLast().access.contains(domain::Access{"push:tracking", true, false, {}}));
    m_server->command({"SET", "lock:a", "A", "PX", "60000"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return isHeldBy(c, "A"); }));
    QCOMPARE(watch.find("lock:a")->lock.expiry, domain::ExpiryKind::At);
    QVERIFY(watch.find("lock:a")->windowUs > 0 && watch.find("lock:a")->windowUs < 1'000'000);
    m_server->command({"SET", "other", "A"});
    m_server->command({"DEL", "lock:a"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return !c.lock.present; }));
    m_server->command({"SET", "lock:a", "A", "NX"});
    m_server->command({"SET", "src", "R"});
    m_server->command({"RENAME", "src", "lock:a"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return isHeldBy(c, "R"); }));
    m_server->command({"DEL", "lock:a"});
    m_server->command({"LPUSH", "lock:a", "x"});
    QVERIFY(watch.comes("lock:a", [](const Change &c) { return c.lock.flaw == Flaw::WrongType; }));
    QVERIFY(watch.find("other") == nullptr);
}

void TestRedisPush::windowsHoldTheTruth_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("keys");
    QTest::newRow("one key") << QStringList() << 1;
    QTest::newRow("hundred keys") << QStringList() << 100;
    QTest::newRow("threads that read and write")
        << QStringLiteral("--io-threads 4 --io-threads-do-reads yes").split(QLatin1Char(' ')) << 100;
}

/** Every change gives its time: the token is the server's own time at that moment. */
void TestRedisPush::windowsHoldTheTruth()
{
    QFETCH(QStringList, options);
    QFETCH(int, keys);
    RedisServer server;
    QVERIFY(server.start(options));
    Watch watch(specOf(server));
    QVERIFY(watch.openPushing());
    constexpr int kWriters = 3;
    std::counting_semaphore<kWriters> stops(0);
    std::vector<std::thread> writers;
    for (int w = 0; w < kWriters; ++w) {
        writers.emplace_back([&] {
            RedisPlain plain(server.socketPath());
            const auto pause = [] {
                return std::chrono::microseconds(QRandomGenerator::global()->bounded(400));
            };
            while (!stops.try_acquire_for(pause())) {
                const QByteArray key =
                    "lock:" + QByteArray::number(QRandomGenerator::global()->bounded(keys));
                plain.command({"EVAL", kStamp, "1", key});
            }
        });
    }
    (void)waitFor([&] { return watch.changes.size() > 2'000; }, 20'000);
    stops.release(kWriters);
    for (std::thread &writer : writers)
        writer.join();
    QVERIFY2(watch.changes.size() > 300, qPrintable(QString::number(watch.changes.size())));
    QHash<QByteArray, qint64> last;
    qint64 widest = 0;
    for (const Change &change : std::as_const(watch.changes)) {
        QVERIFY(change.lock.present);
        const qint64 trueUs = change.lock.owner.toLongLong();
        if (last.value(change.lock.name) == trueUs)
            continue; // read again, and the same: no event comes of it
        last[change.lock.name] = trueUs;
        widest = std::max(widest, change.windowUs);
        QVERIFY2(change.timeUs - change.windowUs <= trueUs && trueUs <= change.timeUs,
                 qPrintable(QStringLiteral("%1 outside of [%2, %3]")
                                .arg(trueUs)
                                .arg(change.timeUs - change.windowUs)
                                .arg(change.timeUs)));
    }
    qInfo("%d changes, the widest window %lld us", int(watch.changes.size()), widest);
}

void TestRedisPush::manyKeysInOneMessage()
{
    Watch watch(specOf(*m_server, {"lock:*", "mutex:*"}));
    QVERIFY(watch.openPushing());
    QList<QByteArray> command{"MSET"};
    for (int i = 0; i < 1'000; ++i)
        command += {"lock:" + QByteArray::number(i), "A", "mutex:" + QByteArray::number(i), "B"};
    m_server->command(command);
    QTRY_COMPARE(watch.changes.size(), 2'000);
    for (const Change &change : std::as_const(watch.changes)) {
        QCOMPARE(change.lock.set, quint16(change.lock.name.startsWith("mutex:")));
        QVERIFY(isHeldBy(change, change.lock.set == 0 ? "A" : "B"));
    }
    for (const QList<QByteArray> &step :
         QList<QList<QByteArray>>{{"MULTI"}, {"DEL", "lock:0"}, {"SET", "lock:1", "C"}, {"EXEC"}})
        m_server->command(step);
    QVERIFY(watch.comes("lock:0", [](const Change &c) { return !c.lock.present; }));
    QVERIFY(watch.comes("lock:1", [](const Change &c) { return isHeldBy(c, "C"); }));
}

void TestRedisPush::overlappingPrefixes()
{
    Watch watch(specOf(*m_server, {"lock:*", "lock:a*", "lock:ab?"}));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:abc", "A"});
    QTRY_COMPARE(watch.changes.size(), 3);
    m_server->command({"SET", "lock:x", "B"});
    QVERIFY(watch.comes("lock:x"));
    QCOMPARE(watch.changes.size(), 4);
}

void TestRedisPush::emptiedAndSwapped()
{
    m_server->command({"SET", "lock:a", "A"});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"FLUSHDB"});
    QTRY_COMPARE(watch.everything, 1);
    m_server->command({"FLUSHALL"});
    QTRY_COMPARE(watch.everything, 2);
    m_server->command({"SWAPDB", "0", "1"});
    QTRY_COMPARE_WITH_TIMEOUT(watch.everything, 3, 12'000); // no notification: polled at intervals
}

void TestRedisPush::cameAndWentUnseen()
{
    if (RedisServer::version() < 700)
        QSKIP("CONFIG GET, which the store sends, counts as CONFIG SET before Redis 7");
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:first", "A"}); // INFO's databases are known by then
    QVERIFY(watch.comes("lock:first"));
    m_server->command({"EVAL", "redis.call('SET', KEYS[1], 'A') redis.call('DEL', KEYS[1])", "1", "lock:a"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(watch.find("lock:a")->unseen && !watch.find("lock:a")->lock.present);
    // A message about a change that a read has already covered is no further hold.
    int holds = 0;
    for (int i = 0; i < 500; ++i) {
        (void)waitFor([] { return false; }, 3); // its absence must be known first
        m_server->command({"SET", "lock:b", "B"});
        m_server->command({"DEL", "lock:b"});
        m_server->command({"SET", "lock:done", QByteArray::number(i)});
        QVERIFY(
            watch.comes("lock:done", [i](const Change &c) { return c.lock.owner == QByteArray::number(i); }));
    }
    bool held = false;
    for (const Change &change : std::as_const(watch.changes)) {
        if (change.lock.name != "lock:b")
            continue;
        holds += (change.lock.present && !held) || (change.unseen && !held);
        held = change.lock.present;
    }
    QVERIFY2(holds <= 500, qPrintable(QString::number(holds)));
    QVERIFY2(holds > 400, qPrintable(QString::number(holds)));
}

void TestRedisPush::anotherDatabaseIsNoClaim()
{
    RedisPlain other(m_server->socketPath());
    other.command({"SELECT", "1"});
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    other.command({"SET", "lock:a", "A"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(!watch.find("lock:a")->lock.present && !watch.find("lock:a")->unseen);
}

void TestRedisPush::expiryIsTold()
{
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:e", "E", "PX", "30"});
    QVERIFY(watch.comes("lock:e", [](const Change &c) { return isHeldBy(c, "E"); }));
    const qint64 deadlineUs = watch.find("lock:e")->lock.expiresUs;
    QVERIFY(watch.comes("lock:e", [](const Change &c) { return !c.lock.present; }));
    QVERIFY(watch.find("lock:e", [](const Change &c) { return !c.lock.present; })->timeUs >= deadlineUs);
}

void TestRedisPush::lostSubscription_data()
{
    QTest::addColumn<QList<QByteArray>>("fault");
    QTest::newRow("subscriber killed") << QList<QByteArray>{"CLIENT", "KILL", "TYPE", "pubsub"};
    QTest::newRow("tracking ended") << QList<QByteArray>();
}

void TestRedisPush::lostSubscription()
{
    QFETCH(QList<QByteArray>, fault);
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    if (fault.isEmpty())
        m_server->command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    else
        m_server->command(fault);
    if (fault.isEmpty()) {
        QTRY_COMPARE(watch.failures.size(), 1); // the connection that reads is the source's own
        watch.store().open();
        QTRY_COMPARE(watch.states.size(), 2);
    } else {
        QTRY_COMPARE(watch.states.size(), 3);
        QVERIFY(!watch.states.at(1).on && watch.states.at(1).blind);
        QVERIFY(watch.states.at(1).toldUntilUs > 0);
        QCOMPARE(watch.failures.size(), 0);
    }
    QVERIFY(watch.states.constLast().on && watch.states.constLast().blind);
    m_server->command({"SET", "lock:after", "A"});
    QVERIFY(watch.comes("lock:after"));
}

void TestRedisPush::serverRestart()
{
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    QVERIFY(m_server->restart());
    QTRY_VERIFY(!watch.failures.isEmpty());
    watch.failures.clear();
    watch.states.clear();
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:after", "A"});
    QVERIFY(watch.comes("lock:after"));
}

void TestRedisPush::fallsBackToPolling_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QByteArray>("match");
    QTest::addColumn<QString>("remedy");
    const QByteArray observe("%R~lock:* -@all +scan +getrange +strlen +pexpiretime +time +info");
    const QString grant = QStringLiteral("ACL SETUSER lk &__redis__:invalidate +subscribe +ping +client|id "
                                         "+client|tracking +client|trackinginfo");
    QTest::newRow("no channel") << observe + " +subscribe +ping +client|id +client|tracking"
                                << QByteArray("lock:*") << grant;
    QTest::newRow("no tracking") << observe + " &__redis__:invalidate +subscribe +ping +client|id"
                                 << QByteArray("lock:*") << grant;
    QTest::newRow("no id") << observe + " &__redis__:invalidate +subscribe +ping" << QByteArray("lock:*")
                           << grant;
    QTest::newRow("no ping") << observe + " &__redis__:invalidate +subscribe +client|id +client|tracking"
                             << QByteArray("lock:*") << grant;
    QTest::newRow("no fixed beginning")
        << QByteArray("allkeys allcommands allchannels") << QByteArray("*:lock")
        << QStringLiteral("Give match a fixed prefix (\"lock:*\"), or remove push.");
}

void TestRedisPush::fallsBackToPolling()
{
    QFETCH(QByteArray, rules);
    QFETCH(QByteArray, match);
    QFETCH(QString, remedy);
    if (RedisServer::version() < 602 && qstrcmp(QTest::currentDataTag(), "no channel") == 0)
        QSKIP("channels have rights from Redis 6.2 on");
    m_server->command(QList<QByteArray>{"ACL", "SETUSER", "lk"} +
                      RedisServer::rules("on >secret resetkeys resetchannels " + rules));
    Watch watch(specOf(*m_server, {match}, QStringLiteral("lk")));
    QVERIFY(watch.open());
    QTRY_VERIFY(!watch.states.constLast().on);
    QCOMPARE(watch.states.constLast().why.remedy, remedy);
    m_server->command({"SET", "lock:a", "A"});
    watch.scan();
    QTRY_COMPARE(watch.ends.size(), 1);
    QVERIFY(watch.ends.constLast().complete);
}

void TestRedisPush::beforeRedis6ItIsPolled()
{
    if (RedisServer::version() >= 600)
        QSKIP("for LOCKKEEPER_TEST_REDIS_SERVER with a server before 6.0");
    Watch watch(specOf(*m_server));
    QVERIFY(watch.open());
    QVERIFY(!watch.states.constFirst().on);
    QCOMPARE(watch.states.constFirst().why.remedy, QStringLiteral("Push needs Redis 6.0 or later."));
    m_server->command({"SET", "lock:a", "A"});
    watch.scan();
    QTRY_COMPARE(watch.ends.size(), 1);
    QVERIFY(watch.ends.constLast().complete);
    QCOMPARE(watch.pages.constFirst().locks.constFirst().owner, QByteArray("A"));
}

void TestRedisPush::leastRightsSuffice()
{
    m_server->command(RedisServer::rules(
        "ACL SETUSER lk on >secret resetkeys resetchannels %R~lock:* -@all +scan +getrange +strlen "
        "+pexpiretime +time +info &__redis__:invalidate +subscribe +ping +client|id "
        "+client|tracking +client|trackinginfo"));
    Watch watch(specOf(*m_server, {"lock:*"}, QStringLiteral("lk")));
    QVERIFY(watch.openPushing());
    m_server->command({"SET", "lock:a", "A"});
    QVERIFY(watch.comes("lock:a"));
}

/** Without changes, proofs become rare; the first change brings narrow windows back. */
void TestRedisPush::silenceCostsLittle()
{
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    QVERIFY(waitFor([&] { return watch.seenUs != 0; }));
    const qint64 beganUs = watch.seenUs;
    const qint64 proofs = calls(*m_server, "ping") / 2;
    QVERIFY(waitFor([&] { return watch.seenUs - beganUs >= 6'000'000; }, 20'000));
    const qint64 quiet = calls(*m_server, "ping") / 2 - proofs;
    QVERIFY2(quiet >= 6 && quiet <= 35, qPrintable(QString::number(quiet))); // ten a second would be 60
    m_server->command({"SET", "lock:a", "A"});
    QVERIFY(watch.comes("lock:a"));
    QVERIFY(watch.find("lock:a")->windowUs < 2'500'000);
    const qint64 pings = calls(*m_server, "ping");
    QVERIFY(waitFor([&] { return calls(*m_server, "ping") >= pings + 4; }, 1'500)); // two pauses, short again
    const auto isNarrow = [&] {
        const QByteArray name = "lock:" + QByteArray::number(watch.changes.size());
        m_server->command({"SET", name, "B"});
        return watch.comes(name.constData()) && watch.find(name.constData())->windowUs < 500'000;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isNarrow(), 30'000);
}

void TestRedisPush::burstIsBounded()
{
    SourceSpec spec = specOf(*m_server);
    spec.pushCommandsPerSecond = 20'000;
    Watch watch(spec);
    QVERIFY(watch.openPushing());
    const auto asked = [this] {
        return calls(*m_server, "getrange") + calls(*m_server, "pexpiretime") + calls(*m_server, "time") +
               calls(*m_server, "ping");
    };
    const qint64 before = asked();
    QElapsedTimer timer;
    timer.start();
    std::thread writer([this] {
        RedisPlain plain(m_server->socketPath());
        for (int batch = 0; batch < 100; ++batch) {
            for (int i = 0; i < 1'000; ++i)
                plain.append({"SET", "lock:" + QByteArray::number((batch * 7 + i) % 20'000),
                              QByteArray::number(batch)});
            for (int i = 0; i < 1'000; ++i)
                plain.next();
        }
    });
    QHash<QByteArray, QByteArray> seen;
    qsizetype at = 0;
    const auto take = [&] {
        for (; at < watch.changes.size(); ++at)
            seen[watch.changes.at(at).lock.name] = watch.changes.at(at).lock.owner;
    };
    (void)waitFor(
        [&] {
            take();
            return timer.elapsed() > 6'000;
        },
        20'000);
    writer.join();
    QHash<QByteArray, QByteArray> there;
    for (int i = 0; i < 20'000; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        if (const RedisReply value = m_server->command({"GET", name}); !value.isNil())
            there[name] = value.bytes;
    }
    QCOMPARE(there.size(), m_server->command({"DBSIZE"}).integer);
    QVERIFY(there.size() > 1'000);
    QVERIFY(waitFor(
        [&] {
            take();
            return seen == there;
        },
        60'000));
    const qint64 spent = asked() - before;
    const qint64 allowed = 20'000 * timer.elapsed() / 1'000;
    QVERIFY2(spent <= allowed, qPrintable(QStringLiteral("%1 commands, %2 allowed").arg(spent).arg(allowed)));
    int coalesced = 0;
    for (const Change &change : std::as_const(watch.changes))
        coalesced += change.coalesced > 0;
    QVERIFY(coalesced > 0);
    qInfo("100,000 changes: %d read, %lld commands", int(watch.changes.size()), spent);
}

/** An answer to readPoints() never contradicts a change that comes after it. */
void TestRedisPush::looksLeaveOutWhatIsOnItsWay()
{
    Watch watch(specOf(*m_server));
    QVERIFY(watch.openPushing());
    for (quint64 i = 1; i <= 300; ++i) {
        watch.pages.clear();
        watch.changes.clear();
        m_server->command({"SET", "lock:a", QByteArray::number(i)});
        watch.readPoints({{0, "lock:a"}, {0, "lock:none"}});
        QVERIFY(waitFor([&] { return watch.looked == i; }));
        QCOMPARE(watch.pages.size(), 1);
        const bool shown = watch.pages.constLast().locks.size() == 2;
        if (!shown)
            QVERIFY(watch.comes("lock:a"));
        // If the page shows the lock, its change was reported before.
        if (shown)
            QVERIFY(
                watch.find("lock:a", [i](const Change &c) { return c.lock.owner == QByteArray::number(i); }));
    }
}

LOCKKEEPER_TEST(TestRedisPush)

} // namespace tst_redis_push

#include "tst_redis_push.moc"
