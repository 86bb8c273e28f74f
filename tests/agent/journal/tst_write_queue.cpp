// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/checksum.h"
#include "agent/journal/write/back_pressure.h"
#include "agent/journal/write/write_queue.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <atomic>
#include <future>
#include <thread>

namespace tst_write_queue {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

Work takeNow(WriteQueue &queue)
{
    return queue.take(WriteQueue::Clock::now());
}

QList<events::LockEvent> batch(int count, qint64 firstUs, qsizetype ownerBytes = 1)
{
    QList<events::LockEvent> events;
    for (int i = 0; i < count; ++i)
        events += lockEvent(EventKind::Acquired, "a", QByteArray(ownerBytes, 'o'), firstUs + i);
    return events;
}

} // namespace

class TestWriteQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsOfOneTransactionAreBounded();
    void aPositionKeepsItsEventsTogether();
    void progressWaitsForCompany();
    void theLastProgressIsWrittenLast();
    void progressWaitsForADiskThatFails();
    void overflowBecomesAGap();
    void overflowWakesWhoHasTakenAll();
    void aLongOverflowIsOneGap();
    void theLastThatWasDroppedIsTold();
    void waitsEndThatBeganBeforeTheLoss();
    void pressureLastsUntilHalfIsLeft();
    void nobodyWaitsForABrokenDisk();
    void theJournalSaysWhenItIsOn();
    void checksumKnowsTheStandardValue();
    void checksumTellsValuesApart();
};

void TestWriteQueue::rowsOfOneTransactionAreBounded()
{
    WriteQueue queue;
    queue.pushEvents(batch(300, 0), {});
    queue.pushEvents(batch(1500, 300), {{QStringLiteral("orders"), "redis", 9}});
    QCOMPARE(queue.queuedEvents(), 1800);
    const Work first = takeNow(queue);
    QCOMPARE(first.events.size(), 1000);
    QVERIFY(first.progress.isEmpty()); // not before the last of its events
    queue.committed(first.events.size());
    const Work second = takeNow(queue);
    QCOMPARE(second.events.size(), 800);
    QCOMPARE(second.progress.size(), 1);
    queue.committed(second.events.size());
    QCOMPARE(queue.queuedEvents(), 0);
    const QList<events::LockEvent> all = first.events + second.events;
    for (int i = 0; i < all.size(); ++i)
        QCOMPARE(all.at(i).timeUs, i);
}

void TestWriteQueue::aPositionKeepsItsEventsTogether()
{
    WriteQueue queue;
    queue.pushEvents(batch(900, 0), {});
    queue.pushEvents(batch(300, 900), {{QStringLiteral("db"), "mysql", 9, QByteArray("here")}});
    queue.pushEvents(batch(1500, 1200), {{QStringLiteral("db"), "mysql", 10, QByteArray("there")}});
    QCOMPARE(takeNow(queue).events.size(), 900);
    const Work second = takeNow(queue);
    QCOMPARE(second.events.size(), 300);
    QCOMPARE(second.progress.constFirst().position, QByteArray("here"));
    const Work third = takeNow(queue);
    QCOMPARE(third.events.size(), 1500);
    QCOMPARE(third.progress.constFirst().position, QByteArray("there"));
}

void TestWriteQueue::progressWaitsForCompany()
{
    WriteQueue queue;
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 8}});
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 9}});
    QVERIFY(takeNow(queue).isEmpty());
    queue.pushEvents(batch(1, 0), {});
    const Work work = takeNow(queue);
    QCOMPARE(work.progress.size(), 1);
    QCOMPARE(work.progress.first().lastSeenUs, 9);
}

/** With an older position, a restarted agent would report the events behind it again. */
void TestWriteQueue::theLastProgressIsWrittenLast()
{
    const auto at = [](qint64 us, const char *position) {
        return QList<Progress>{{QStringLiteral("db"), "mysql", us, QByteArray(position)}};
    };
    WriteQueue queue;
    queue.pushEvents({}, at(8, "before"));
    queue.pushEvents(batch(1, 9), at(9, "with"));
    QCOMPARE(takeNow(queue).progress.constLast().position, QByteArray("with"));
    queue.pushEvents(batch(1, 10), at(10, "with"));
    queue.pushEvents({}, at(11, "after"));
    QCOMPARE(takeNow(queue).progress.constLast().position, QByteArray("after"));
}

/** Otherwise the queue would keep each second and each round of renewals until the disk recovers. */
void TestWriteQueue::progressWaitsForADiskThatFails()
{
    WriteQueue queue;
    queue.setFailing(true);
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 8}});
    queue.pushEvents(batch(1, 0), {});
    QCOMPARE(takeNow(queue).progress.size(), 0);
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 9}});
    auto taken = std::async(std::launch::async,
                            [&queue] { return queue.take(WriteQueue::Clock::time_point::max()).progress; });
    queue.setFailing(false); // then it is due without a trigger
    const bool told = taken.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    queue.stop();
    QVERIFY(told);
    const QList<Progress> progress = taken.get();
    QCOMPARE(progress.size(), 1);
    QCOMPARE(progress.constFirst().lastSeenUs, 9);
}

void TestWriteQueue::overflowBecomesAGap()
{
    WriteQueue queue;
    queue.setFailing(true);
    qint64 kept = 0;
    for (int i = 0; i < 80; ++i) { // 80 MiB of owners
        queue.pushEvents(batch(1, i * 10, 1 << 20), {});
        if (queue.queuedEvents() == i + 1)
            kept = i + 1;
    }
    QVERIFY(kept >= 20 && kept < 64);
    queue.pushEvents(batch(1, 5000), {}); // small, but behind the hole: dropped as well
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 6000}});
    QList<events::LockEvent> all;
    for (Work work = takeNow(queue); !work.isEmpty(); work = takeNow(queue)) {
        all += work.events;
        queue.committed(work.events.size());
        queue.release(work.cost);
    }
    QCOMPARE(all.size(), kept + 3);
    const events::LockEvent &opened = all.at(kept);
    QCOMPARE(opened.kind, EventKind::GapOpened);
    QCOMPARE(opened.timeUs, (kept - 1) * 10 + 5); // the last that was kept
    QCOMPARE(opened.key.source, QStringLiteral("orders"));
    QCOMPARE(opened.detail.dropped, 80 - kept);
    QCOMPARE(all.at(kept + 1).timeUs, 5000);
    QCOMPARE(all.last().kind, EventKind::GapClosed);
    QCOMPARE(all.last().timeUs, 6000);
    QCOMPARE(queue.queuedEvents(), 0);
    queue.pushEvents(batch(1, 7000), {}); // and it continues
    QCOMPARE(takeNow(queue).events.size(), 1);
}

/**
 * Work that is taken and not filed yet still fills the queue. The test runs many rounds, as the taking thread
 * has to be waiting by then.
 */
void TestWriteQueue::overflowWakesWhoHasTakenAll()
{
    for (int round = 0; round < 100; ++round) {
        const bool filed = round % 2 == 0; // before the overflow, of one batch alone, or after it
        WriteQueue queue(4096);
        queue.pushEvents(batch(1, 0), {});
        const Work first = takeNow(queue);
        QCOMPARE(first.events.size(), 1);
        QVERIFY(first.cost > 4096 / 8);
        if (filed)
            queue.release(first.cost);
        std::atomic_bool begun = false;
        auto taken = std::async(std::launch::async, [&queue, &begun] {
            begun = true;
            return queue.take(WriteQueue::Clock::time_point::max()).events.size();
        });
        while (!begun)
            std::this_thread::yield();
        queue.pushEvents(batch(100, 1), {});
        queue.pushEvents(batch(100, 101), {});
        if (!filed)
            queue.release(first.cost);
        const bool told = taken.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
        queue.stop();
        QVERIFY(told);
        QCOMPARE(taken.get(), 3); // the gap, and how the lock is now
    }
}

/** One gap for all that is dropped until there is room again. */
void TestWriteQueue::aLongOverflowIsOneGap()
{
    WriteQueue queue(4096);
    queue.pushEvents(batch(1, 0), {});
    const Work first = takeNow(queue);
    for (int i = 1; i <= 10; ++i) {
        queue.pushEvents(batch(100, i * 100), {});
        QVERIFY(takeNow(queue).isEmpty());
    }
    queue.release(first.cost);
    const Work gap = takeNow(queue);
    QCOMPARE(gap.events.size(), 3);
    QCOMPARE(gap.events.constFirst().detail.dropped, 999);
    QCOMPARE(gap.events.constFirst().timeUs, first.events.constFirst().observedUs);
    QVERIFY(takeNow(queue).isEmpty());
}

/** So that no hold stays open in the history that has ended. */
void TestWriteQueue::theLastThatWasDroppedIsTold()
{
    WriteQueue queue(128 << 10);
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 8, QByteArray("before")}});
    QList<events::LockEvent> lost{
        lockEvent(EventKind::Released, "a", "w1", 100), lockEvent(EventKind::Acquired, "a", "w2", 110),
        lockEvent(EventKind::Released, "a", "w2", 120), lockEvent(EventKind::Expired, "b", "w1", 130),
        sourceEvent(EventKind::GapOpened, 140)};
    lost[0].windowUs = 30;
    lost[3].windowUs = 7;
    for (int i = 0; i < 600; ++i)
        lost += lockEvent(EventKind::Stuck, "c", "w1", 150);
    QVERIFY(!queue.pushEvents(lost, {{QStringLiteral("orders"), "redis", 200, QByteArray("after")}}));
    const Work work = takeNow(queue);
    QStringList told;
    for (const events::LockEvent &event : work.events)
        told += QStringLiteral("%1 %2/%3 @%4-%5 %6")
                    .arg(QString::fromLatin1(events::kindName(event.kind).toByteArray()),
                         QString::fromUtf8(event.key.name), QString::fromUtf8(event.owner))
                    .arg(event.timeUs - event.windowUs)
                    .arg(event.timeUs)
                    .arg(event.detail.dropped);
    QCOMPARE(told.takeFirst(), QStringLiteral("gap_opened / @8-8 602"));
    QCOMPARE(told.takeLast(), QStringLiteral("gap_opened / @140-140 0"));
    QCOMPARE(told.takeLast(), QStringLiteral("gap_closed / @200-200 602"));
    told.sort();
    QCOMPARE(told, (QStringList{QStringLiteral("expired b/w1 @123-130 0"),
                                QStringLiteral("released a/w2 @70-120 2")}));
    QCOMPARE(work.progress.size(), 1);
    QCOMPARE(work.progress.constFirst().lastSeenUs, 200);
    QCOMPARE(work.progress.constFirst().position, QByteArray()); // the next one that comes is behind these
}

/** And in order, since the end of a wait shows how its lock was. */
void TestWriteQueue::waitsEndThatBeganBeforeTheLoss()
{
    WriteQueue queue(1 << 20);
    queue.pushEvents({}, {{QStringLiteral("orders"), "redis", 100, QByteArray("before")}});
    QList<events::LockEvent> lost{lockEvent(EventKind::Stuck, "c", QByteArray(1 << 20, 'o'), 100)};
    QStringList wanted{QStringLiteral("gap_opened")};
    for (int i = 0; i < 10; ++i) {
        const QByteArray name = QByteArray::number(i);
        lost << waitEvent(EventKind::WaitEnd, name, "early", 210, 90)
             << waitEvent(EventKind::WaitStart, name, "late", 220)
             << waitEvent(EventKind::WaitEnd, name, "late", 230, 220)
             << lockEvent(EventKind::Acquired, name, "w2", 240);
        wanted << QStringLiteral("wait_end %1 early").arg(i) << QStringLiteral("acquired %1").arg(i);
    }
    wanted += QStringLiteral("gap_closed");
    QVERIFY(!queue.pushEvents(lost, {}));
    QStringList told;
    const Work work = takeNow(queue);
    for (const events::LockEvent &event : work.events)
        told += QString::fromUtf8(events::kindName(event.kind).toByteArray() + ' ' + event.key.name + ' ' +
                                  event.waiter.value_or(QByteArray()))
                    .trimmed();
    QCOMPARE(told, wanted);
}

void TestWriteQueue::pressureLastsUntilHalfIsLeft()
{
    BackPressure pressure(100);
    const QList<std::pair<qint64, bool>> steps{{0, false},   {100, false}, {101, true},
                                               {500, true},  {51, true},   {50, false},
                                               {100, false}, {101, true},  {0, false}};
    for (const auto &[waiting, on] : steps) {
        pressure.weigh(waiting);
        QCOMPARE(pressure.isOn(), on);
    }
}

void TestWriteQueue::nobodyWaitsForABrokenDisk()
{
    BackPressure pressure(100);
    pressure.weigh(200);
    pressure.setFailing(true);
    QVERIFY(!pressure.isOn());
    pressure.weigh(300);
    QVERIFY(!pressure.isOn());
    pressure.setFailing(false);
    QVERIFY(pressure.isOn());
    pressure.stalled(); // it hangs without failing
    QVERIFY(!pressure.isOn());
    pressure.weigh(400);
    QVERIFY(!pressure.isOn());
    pressure.moved(350);
    QVERIFY(pressure.isOn());
}

void TestWriteQueue::theJournalSaysWhenItIsOn()
{
    JournalFixture f;
    f.options.queueBytes = 8 << 20; // on from 1 MiB on
    QVERIFY(f.open());
    QList<bool> told;
    connect(f.journal.get(), &Journal::backPressureChanged, this, [&told](bool on) { told.append(on); });
    f.journal->append(batch(1, 0, 100'000)); // for a moment it counts twice: filed, and not reported yet
    QVERIFY(told.isEmpty());
    for (int i = 1; i < 8; ++i)
        f.journal->append(batch(1, i, 300'000));
    QCOMPARE(told, QList<bool>{true}); // at once, and once
    QVERIFY(f.journal->hasBackPressure());
    QTRY_COMPARE_WITH_TIMEOUT(told, (QList<bool>{true, false}), 60'000);
    QTRY_COMPARE(f.committed.size(), 8); // none of them was dropped because of it
    QVERIFY(!f.journal->hasBackPressure());
}

void TestWriteQueue::checksumKnowsTheStandardValue()
{
    // The 9-byte head of addBytes() and then "123456789"; the value is zlib's for the same 18 bytes.
    QCOMPARE(Checksum().addBytes(QByteArray("123456789")).value(), qint64(qint32(0xc94fc5cb)));
}

void TestWriteQueue::checksumTellsValuesApart()
{
    QSet<qint64> sums{Checksum().value(),
                      Checksum().add(0).value(),
                      Checksum().add(0).add(0).value(),
                      Checksum().add(std::optional<qint64>()).value(),
                      Checksum().addBytes(QByteArray()).value(),
                      Checksum().addBytes(std::optional<QByteArray>()).value(),
                      Checksum().addBytes(QByteArray("ab")).addBytes(QByteArray("c")).value(),
                      Checksum().addBytes(QByteArray("a")).addBytes(QByteArray("bc")).value()};
    // NULL of either type is the same NULL.
    QCOMPARE(sums.size(), 7);
}

LOCKKEEPER_TEST(TestWriteQueue)

} // namespace tst_write_queue

#include "tst_write_queue.moc"
