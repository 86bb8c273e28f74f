// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QSignalSpy>

namespace tst_journal_events {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

/** Two locks, three acquisitions, a gap. Sequence numbers 1 to 8. */
QList<events::LockEvent> story()
{
    events::LockEvent taken = lockEvent(EventKind::TakenOver, "a", "w2", 300);
    taken.detail = events::EventDetail::fromJson({{QStringLiteral("previous"), QStringLiteral("w1")}});
    events::LockEvent forced = lockEvent(EventKind::ForceReleased, "a", "w2", 500);
    forced.command = "c0ffee";
    return {sourceEvent(EventKind::SourceUp, 50),
            lockEvent(EventKind::Acquired, "a", "w1", 100),
            lockEvent(EventKind::Acquired, "b", "w1", 200),
            taken,
            sourceEvent(EventKind::GapOpened, 350),
            sourceEvent(EventKind::GapClosed, 400),
            forced,
            lockEvent(EventKind::Released, "b", "w1", 600)};
}

} // namespace

class TestJournalEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreContiguousOverRestarts();
    void numbersAreNotReusedAfterRetention();
    void aClockThatIsSetForwardDeletesNothing();
    void eventComesBackWhole();
    void historyFilters_data();
    void historyFilters();
    void historyPages();
    void replayCarriesStates();
    void holdsFollowEvents();
    void aLostLockEndsItsHold();
    void whatIsDroppedEndsItsHolds();
    void holdsFilters_data();
    void holdsFilters();
    void holdTellsTheWaitBeforeIt_data();
    void holdTellsTheWaitBeforeIt();
    void holdTellsWhoForcedItsEnd();
    void missedEndIsAGap();
    void renewalsAreKeptWithTheHold();
    void heldLocksAreRestored();
    void waitersAreRestored();
    void positionsAreRestored();
    void progressAndGapAreRestored();
    void retentionBySizeKeepsOpenHolds();
    void holdsStayUntilTheirEventsGo();
    void aSingleEventIsCommittedAtOnce();
    void unreadableFolderIsRefused();
};

void TestJournalEvents::numbersAreContiguousOverRestarts()
{
    JournalFixture f;
    QVERIFY(f.open());
    QCOMPARE(f.journal->firstSeq(), 0u);
    const QByteArray id = f.journal->id();
    QCOMPARE(id.size(), 32);
    QList<events::LockEvent> many;
    for (int i = 0; i < 2500; ++i)
        many += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired,
                          "k" + QByteArray::number(i / 2 % 7), "w", i);
    f.commit(many);
    for (int i = 0; i < many.size(); ++i)
        QCOMPARE(f.committed.at(i).seq, quint64(i + 1));
    QCOMPARE(f.journal->firstSeq(), 1u);
    QCOMPARE(f.journal->lastSeq(), 2500u);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->id, id);
    QCOMPARE(opened->firstSeq, 1u);
    QCOMPARE(opened->lastSeq, 2500u);
    f.commit({lockEvent(EventKind::Acquired, "z", "w", 9)});
    QCOMPARE(f.committed.first().seq, 2501u);
    QVERIFY(f.journal->bytes() > 0);
    QVERIFY(f.journal->diskFree() > 0);
}

void TestJournalEvents::numbersAreNotReusedAfterRetention()
{
    JournalFixture f;
    f.options.keepRollupsDays = 30; // names stay as long as their sums
    f.clock.setWallUs(1'000'000);
    QVERIFY(f.open());
    f.commit(story());
    f.close();
    f.clock.setWallUs(1'000'000 + 40 * 86'400'000'000LL); // all of it is older than 30 days now
    QVERIFY(f.open());
    QTRY_COMPARE(f.journal->firstSeq(), 0u);
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM events")).toInt(), 0);
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM locks")).toInt(), 0);
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w", f.clock.wallUs())});
    QCOMPARE(f.committed.first().seq, 9u);
    QCOMPARE(f.journal->firstSeq(), 9u);
}

/** Not for an hour: it may be wrong for a moment. */
void TestJournalEvents::aClockThatIsSetForwardDeletesNothing()
{
    constexpr qint64 kMinute = 60'000'000;
    constexpr qint64 kDay = 1'440 * kMinute;
    JournalFixture f;
    f.clock.setWallUs(100 * kDay);
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w", 70 * kDay + 10 * kMinute),
              lockEvent(EventKind::Acquired, "b", "w", 70 * kDay + 30 * kMinute),
              lockEvent(EventKind::Acquired, "c", "w", 70 * kDay + 80 * kMinute),
              lockEvent(EventKind::Acquired, "d", "w", 99 * kDay),
              lockEvent(EventKind::Released, "d", "w", 99 * kDay + 1)});
    const auto then = [&f](qint64 minutes, qint64 setByDays) {
        f.clock.advanceUs(minutes * kMinute);
        f.clock.setWallUs(f.clock.wallUs() + setByDays * kDay);
        f.roll();
    };
    then(20, 40);
    QTRY_COMPARE(f.journal->firstSeq(), 2u);
    then(20, -40);
    QTRY_COMPARE(f.journal->firstSeq(), 3u);
    then(50, 40);
    QTRY_COMPARE(f.journal->firstSeq(), 4u);
    then(20, 0);
    QTRY_COMPARE(f.journal->firstSeq(), 0u);
}

void TestJournalEvents::eventComesBackWhole()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent event =
        lockEvent(EventKind::WaitStart, QByteArray("n\0\xff\r\n", 5), "o\xe2\x80\xae", 7);
    event.windowUs = 3;
    event.waiter = QByteArray("");
    event.command = "c";
    event.detail = events::EventDetail::fromJson({{QStringLiteral("n"), qint64(9'007'199'254'740'993)},
                                                  {QStringLiteral("l"), QJsonArray{1, QStringLiteral("x")}}});
    event.after = heldState(event.key.name, "o", 7);
    event.after->waiters = {{"w1", 5, "d"}, {"w2", {}, {}}};
    events::LockEvent unknown = lockEvent(EventKind::Released, "a", {}, 8);
    unknown.ownerKnown = false;
    f.commit({event, unknown});
    event.seq = 1;
    unknown.seq = 2;
    const QList<events::LockEvent> read = f.replay(0, 10).events;
    QCOMPARE(read.size(), 2);
    QCOMPARE(read.at(0), event);
    QCOMPARE(read.at(1), unknown);
}

void TestJournalEvents::historyFilters_data()
{
    QTest::addColumn<protocol::HistoryQuery>("query");
    QTest::addColumn<QList<quint64>>("seqs");
    const auto row = [](const char *name, const QList<quint64> &seqs, auto change) {
        protocol::HistoryQuery query;
        change(query);
        QTest::newRow(name) << query << seqs;
    };
    row("all", {1, 2, 3, 4, 5, 6, 7, 8}, [](auto &) {});
    row("descending", {8, 7, 6, 5, 4, 3, 2, 1}, [](auto &q) { q.descending = true; });
    row("by name", {2, 4, 7}, [](auto &q) { q.lockGlob = "a"; });
    row("by glob", {2, 3, 4, 7, 8}, [](auto &q) { q.lockGlob = "[ab]"; });
    row("star is everything", {1, 2, 3, 4, 5, 6, 7, 8}, [](auto &q) { q.lockGlob = "*"; });
    row("no such lock", {}, [](auto &q) { q.lockGlob = "c*"; });
    row("by holder", {2, 3, 8}, [](auto &q) { q.holderGlob = "w1"; });
    row("by kind", {2, 3}, [](auto &q) { q.kinds = {EventKind::Acquired}; });
    row("kinds, newest first", {6, 5}, [](auto &q) {
        q.kinds = {EventKind::GapOpened, EventKind::GapClosed};
        q.descending = true;
    });
    row("from", {7, 8}, [](auto &q) { q.fromUs = 500; });
    row("until", {1, 2}, [](auto &q) { q.toUs = 199; });
    row("between, of a lock", {4}, [](auto &q) {
        q.fromUs = 200;
        q.toUs = 400;
        q.lockGlob = "a";
    });
    row("no time fits", {}, [](auto &q) { q.fromUs = 9'000; });
    row("after", {7, 8}, [](auto &q) { q.afterSeq = 6; });
    row("after the end", {}, [](auto &q) { q.afterSeq = 99; });
    row("after what no number reaches", {}, [](auto &q) { q.afterSeq = ~0ULL; });
    row("before", {1, 2}, [](auto &q) { q.beforeSeq = 3; });
    row("before the first", {}, [](auto &q) { q.beforeSeq = 0; });
    row("by command", {7}, [](auto &q) { q.command = "c0ffee"; });
    row("of a source", {1, 2, 3, 4, 5, 6, 7, 8}, [](auto &q) { q.source = QStringLiteral("orders"); });
    row("of no source", {}, [](auto &q) { q.source = QStringLiteral("o'; DROP TABLE events; --"); });
    row("a hostile name", {}, [](auto &q) { q.lockGlob = "' OR 1=1 --"; });
}

void TestJournalEvents::historyFilters()
{
    QFETCH(protocol::HistoryQuery, query);
    QFETCH(QList<quint64>, seqs);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    query.id = 77;
    const protocol::EventPage page = f.history(query);
    QCOMPARE(f.lastError.line(), QString());
    QList<quint64> found;
    for (const events::LockEvent &event : page.events) {
        found += event.seq;
        QVERIFY(!event.after);
    }
    QCOMPARE(found, seqs);
    QCOMPARE(page.id, 77u);
    QCOMPARE(page.more, false);
    QCOMPARE(page.firstSeq, 1u);
    QCOMPARE(page.lastSeq, 8u);
}

void TestJournalEvents::historyPages()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> many;
    for (int i = 0; i < 45'000; ++i) // more than two slices
        many += lockEvent(EventKind::Renewed, i % 100 ? "a" : "rare", "w", i);
    f.commit(many);
    for (const bool descending : {false, true}) {
        protocol::HistoryQuery query;
        query.lockGlob = "rare";
        query.limit = 70;
        query.descending = descending;
        QList<quint64> seqs;
        for (bool more = true; more;) {
            const protocol::EventPage page = f.history(query);
            QVERIFY(!page.events.isEmpty());
            for (const events::LockEvent &event : page.events)
                seqs += event.seq;
            (descending ? query.beforeSeq : query.afterSeq) = seqs.last();
            more = page.more;
        }
        QCOMPARE(seqs.size(), 450);
        if (descending)
            std::reverse(seqs.begin(), seqs.end());
        for (int i = 0; i < seqs.size(); ++i)
            QCOMPARE(seqs.at(i), quint64(i * 100 + 1));
    }
}

void TestJournalEvents::replayCarriesStates()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    const protocol::EventPage first = f.replay(1, 3);
    QCOMPARE(textOf(first.events),
             (QStringList{QStringLiteral("2 acquired a/w1 @100"), QStringLiteral("3 acquired b/w1 @200"),
                          QStringLiteral("4 taken_over a/w2 @300")}));
    QVERIFY(first.more);
    QCOMPARE(first.events.first().after, std::optional(heldState("a", "w1", 100)));
    const protocol::EventPage rest = f.replay(4, 10);
    QCOMPARE(rest.events.size(), 4);
    QVERIFY(!rest.more);
    QCOMPARE(rest.events.first().key.source, QStringLiteral("orders"));
    QVERIFY(f.replay(8, 10).events.isEmpty());
}

void TestJournalEvents::holdsFollowEvents()
{
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> events = story();
    events += lockEvent(EventKind::Acquired, "b", "w3", 700);
    f.commit(events);
    QCOMPARE(
        textOf(f.holds({})),
        (QStringList{QStringLiteral("b w3 700- "), QStringLiteral("a w2 300-500 force_released"),
                     QStringLiteral("b w1 200-600 released"), QStringLiteral("a w1 100-300 taken_over")}));
}

void TestJournalEvents::aLostLockEndsItsHold()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Lost, "a", "w1", 200),
              lockEvent(EventKind::Acquired, "a", "w2", 300)});
    QCOMPARE(textOf(f.holds({})),
             (QStringList{QStringLiteral("a w2 300- "), QStringLiteral("a w1 100-200 lost")}));
    QCOMPARE(f.replay(0, 10).events.at(1).kind, EventKind::Lost);
}

void TestJournalEvents::whatIsDroppedEndsItsHolds()
{
    JournalFixture f;
    f.options.queueBytes = 128 << 10;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "b", "w1", 110),
              lockEvent(EventKind::Acquired, "c", "w1", 120), sourceEvent(EventKind::GapOpened, 130)});
    QList<events::LockEvent> lost{
        lockEvent(EventKind::Released, "a", "w1", 200), lockEvent(EventKind::Released, "b", "w1", 210),
        lockEvent(EventKind::Acquired, "b", "w2", 220), lockEvent(EventKind::Released, "c", "w1", 230),
        lockEvent(EventKind::Acquired, "c", "w2", 240), lockEvent(EventKind::Released, "c", "w2", 250)};
    for (int i = 0; i < 600; ++i)
        lost += lockEvent(EventKind::Stuck, "d", "w1", 300);
    QVERIFY(!f.journal->append(lost)); // more than there is room for
    QTRY_COMPARE_WITH_TIMEOUT(f.committed.size(), 4 + 5, 60'000);
    const QList<protocol::Hold> holds = f.holds({});
    QCOMPARE(textOf(holds),
             (QStringList{QStringLiteral("b w2 220- "), QStringLiteral("c w1 120-250 gap"),
                          QStringLiteral("b w1 110-220 gap"), QStringLiteral("a w1 100-200 released")}));
    QCOMPARE(holds.at(1).toWindowUs, 20);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->held.size(), 1);
    QCOMPARE(opened->held.constFirst().owner, QByteArray("w2"));
    QVERIFY(opened->sources.constFirst().gapOpen); // the source's own, within which the journal's was
}

void TestJournalEvents::holdsFilters_data()
{
    QTest::addColumn<protocol::HoldsQuery>("query");
    QTest::addColumn<QStringList>("owners");
    const auto row = [](const char *name, const QStringList &owners, auto change) {
        protocol::HoldsQuery query;
        change(query);
        QTest::newRow(name) << query << owners;
    };
    const auto w = [](int n) { return QStringLiteral("w%1").arg(n); };
    row("all", {w(2), w(1), w(1)}, [](auto &) {});
    row("one lock", {w(2), w(1)}, [](auto &q) { q.lockGlob = "a"; });
    row("by key", {w(1)}, [](auto &q) {
        q.key = domain::LockKey{QStringLiteral("orders"), "redis.token", "db0", "b"};
    });
    row("key of another place", {}, [](auto &q) {
        q.key = domain::LockKey{QStringLiteral("orders"), "redis.token", "db1", "b"};
    });
    row("began later", {}, [](auto &q) { q.toUs = 99; });
    row("ended before", {w(1)}, [](auto &q) { q.fromUs = 501; });
    row("limit", {w(2)}, [](auto &q) { q.limit = 1; });
    row("holder", {w(2)}, [](auto &q) { q.holderGlob = "*2"; });
    row("older page", {w(1)}, [](auto &q) { q.beforeId = 3; });
    row("another source", {}, [](auto &q) { q.source = QStringLiteral("x"); });
}

void TestJournalEvents::holdsFilters()
{
    QFETCH(protocol::HoldsQuery, query);
    QFETCH(QStringList, owners);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(story());
    QStringList found;
    const QList<protocol::Hold> holds = f.holds(query);
    QCOMPARE(f.lastError.line(), QString());
    for (const protocol::Hold &hold : holds) {
        found += QString::fromUtf8(hold.owner);
        QVERIFY(hold.id > 0 && hold.id < query.beforeId.value_or(hold.id + 1));
    }
    QCOMPARE(found, owners);
}

void TestJournalEvents::holdTellsTheWaitBeforeIt_data()
{
    QTest::addColumn<QList<events::LockEvent>>("waits");
    QTest::addColumn<std::optional<qint64>>("waited");
    QTest::addColumn<bool>("seen");
    using Events = QList<events::LockEvent>;
    using Time = std::optional<qint64>;
    QTest::newRow("a wait that was seen from its beginning")
        << Events{waitEvent(EventKind::WaitStart, "a", "w2", 200),
                  waitEvent(EventKind::WaitEnd, "a", "w2", 350, 200)}
        << Time(150) << true;
    events::LockEvent found = waitEvent(EventKind::WaitStart, "a", "w2", 200);
    found.detail.firstSeen = true;
    QTest::newRow("a wait that was there when the agent came")
        << Events{found, waitEvent(EventKind::WaitEnd, "a", "w2", 350, 200)} << Time(150) << false;
    QTest::newRow("its beginning isn't in the journal")
        << Events{waitEvent(EventKind::WaitEnd, "a", "w2", 350, 300)} << Time(50) << false;
    QTest::newRow("it had left before") << Events{waitEvent(EventKind::WaitStart, "a", "w2", 200),
                                                  waitEvent(EventKind::WaitEnd, "a", "w2", 340, 200)}
                                        << Time() << true;
    QTest::newRow("another one waited") << Events{waitEvent(EventKind::WaitStart, "a", "w3", 200),
                                                  waitEvent(EventKind::WaitEnd, "a", "w3", 350, 200)}
                                        << Time() << true;
    QTest::newRow("for another lock") << Events{waitEvent(EventKind::WaitStart, "b", "w2", 200),
                                                waitEvent(EventKind::WaitEnd, "b", "w2", 350, 200)}
                                      << Time() << true;
    QTest::newRow("nobody") << Events{} << Time() << true;
}

void TestJournalEvents::holdTellsTheWaitBeforeIt()
{
    QFETCH(QList<events::LockEvent>, waits);
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100)});
    f.commit(waits);
    f.commit(
        {lockEvent(EventKind::Released, "a", "w1", 345), lockEvent(EventKind::Acquired, "a", "w2", 350)});
    const QList<protocol::Hold> holds = f.holds({});
    QCOMPARE(f.lastError.line(), QString());
    QCOMPARE(holds.size(), 2);
    QTEST(holds.at(0).waitedUs, "waited");
    QTEST(holds.at(0).waitSeen, "seen");
    QCOMPARE(holds.at(1).waitedUs, std::nullopt);
}

void TestJournalEvents::holdTellsWhoForcedItsEnd()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto intent = f.begin(intentOf("c1"));
    QVERIFY(intent && f.end(intent->auditId, domain::Outcome::Released));
    events::LockEvent forced = lockEvent(EventKind::ForceReleased, "a", "w1", 200);
    forced.command = "c1";
    events::LockEvent probably = lockEvent(EventKind::ForceReleased, "a", "w2", 400);
    probably.command = "c2"; // the audit doesn't know it
    probably.detail.mayBeReleased = true;
    events::LockEvent atDeadline = lockEvent(EventKind::Expired, "a", "w3", 600);
    atDeadline.detail.mayBeReleased = true;
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100), forced,
              lockEvent(EventKind::Acquired, "a", "w2", 300), probably,
              lockEvent(EventKind::Acquired, "a", "w3", 500), atDeadline,
              lockEvent(EventKind::Acquired, "a", "w4", 700),
              lockEvent(EventKind::Released, "a", "w4", 800)});
    QStringList told;
    const QList<protocol::Hold> holds = f.holds({});
    QCOMPARE(f.lastError.line(), QString());
    for (const protocol::Hold &hold : holds)
        told += QStringLiteral("%1 by '%2' as '%3' because '%4' command '%5' may be '%6'")
                    .arg(QString::fromUtf8(hold.end), hold.by, hold.role, hold.reason,
                         QString::fromUtf8(hold.command), QString::fromUtf8(hold.mayBe));
    QCOMPARE(told, (QStringList{
                       QStringLiteral("released by '' as '' because '' command '' may be ''"),
                       QStringLiteral("expired by '' as '' because '' command '' may be 'released'"),
                       QStringLiteral("force_released by '' as '' because '' command 'c2' may be 'released'"),
                       QStringLiteral(
                           "force_released by 'ada' as 'operator' because 'the worker is gone' command 'c1' "
                           "may be ''"),
                   }));
}

void TestJournalEvents::missedEndIsAGap()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(
        {lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "a", "w2", 300)});
    QCOMPARE(textOf(f.holds({})),
             (QStringList{QStringLiteral("a w2 300- "), QStringLiteral("a w1 100-300 gap")}));
}

void TestJournalEvents::renewalsAreKeptWithTheHold()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit(
        {lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "b", "w1", 100)});
    domain::LockState renewed = heldState("a", "w1", 100);
    renewed.renewals = 4;
    renewed.longestRenewalGapUs = 10;
    renewed.renewedUs = 140;
    f.journal->noteRenewal(renewed);
    // A renewal of another acquisition is ignored.
    domain::LockState other = heldState("b", "w9", 555);
    other.renewals = 9;
    f.journal->noteRenewal(other);
    f.commit(
        {lockEvent(EventKind::Released, "a", "w1", 150), lockEvent(EventKind::Released, "b", "w1", 150)});
    const QList<protocol::Hold> holds = f.holds({});
    QCOMPARE(holds.size(), 2);
    QCOMPARE(holds.at(1).renewals, 4u);
    QCOMPARE(holds.at(1).longestRenewalGapUs, 10);
    QCOMPARE(holds.at(0).renewals, 0u);
}

void TestJournalEvents::heldLocksAreRestored()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100), lockEvent(EventKind::Acquired, "b", "w1", 200),
              lockEvent(EventKind::Released, "b", "w1", 300)});
    domain::LockState renewed = heldState("a", "w1", 100);
    renewed.renewals = 2;
    renewed.longestRenewalGapUs = 11;
    renewed.renewedUs = 140;
    renewed.expiresUs = 99'000'000;
    f.journal->noteRenewal(renewed);
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->held, QList{renewed});
}

void TestJournalEvents::waitersAreRestored()
{
    JournalFixture f;
    QVERIFY(f.open());
    events::LockEvent began = lockEvent(EventKind::WaitStart, "a", "w1", 120);
    began.waiter = "w2";
    began.after = heldState("a", "w1", 100);
    began.after->waitersVisible = true;
    began.after->waiters = {{"w2", 120, {}, 0}};
    f.commit({lockEvent(EventKind::Acquired, "a", "w1", 100), began});
    auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->held, QList{*began.after});
    QCOMPARE(f.holds({}).size(), 1);
    events::LockEvent ended = began;
    ended.kind = EventKind::WaitEnd;
    ended.after->waiters.clear();
    f.commit({ended});
    opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->held, QList{*ended.after});
    f.commit({lockEvent(EventKind::Released, "a", "w1", 200), began}); // a wait without a hold opens none
    opened = f.open();
    QVERIFY(opened && opened->held.isEmpty());
}

void TestJournalEvents::positionsAreRestored()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto position = [&f] {
        const auto opened = f.open();
        return opened ? opened->sources.value(0).position : QByteArray("closed");
    };
    f.commit({sourceEvent(EventKind::SourceUp, 100)},
             {{QStringLiteral("orders"), "redis", 100, QByteArray("a\0b", 3)}});
    QCOMPARE(position(), QByteArray("a\0b", 3));
    f.commit({sourceEvent(EventKind::SourceUp, 200)},
             {{QStringLiteral("orders"), "redis", 200}}); // says nothing of it
    QCOMPARE(position(), QByteArray("a\0b", 3));
    f.commit({sourceEvent(EventKind::SourceUp, 300)},
             {{QStringLiteral("orders"), "redis", 300, QByteArray()}});
    QCOMPARE(position(), QByteArray());
}

void TestJournalEvents::progressAndGapAreRestored()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 10)}, {{QStringLiteral("orders"), "redis", 400}});
    f.commit({sourceEvent(EventKind::GapOpened, 400, QStringLiteral("jobs"))},
             {{QStringLiteral("jobs"), "redis", 300}});
    f.journal->append({}, {{QStringLiteral("orders"), "redis", 900}});
    const auto opened = f.open(); // closing writes the events that wait for company
    QVERIFY(opened);
    QStringList sources;
    for (const auto &source : opened->sources)
        sources += QStringLiteral("%1 %2 %3").arg(source.name).arg(source.lastSeenUs).arg(source.gapOpen);
    sources.sort();
    QCOMPARE(sources, (QStringList{QStringLiteral("jobs 300 1"), QStringLiteral("orders 900 0")}));
}

void TestJournalEvents::retentionBySizeKeepsOpenHolds()
{
    JournalFixture f;
    QVERIFY(f.open());
    const qint64 now = f.clock.wallUs();
    f.commit({lockEvent(EventKind::Acquired, "kept", "w", now)});
    QList<events::LockEvent> many;
    for (int i = 0; i < 12'000; ++i)
        many += lockEvent(i % 2 ? EventKind::Released : EventKind::Acquired,
                          "k" + QByteArray::number(i / 2 % 3), "w", now + i);
    f.commit(many);
    f.journal->setRetention(30, 1, 366);
    QTRY_VERIFY_WITH_TIMEOUT(f.journal->firstSeq() > 1000, 60'000);
    f.close();
    const qint64 pages = f.sql(QStringLiteral("PRAGMA page_count")).toLongLong();
    QVERIFY2(pages * 2048 < 2'000'000, qPrintable(QString::number(pages)));
    const auto opened = f.open();
    QVERIFY(opened);
    QCOMPARE(opened->lastSeq, 12'001u);
    QVERIFY(opened->firstSeq > 1000);
    QCOMPARE(opened->held, QList{heldState("kept", "w", now)});
    const protocol::EventPage page = f.replay(opened->firstSeq - 1, 20'000);
    QCOMPARE(quint64(page.events.size()), opened->lastSeq - opened->firstSeq + 1);
}

/**
 * The journal found these holds late, long after their end: a hold is older than its events, and has their
 * owner.
 */
void TestJournalEvents::holdsStayUntilTheirEventsGo()
{
    constexpr qint64 kDay = 86'400'000'000;
    JournalFixture f;
    f.clock.setWallUs(100 * kDay);
    QVERIFY(f.open());
    QList<events::LockEvent> late{sourceEvent(EventKind::SourceUp, 50 * kDay),
                                  lockEvent(EventKind::Acquired, "a", "w1", 51 * kDay),
                                  lockEvent(EventKind::Released, "a", "w1", 52 * kDay)};
    late[1].observedUs = late[2].observedUs = 100 * kDay;
    f.commit(late);
    f.clock.setWallUs(101 * kDay);
    QVERIFY(f.open());
    QTRY_COMPARE(f.journal->firstSeq(), 2u);
    QList<events::LockEvent> kept = f.replay(0, 10).events;
    for (events::LockEvent &event : kept)
        event.seq = 0;
    QCOMPARE(kept, late.sliced(1));
    f.clock.setWallUs(140 * kDay);
    QVERIFY(f.open());
    QTRY_COMPARE(f.journal->firstSeq(), 0u);
    f.close();
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM holds")).toInt(), 0);
}

void TestJournalEvents::aSingleEventIsCommittedAtOnce()
{
    JournalFixture f;
    QVERIFY(f.open());
    QSignalSpy spy(f.journal.get(), &agent::journal::Journal::committed);
    const auto isAtOnce = [&] {
        QElapsedTimer timer;
        timer.start();
        f.journal->append({lockEvent(EventKind::Acquired, "a", "w1", 100)});
        return spy.wait(20'000) && timer.elapsed() < 500;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAtOnce(), 20'000); // an idle journal must not wait for company
}

void TestJournalEvents::unreadableFolderIsRefused()
{
    JournalFixture f;
    f.options.path = f.folder.filePath(QStringLiteral("missing/journal.db"));
    const auto opened = f.open();
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, base::ErrorCode::Storage);
    QVERIFY(!opened.error().remedy.isEmpty());
}

LOCKKEEPER_TEST(TestJournalEvents)

} // namespace tst_journal_events

#include "tst_journal_events.moc"
