// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QtTest>

namespace tst_journal_sight {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::journal::Queries;
using domain::Sight;
using events::EventKind;

namespace {

constexpr qint64 kMinuteUs = 60'000'000;
constexpr qint64 kHourUs = 60 * kMinuteUs;
constexpr qint64 kStartUs = 1'795'212'000'000'000;
const QString kOrders = QStringLiteral("orders");

Sight sightOf(const QByteArray &glob)
{
    return {{{{domain::Role::Viewer, {}, {glob}}}}, {kOrders}};
}

} // namespace

/** The journal as a user with access to a part sees it: as if it contained nothing else. */
class TestJournalSight : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void equalsAQuestionAboutThoseLocks_data();
    void equalsAQuestionAboutThoseLocks();
    void partsOfTheWaitingAddUp();
    void pagesAreFull();

private:
    void live(const QByteArray &kind, int hours);
    /**
     * The answers to all queries that name locks, as bytes; `glob` is the filter, `sight` the user's view.
     */
    QList<protocol::Message> answers(const QByteArray &glob, const Sight &sight);
    /** All pages as one: a slow query's page has only the events found by then. */
    protocol::Message wholeHistory(protocol::HistoryQuery query, const Sight &sight);
    QList<qint64> waited(const Sight &sight);
    template <typename Question> protocol::Message asked(Question question, const Sight &sight)
    {
        const auto page = m_fixture->ask(std::move(question), sight);
        return m_fixture->lastError == base::Error{} ? protocol::Message(page)
                                                     : protocol::Message(protocol::Failed());
    }

    std::unique_ptr<JournalFixture> m_fixture;
    QRandomGenerator m_random{16};
    qint64 m_nowUs = 0;
};

/** Each minute a lock changes hands, and some wait for it. */
void TestJournalSight::live(const QByteArray &kind, int hours)
{
    QList<events::LockEvent> events;
    for (int minute = 0; minute < hours * 60; ++minute, m_nowUs += kMinuteUs) {
        const QByteArray name =
            (m_random.bounded(2) != 0 ? kind + "o:" : kind + "p:") + QByteArray::number(m_random.bounded(5));
        const QByteArray owner = "w" + QByteArray::number(m_random.bounded(3));
        const QByteArray waiter = "x" + QByteArray::number(m_random.bounded(3));
        const auto at = [&](EventKind what, qint64 us) { return lockEvent(what, name, owner, m_nowUs + us); };
        const auto wait = [&](EventKind what, qint64 us) {
            events::LockEvent event = at(what, us);
            event.waiter = waiter;
            return event;
        };
        const bool forced = m_random.bounded(10) == 0;
        events += {at(EventKind::Acquired, 1), wait(EventKind::WaitStart, 1'000'000),
                   wait(EventKind::WaitEnd, 9'000'000),
                   at(forced ? EventKind::ForceReleased : EventKind::Released, 10'000'000)};
    }
    m_fixture->clock.setWallUs(m_nowUs);
    m_fixture->commit(events);
}

void TestJournalSight::init()
{
    m_fixture = std::make_unique<JournalFixture>();
    m_fixture->clock.setWallUs(kStartUs);
    QVERIFY(m_fixture->open());
    m_nowUs = kStartUs;
    m_fixture->commit({sourceEvent(EventKind::SourceUp, kStartUs)});
    live({}, 5);
}

protocol::Message TestJournalSight::wholeHistory(protocol::HistoryQuery query, const Sight &sight)
{
    protocol::EventPage whole;
    std::optional<quint64> next;
    do {
        query.afterSeq = next;
        const auto answer = asked([query](Queries &queries) { return queries.events.history(query); }, sight);
        const auto *page = std::get_if<protocol::EventPage>(&answer);
        if (page == nullptr)
            return answer;
        whole.events += page->events;
        whole.firstSeq = page->firstSeq;
        whole.lastSeq = page->lastSeq;
        next = page->goOnFrom();
    } while (next);
    return whole;
}

QList<protocol::Message> TestJournalSight::answers(const QByteArray &glob, const Sight &sight)
{
    QList<protocol::Message> all;
    for (const auto ranking : {domain::ContentionRanking::Lock, domain::ContentionRanking::Waiter,
                               domain::ContentionRanking::Holder, domain::ContentionRanking::Statement}) {
        protocol::ContentionQuery query;
        query.lockGlob = glob;
        query.fromUs = kStartUs;
        query.toUs = m_nowUs;
        query.ranking = ranking;
        query.sums = true;
        all += asked([query](Queries &queries) { return queries.contention.contention(query, {}); }, sight);
    }
    for (const auto by :
         {protocol::TimelineLanes::Lock, protocol::TimelineLanes::Holder, protocol::TimelineLanes::Source}) {
        protocol::TimelineQuery query;
        query.by = by;
        query.lockGlob = glob;
        query.fromUs = kStartUs;
        query.toUs = m_nowUs;
        query.sliceUs = kMinuteUs;
        all += asked([query](Queries &queries) { return queries.timeline.timeline(query); }, sight);
    }
    protocol::HoldsQuery holds;
    holds.lockGlob = glob;
    holds.limit = 1'000;
    all += asked([holds](Queries &queries) { return queries.holds.holds(holds); }, sight);
    protocol::HistoryQuery history;
    history.lockGlob = glob;
    history.limit = 1'000;
    for (const QList<EventKind> &kinds :
         {QList<EventKind>{EventKind::Acquired, EventKind::ForceReleased}, {EventKind::ForceReleased}}) {
        history.kinds = kinds;
        all += wholeHistory(history, sight);
    }
    return all;
}

void TestJournalSight::equalsAQuestionAboutThoseLocks_data()
{
    QTest::addColumn<bool>("rolled");
    QTest::newRow("rows") << false;
    QTest::newRow("sums of hours") << true;
}

void TestJournalSight::equalsAQuestionAboutThoseLocks()
{
    QFETCH(bool, rolled);
    for (int round = 0; round < 2; ++round) { // in the second there are names that the first didn't know
        if (rolled)
            m_fixture->roll();
        const QList<protocol::Message> wanted = answers("*o:*", {});
        const QList<protocol::Message> seen = answers({}, sightOf("*o:*"));
        QCOMPARE(seen.size(), wanted.size());
        for (qsizetype i = 0; i < seen.size(); ++i) {
            QVERIFY2(!std::holds_alternative<protocol::Failed>(wanted.at(i)), qPrintable(QString::number(i)));
            QVERIFY2(seen.at(i) == wanted.at(i), qPrintable(QString::number(i)));
            QVERIFY2(!protocol::encode(seen.at(i)).contains("p:"), qPrintable(QString::number(i)));
        }
        QVERIFY(answers({}, {}) != wanted);
        live("new-", 4);
    }
}

QList<qint64> TestJournalSight::waited(const Sight &sight)
{
    const protocol::WaitingQuery query{0, kStartUs, m_nowUs, 10};
    const auto page = asked(
        [query, nowUs = m_nowUs](Queries &queries) {
            return queries.waiting.waiting(query, {kOrders}, {{kOrders, nowUs}});
        },
        sight);
    return std::get<protocol::WaitingPage>(page).sources.first().waitedUs;
}

void TestJournalSight::partsOfTheWaitingAddUp()
{
    const QList<qint64> all = waited({});
    const QList<qint64> some = waited(sightOf("o:*"));
    const QList<qint64> others = waited(sightOf("p:*"));
    QCOMPARE(all.size(), 10);
    for (qsizetype i = 0; i < all.size(); ++i) {
        QCOMPARE(some.at(i) + others.at(i), all.at(i));
        QVERIFY(some.at(i) > 0 && others.at(i) > 0);
    }
}

/** Hidden events don't make a page shorter, and its cursor continues at its end. */
void TestJournalSight::pagesAreFull()
{
    const Sight sight = sightOf("o:*");
    protocol::HistoryQuery query;
    query.limit = 7;
    QList<events::LockEvent> seen;
    for (bool more = true; more;) {
        const auto page = std::get<protocol::EventPage>(
            asked([query](Queries &queries) { return queries.events.history(query); }, sight));
        more = page.more;
        if (more && !page.reachedSeq) // only a page that gives up early says how far it has read
            QCOMPARE(page.events.size(), 7);
        QVERIFY(!page.events.isEmpty());
        seen += page.events;
        query.afterSeq = page.events.constLast().seq;
    }
    QList<events::LockEvent> wanted = m_fixture->committed;
    wanted.removeIf([](const events::LockEvent &event) { return event.key.name.startsWith("p:"); });
    QVERIFY(wanted.first().isSourceEvent());
    QCOMPARE(textOf(seen), textOf(wanted));
}

LOCKKEEPER_TEST(TestJournalSight)

} // namespace tst_journal_sight

#include "tst_journal_sight.moc"
