// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_stream.h"
#include "app/session/backoff.h"
#include "tests/app/session/replay_agent.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_stream {

using namespace lockkeeper;
using Step = app::session::AgentStream::StreamAction;

class TestStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eventsPassInOrder_data();
    void eventsPassInOrder();
    void aPartSaysWhichNumbersItStandsFor();
    void resumesSinceTheLastNumber();
    void halfATableIsntResumed();
    void anotherJournalIsRefused();
    void pagesOfAnotherSnapshotBreak();
    void nothingOfAnOldSubscription();
    void backoffGrowsWithinItsBounds();
};

namespace {

/** A stream that has a whole table as of `seq`. */
app::session::AgentStream liveAt(quint64 seq)
{
    app::session::AgentStream stream;
    stream.subscribe(1);
    stream.take(protocol::Subscribed{1, true, seq, "j"});
    stream.take(protocol::SnapshotPage{1, seq, true, {}, {}});
    return stream;
}

QByteArray numbers(const QList<events::LockEvent> &events)
{
    QByteArrayList list;
    for (const auto &event : events)
        list.append(QByteArray::number(event.seq));
    return list.join(' ');
}

} // namespace

void TestStream::eventsPassInOrder_data()
{
    QTest::addColumn<QByteArray>("came");
    QTest::addColumn<int>("step");
    QTest::addColumn<QByteArray>("passed");
    QTest::newRow("next") << QByteArray("11 12") << int(Step::Pass) << QByteArray("11 12");
    QTest::newRow("double") << QByteArray("9 10 11") << int(Step::Pass) << QByteArray("11");
    QTest::newRow("double within") << QByteArray("11 11 12") << int(Step::Pass) << QByteArray("11 12");
    QTest::newRow("all old") << QByteArray("9 10") << int(Step::Drop) << QByteArray("");
    QTest::newRow("renewal without number") << QByteArray("0 11") << int(Step::Pass) << QByteArray("11");
    QTest::newRow("hole at once") << QByteArray("12") << int(Step::Broken) << QByteArray("");
    QTest::newRow("hole later") << QByteArray("11 13 14") << int(Step::Broken) << QByteArray("11");
}

void TestStream::eventsPassInOrder()
{
    QFETCH(QByteArray, came);
    QFETCH(int, step);
    QFETCH(QByteArray, passed);
    auto stream = liveAt(10);
    protocol::EventBatch batch;
    for (const QByteArray &seq : came.split(' '))
        batch.events.append(tests::acquired(tests::heldLock("a"), seq.toULongLong()));
    QCOMPARE(int(stream.take(batch)), step);
    QCOMPARE(numbers(batch.events), passed);
    QCOMPARE(stream.seq(), passed.isEmpty() ? 10u : passed.split(' ').last().toULongLong());
}

/** Events that the user may not see leave no hole; a missing batch does. */
void TestStream::aPartSaysWhichNumbersItStandsFor()
{
    app::session::AgentStream stream = liveAt(10);
    const auto event = [](quint64 seq) {
        events::LockEvent one;
        one.seq = seq;
        return one;
    };
    protocol::EventBatch some{{event(12), event(15)}, 10, 20};
    QCOMPARE(stream.take(some), Step::Pass);
    QCOMPARE(numbers(some.events), QByteArray("12 15"));
    protocol::EventBatch none{{}, 20, 30};
    QCOMPARE(stream.take(none), Step::Drop);
    protocol::EventBatch twice{{event(29), event(31)}, 25, 31};
    QCOMPARE(stream.take(twice), Step::Pass);
    QCOMPARE(numbers(twice.events), QByteArray("31"));
    protocol::EventBatch later{{event(33)}, 32, 33};
    QCOMPARE(stream.take(later), Step::Broken);
    QCOMPARE(stream.subscribe(2).since, std::optional<quint64>(31));
}

void TestStream::resumesSinceTheLastNumber()
{
    auto stream = liveAt(10);
    protocol::EventBatch batch{{tests::acquired(tests::heldLock("a"), 11)}};
    QCOMPARE(stream.take(batch), Step::Pass);
    stream.interrupt();
    QVERIFY(!stream.isLive());
    const protocol::Subscribe again = stream.subscribe(2);
    QCOMPARE(again.since, std::optional<quint64>(11));
    QCOMPARE(again.journal, QByteArray("j"));
    QCOMPARE(stream.take(protocol::Subscribed{2, false, 11, "j"}), Step::Complete);
    QVERIFY(stream.isLive());
}

void TestStream::halfATableIsntResumed()
{
    app::session::AgentStream stream;
    stream.subscribe(1);
    QCOMPARE(stream.take(protocol::Subscribed{1, true, 5, "j"}), Step::Pass);
    QCOMPARE(stream.take(protocol::SnapshotPage{1, 5, false, {}, {}}), Step::Pass);
    stream.interrupt();
    QVERIFY(!stream.subscribe(2).since);
}

void TestStream::anotherJournalIsRefused()
{
    auto stream = liveAt(10);
    stream.interrupt();
    stream.subscribe(2);
    QCOMPARE(stream.take(protocol::Subscribed{2, false, 10, "other"}), Step::Broken);
    stream.interrupt();
    QVERIFY(!stream.subscribe(3).since);
}

void TestStream::pagesOfAnotherSnapshotBreak()
{
    app::session::AgentStream stream;
    stream.subscribe(1);
    stream.take(protocol::Subscribed{1, true, 5, "j"});
    QCOMPARE(stream.take(protocol::SnapshotPage{1, 6, true, {}, {}}), Step::Broken);
}

void TestStream::nothingOfAnOldSubscription()
{
    auto stream = liveAt(10);
    stream.subscribe(2);
    QCOMPARE(stream.take(protocol::Subscribed{1, true, 3, "j"}), Step::Drop);
    QCOMPARE(stream.take(protocol::SnapshotPage{1, 10, true, {}, {}}), Step::Drop);
    protocol::EventBatch batch{{tests::acquired(tests::heldLock("a"), 11)}};
    QCOMPARE(stream.take(batch), Step::Drop);
    QVERIFY(!stream.isLive());
}

void TestStream::backoffGrowsWithinItsBounds()
{
    app::session::Backoff backoff(500, 15'000);
    int base = 500;
    for (int i = 0; i < 8; ++i) {
        const int delay = backoff.next();
        QVERIFY2(delay >= base * 3 / 4 && delay <= std::min(15'000, base * 5 / 4),
                 QByteArray::number(delay).constData());
        base = std::min(15'000, base * 2);
    }
    backoff.reset();
    QVERIFY(backoff.next() <= 625);
}

LOCKKEEPER_TEST(TestStream)

} // namespace tst_stream

#include "tst_stream.moc"
