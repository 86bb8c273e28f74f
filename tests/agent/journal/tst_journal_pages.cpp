// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QSemaphore>

namespace tst_journal_pages {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::Kind;

class TestJournalPages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pagesFitAFrame();
    void takenBackQuestionsAreNotWorkedOn();
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
        many.append(lockEvent(Kind::Acquired, "lock" + QByteArray::number(i), owner, 100 + i));
    f.commit(many);
    const auto fits = [](const protocol::Message &page) {
        return protocol::encode(page).size() < qsizetype(protocol::kMaxFrame);
    };
    quint64 seq = 0;
    for (bool more = true; more;) {
        protocol::HistoryQuery query;
        query.afterSeq = seq;
        query.limit = 1'000;
        const protocol::EventPage page = f.history(query);
        QVERIFY(!page.events.isEmpty() && fits(page));
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

/** One that is under way ends, one that waits isn't begun, and what others asked is answered. */
void TestJournalPages::takenBackQuestionsAreNotWorkedOn()
{
    JournalFixture f;
    QVERIFY(f.open());
    constexpr int kLocks = 3'000;
    QList<events::LockEvent> many;
    for (int i = 0; i < kLocks; ++i)
        many.append(lockEvent(Kind::Acquired, "lock" + QByteArray::number(i), "w1", 100 + i));
    f.commit(many);
    QSemaphore begun;
    QSemaphore goOn;
    int told = 0;
    protocol::LocksQuery query;
    query.atUs = f.clock.wallUs();
    std::stop_source underWay;
    std::optional<base::Result<agent::journal::PastTable>> first;
    f.journal->locksAt(
        query, {},
        [&](const domain::LockState &) {
            if (told++ > 0)
                return;
            begun.release();
            goOn.acquire();
        },
        [&first](const auto &table) { first = table; }, underWay.get_token());
    begun.acquire();
    std::stop_source waits;
    std::optional<base::Result<protocol::EventPage>> second;
    std::optional<base::Result<protocol::EventPage>> third;
    f.journal->history(
        {}, [&second](const auto &page) { second = page; }, waits.get_token());
    f.journal->history({}, [&third](const auto &page) { third = page; });
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

LOCKKEEPER_TEST(TestJournalPages)

} // namespace tst_journal_pages

#include "tst_journal_pages.moc"
