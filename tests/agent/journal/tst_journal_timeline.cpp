// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/source_gaps.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/agent/journal/raw_spans.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>

namespace tst_journal_timeline {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

events::LockEvent waitEvent(EventKind kind, const QByteArray &name, const QByteArray &waiter, qint64 timeUs)
{
    events::LockEvent event = lockEvent(kind, name, "w1", timeUs);
    event.waiter = waiter;
    return event;
}

/** "a" is waited for longest, "c" is held longest. */
QList<events::LockEvent> story()
{
    return {
        sourceEvent(EventKind::SourceUp, 50),           lockEvent(EventKind::Acquired, "c", "w9", 60),
        lockEvent(EventKind::Acquired, "a", "w1", 100), waitEvent(EventKind::WaitStart, "a", "x", 200),
        lockEvent(EventKind::Acquired, "b", "w1", 210), lockEvent(EventKind::Released, "b", "w1", 310),
        lockEvent(EventKind::Acquired, "b", "w2", 330), waitEvent(EventKind::WaitEnd, "a", "x", 350),
        lockEvent(EventKind::Expired, "b", "w2", 430),  lockEvent(EventKind::ForceReleased, "a", "w1", 900)};
}

protocol::TimelineQuery queryOf(qint64 fromUs, qint64 toUs)
{
    protocol::TimelineQuery query;
    query.id = 6;
    query.fromUs = fromUs;
    query.toUs = toUs;
    return query;
}

QString nameOf(const protocol::TimelineLane &lane)
{
    if (lane.key)
        return QString::fromUtf8(lane.key->name);
    return lane.source +
           (lane.holder.isEmpty() ? QString() : QLatin1Char('/') + QString::fromUtf8(lane.holder));
}

/** "a 150: w1@100-900 force_released, x@200-350": a lane's waiting, its holds and its waits. */
QString textOf(const protocol::TimelineLane &lane)
{
    QStringList bars;
    for (const protocol::Hold &hold : lane.holds)
        bars +=
            QStringLiteral("%1@%2-%3")
                .arg(QString::fromUtf8(hold.owner))
                .arg(hold.fromUs)
                .arg(hold.toUs ? QStringLiteral("%1 %2").arg(*hold.toUs).arg(QString::fromLatin1(hold.end))
                               : QString());
    for (const protocol::Wait &wait : lane.waits)
        bars += QStringLiteral("%1@%2-%3")
                    .arg(QString::fromUtf8(wait.waiter))
                    .arg(wait.fromUs)
                    .arg(wait.toUs ? QString::number(*wait.toUs) : QString());
    for (const protocol::TimelineSlice &s : lane.slices)
        bars += QStringLiteral("[%1 held %2 wait %3 ended %4+%5 forced %6]")
                    .arg(s.fromUs)
                    .arg(s.heldUs)
                    .arg(s.waitUs)
                    .arg(s.holds)
                    .arg(s.waits)
                    .arg(s.forced);
    return QStringLiteral("%1 %2: %3").arg(nameOf(lane)).arg(lane.waitUs).arg(bars.join(QLatin1String(", ")));
}

QString textOf(const protocol::TimelinePage &page)
{
    QStringList lanes;
    for (const protocol::TimelineLane &lane : page.lanes)
        lanes += textOf(lane);
    return lanes.join(QLatin1String("; ")) + (page.more ? QStringLiteral("; more") : QString());
}

QString textOf(const QList<protocol::TimelineGap> &gaps)
{
    QStringList lines;
    for (const protocol::TimelineGap &gap : gaps)
        lines += QStringLiteral("%1 %2-%3 %4 %5")
                     .arg(gap.source)
                     .arg(gap.fromUs)
                     .arg(gap.toUs ? QString::number(*gap.toUs) : QString(), gap.part, gap.cause)
                     .simplified();
    return lines.join(QLatin1String("; "));
}

/** "500 opened source_down", "600 closed node=a": an event of a gap. */
events::LockEvent gapEvent(const QString &line)
{
    const QStringList words = line.simplified().split(QLatin1Char(' '));
    events::LockEvent event =
        sourceEvent(words.at(1) == QLatin1String("opened") ? EventKind::GapOpened : EventKind::GapClosed,
                    words.at(0).toLongLong());
    for (const QString &word : words.mid(2)) {
        const QStringList pair = word.split(QLatin1Char('='));
        if (pair.size() == 1)
            event.detail.cause = events::causeFromName(word);
        else if (pair.at(0) == QLatin1String("since"))
            event.detail.sinceUs = pair.at(1).toLongLong();
        else if (pair.at(0) == QLatin1String("slots"))
            event.detail.slotRanges = pair.at(1);
        else
            event.detail.node = pair.at(1);
        if (pair.at(0) == QLatin1String("node"))
            event.detail.partial = true;
    }
    return event;
}

} // namespace

/** The holds and waits in a range of time, from the journal. */
class TestJournalTimeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lanes_data();
    void lanes();
    void reachesBackToTheFirstLook();
    void askedLocksInTheirOrder();
    void longHoldsAreFound();
    void crowdedLaneIsSliced();
    void barsAreShared();
    void longNamesFitIntoAFrame();
    void gaps_data();
    void gaps();
    void manyGapsAreMerged();
    void gapThatIsNoLongerKept();
    void strip();
    void refusals();
    void damagedHoldIsTold();
    void barsSayAsMuchAsHolds();
    void renewalsAsTheyFit_data();
    void renewalsAsTheyFit();
    void equalsARecount();

private:
    static protocol::TimelinePage ask(JournalFixture &f, const protocol::TimelineQuery &query)
    {
        return f.ask([query](agent::journal::Queries &queries) { return queries.timeline.timeline(query); });
    }
};

void TestJournalTimeline::lanes_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<QString>("lock");
    QTest::addColumn<QString>("holder");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("lanes");
    const auto row = [](const char *name, int by, qint64 from, qint64 to, const char *lock,
                        const char *holder, int most, const char *lanes) {
        QTest::newRow(name) << by << from << to << QString::fromLatin1(lock) << QString::fromLatin1(holder)
                            << most << QString::fromLatin1(lanes);
    };
    row("locks", 0, 0, 1000, "", "", 50,
        "a 150: w1@100-900 force_released, x@200-350; c 0: w9@60-; "
        "b 0: w1@210-310 released, w2@330-430 expired");
    row("a limit", 0, 0, 1000, "", "", 2, "a 150: w1@100-900 force_released, x@200-350; c 0: w9@60-; more");
    row("the end is exclusive", 0, 400, 430, "b", "", 50, "b 0: w2@330-430 expired");
    row("what ended as it began is in it", 0, 430, 500, "b", "", 50, "b 0: w2@330-430 expired");
    row("part of a wait", 0, 300, 320, "a", "", 50, "a 20: w1@100-900 force_released, x@200-350");
    row("before anything", 0, 0, 60, "", "", 50, "");
    row("a holder's", 0, 0, 1000, "", "w2", 50, "b 0: w2@330-430 expired");
    row("holders", 1, 0, 1000, "", "", 50,
        "orders/x 150: x@200-350; orders/w9 0: w9@60-; "
        "orders/w1 0: w1@100-900 force_released, w1@210-310 released; orders/w2 0: w2@330-430 expired");
    row("some holders", 1, 0, 1000, "", "w[12]", 50,
        "orders/w1 0: w1@100-900 force_released, w1@210-310 released; orders/w2 0: w2@330-430 expired");
    row("sources", 2, 0, 1000, "b", "", 50, "orders 0: w1@210-310 released, w2@330-430 expired");
}

void TestJournalTimeline::lanes()
{
    QFETCH(int, by);
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    QFETCH(QString, lock);
    QFETCH(QString, holder);
    QFETCH(int, most);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    protocol::TimelineQuery query = queryOf(from, to);
    query.by = protocol::TimelineLanes(by);
    query.lockGlob = lock.toLatin1();
    query.holderGlob = holder.toLatin1();
    query.lanes = most;
    const protocol::TimelinePage page = ask(f, query);
    QTEST(textOf(page), "lanes");
    QCOMPARE(page.id, 6u);
    QCOMPARE(page.fromUs, from);
    QCOMPARE(page.toUs, to);
    QCOMPARE(page.firstUs, 50);
}

/**
 * A bar is the same hold that a query for holds returns, with its wait, its end's cause and its last renewal.
 */
void TestJournalTimeline::barsSayAsMuchAsHolds()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent forced = lockEvent(EventKind::ForceReleased, "a", "x", 900);
    forced.command = "00ff";
    domain::LockState renewed = heldState("a", "x", 350);
    renewed.renewals = 2;
    renewed.renewedUs = 500;
    renewed.expiresUs = 800;
    f.commit({sourceEvent(EventKind::SourceUp, 50), waitEvent(EventKind::WaitStart, "a", "x", 200),
              waitEvent(EventKind::WaitEnd, "a", "x", 350), lockEvent(EventKind::Acquired, "a", "x", 350)});
    f.journal->noteRenewal(renewed);
    f.commit({forced});
    const QList<protocol::Hold> holds = f.holds({});
    QCOMPARE(holds.size(), 1);
    const protocol::Hold &hold = holds.first();
    QCOMPARE(hold.waitedUs.value_or(-1), 150);
    QCOMPARE(hold.command, QByteArray("00ff"));
    QCOMPARE(hold.renewedUs.value_or(-1), 500);
    QCOMPARE(hold.expiresUs.value_or(-1), 800);
    const protocol::TimelinePage page = ask(f, queryOf(0, 1000));
    QCOMPARE(page.lanes.size(), 1);
    QCOMPARE(page.lanes.first().holds, holds);
}

/** A lock that was found is older than the journal. */
void TestJournalTimeline::reachesBackToTheFirstLook()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent found = lockEvent(EventKind::Acquired, "a", "w1", 5);
    found.observedUs = 100;
    f.commit({found});
    (void)f.history({});
    QCOMPARE(ask(f, queryOf(0, 1000)).firstUs, 100);
}

void TestJournalTimeline::askedLocksInTheirOrder()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    protocol::TimelineQuery query = queryOf(0, 1000);
    for (const QByteArray &name : {QByteArray("b"), QByteArray("gone"), QByteArray("a")})
        query.keys.append(heldState(name, {}, 0).key);
    QCOMPARE(textOf(ask(f, query)), QStringLiteral("b 0: w1@210-310 released, w2@330-430 expired; gone 0: ; "
                                                   "a 150: w1@100-900 force_released, x@200-350"));
    query.source = QStringLiteral("none");
    query.keys.clear();
    QCOMPARE(textOf(ask(f, query)), QString());
}

/** One that began long before the range and ended long after it, or is still running. */
void TestJournalTimeline::longHoldsAreFound()
{
    constexpr qint64 kHour = 3'600'000'000;
    constexpr qint64 kStart = 1000 * kHour;
    JournalFixture f;
    f.clock.setWallUs(kStart + 700 * kHour);
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "open", "w1", kStart),
              lockEvent(EventKind::Acquired, "month", "w2", kStart + 1),
              waitEvent(EventKind::WaitStart, "month", "x", kStart + 2)});
    QList<events::LockEvent> events;
    for (int hour = 1; hour < 600; ++hour)
        events += {lockEvent(EventKind::Acquired, "often", "w3", kStart + hour * kHour),
                   lockEvent(EventKind::Released, "often", "w3", kStart + hour * kHour + 100)};
    f.commit(events);
    f.commit({lockEvent(EventKind::Released, "month", "w2", kStart + 650 * kHour),
              waitEvent(EventKind::WaitEnd, "month", "x", kStart + 650 * kHour)});
    protocol::TimelineQuery query = queryOf(kStart + 300 * kHour + 200, kStart + 300 * kHour + 300);
    QCOMPARE(textOf(ask(f, query)), QStringLiteral("month 100: w2@%1-%2 released, x@%3-%2; open 0: w1@%4-")
                                        .arg(kStart + 1)
                                        .arg(kStart + 650 * kHour)
                                        .arg(kStart + 2)
                                        .arg(kStart));
}

void TestJournalTimeline::crowdedLaneIsSliced()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 100; ++i)
        events +=
            {lockEvent(EventKind::Acquired, "a", "w1", 1000 + 10 * i),
             lockEvent(i == 12 ? EventKind::ForceReleased : EventKind::Released, "a", "w1", 1005 + 10 * i)};
    events +=
        {lockEvent(EventKind::Acquired, "b", "w1", 1234), waitEvent(EventKind::WaitStart, "a", "x", 1550)};
    f.commit(events);
    protocol::TimelineQuery query = queryOf(1000, 2000);
    query.sliceUs = 500; // two bars at most, since more of them would touch each other
    QCOMPARE(textOf(ask(f, query)),
             QStringLiteral("a 450: [1000 held 250 wait 0 ended 50+0 forced 1], "
                            "[1500 held 250 wait 450 ended 50+0 forced 0]; b 0: w1@1234-"));
    QCOMPARE(ask(f, query).sliceUs, 500);
    query.sliceUs = 1;
    QCOMPARE(ask(f, query).lanes.at(0).holds.size(), 100);
    query.bars = 50;
    QVERIFY(ask(f, query).lanes.at(0).holds.isEmpty());
    QCOMPARE(ask(f, query).lanes.at(1).holds.size(), 1);
}

/** A lane with few bars has them all, whatever the others have. */
void TestJournalTimeline::barsAreShared()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    for (int i = 0; i < 300; ++i) {
        const QByteArray name = i % 3 == 0 ? "few" : "many";
        if (i < 30 || i % 3 != 0)
            events += {lockEvent(EventKind::Acquired, name, "w1", 1000 + 10 * i),
                       lockEvent(EventKind::Released, name, "w1", 1005 + 10 * i)};
    }
    f.commit(events);
    protocol::TimelineQuery query = queryOf(0, 10'000);
    query.bars = 100;
    const protocol::TimelinePage page = ask(f, query);
    QCOMPARE(page.lanes.size(), 2);
    QCOMPARE(nameOf(page.lanes.at(0)), QStringLiteral("many"));
    QVERIFY(page.lanes.at(0).holds.isEmpty());
    QVERIFY(!page.lanes.at(0).slices.isEmpty());
    QCOMPARE(page.lanes.at(1).holds.size(), 10);
    QVERIFY(page.lanes.at(1).slices.isEmpty());
}

void TestJournalTimeline::longNamesFitIntoAFrame()
{
    JournalFixture f;
    QVERIFY(f.open());
    const QByteArray owner(60'000, 'o');
    for (int i = 0; i < 100; ++i) {
        const QByteArray name = "l" + QByteArray::number(i % 4);
        f.commit({lockEvent(EventKind::Acquired, name, owner + QByteArray::number(i), 1000 + 10 * i),
                  lockEvent(EventKind::Released, name, owner + QByteArray::number(i), 1005 + 10 * i)});
    }
    const protocol::TimelinePage page = ask(f, queryOf(0, 10'000));
    QCOMPARE(page.lanes.size(), 4);
    qsizetype bars = 0;
    for (const protocol::TimelineLane &lane : page.lanes) {
        QVERIFY(lane.holds.isEmpty() != lane.slices.isEmpty());
        if (!lane.holds.isEmpty()) // a lane shows all its holds, or none
            QCOMPARE(lane.holds.size(), 25);
        bars += lane.holds.size();
    }
    QCOMPARE(bars, 50); // 3 MB of them, and 1.5 more wouldn't fit
}

void TestJournalTimeline::gaps_data()
{
    QTest::addColumn<QString>("events");
    QTest::addColumn<QString>("gaps");
    const auto row = [](const char *name, const char *events, const char *gaps) {
        QTest::newRow(name) << QString::fromLatin1(events) << QString::fromLatin1(gaps);
    };
    row("none", "", "");
    row("one", "500 opened source_down;600 closed since=500", "orders 500-600 source_down");
    row("it goes on", "500 opened source_down", "orders 500- source_down");
    row("before the range", "10 opened source_down;90 closed since=10", "");
    row("into the range", "10 opened source_down;190 closed since=10", "orders 10-190 source_down");
    row("behind the range", "2000 opened source_down", "");
    row("a part", "500 opened node=n1 source_down;600 closed node=n1 since=500",
        "orders 500-600 n1 source_down");
    row("slots of a part", "500 opened node=n1 slots=1-5 slots_moving;550 opened node=n1 source_down",
        "orders 500- n1 1-5 slots_moving; orders 550- n1 source_down");
    row("whole within a part",
        "500 opened node=n1 source_down;510 opened push_lost;520 closed since=510;"
        "600 closed node=n1 since=500",
        "orders 500-600 n1 source_down; orders 510-520 push_lost");
    row("dropped by the journal",
        "500 opened source_down;510 opened journal;520 closed journal;"
        "600 closed since=500",
        "orders 500-600 source_down; orders 510-520 journal");
    row("a restart ends what was open",
        "500 opened node=n1 source_down;700 opened agent_restarted;"
        "800 closed since=700",
        "orders 500-700 n1 source_down; orders 700-800 agent_restarted");
    row("a source that is no longer configured has no parts",
        "500 opened node=n1 source_down;700 opened not_configured;"
        "800 closed since=700",
        "orders 500-700 n1 source_down; orders 700-800 not_configured");
    row("one that is connected anew has others",
        "500 opened node=n1 source_down;700 opened reloaded;800 closed since=700",
        "orders 500-700 n1 source_down; orders 700-800 reloaded");
    row("its beginning is no longer kept", "600 closed since=500", "orders 500-600");
    row("a clock that was set back", "500 opened source_down;400 closed since=500",
        "orders 500-500 source_down");
    row("opened twice", "500 opened source_down;550 opened source_down;600 closed since=500",
        "orders 500-600 source_down");
}

void TestJournalTimeline::gaps()
{
    QFETCH(QString, events);
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> some{sourceEvent(EventKind::SourceUp, 5)};
    for (const QString &line : events.split(QLatin1Char(';'), Qt::SkipEmptyParts))
        some += gapEvent(line);
    f.commit(some);
    QTEST(textOf(ask(f, queryOf(100, 1000)).gaps), "gaps");
    QVERIFY(f.open()); // the same after a restart
    QTEST(textOf(ask(f, queryOf(100, 1000)).gaps), "gaps");
}

void TestJournalTimeline::manyGapsAreMerged()
{
    agent::journal::SourceGaps gaps(QStringLiteral("orders"), {0, 1'000'000'000});
    constexpr qint64 kApart = 100'000;
    events::LockEvent opened = gapEvent(QStringLiteral("0 opened source_down"));
    events::LockEvent closed = gapEvent(QStringLiteral("0 closed"));
    qint64 at = 0;
    for (; at < 1'000'000'000; at += kApart) {
        opened.timeUs = at;
        gaps.add(opened);
        closed.timeUs = at + 500;
        gaps.add(closed);
    }
    const auto told = gaps.result({});
    QVERIFY(told.size() >= 1000);
    QVERIFY(told.size() <= 3000);
    QCOMPARE(told.first().toUs, 500);
    QCOMPARE(told.last().toUs, at - kApart + 500);
}

/** The source is silent for longer than its events are kept. */
void TestJournalTimeline::gapThatIsNoLongerKept()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 5), sourceEvent(EventKind::GapOpened, 300)},
             {{QStringLiteral("orders"), "redis", 300}});
    f.close();
    f.sql(QStringLiteral("DELETE FROM events"));
    QVERIFY(f.open());
    QCOMPARE(textOf(ask(f, queryOf(100, 1000)).gaps), QStringLiteral("orders 300-"));
    QCOMPARE(ask(f, queryOf(100, 1000)).firstUs, 0);
}

void TestJournalTimeline::strip()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    protocol::TimelineQuery query = queryOf(0, 10);
    query.stripFromUs = 100;
    query.stripToUs = 400;
    query.stripSlices = 3;
    QCOMPARE(ask(f, query).strip, (QList<qint64>{1, 2, 3}));
    query.source = QStringLiteral("none");
    QCOMPARE(ask(f, query).strip, (QList<qint64>{0, 0, 0}));
    query.stripSlices = 0;
    QVERIFY(ask(f, query).strip.isEmpty());
}

void TestJournalTimeline::refusals()
{
    JournalFixture f;
    QVERIFY(f.open());
    (void)ask(f, queryOf(10, 10));
    QCOMPARE(f.lastError.code, base::ErrorCode::Usage);
    protocol::TimelineQuery query = queryOf(0, 10);
    query.stripSlices = 2000;
    query.stripFromUs = std::numeric_limits<qint64>::min() / 4;
    query.stripToUs = std::numeric_limits<qint64>::max() / 4;
    (void)ask(f, query);
    QCOMPARE(f.lastError.code, base::ErrorCode::Usage);
    query.stripFromUs = std::numeric_limits<qint64>::min();
    (void)ask(f, query);
    QCOMPARE(f.lastError.code, base::ErrorCode::Usage);
    query = queryOf(std::numeric_limits<qint64>::min() / 4, std::numeric_limits<qint64>::max() / 4);
    query.lanes = query.bars = std::numeric_limits<int>::max();
    query.toUs -= 1;
    (void)ask(f, query);
    QCOMPARE(f.lastError.cause, QString());
}

void TestJournalTimeline::damagedHoldIsTold()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    f.close();
    f.sql(QStringLiteral("UPDATE holds SET from_us = from_us + 1 WHERE hold_id = 2"));
    QVERIFY(f.open());
    (void)ask(f, queryOf(0, 1000));
    QCOMPARE(f.lastError.code, base::ErrorCode::Corrupt);
}

void TestJournalTimeline::renewalsAsTheyFit_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<qint64>("slice");
    QTest::addColumn<QList<qint64>>("told");
    const QList<qint64> all{200, 300, 400, 500, 600, 700, 800};
    QTest::newRow("room for all") << qint64(0) << qint64(1000) << qint64(10) << all;
    QTest::newRow("room unlimited") << qint64(0) << qint64(1000) << qint64(0) << all;
    QTest::newRow("just so") << qint64(0) << qint64(1000) << qint64(26) << all;
    QTest::newRow("too many to be told apart") << qint64(0) << qint64(1000) << qint64(40) << QList<qint64>();
    QTest::newRow("of a part") << qint64(350) << qint64(650) << qint64(10) << QList<qint64>{400, 500, 600};
    QTest::newRow("of another hold") << qint64(860) << qint64(1000) << qint64(1) << QList<qint64>{950};
}

/** Renewals that are journalled as events: all that lie in the range, or none where they'd run together. */
void TestJournalTimeline::renewalsAsTheyFit()
{
    QFETCH(qint64, from);
    QFETCH(qint64, to);
    QFETCH(qint64, slice);
    QFETCH(QList<qint64>, told);
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events{sourceEvent(EventKind::SourceUp, 50),
                                    lockEvent(EventKind::Acquired, "a", "x", 100)};
    const auto renew = [&events](const QByteArray &owner, qint64 acquiredUs, quint32 number, qint64 timeUs) {
        events::LockEvent event = lockEvent(EventKind::Renewed, "a", owner, timeUs);
        event.after = heldState("a", owner, acquiredUs);
        event.after->renewals = number;
        event.after->renewedUs = timeUs;
        event.after->expiresUs = timeUs + 1000;
        events.append(event);
    };
    for (quint32 i = 1; i <= 7; ++i)
        renew("x", 100, i, 100 + 100 * i);
    events << lockEvent(EventKind::Acquired, "b", "z", 310) << lockEvent(EventKind::Released, "a", "x", 850)
           << lockEvent(EventKind::Acquired, "a", "y", 900);
    renew("y", 900, 1, 950);
    f.commit(events);
    // Renewals of an open hold are counted at the next flush, without a further renewal.
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT group_concat(renewals) FROM holds WHERE lock_id = 1")).toString(),
             QStringLiteral("7,1"));
    QVERIFY(f.open());
    protocol::TimelineQuery query = queryOf(from, to);
    query.lockGlob = "a";
    query.sliceUs = slice;
    const protocol::TimelinePage page = ask(f, query);
    QCOMPARE(page.lanes.size(), 1);
    QVERIFY(!page.lanes.first().holds.isEmpty());
    const protocol::Hold &hold = page.lanes.first().holds.first();
    if (hold.toUs) // the total is reported, regardless of the number in the range or on the screen
        QCOMPARE(hold.renewals, 7U);
    QCOMPARE(hold.renewalsUs, told);
}

/** Random courses, with clocks that are set forwards and back: bars and slices equal the sums of the rows. */
void TestJournalTimeline::equalsARecount()
{
    QRandomGenerator random(7);
    JournalFixture f;
    f.clock.setWallUs(10'000'000);
    QVERIFY(f.open());
    QList<events::LockEvent> events;
    qint64 at = 1'000'000;
    for (int i = 0; i < 3000; ++i) {
        at += i % 500 == 499 ? qint64(random.bounded(1'000'000)) - 500'000 : qint64(random.bounded(2000));
        const QByteArray name = "l" + QByteArray::number(random.bounded(6));
        const QByteArray who = "w" + QByteArray::number(random.bounded(5));
        const EventKind kinds[] = {EventKind::Acquired,     EventKind::Released,  EventKind::Expired,
                                   EventKind::TakenOver,    EventKind::WaitStart, EventKind::WaitEnd,
                                   EventKind::ForceReleased};
        const EventKind kind = kinds[random.bounded(7)];
        const bool ofWaiter = kind == EventKind::WaitStart || kind == EventKind::WaitEnd;
        events += ofWaiter ? waitEvent(kind, name, who, at) : lockEvent(kind, name, who, at);
    }
    f.commit(events);
    (void)f.history({}); // all is filed
    const QList<RawSpan> raw = rawSpans(f.path());
    QVERIFY(raw.size() > 500);
    for (int round = 0; round < 60; ++round) {
        const qint64 from = 1'000'000 + random.bounded(3'000'000);
        protocol::TimelineQuery query = queryOf(from, from + 1 + random.bounded(2'000'000));
        query.sliceUs = round % 2 ? 1 + random.bounded(200'000) : 0;
        query.bars = 1 + int(random.bounded(2000));
        const protocol::TimelinePage page = ask(f, query);
        QCOMPARE(f.lastError.cause, QString());
        QCOMPARE(page.fromUs, query.fromUs);
        QCOMPARE(page.toUs, query.toUs);
        compareWithRecount(page, raw, f.clock.wallUs());
    }
}

LOCKKEEPER_TEST(TestJournalTimeline)

} // namespace tst_journal_timeline

#include "tst_journal_timeline.moc"
