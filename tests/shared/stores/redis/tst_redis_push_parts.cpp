// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/barrier.h"
#include "shared/stores/redis/invalidation/changed_keys.h"
#include "shared/stores/redis/invalidation/command_budget.h"
#include "shared/stores/redis/invalidation/notification.h"
#include "shared/stores/redis/invalidation/read_back.h"
#include "shared/stores/redis/invalidation/tracker.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <hiredis/hiredis.h>

namespace tst_redis_push_parts {

using namespace lockkeeper::stores;
using namespace lockkeeper::stores::redis;
using namespace lockkeeper::stores::redis::push;

namespace {

/** Reads a reply from the wire and prints its notification. */
QString toldBy(const QByteArray &wire)
{
    redisReader *reader = redisReaderCreate();
    redisReaderFeed(reader, wire.constData(), size_t(wire.size()));
    void *reply = nullptr;
    redisReaderGetReply(reader, &reply);
    QString text;
    if (reply != nullptr) {
        const Notification what = notificationOf(static_cast<redisReply *>(reply), 0);
        QByteArrayList keys;
        for (const QByteArrayView key : what.keys)
            keys.append(key.toByteArray());
        const char *kinds[] = {"nothing", "keys", "everything", "event"};
        text = QString::fromLatin1(kinds[int(what.kind)]) + QLatin1Char(' ') +
               QString::fromLatin1(keys.join(',')) + QLatin1Char(' ') +
               QString::fromLatin1(what.event.toByteArray());
        freeReplyObject(reply);
    }
    redisReaderFree(reader);
    return text.trimmed();
}

QByteArray bulk(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

/** One key, many locks: "pool/a" is the lock "a" of the key "pool". */
class ManyScheme final : public KeyScheme
{
public:
    ManyScheme() : KeyScheme(Script(QByteArray())) {}
    bool manyPerKey() const override { return true; }
    QByteArrayView keyOf(QByteArrayView name) const override { return name.first(name.indexOf('/')); }
    int ask(CommandBatch &, const Observation &, const KeyReading &, const ReadMode &) const override
    {
        return 1;
    }
    void take(Observation &, KeyReading &, int, const redisReply *, PageReading &) const override {}
    lockkeeper::base::Result<ReleaseCall> releaseCall(const ReleaseOrder &, QByteArrayView) const override
    {
        return ReleaseCall{};
    }
    QList<RightQuestion> rights(const QByteArray &) const override { return {}; }
};

KeyEvents eventsOf(const char *events)
{
    KeyEvents told;
    for (const QByteArray &event : QByteArray(events).split(' '))
        told.add(event);
    return told;
}

} // namespace

/** The parts of push that need no server. */
class TestRedisPushParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void prefixes_data();
    void prefixes();
    void messages_data();
    void messages();
    void keyspaceEvents();
    void databases_data();
    void databases();
    void budget();
    void barrier();
    void proofsBecomeRare_data();
    void proofsBecomeRare();
    void barrierEnds();
    void clockSetBack();
    void changes_data();
    void changes();
    void whatAnotherNodeHasIsNoChange();
    void changesOfKeysWithManyLocks();
    void keysBesideALock();
};

void TestRedisPushParts::prefixes_data()
{
    QTest::addColumn<QByteArrayList>("globs");
    QTest::addColumn<QByteArrayList>("expected");
    QTest::newRow("one") << QByteArrayList{"lock:*"} << QByteArrayList{"lock:"};
    QTest::newRow("two") << QByteArrayList{"mutex:*", "lock:?x"} << QByteArrayList{"lock:", "mutex:"};
    QTest::newRow("one begins the other")
        << QByteArrayList{"lock:a*", "lock:*", "lock:ab", "lockx:*"} << QByteArrayList{"lock:", "lockx:"};
    QTest::newRow("twice") << QByteArrayList{"a*", "a*"} << QByteArrayList{"a"};
    QTest::newRow("a name without a glob") << QByteArrayList{"leader"} << QByteArrayList{"leader"};
    QTest::newRow("quoted") << QByteArrayList{"a\\*b[cd]"} << QByteArrayList{"a*b"};
    QTest::newRow("not in byte order of their names") << QByteArrayList{"a:*", "a*"} << QByteArrayList{"a"};
    QTest::newRow("all") << QByteArrayList{"lock:*", "*"} << QByteArrayList();
    QTest::newRow("no beginning") << QByteArrayList{"[ab]c"} << QByteArrayList();
}

void TestRedisPushParts::prefixes()
{
    QFETCH(QByteArrayList, globs);
    QFETCH(QByteArrayList, expected);
    QList<LockSet> sets;
    for (const QByteArray &glob : globs)
        sets.emplaceBack().match = glob;
    QCOMPARE(trackedPrefixes(sets), QList<QByteArray>(expected));
    if (!expected.isEmpty())
        QCOMPARE(trackedPrefixes(sets, {"zz:", expected.constFirst() + "x"}),
                 QList<QByteArray>(expected) + QList<QByteArray>{"zz:"});
}

void TestRedisPushParts::messages_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::addColumn<QString>("expected");
    const QByteArray head = "*3\r\n" + bulk("message") + bulk("__redis__:invalidate");
    QTest::newRow("one key") << head + "*1\r\n" + bulk("lock:a") << "keys lock:a";
    QTest::newRow("two keys") << head + "*2\r\n" + bulk("lock:a") + bulk("lock:b") << "keys lock:a,lock:b";
    QTest::newRow("emptied") << head + "$-1\r\n"
                             << "everything";
    QTest::newRow("a text for a list") << head + bulk("lock:a") << "nothing";
    QTest::newRow("a number among the keys") << head + "*2\r\n:5\r\n" + bulk("lock:b") << "keys ,lock:b";
    QTest::newRow("another channel") << "*3\r\n" + bulk("message") + bulk("news") + bulk("x") << "nothing";
    QTest::newRow("by event") << "*3\r\n" + bulk("message") + bulk("__keyevent@0__:expired") + bulk("lock:a")
                              << "event lock:a expired";
    QTest::newRow("another database")
        << "*3\r\n" + bulk("message") + bulk("__keyevent@1__:expired") + bulk("lock:a") << "nothing";
    QTest::newRow("by key") << "*4\r\n" + bulk("pmessage") + bulk("__keyspace@0__:lock:*") +
                                   bulk("__keyspace@0__:lock:a") + bulk("set")
                            << "event lock:a set";
    QTest::newRow("short") << "*2\r\n" + bulk("message") + bulk("__redis__:invalidate") << "nothing";
    QTest::newRow("a status") << QByteArray("+OK\r\n") << "nothing";
}

void TestRedisPushParts::messages()
{
    QFETCH(QByteArray, wire);
    QFETCH(QString, expected);
    QCOMPARE(toldBy(wire), expected);
}

void TestRedisPushParts::keyspaceEvents()
{
    using KeyEnd = KeyEvents::KeyEnd;
    QVERIFY(!eventsOf("expire").set);
    QCOMPARE(eventsOf("del").end(), KeyEnd::Deleted);
    QCOMPARE(eventsOf("expired").end(), KeyEnd::Expired);
    QCOMPARE(eventsOf("evicted").end(), KeyEnd::Evicted);
    QCOMPARE(eventsOf("evicted set del").end(), KeyEnd::Evicted);
    QVERIFY(eventsOf("set del").set);
    QCOMPARE(eventsOf("set expired").end(), KeyEnd::Expired);
    QCOMPARE(eventsOf("del set expired").end(), KeyEnd::Deleted); // the end of the earlier value
    QCOMPARE(eventsOf("del set expired").first, KeyEnd::Deleted);
    QCOMPARE(eventsOf("set del").first, KeyEnd::Untold); // of the overwritten value
    QCOMPARE(eventsOf("set del set").end(), KeyEnd::Untold);
    QCOMPARE(eventsOf("del del set set").first, KeyEnd::Deleted); // reported by key and by event
    QVERIFY(!eventsOf("hset del").set);                           // no string
}

void TestRedisPushParts::databases_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<bool>("onlyFirst");
    QTest::addColumn<int>("swaps");
    const QByteArray first("# Keyspace\r\ndb0:keys=5,expires=1\r\n");
    const QByteArray set("cmdstat_set:calls=5,usec=1\r\n");
    QTest::newRow("only the first") << first + set << true << 0;
    QTest::newRow("empty") << set << true << 0;
    QTest::newRow("no statistics") << first << false << 0;
    QTest::newRow("another has keys") << first + "db3:keys=1,expires=0\r\n" + set << false << 0;
    QTest::newRow("somebody selected") << first + set + "cmdstat_select:calls=1,usec=1\r\n" << false << 0;
    QTest::newRow("swapped") << first + "cmdstat_swapdb:calls=7,usec=1\r\n" << false << 7;
    const QByteArray selected("cmdstat_select:calls=1,usec=1\r\n");
    const QByteArray cluster("redis_version:7.2.4\r\nredis_mode:cluster\r\n");
    QTest::newRow("in a cluster") << cluster + first + set + selected << true << 0;
    QTest::newRow("in a cluster without statistics") << cluster + first << true << 0;
    QTest::newRow("in no cluster") << "redis_mode:standalone\r\n" + first + set + selected << false << 0;
    QTest::newRow("in a cluster of Valkey 8")
        << cluster + "valkey_version:8.1.1\r\n" + first + set + selected << true << 0;
    QTest::newRow("in a cluster of Valkey 9")
        << "valkey_version:9.0.0\r\n" + cluster + first + set + selected << false << 0;
    QTest::newRow("in a cluster of Valkey 9, only the first")
        << cluster + "valkey_version:9.0.0\r\n" + first + set << true << 0;
    QTest::newRow("statistics reset") << first + "cmdstat_config|resetstat:calls=1,usec=1\r\n" << false << 0;
}

void TestRedisPushParts::databases()
{
    QFETCH(QByteArray, info);
    QFETCH(bool, onlyFirst);
    QFETCH(int, swaps);
    const Databases found = databasesOf(info);
    QCOMPARE(found.onlyFirst, onlyFirst);
    QCOMPARE(found.swaps, swaps);
}

/** No second exceeds its budget of commands, whatever the requests. */
void TestRedisPushParts::budget()
{
    CommandBudget budget(10'000);
    QList<std::pair<qint64, qint64>> sent;
    for (qint64 now = 1'000'000; now < 6'000'000; now += 137) {
        const qint64 left = budget.left(now);
        if (left <= 0 || now / 1'000'000 == 3) // a second of silence doesn't add up
            continue;
        budget.spend(left);
        sent.append({now, left});
    }
    qint64 most = 0;
    for (qsizetype i = 0; i < sent.size(); ++i) {
        qint64 sum = 0;
        for (qsizetype j = i; j < sent.size() && sent.at(j).first < sent.at(i).first + 1'000'000; ++j)
            sum += sent.at(j).second;
        most = std::max(most, sum);
    }
    QVERIFY2(most <= 10'000 && most > 9'000, qPrintable(QString::number(most)));
    budget.spend(300);
    const qint64 now = 9'000'000;
    QVERIFY(budget.left(now) <= 500);
    budget.spend(budget.left(now));
    const qint64 wait = budget.waitUs(100, now);
    QVERIFY(budget.left(now + wait) >= 100);
    QVERIFY(budget.left(now + wait) <= 101);
}

void TestRedisPushParts::proofsBecomeRare_data()
{
    QTest::addColumn<qint64>("quietMs");
    QTest::addColumn<int>("pauseMs");
    QTest::newRow("told just now") << qint64(0) << 100;
    QTest::newRow("a second") << qint64(1'000) << 100;
    QTest::newRow("ten seconds") << qint64(10'000) << 1'000;
    QTest::newRow("twenty seconds") << qint64(20'000) << 2'000;
    QTest::newRow("a day") << qint64(86'400'000) << 2'000;
}

void TestRedisPushParts::proofsBecomeRare()
{
    QFETCH(qint64, quietMs);
    QTEST(int(proofPauseMs(quietMs).count()), "pauseMs");
}

void TestRedisPushParts::barrier()
{
    std::function<void(qint64)> answerTime;
    int pings = 0;
    QList<qint64> proven;
    Barrier barrier({[&](std::function<void(qint64)> then) { answerTime = std::move(then); },
                     [&] { ++pings; }, [&](qint64 us) { proven.append(us); }});
    barrier.begin(100);
    QCOMPARE(barrier.provenUs(), 100);
    barrier.renew();
    QCOMPARE(pings, 0);
    answerTime(200);
    QCOMPARE(pings, 1); // one at a time: the second after the answer to the first
    barrier.ponged();
    QCOMPARE(pings, 2);
    QCOMPARE(barrier.provenUs(), 100);
    bool called = false;
    barrier.whenProven(250,
                       [&] { called = true; }); // of a time that was read in the meantime: the next proof
    barrier.ponged();
    QCOMPARE(barrier.provenUs(), 200);
    QVERIFY(!called);
    QCOMPARE(pings, 3);
    barrier.ponged();
    barrier.ponged();
    QVERIFY(called);
    QCOMPARE(proven, (QList<qint64>{200, 250}));
    called = false;
    barrier.whenProven(250, [&] { called = true; });
    QVERIFY(called);
    called = false;
    barrier.whenProvenNow([&] { called = true; });
    answerTime(300);
    barrier.ponged();
    QVERIFY(!called);
    barrier.ponged();
    QVERIFY(called);
}

void TestRedisPushParts::barrierEnds()
{
    int called = 0;
    Barrier barrier({[](std::function<void(qint64)>) {}, [] {}, [](qint64) {}});
    barrier.begin(100);
    barrier.whenProven(200, [&] { ++called; });
    barrier.whenProvenNow([&] { ++called; });
    QCOMPARE(called, 0);
    barrier.end();
    QCOMPARE(called, 2);
    barrier.whenProven(300, [&] { ++called; });
    barrier.whenProvenNow([&] { ++called; });
    QCOMPARE(called, 4);
    barrier.ponged(); // late
    QCOMPARE(barrier.provenUs(), 100);
}

void TestRedisPushParts::clockSetBack()
{
    std::function<void(qint64)> answerTime;
    Barrier barrier(
        {[&](std::function<void(qint64)> then) { answerTime = std::move(then); }, [] {}, [](qint64) {}});
    barrier.begin(5'000'000);
    barrier.renew();
    answerTime(1'000'000);
    QCOMPARE(barrier.provenUs(), 0);
    barrier.ponged();
    barrier.ponged();
    QCOMPARE(barrier.provenUs(), 1'000'000);
}

void TestRedisPushParts::changes_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<qint64>("sinceUs");
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("but");
    QTest::addColumn<bool>("unseen");
    const auto row = [](const char *name, const QByteArray &scheme, const QByteArray &events, const char *but,
                        bool unseen, qint64 sinceUs = 90) {
        QTest::newRow(name) << scheme << sinceUs << events << QString::fromLatin1(but) << unseen;
    };
    const QByteArray token("redis.token");
    row("absent before and after", token, "", "", true);
    row("perhaps of before the last read", token, "set del", "read", false);
    row("nothing is proven", token, "set del", "", false, 0);
    row("perhaps of another database", token, "", "databases", false);
    row("a set of this database", token, "set del", "databases", true);
    row("its end is told later", token, "set", "databases", true);
    row("only an end: of what was there before", token, "del", "databases", false);
    row("who waits beside it", token, "", "beside", false);
    row("it is there", token, "set", "present", false);
    row("a hash", "redis.redisson", "", "", true);
    row("a string is no lock of a hash", "redis.redisson", "set del", "databases", false);
    row("perhaps it was idle", "redis.json", "set del", "", false);
    row("it can't be idle", "redis.json", "", "stateless", true);
}

/** The change that is reported for one key that was read. */
void TestRedisPushParts::changes()
{
    QFETCH(QByteArray, scheme);
    QFETCH(qint64, sinceUs);
    QFETCH(QByteArray, events);
    QFETCH(QString, but);
    SourceSpec spec;
    LockSet &set = spec.locks.emplaceBack();
    set.scheme = scheme;
    set.match = "lock:*";
    if (but == u"stateless")
        set.keys.stateField.clear();
    ReadMode mode;
    mode.schemes = schemesOf(spec);
    ChangedKey key{"lock:a", sinceUs, but == u"beside" ? 0U : 4U, but != u"read"};
    if (!events.isEmpty())
        key.events = eventsOf(events.constData());
    KeyPage page{100, 110, questionsOf({key}, spec, *mode.schemes)};
    QCOMPARE(page.locks.size(), 1);
    page.locks[0].present = but == u"present";
    KeyMembers members;
    const QList<Change> changes = changesOf({key}, page, mode, but != u"databases", members);
    QCOMPARE(changes.size(), 1);
    QTEST(changes.constFirst().unseen, "unseen");
    QCOMPARE(changes.constFirst().timeUs, 110);
    QCOMPARE(changes.constFirst().windowUs, 110 - sinceUs);
    QCOMPARE(changes.constFirst().coalesced, but == u"beside" ? 0U : 3U);
    QCOMPARE(changes.constFirst().deleted, events.contains("del"));
    key.sinceUs = 105; // a window is never narrower than the read
    QCOMPARE(changesOf({key}, page, mode, true, members).constFirst().windowUs, 10);
}

void TestRedisPushParts::whatAnotherNodeHasIsNoChange()
{
    SourceSpec spec;
    spec.locks.emplaceBack().match = "lock:*";
    spec.locks[0].scheme = "redis.token";
    ReadMode mode;
    mode.schemes = schemesOf(spec);
    const QList<ChangedKey> keys{{"lock:a", 90, 1}, {"lock:b", 90, 1}};
    KeyPage page{100, 110, questionsOf(keys, spec, *mode.schemes)};
    page.locks.removeFirst();
    page.elsewhere.append(Elsewhere{{0, "lock:a"}, {}});
    KeyMembers members;
    const QList<Change> changes = changesOf(keys, page, mode, true, members);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.constFirst().lock.name, QByteArray("lock:b"));
}

void TestRedisPushParts::keysBesideALock()
{
    SourceSpec spec;
    spec.locks.emplaceBack().scheme = "redis.token";
    spec.locks.emplaceBack().scheme = "redis.redisson";
    spec.locks[0].match = "token:*";
    spec.locks[1].match = "lock:*";
    const auto schemes = schemesOf(spec);
    QCOMPARE(lockBeside(spec, *schemes, "redisson_lock_queue:{lock:a}"), QByteArray("lock:a"));
    QCOMPARE(lockBeside(spec, *schemes, "redisson_lock_timeout:lock:{a}"), QByteArray("lock:{a}"));
    QCOMPARE(lockBeside(spec, *schemes, "redisson_lock_queue:{token:a}"), QByteArray());
    QCOMPARE(lockBeside(spec, *schemes, "redisson_lock_queue:"), QByteArray());
    QCOMPARE(lockBeside(spec, *schemes, "other"), QByteArray());
    const QByteArray waiters("lockkeeper:waiters:{token:a}");
    QCOMPARE(lockBeside(spec, *schemes, waiters), QByteArray());
    spec.locks[0].waitersRegistered = true;
    QCOMPARE(lockBeside(spec, *schemesOf(spec), waiters), QByteArray("token:a"));
}

/** A member that a key no longer shows is gone. A partly read key proves nothing. */
void TestRedisPushParts::changesOfKeysWithManyLocks()
{
    ReadMode mode;
    mode.schemes = std::make_shared<const KeySchemes>(KeySchemes{std::make_shared<ManyScheme>()});
    KeyMembers members{{{0, "pool"}, {"pool/a"}}};
    const auto read = [&](const QList<QByteArray> &shown, bool partial) {
        KeyPage page{100, 110, {}};
        Observation &whole = page.locks.emplaceBack();
        whole.name = "pool";
        whole.present = false;
        for (const QByteArray &name : shown) {
            Observation &lock = page.locks.emplaceBack();
            lock.name = name;
            lock.held = true;
        }
        if (partial)
            page.partial.append({0, "pool"});
        QStringList told;
        for (const Change &change : changesOf({{"pool", 90, 2}}, page, mode, true, members)) {
            told.append(QString::fromLatin1((change.lock.present ? "+" : "-") + change.lock.name));
            if (change.unseen || change.coalesced != 1 || change.windowUs != 20)
                told.append(QStringLiteral("?"));
        }
        told.sort();
        return told.join(QLatin1Char(' '));
    };
    QCOMPARE(read({"pool/b", "pool/c"}, false), QStringLiteral("+pool/b +pool/c -pool/a"));
    QCOMPARE(read({"pool/c"}, true), QStringLiteral("+pool/c"));
    QCOMPARE(read({"pool/b"}, false), QStringLiteral("+pool/b -pool/c"));
    QCOMPARE(read({"pool/b"}, false), QStringLiteral("+pool/b")); // of what came and went nothing is said
    QCOMPARE(read({}, false), QStringLiteral("-pool/b"));
    QCOMPARE(read({}, false), QString());
    QVERIFY(members.isEmpty());
}

LOCKKEEPER_TEST(TestRedisPushParts)

} // namespace tst_redis_push_parts

#include "tst_redis_push_parts.moc"
