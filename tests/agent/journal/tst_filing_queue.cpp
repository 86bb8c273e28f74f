// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/write/filing_queue.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <thread>

namespace tst_filing_queue {

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;
using namespace lockkeeper::tests;
using events::EventKind;
using Clock = FilingQueue::Clock;

namespace {

Work workOf(int count)
{
    Work work;
    for (int i = 0; i < count; ++i)
        work.events += lockEvent(EventKind::Acquired, "a", "w", i);
    return work;
}

AuditTask auditOf(qint64 id)
{
    AuditTask task;
    task.auditId = id;
    return task;
}

qsizetype eventsOf(const FilingQueue::FilingBatch &batch)
{
    qsizetype events = 0;
    for (const Work &work : batch.works)
        events += work.events.size();
    return events;
}

/** Takes everything in the queue, without waiting for company. */
FilingQueue::FilingBatch takeAll(FilingQueue &queue)
{
    return queue.take(Clock::time_point::min(), true);
}

} // namespace

/** The contents of the writer's transactions, and their times. */
class TestFilingQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLittleWaitsForCompany();
    void aLotGoesAtOnce();
    void nothingWaitsForWhoAsks();
    void auditHasATurnOfItsOwn();
    void marksEndABatch();
    void transactionsAreBounded();
    void urgentOnesGoWhileTheRestWaits();
    void stoppingTakesAll();
};

void TestFilingQueue::aLittleWaitsForCompany()
{
    FilingQueue queue;
    queue.push(workOf(2));
    QVERIFY(queue.take(Clock::now(), false).isEmpty());
    QVERIFY(!queue.isEmpty());
    // Not longer than that, whatever the caller has time for.
    const auto batch = queue.take(Clock::time_point::max(), false);
    QCOMPARE(eventsOf(batch), 2);
    QVERIFY(queue.isEmpty());
}

void TestFilingQueue::aLotGoesAtOnce()
{
    FilingQueue queue;
    for (int i = 0; i < 10; ++i)
        queue.push(workOf(100));
    QCOMPARE(eventsOf(queue.take(Clock::time_point::min(), false)), 1000);
}

void TestFilingQueue::nothingWaitsForWhoAsks()
{
    FilingQueue queue;
    int reached = 0;
    queue.push(workOf(1));
    queue.pushMark([&reached] { ++reached; });
    const auto batch = queue.take(Clock::time_point::min(), false);
    QCOMPARE(eventsOf(batch), 1);
    QCOMPARE(batch.reached.size(), size_t(1));
    QCOMPARE(reached, 0); // that is the taker's to say
    batch.reached.front()();
    QCOMPARE(reached, 1);

    // A mark also wakes a waiting taker.
    std::thread asker([&queue] { queue.pushMark([] {}); });
    QCOMPARE(queue.take(Clock::time_point::max(), false).reached.size(), size_t(1));
    asker.join();
}

void TestFilingQueue::auditHasATurnOfItsOwn()
{
    FilingQueue queue;
    queue.push(workOf(2));
    queue.pushAudit(auditOf(1));
    queue.pushAudit(auditOf(2));
    queue.push(workOf(3));
    auto batch = queue.take(Clock::time_point::min(), false);
    QCOMPARE(eventsOf(batch), 2);
    QVERIFY(!batch.audit);
    for (const qint64 id : {1, 2}) {
        batch = queue.take(Clock::time_point::min(), false);
        QVERIFY(batch.works.empty());
        QCOMPARE(batch.audit->auditId, id);
    }
    QVERIFY(queue.take(Clock::time_point::min(), false).isEmpty()); // the requester no longer waits
    QCOMPARE(eventsOf(takeAll(queue)), 3);
}

void TestFilingQueue::marksEndABatch()
{
    FilingQueue queue;
    queue.push(workOf(1));
    queue.pushMark([] {});
    queue.pushMark([] {});
    queue.push(workOf(2));
    queue.pushAudit(auditOf(1));
    queue.pushMark([] {});
    auto batch = takeAll(queue);
    QCOMPARE(eventsOf(batch), 1);
    QCOMPARE(batch.reached.size(), size_t(2));
    batch = takeAll(queue);
    QCOMPARE(eventsOf(batch), 2);
    QVERIFY(batch.reached.empty());
    batch = takeAll(queue);
    QVERIFY(batch.audit);
    QVERIFY(takeAll(queue).reached.size() == 1);
}

void TestFilingQueue::transactionsAreBounded()
{
    FilingQueue queue;
    for (const int count : {700, 300, 1, 2'500, 4})
        queue.push(workOf(count));
    QList<qsizetype> taken;
    while (!queue.isEmpty())
        taken += eventsOf(takeAll(queue));
    QCOMPARE(taken, (QList<qsizetype>{1000, 1, 2'500, 4})); // a task is never split
}

void TestFilingQueue::urgentOnesGoWhileTheRestWaits()
{
    FilingQueue queue;
    queue.push(workOf(1));
    queue.pushAudit(auditOf(7));
    queue.push(workOf(2));
    queue.pushMark([] {});
    std::vector<std::function<void()>> reached;
    const auto audits = queue.takeAudits(reached);
    QCOMPARE(audits.size(), size_t(1));
    QCOMPARE(audits.front().auditId, 7);
    QCOMPARE(reached.size(), size_t(1));
    QVERIFY(queue.take(Clock::time_point::min(), false).isEmpty());
    QCOMPARE(eventsOf(takeAll(queue)), 3);
}

void TestFilingQueue::stoppingTakesAll()
{
    FilingQueue queue;
    queue.push(workOf(1));
    queue.stop();
    QCOMPARE(eventsOf(queue.take(Clock::time_point::min(), false)), 1);
    QVERIFY(queue.take(Clock::time_point::max(), false).isEmpty()); // and no longer waits
}

LOCKKEEPER_TEST(TestFilingQueue)

} // namespace tst_filing_queue

#include "tst_filing_queue.moc"
