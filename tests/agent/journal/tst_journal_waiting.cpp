// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QtTest>

namespace tst_journal_waiting {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;
using events::Interval;

namespace {

events::LockEvent waitEvent(EventKind kind, const QByteArray &name, const QByteArray &waiter, qint64 timeUs)
{
    events::LockEvent event = lockEvent(kind, name, "w1", timeUs);
    event.waiter = waiter;
    return event;
}

/** Checks every microsecond: slow, but simple. */
QList<qint64> recount(const QList<Interval> &waits, const QList<Interval> &gaps, qint64 seenUntilUs,
                      Interval range, int slices)
{
    QList<qint64> waited(slices, 0);
    for (qint64 us = range.fromUs; us < std::min(range.toUs, seenUntilUs); ++us) {
        const auto holds = [us](const Interval &one) { return one.fromUs <= us && us < one.toUs; };
        if (std::any_of(gaps.cbegin(), gaps.cend(), holds))
            continue;
        qint64 slice = slices - 1;
        while (slice > 0 && range.fromUs + (range.toUs - range.fromUs) * slice / slices > us)
            --slice;
        waited[slice] += std::count_if(waits.cbegin(), waits.cend(), holds);
    }
    return waited;
}

} // namespace

/** The number of waiters, slice by slice, and the times when it is unknown. */
class TestJournalWaiting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void slicesAndGaps();
    void whatIsNotSeenYetIsNoGap();
    void openGapReachesToTheEnd();
    void onlyGaps();
    void equalsASlowRecount_data();
    void equalsASlowRecount();
    void refusesAnEmptyRange();

private:
    std::optional<base::Result<protocol::WaitingPage>>
    answer(JournalFixture &f, const protocol::WaitingQuery &query, const agent::journal::SeenUntil &seen)
    {
        std::optional<base::Result<protocol::WaitingPage>> answer;
        f.journal->ask(
            [query, seen](agent::journal::Queries &queries) {
                return queries.waiting.waiting(query, {QStringLiteral("orders")}, seen);
            },
            [&](base::Result<protocol::WaitingPage> page) { answer = std::move(page); });
        JournalFixture::await(answer);
        return answer;
    }
    protocol::SourceWaiting ask(JournalFixture &f, Interval range, int slices,
                                const agent::journal::SeenUntil &seen = {{QStringLiteral("orders"), 5000}})
    {
        const auto page = answer(f, {9, range.fromUs, range.toUs, slices}, seen);
        return page && *page && (*page)->id == 9 && (*page)->sources.size() == 1 ? (*page)->sources.first()
                                                                                 : protocol::SourceWaiting();
    }
};

/** "x" waits from 200 to 350, "y" from 450 on; nobody looks from 500 to 600. */
void TestJournalWaiting::slicesAndGaps()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50), waitEvent(EventKind::WaitStart, "a", "x", 200),
              waitEvent(EventKind::WaitEnd, "a", "x", 350), waitEvent(EventKind::WaitStart, "b", "y", 450),
              sourceEvent(EventKind::GapOpened, 500), sourceEvent(EventKind::GapClosed, 600)});
    const protocol::SourceWaiting told = ask(f, {0, 1000}, 10);
    QCOMPARE(told.source, QStringLiteral("orders"));
    QCOMPARE(told.seenUntilUs, 1000);
    QCOMPARE(told.gaps, (QList<Interval>{{0, 50}, {500, 600}}));
    QCOMPARE(told.waitedUs, (QList<qint64>{0, 0, 100, 50, 50, 0, 100, 100, 100, 100}));
    QCOMPARE(ask(f, {300, 340}, 1).waitedUs, QList<qint64>{40});
    QCOMPARE(ask(f, {300, 340}, 1).gaps, QList<Interval>{});
}

void TestJournalWaiting::whatIsNotSeenYetIsNoGap()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50), waitEvent(EventKind::WaitStart, "b", "y", 450)});
    const protocol::SourceWaiting told = ask(f, {400, 1000}, 2, {{QStringLiteral("orders"), 900}});
    QCOMPARE(told.seenUntilUs, 900);
    QCOMPARE(told.gaps, QList<Interval>{});
    QCOMPARE(told.waitedUs, (QList<qint64>{250, 200}));
}

void TestJournalWaiting::openGapReachesToTheEnd()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50), waitEvent(EventKind::WaitStart, "b", "y", 450),
              sourceEvent(EventKind::GapOpened, 500)});
    const protocol::SourceWaiting told = ask(f, {400, 1000}, 1, {});
    QCOMPARE(told.seenUntilUs, 1000);
    QCOMPARE(told.gaps, (QList<Interval>{{500, 1000}}));
    QCOMPARE(told.waitedUs, QList<qint64>{50});
}

void TestJournalWaiting::onlyGaps()
{
    JournalFixture f;
    QVERIFY(f.open());
    f.commit({sourceEvent(EventKind::SourceUp, 50), waitEvent(EventKind::WaitStart, "b", "y", 450)});
    const protocol::SourceWaiting told = ask(f, {0, 1000}, 0);
    QCOMPARE(told.gaps, (QList<Interval>{{0, 50}}));
    QVERIFY(told.waitedUs.isEmpty());
}

void TestJournalWaiting::equalsASlowRecount_data()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 seed = 1; seed <= 12; ++seed)
        QTest::addRow("%u", seed) << seed;
}

void TestJournalWaiting::equalsASlowRecount()
{
    QFETCH(quint32, seed);
    QRandomGenerator random(seed);
    JournalFixture f;
    QVERIFY(f.open());
    QList<events::LockEvent> story{sourceEvent(EventKind::SourceUp, 1)};
    QList<Interval> waits;
    QHash<QByteArray, qint64> open;
    QList<Interval> gaps{{0, 1}};
    bool blind = false;
    qint64 us = 1;
    for (int step = 0; step < 200; ++step) {
        us += 1 + random.bounded(30);
        const QByteArray waiter = QByteArray::number(random.bounded(8));
        if (random.bounded(12) == 0) {
            blind = !blind;
            story.append(sourceEvent(blind ? EventKind::GapOpened : EventKind::GapClosed, us));
            (blind ? gaps.append({us, us}) : void(gaps.last().toUs = us));
        } else if (open.contains(waiter)) {
            waits.append({open.take(waiter), us});
            story.append(waitEvent(EventKind::WaitEnd, "a" + waiter, waiter, us));
        } else {
            open.insert(waiter, us);
            story.append(waitEvent(EventKind::WaitStart, "a" + waiter, waiter, us));
        }
    }
    if (blind) {
        story.append(sourceEvent(EventKind::GapClosed, ++us));
        gaps.last().toUs = us;
    }
    for (const qint64 since : std::as_const(open))
        waits.append({since, us + 10'000});
    f.commit(story);
    const qint64 seenUntil = us + 200;
    for (int round = 0; round < 20; ++round) {
        const qint64 from = random.bounded(int(us));
        const Interval range{from, from + 1 + random.bounded(int(us))};
        const int slices = 1 + random.bounded(70);
        const protocol::SourceWaiting told = ask(f, range, slices, {{QStringLiteral("orders"), seenUntil}});
        QCOMPARE(told.waitedUs, recount(waits, gaps, seenUntil, range, slices));
        for (const Interval &gap : told.gaps)
            QCOMPARE(events::overlapUs(gaps, gap.fromUs, gap.toUs), gap.toUs - gap.fromUs);
        QCOMPARE(events::overlapUs(told.gaps, range.fromUs, range.toUs),
                 events::overlapUs(gaps, range.fromUs, told.seenUntilUs));
    }
}

void TestJournalWaiting::refusesAnEmptyRange()
{
    JournalFixture f;
    QVERIFY(f.open());
    const auto page = answer(f, {9, 1000, 1000, 3}, {});
    QVERIFY(page && !*page);
    QCOMPARE(page->error().code, base::ErrorCode::Usage);
}

LOCKKEEPER_TEST(TestJournalWaiting)

} // namespace tst_journal_waiting

#include "tst_journal_waiting.moc"
