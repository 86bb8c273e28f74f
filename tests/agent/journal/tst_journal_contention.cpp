// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

namespace tst_journal_contention {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

/**
 * Lock "a" shows its waiters: 400 µs altogether, 250 of them still going on at 1000. Lock "b" is handed over
 * twice.
 */
QList<events::LockEvent> story()
{
    return {sourceEvent(EventKind::SourceUp, 50),
            lockEvent(EventKind::Acquired, "a", "w1", 100),
            waitEvent(EventKind::WaitStart, "a", "x", 200),
            lockEvent(EventKind::Acquired, "b", "w1", 210),
            lockEvent(EventKind::Released, "b", "w1", 310),
            lockEvent(EventKind::Acquired, "b", "w2", 330),
            waitEvent(EventKind::WaitEnd, "a", "x", 350, 200),
            lockEvent(EventKind::Expired, "b", "w2", 430),
            lockEvent(EventKind::Acquired, "b", "w3", 490),
            sourceEvent(EventKind::GapOpened, 500),
            sourceEvent(EventKind::GapClosed, 600),
            waitEvent(EventKind::WaitStart, "a", "y", 750)};
}

events::LockEvent windowed(events::LockEvent event, qint64 windowUs)
{
    event.windowUs = windowUs;
    if (event.after)
        event.after->windowUs = windowUs;
    return event;
}

/** Waits and holds whose parts are worked out in ranksBlockers_data(). */
QList<events::LockEvent> blockings()
{
    events::LockEvent running = windowed(lockEvent(EventKind::Acquired, "w", "h1", 1000), 100);
    running.after->session = domain::Session{};
    running.after->session->statement = "UPDATE a";
    events::LockEvent shared = lockEvent(EventKind::Acquired, "s", "w1", 6000);
    shared.after->mode = "read";
    events::LockEvent unknown = lockEvent(EventKind::Acquired, "n", {}, 6000);
    unknown.ownerKnown = unknown.after->ownerKnown = false;
    QList<events::LockEvent> events{waitEvent(EventKind::WaitStart, "w", "x", 800),
                                    running,
                                    waitEvent(EventKind::WaitStart, "w", "z", 1200),
                                    waitEvent(EventKind::WaitEnd, "w", "z", 1300, 1200),
                                    windowed(lockEvent(EventKind::Released, "w", "h1", 1600), 200),
                                    windowed(lockEvent(EventKind::Acquired, "w", "h2", 1700), 50),
                                    waitEvent(EventKind::WaitEnd, "w", "x", 2000, 800),
                                    lockEvent(EventKind::Acquired, "g", "g1", 3000),
                                    waitEvent(EventKind::WaitStart, "g", "x", 3050),
                                    sourceEvent(EventKind::GapOpened, 3100),
                                    sourceEvent(EventKind::GapClosed, 3300),
                                    lockEvent(EventKind::Acquired, "g", "g2", 3350),
                                    waitEvent(EventKind::WaitEnd, "g", "x", 3400, 3050),
                                    lockEvent(EventKind::Acquired, "r", "r1", 4000),
                                    waitEvent(EventKind::WaitStart, "r", "x", 4050),
                                    lockEvent(EventKind::Released, "r", "r1", 4100),
                                    lockEvent(EventKind::Acquired, "r", "r1", 4200),
                                    waitEvent(EventKind::WaitEnd, "r", "x", 4250, 4050),
                                    lockEvent(EventKind::Released, "r", "r1", 4300),
                                    shared,
                                    unknown,
                                    lockEvent(EventKind::Acquired, "o", "x", 6000)};
    for (const char *name : {"s", "n", "o"})
        events << waitEvent(EventKind::WaitStart, name, "x", 6100)
               << waitEvent(EventKind::WaitEnd, name, "x", 6200, 6100);
    return events;
}

/** "w1 400 of 2 by 2 at 1 max 250": waiting, waits, waiters, locks, longest. */
QString textOf(const QList<domain::BlockerCost> &blockers)
{
    QStringList lines;
    for (const domain::BlockerCost &cost : blockers)
        lines += QStringLiteral("%1 %2 of %3 by %4 at %5 max %6")
                     .arg(QString::fromUtf8(cost.holder.isEmpty() ? cost.statement : cost.holder))
                     .arg(cost.totalUs)
                     .arg(cost.waits)
                     .arg(cost.waiters)
                     .arg(cost.locks)
                     .arg(cost.maxUs);
    return lines.join(QLatin1String("; "));
}

protocol::ContentionQuery queryOf(qint64 fromUs, qint64 toUs, int limit = 20)
{
    protocol::ContentionQuery query;
    query.id = 4;
    query.fromUs = fromUs;
    query.toUs = toUs;
    query.limit = limit;
    return query;
}

/** "a visible waits 2 400 150/250/250 acquired 1 handed 0 observed 900". */
QStringList textOf(const protocol::ContentionPage &page)
{
    QStringList lines;
    for (const domain::Contention &c : page.locks)
        lines += QStringLiteral("%1 %2 waits %3 %4 %5/%6 acquired %7 expired %8 handed %9")
                     .arg(QString::fromUtf8(c.key.name),
                          c.waitersVisible ? QStringLiteral("visible") : QStringLiteral("blind"))
                     .arg(c.waits.count)
                     .arg(c.waits.totalUs)
                     .arg(c.waits.p50Us)
                     .arg(c.waits.maxUs)
                     .arg(c.acquisitions)
                     .arg(c.expiries)
                     .arg(c.handoverHigh.count) +
                 QStringLiteral(" observed %1").arg(c.observedUs);
    return lines;
}

} // namespace

/** The ranking of locks over a range of time, from the journal. */
class TestJournalContention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranking_data();
    void ranking();
    void sumsAreOfAll();
    void sumsOfAcquisitions();
    void filters();
    void ranksWaiters();
    void ranksBlockers_data();
    void ranksBlockers();
    void blockersHaveALimit();
    void statementsNeedTheWholeSource();
    void newerSightingsCount();
    void waitsSurviveARestart();
    void retentionTakesWaits();
    void damageIsTold_data();
    void damageIsTold();
    void millionsOfHolds();

private:
    protocol::ContentionPage ask(JournalFixture &f, const protocol::ContentionQuery &query,
                                 const agent::journal::SeenUntil &seen = {{QStringLiteral("orders"), 5000}})
    {
        return f.ask([query, seen](agent::journal::Queries &queries) {
            return queries.contention.contention(query, seen);
        });
    }
};

void TestJournalContention::ranking_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("lines");
    const auto row = [](const char *name, qint64 from, qint64 to, int limit, const char *lines) {
        QTest::newRow(name) << from << to << limit << QString::fromLatin1(lines);
    };
    row("all", 0, 1000, 20,
        "a visible waits 2 400 150/250 acquired 1 expired 0 handed 0 observed 850; "
        "b blind waits 0 0 0/0 acquired 3 expired 1 handed 2 observed 850");
    row("a limit", 0, 1000, 1, "a visible waits 2 400 150/250 acquired 1 expired 0 handed 0 observed 850");
    row("part of a wait", 300, 400, 20,
        "a visible waits 1 50 150/150 acquired 0 expired 0 handed 0 observed 100; "
        "b blind waits 0 0 0/0 acquired 1 expired 0 handed 1 observed 100");
    row("only the wait that goes on", 800, 900, 20,
        "a visible waits 1 100 150/150 acquired 0 expired 0 handed 0 observed 100");
    row("before anything", 0, 40, 20, "");
}

void TestJournalContention::ranking()
{
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    QFETCH(int, limit);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    const protocol::ContentionPage page = ask(f, queryOf(from, to, limit));
    QTEST(textOf(page).join(QLatin1String("; ")), "lines");
    QCOMPARE(page.id, 4u);
    QCOMPARE(page.fromUs, from);
    QCOMPARE(page.toUs, to);
    QCOMPARE(page.more, limit == 1);
}

/** An hour's sums don't depend on how many of its locks the answer lists. */
void TestJournalContention::sumsAreOfAll()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events = story();
    for (const char *name : {"p", "q", "r"})
        events << lockEvent(EventKind::Acquired, name, "w1", 755)
               << waitEvent(EventKind::WaitStart, name, "x", 760)
               << waitEvent(EventKind::WaitEnd, name, "x", 780, 760);
    f.commit(events);
    for (const int limit : {1, 20}) {
        const protocol::ContentionPage page = ask(f, queryOf(0, 1000, limit));
        QCOMPARE(page.more, limit == 1);
        QCOMPARE(page.waitedUs.value_or(-1), 460);
        QCOMPARE(page.waits.value_or(-1), 5);
    }
    QCOMPARE(ask(f, queryOf(0, 40)).waitedUs.value_or(-1), 0);
    QCOMPARE(ask(f, queryOf(300, 400, 1)).waitedUs.value_or(-1), 50);
    protocol::ContentionQuery query = queryOf(0, 1000);
    query.lockGlob = "[pq]";
    QCOMPARE(ask(f, query).waits.value_or(-1), 2);
    query.source = QStringLiteral("orders"); // the sums of one source alone aren't reported
    QVERIFY(!ask(f, query).waitedUs);
    query.ranking = domain::ContentionRanking::Waiter;
    QVERIFY(!ask(f, query).waits);
}

/** The answer equals a count of all holds, for any clock changes and any locks in the ranking. */
void TestJournalContention::sumsOfAcquisitions()
{
    constexpr qint64 kHour = 3'600'000'000;
    JournalFixture f;
    f.options.keepDays = 4000;
    QVERIFY(f.open());
    QRandomGenerator random(11);
    qint64 atUs = f.clock.wallUs() - 30 * 24 * kHour;
    const qint64 beganUs = atUs;
    const EventKind kinds[] = {EventKind::Acquired, EventKind::Released, EventKind::Acquired,
                               EventKind::ForceReleased, EventKind::TakenOver};
    QList<events::LockEvent> events;
    for (int i = 0; i < 45'000; ++i) { // more than lie between two snapshots
        atUs += random.bounded(1'000'000);
        if (random.bounded(1000) == 0) // a clock is set
            atUs += (random.bounded(2) ? 1 : -1) * (random.bounded(2) ? kHour : 24 * kHour);
        const QByteArray lock = (random.bounded(3) ? "a" : "b") + QByteArray::number(random.bounded(300));
        events << lockEvent(kinds[random.bounded(5)], lock, "w" + QByteArray::number(i), atUs);
        if (events.last().after && random.bounded(20) == 0)
            events.last().after->acquiredBy = domain::Evidence::FirstSeen;
    }
    f.commit(events);
    f.roll();
    const auto count = [&f](const QString &what) {
        return f.sql(QStringLiteral("SELECT count(*) FROM holds JOIN locks USING(lock_id) WHERE ") + what)
            .toLongLong();
    };
    qint64 forced = 0;
    for (int question = 0; question < 40; ++question) {
        const qint64 from = beganUs + random.bounded(4 * 24) * kHour - 48 * kHour + random.bounded(999'999);
        const qint64 to = from + (random.bounded(2) ? kHour : 1 + random.bounded(60) * kHour);
        protocol::ContentionQuery query = queryOf(from, to, 1);
        QVERIFY(!ask(f, query).acquisitions); // nobody asked
        query.sums = true;
        const bool some = random.bounded(3) == 0;
        query.lockGlob = some ? "b*" : "";
        const protocol::ContentionPage page = ask(f, query);
        const QString only = some ? QStringLiteral(" AND name >= x'62'") : QString();
        QCOMPARE(page.acquisitions.value_or(-1),
                 count(QStringLiteral("start_seen AND from_us BETWEEN %1 AND %2").arg(from).arg(to) + only));
        QCOMPARE(
            page.forced.value_or(-1),
            count(QStringLiteral("end = 4 AND to_us BETWEEN %1 AND %2 AND from_us - from_window_us <= %2")
                      .arg(from)
                      .arg(to) +
                  only));
        forced += *page.forced;
    }
    QVERIFY2(forced > 100, qPrintable(QString::number(forced)));
}

void TestJournalContention::filters()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    protocol::ContentionQuery query = queryOf(0, 1000);
    query.lockGlob = "b*";
    QCOMPARE(ask(f, query).locks.size(), 1);
    query.lockGlob = "none";
    QCOMPARE(ask(f, query).locks.size(), 0);
    query.lockGlob.clear();
    query.source = QStringLiteral("orders");
    QCOMPARE(ask(f, query).locks.size(), 2);
    query.source = QStringLiteral("other");
    QCOMPARE(ask(f, query).locks.size(), 0);
    query = queryOf(1000, 1000);
    QCOMPARE(ask(f, query).locks.size(), 0);
    QCOMPARE(f.lastError.code, base::ErrorCode::Usage);
    query = queryOf(0, 0);
    query.fromUs.reset();
    query.toUs.reset();
    const protocol::ContentionPage page = ask(f, query);
    QCOMPARE(page.fromUs, 0);
    QCOMPARE(page.toUs, f.clock.wallUs());
    QCOMPARE(page.locks.size(), 2);
}

/** Ranks waiters over all locks. An open wait counts up to the present. */
void TestJournalContention::ranksWaiters()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.commit(
        {waitEvent(EventKind::WaitStart, "c", "x", 760), waitEvent(EventKind::WaitEnd, "c", "x", 780, 760)});
    protocol::ContentionQuery query = queryOf(0, 1000);
    query.ranking = domain::ContentionRanking::Waiter;
    const auto textOf = [](const protocol::ContentionPage &page) {
        QStringList lines;
        for (const domain::WaiterCost &c : page.waiters)
            lines += QStringLiteral("%1 %2 locks %3 waits %4 %5 observed %6")
                         .arg(c.source + QLatin1Char('/') + QString::fromUtf8(c.waiter))
                         .arg(c.locks)
                         .arg(c.waits)
                         .arg(c.totalUs)
                         .arg(c.maxUs)
                         .arg(c.observedUs);
        return lines.join(QLatin1String("; "));
    };
    protocol::ContentionPage page = ask(f, query);
    QVERIFY(page.locks.isEmpty() && !page.more);
    QCOMPARE(textOf(page), QStringLiteral("orders/y 1 locks 1 waits 250 250 observed 850; "
                                          "orders/x 2 locks 2 waits 170 150 observed 850"));
    query.limit = 1;
    page = ask(f, query);
    QVERIFY(page.more && page.waiters.size() == 1);
    query.limit = 20;
    query.lockGlob = "c";
    QCOMPARE(ask(f, query).waiters.size(), 1);
    query.lockGlob.clear();
    query.toUs = 770;
    QCOMPARE(textOf(ask(f, query)), QStringLiteral("orders/x 2 locks 2 waits 160 150 observed 620; "
                                                   "orders/y 1 locks 1 waits 20 20 observed 620"));
    query.source = QStringLiteral("other");
    QCOMPARE(ask(f, query).waiters.size(), 0);
}

/** Each part of a wait counts for the hold that certainly lasted then; the rest is unattributed. */
void TestJournalContention::ranksBlockers_data()
{
    QTest::addColumn<qint64>("to");
    QTest::addColumn<qint64>("seen");
    QTest::addColumn<QByteArray>("glob");
    QTest::addColumn<QString>("holders");
    QTest::addColumn<QString>("statements");
    const auto row = [](const char *name, qint64 to, qint64 seen, const char *glob, const char *holders,
                        const char *statements) {
        QTest::newRow(name) << to << seen << QByteArray(glob) << QString::fromLatin1(holders)
                            << QString::fromLatin1(statements);
    };
    // "a": w1 holds from 100 on; x waits from 200 to 350, and y from 750 on.
    row("still held", 1000, 5000, "a", "w1 400 of 2 by 2 at 1 max 250 rest 0", "rest 400");
    row("observed until 800", 1000, 800, "a", "w1 200 of 2 by 2 at 1 max 150 rest 200", "rest 400");
    row("part of a wait", 300, 5000, "a", "w1 100 of 1 by 1 at 1 max 100 rest 0", "rest 100");
    // "w": x waits from 800 to 2000, and z from 1200 to 1300. No hold is certain for 500 of it.
    // The hold of h1 lasts at least from 1000 to 1400: 400 of x, 100 of z.
    // The hold of h2 lasts from 1700 on: 300 of x.
    row("windows", 3000, 5000, "w", "h1 500 of 2 by 2 at 1 max 400; h2 300 of 1 by 1 at 1 max 300 rest 500",
        "UPDATE a 500 of 2 by 2 at 1 max 400 rest 800");
    // "s": a read lock. "n": its holder isn't known. "o": x waits for itself. x waits 100 for each of them.
    row("may be shared", 9000, 9000, "s", "rest 100", "rest 100");
    row("holder not known", 9000, 9000, "n", "rest 100", "rest 100");
    row("itself", 9000, 9000, "o", "rest 100", "rest 100");
    // "g": g1 from 3000 on; the source isn't observed from 3100 to 3300, g2 is found at 3350. x waits from
    // 3050 to 3400: 50 for g1, 50 for g2.
    row("a gap", 3500, 5000, "g", "g1 50 of 1 by 1 at 1 max 50; g2 50 of 1 by 1 at 1 max 50 rest 250",
        "rest 350");
    // "r": r1 holds twice, 4000 to 4100 and 4200 to 4300; x waits from 4050 to 4250: 50 and 50 are one wait.
    row("twice", 5000, 5000, "r", "r1 100 of 1 by 1 at 1 max 100 rest 100", "rest 200");
    row("all", 9000, 9000, "[aw]",
        "w1 8400 of 2 by 2 at 1 max 8250; h1 500 of 2 by 2 at 1 max 400; h2 300 of 1 by 1 at 1 max 300 rest "
        "500",
        "UPDATE a 500 of 2 by 2 at 1 max 400 rest 9200");
}

void TestJournalContention::ranksBlockers()
{
    QFETCH(qint64, to);
    QFETCH(qint64, seen);
    QFETCH(QByteArray, glob);
    QFETCH(QString, holders);
    QFETCH(QString, statements);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    if (glob != "a") // their events would prove that the source was observed
        f.commit(blockings());
    protocol::ContentionQuery query = queryOf(0, to);
    query.lockGlob = glob;
    for (const auto ranking : {domain::ContentionRanking::Holder, domain::ContentionRanking::Statement}) {
        query.ranking = ranking;
        const protocol::ContentionPage page = ask(f, query, {{QStringLiteral("orders"), seen}});
        const bool isForStatement = ranking == domain::ContentionRanking::Statement;
        QCOMPARE(textOf(page.blockers) + (page.blockers.isEmpty() ? QString() : QStringLiteral(" ")) +
                     QStringLiteral("rest %1").arg(page.unattributedUs.value_or(-1)),
                 isForStatement ? statements : holders);
        QVERIFY(page.locks.isEmpty() && page.waiters.isEmpty() && !page.more && !page.waitedUs);
    }
}

void TestJournalContention::blockersHaveALimit()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.commit(blockings());
    protocol::ContentionQuery query = queryOf(0, 9000, 1);
    query.ranking = domain::ContentionRanking::Holder;
    const protocol::ContentionPage page = ask(f, query);
    QVERIFY(page.more && page.blockers.size() == 1);
    QVERIFY(page.unattributedUs.value_or(0) > 0); // of all locks
    query.source = QStringLiteral("other");
    QVERIFY(ask(f, query).blockers.isEmpty());
}

/** A statement may name locks that this user may not see. */
void TestJournalContention::statementsNeedTheWholeSource()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.commit(blockings());
    domain::Grant grant;
    grant.sources = {QStringLiteral("orders")};
    grant.locks = {"w"};
    const domain::Sight sight(domain::Grants({grant}), {QStringLiteral("orders")});
    for (const auto ranking : {domain::ContentionRanking::Holder, domain::ContentionRanking::Statement}) {
        protocol::ContentionQuery query = queryOf(0, 3000);
        query.ranking = ranking;
        const auto page = f.ask(
            [query](agent::journal::Queries &queries) {
                return queries.contention.contention(query, {{QStringLiteral("orders"), 5000}});
            },
            sight);
        QCOMPARE(page.blockers.size(), ranking == domain::ContentionRanking::Holder ? 2 : 0);
        QCOMPARE(page.unattributedUs.value_or(-1), ranking == domain::ContentionRanking::Holder ? 500 : 1300);
    }
}

void TestJournalContention::newerSightingsCount()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story(), {{QStringLiteral("orders"), "redis", 800}});
    QCOMPARE(ask(f, queryOf(0, 1000), {}).locks.at(0).observedUs, 450 + 200);
    QCOMPARE(ask(f, queryOf(0, 1000), {{QStringLiteral("orders"), 900}}).locks.at(0).observedUs, 450 + 300);
}

void TestJournalContention::waitsSurviveARestart()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    QVERIFY(f.open());
    f.commit({waitEvent(EventKind::WaitEnd, "a", "y", 800, 750),
              waitEvent(EventKind::WaitEnd, "a", "z", 820, 700),
              waitEvent(EventKind::WaitEnd, "a", "unknown", 820)});
    QCOMPARE(textOf(ask(f, queryOf(0, 1000))).value(0),
             QStringLiteral("a visible waits 3 320 120/150 acquired 1 expired 0 handed 0 observed 850"));
}

void TestJournalContention::retentionTakesWaits()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.close();
    f.clock.setWallUs(f.clock.wallUs() + 40 * 86'400'000'000LL);
    QVERIFY(f.open());
    QTRY_COMPARE(f.journal->firstSeq(), 0u);
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM waits")).toInt(), 0);
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM locks")).toInt(), 2); // two holds are open
}

void TestJournalContention::damageIsTold_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("change");
    const auto row = [](const char *name, const char *table, const char *change) {
        QTest::newRow(name) << QString::fromLatin1(table) << QString::fromLatin1(change);
    };
    row("a wait's begin", "waits", "from_us = from_us + 1");
    row("a wait's end", "waits", "to_us = to_us + 1");
    row("a waiter", "waits", "waiter = x'00'");
    row("a hold's begin", "holds", "from_us = from_us + 1");
    row("a hold's window", "holds", "from_window_us = from_window_us + 1");
    row("a hold's begin that was not seen", "holds", "start_seen = 1 - start_seen");
    row("a holder", "holds", "owner = x'00'");
    row("no holder", "holds", "owner = NULL");
    row("a hold's end", "holds", "to_us = to_us + 1");
    row("a hold's end's window", "holds", "to_window_us = to_window_us + 1");
    row("how a hold ended", "holds", "end = end + 1");
    row("an end that is none", "holds", "end = 256");
}

void TestJournalContention::damageIsTold()
{
    QFETCH(QString, table);
    QFETCH(QString, change);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.close();
    f.sql(QStringLiteral("UPDATE %1 SET %2 WHERE to_us IS NOT NULL").arg(table, change));
    QVERIFY(f.open());
    ask(f, queryOf(0, 1000));
    QCOMPARE(f.lastError.code, base::ErrorCode::Corrupt);
    QVERIFY2(f.lastError.cause.contains(table), qPrintable(f.lastError.cause));
}

void TestJournalContention::millionsOfHolds()
{
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_MILLIONS"))
        QSKIP("asked for by LOCKKEEPER_MILLIONS: the number of holds");
    const qint64 holds = qEnvironmentVariable("LOCKKEEPER_MILLIONS").toLongLong();
    JournalFixture f;
    f.clock.setWallUs(1'795'212'345'000'000);
    const qint64 begin = f.clock.wallUs() - holds * 1000;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (qint64 i = 0; i < holds; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i * 7919 % 1000);
        events += lockEvent(EventKind::Acquired, name, "w", begin + i * 1000);
        events += lockEvent(EventKind::Released, name, "w", begin + i * 1000 + 400);
        if (events.size() >= 20'000) {
            f.commit(std::exchange(events, {}));
            f.committed.clear();
        }
    }
    QElapsedTimer timer;
    for (const qint64 part : {1, 10, 100}) {
        timer.start();
        const auto page = ask(f, queryOf(f.clock.wallUs() - holds * 1000 / part, f.clock.wallUs()),
                              {{QStringLiteral("orders"), f.clock.wallUs()}});
        qInfo("%lld holds: top %lld in %lld ms", static_cast<long long>(holds / part),
              static_cast<long long>(page.locks.size()), static_cast<long long>(timer.elapsed()));
        QCOMPARE(page.locks.size(), 20);
    }
}

LOCKKEEPER_TEST(TestJournalContention)

} // namespace tst_journal_contention

#include "tst_journal_contention.moc"
