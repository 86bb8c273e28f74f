// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_queries.h"
#include "shared/base/text.h"
#include "shared/protocol/codec.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QSemaphore>

#include <algorithm>

namespace tst_journal_pages {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

class TestJournalPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pagesFitAFrame();
    void takenBackQuestionsAreNotWorkedOn();
    void equalAWalkOverAll_data();
    void equalAWalkOverAll();
};

/** Owners of 60 KiB, as long as they get: pages are cut by weight, and all of them together are everything.
 */
void TestJournalPages::pagesFitAFrame()
{
    JournalFixture f;
    QVERIFY(f.open());
    constexpr int kEvents = 300;
    const QByteArray owner(60 * 1024, 'o');
    QList<events::LockEvent> many;
    for (int i = 0; i < kEvents; ++i)
        many.append(lockEvent(EventKind::Acquired, "lock" + QByteArray::number(i), owner, 100 + i));
    f.commit(many);
    const auto fits = [](const protocol::Message &page) {
        return protocol::encode(page).size() < qsizetype(protocol::kMaxFrame);
    };
    quint64 seq = 0;
    for (bool more = true; more;) {
        protocol::HistoryQuery query;
        query.afterSeq = seq;
        query.limit = 1'000;
        protocol::EventPage page;
        // A query has five seconds, including the filing of the events that it asks for.
        QTRY_VERIFY_WITH_TIMEOUT(!(page = f.history(query)).events.isEmpty(), 60'000);
        QVERIFY(fits(page));
        QCOMPARE(page.events.constFirst().seq, seq + 1);
        seq = page.events.constLast().seq;
        more = page.more;
    }
    QCOMPARE(seq, quint64(kEvents));
    for (quint64 from = 0; from < quint64(kEvents);) {
        const protocol::EventPage page = f.replay(from, 500);
        QVERIFY(!page.events.isEmpty() && fits(page));
        QCOMPARE(page.events.constFirst().seq, from + 1);
        from = page.events.constLast().seq;
        QCOMPARE(page.more, from < quint64(kEvents));
    }
    protocol::HoldPage holds;
    holds.holds = f.holds({});
    QVERIFY(!holds.holds.isEmpty() && fits(holds));
}

/** A running query ends, a waiting query doesn't begin, and the queries of others are answered. */
void TestJournalPages::takenBackQuestionsAreNotWorkedOn()
{
    JournalFixture f;
    QVERIFY(f.open());
    constexpr int kLocks = 3'000;
    QList<events::LockEvent> many;
    for (int i = 0; i < kLocks; ++i)
        many.append(lockEvent(EventKind::Acquired, "lock" + QByteArray::number(i), "w1", 100 + i));
    f.commit(many);
    QSemaphore begun;
    QSemaphore goOn;
    int told = 0;
    protocol::LocksQuery query;
    query.atUs = f.clock.wallUs();
    std::stop_source underWay;
    std::optional<base::Result<agent::journal::PastTable>> first;
    const auto each = [&](const domain::LockState &) {
        if (told++ > 0)
            return;
        begun.release();
        goOn.acquire();
    };
    f.journal->ask(
        [query, each](agent::journal::Queries &queries) { return queries.past.locksAt(query, {}, each); },
        [&first](const auto &table) { first = table; }, underWay.get_token());
    begun.acquire();
    std::stop_source waits;
    std::optional<base::Result<protocol::EventPage>> second;
    std::optional<base::Result<protocol::EventPage>> third;
    const auto history = [](agent::journal::Queries &queries) { return queries.events.history({}); };
    f.journal->ask(
        history, [&second](const auto &page) { second = page; }, waits.get_token());
    f.journal->ask(history, [&third](const auto &page) { third = page; });
    waits.request_stop();
    underWay.request_stop();
    goOn.release();
    JournalFixture::await(third);
    QVERIFY(first && second && third && *third);
    QVERIFY(!*first && first->error().code == base::ErrorCode::Cancelled);
    QVERIFY2(told < kLocks, qPrintable(QString::number(told)));
    QVERIFY(!*second && second->error().code == base::ErrorCode::Cancelled);
    QCOMPARE((*third)->events.size(), protocol::HistoryQuery().limit);
}

void TestJournalPages::equalAWalkOverAll_data()
{
    QTest::addColumn<int>("events");
    QTest::addRow("few events") << 3000;
    QTest::addRow("more than lie between two snapshots") << 45'000;
}

/**
 * Any filter, in both directions and page by page, by any index, gives the same events as a walk over all of
 * them.
 */
void TestJournalPages::equalAWalkOverAll()
{
    QFETCH(int, events);
    constexpr qint64 kHour = 3'600'000'000;
    const QStringList sources{QStringLiteral("orders"), QStringLiteral("jobs"), QStringLiteral("quiet")};
    JournalFixture f;
    f.options.keepDays = 4000;
    QVERIFY(f.open());
    QRandomGenerator random(7);
    QList<events::LockEvent> all;
    qint64 atUs = f.clock.wallUs() - 30 * 24 * kHour;
    for (int i = 0; i < events; ++i) {
        atUs += random.bounded(1'000'000);
        if (random.bounded(2000) == 0) // a clock is set
            atUs += (random.bounded(2) ? 1 : -1) * (random.bounded(2) ? kHour : 24 * kHour);
        const QString source = sources.at(random.bounded(300) == 0 ? 2 : int(random.bounded(2)));
        const bool isRare = random.bounded(100) == 0;
        const EventKind kind = isRare ? EventKind(random.bounded(int(EventKind::Lost) + 1))
                                      : EventKind(int(random.bounded(2)) * int(EventKind::Released));
        if (kind >= EventKind::GapOpened && kind <= EventKind::SourceDown) {
            all.append(sourceEvent(kind, atUs, source));
            continue;
        }
        const double skew = random.generateDouble();
        const QByteArray lock = (random.bounded(2) ? "a" : "b") + QByteArray::number(int(skew * skew * 1500));
        all.append(lockEvent(kind, lock, "w" + QByteArray::number(random.bounded(500)), atUs));
        all.last().key.source = source;
        if (random.bounded(200) == 0)
            all.last().command = "command-" + QByteArray::number(random.bounded(5));
    }
    f.commit(all);
    f.roll();
    all = f.committed;
    QCOMPARE(all.size(), events);
    // Without patience: almost empty pages, one per check of the clock.
    agent::journal::SqliteConnection connection;
    QVERIFY(connection.open(f.path(), agent::journal::SqliteConnection::Mode::Read));
    agent::journal::QueryContext context(connection, [] { return true; });
    agent::journal::EventQueries impatient(context, std::chrono::milliseconds(0));
    int empty = 0;
    for (int question = 0; question < 150; ++question) {
        protocol::HistoryQuery query;
        query.descending = random.bounded(2);
        query.limit = 1 + int(random.bounded(400));
        const QByteArray globs[] = {"", "a7", "b0", "a?", "b1*", "none", "*"};
        query.lockGlob = globs[random.bounded(7)];
        if (random.bounded(3) == 0)
            query.holderGlob = random.bounded(2) ? "w17" : "w4*";
        if (random.bounded(3) == 0)
            query.source = sources.at(int(random.bounded(3)));
        if (random.bounded(10) == 0)
            query.command = "command-3";
        for (int kinds = int(random.bounded(3)); kinds > 0; --kinds)
            query.kinds.append(EventKind(random.bounded(int(EventKind::Lost) + 1)));
        if (random.bounded(3) == 0)
            query.fromUs = all.at(int(random.bounded(events))).timeUs;
        if (random.bounded(3) == 0)
            query.toUs = all.at(int(random.bounded(events))).timeUs;
        if (random.bounded(4) == 0)
            query.beforeSeq = random.bounded(events);
        if (random.bounded(4) == 0)
            query.afterSeq = random.bounded(events);
        QList<quint64> counted;
        for (const events::LockEvent &event : std::as_const(all)) {
            const bool isOfLock = !event.key.name.isEmpty();
            if ((query.lockGlob.isEmpty() || query.lockGlob == "*" ||
                 (isOfLock && base::globMatches(query.lockGlob, event.key.name))) &&
                (query.holderGlob.isEmpty() ||
                 (event.ownerKnown && base::globMatches(query.holderGlob, event.owner))) &&
                (query.source.isEmpty() || event.key.source == query.source) &&
                (query.command.isEmpty() || event.command == query.command) &&
                (query.kinds.isEmpty() || query.kinds.contains(event.kind)) &&
                (!query.fromUs || event.timeUs >= *query.fromUs) &&
                (!query.toUs || event.timeUs <= *query.toUs) &&
                (!query.beforeSeq || event.seq < *query.beforeSeq) &&
                (!query.afterSeq || event.seq > *query.afterSeq))
                counted.append(event.seq);
        }
        if (query.descending)
            std::reverse(counted.begin(), counted.end());
        protocol::HistoryQuery slice = query;
        slice.inSlices = true;
        QList<quint64> found;
        for (bool more = question % 10 == 0; more;) {
            QVERIFY(context.begin({}, 0));
            const auto page = impatient.history(slice);
            QVERIFY2(page, page ? "" : qPrintable(page.error().line()));
            for (const events::LockEvent &event : page->events)
                found.append(event.seq);
            const auto next = page->goOnFrom();
            more = page->more;
            QCOMPARE(next.has_value(), more);
            empty += more && page->events.isEmpty() ? 1 : 0;
            if (!more)
                break;
            auto &from = query.descending ? slice.beforeSeq : slice.afterSeq;
            if (from) // or it would never end
                QVERIFY(query.descending ? *next < *from : *next > *from);
            if (page->reachedUs)
                QCOMPARE(*page->reachedUs, all.at(qsizetype(*next) - 1).timeUs);
            from = next;
        }
        if (question % 10 == 0)
            QCOMPARE(found, counted);
        QList<quint64> told;
        for (bool more = true; more;) {
            const protocol::EventPage page = f.history(query);
            QVERIFY(page.events.size() <= query.limit);
            if (page.more)
                QVERIFY(!page.events.isEmpty());
            for (const events::LockEvent &event : page.events)
                told.append(event.seq);
            more = page.more;
            if (more)
                (query.descending ? query.beforeSeq : query.afterSeq) = told.last();
        }
        QCOMPARE(told, counted);
    }
    if (events >= 20'000)
        QVERIFY2(empty > 2, qPrintable(QString::number(empty)));
}

LOCKKEEPER_TEST(TestJournalPages)

} // namespace tst_journal_pages

#include "tst_journal_pages.moc"
