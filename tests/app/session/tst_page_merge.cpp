// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/page_merge.h"
#include "tests/support/test_program.h"

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>

namespace tst_page_merge {

using namespace lockkeeper;
using namespace app::session;

class TestPageMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eventsInOrder_data();
    void goesOnFromWhatWasTaken();
    void eventsInOrder();
    void journalsAreToldByAgent();
    void holdsNewestFirst();
    void auditNewestFirst();
    void contentionAddsUp();
    void approvalsByTheirBeginning();
    void adviceBySurety();
    void lanesByRankOrByKeys();
    void stripsAddUp();
    void anyPagingGivesEachEventOnce_data();
    void anyPagingGivesEachEventOnce();
};

namespace {

events::LockEvent eventOf(const QString &agent, quint64 seq, qint64 timeUs)
{
    events::LockEvent event;
    event.seq = seq;
    event.timeUs = timeUs;
    event.key = {agent, "redis.token", "db0", "l"};
    return event;
}

/**
 * "1 2 5+": times in the agent's own order, numbered from 1 on (from the last with `descending`). "+": more
 * events follow. "+7": the agent has examined all events up to that number.
 */
protocol::EventPage pageOf(const QString &agent, QByteArray times, bool descending)
{
    protocol::EventPage page;
    page.more = times.contains('+');
    if (const QByteArray reached = times.mid(times.indexOf('+') + 1); page.more && !reached.isEmpty()) {
        page.reachedSeq = reached.toULongLong();
        page.reachedUs = reached.toLongLong();
    }
    times.truncate(page.more ? times.indexOf('+') : times.size());
    const QByteArrayList all = times.simplified().split(' ');
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (!all[i].isEmpty())
            page.events.append(
                eventOf(agent, quint64(descending ? all.size() - i : i + 1), all[i].toLongLong()));
    }
    return page;
}

protocol::Hold holdOf(const QString &source, qint64 fromUs, qint64 id)
{
    protocol::Hold hold;
    hold.key = {source, "redis.token", "db0", "l"};
    hold.fromUs = fromUs;
    hold.id = id;
    return hold;
}

domain::AuditEntry entryOf(const QString &source, qint64 timeUs, qint64 id)
{
    domain::AuditEntry entry;
    entry.key.source = source;
    entry.timeUs = timeUs;
    entry.id = id;
    return entry;
}

domain::Contention costOf(const QByteArray &name, qint64 waitedUs, qint64 acquisitions = 0)
{
    domain::Contention cost;
    cost.key = {QStringLiteral("a/s"), "redis.token", "db0", name};
    cost.waits.totalUs = waitedUs;
    cost.acquisitions = acquisitions;
    return cost;
}

protocol::TimelineLane laneOf(const QByteArray &name, qint64 waitUs, qint64 heldUs = 0)
{
    protocol::TimelineLane lane;
    lane.key = domain::LockKey{QStringLiteral("a/s"), "redis.token", "db0", name};
    lane.waitUs = waitUs;
    lane.slices = {{0, heldUs}};
    return lane;
}

QByteArray namesOf(const protocol::TimelinePage &page)
{
    QByteArrayList names;
    for (const protocol::TimelineLane &lane : page.lanes)
        names.append(lane.key->name);
    return names.join(' ');
}

} // namespace

void TestPageMerge::eventsInOrder_data()
{
    QTest::addColumn<QByteArrayList>("pages"); // of agents a, b, c
    QTest::addColumn<int>("limit");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<QByteArray>("merged");
    QTest::newRow("interleaved") << QByteArrayList{"1 4 6", "2 3 5"} << 9 << false
                                 << QByteArray("a1 b2 b3 a4 b5 a6");
    QTest::newRow("interleaved, newest first")
        << QByteArrayList{"6 4 1", "5 3 2"} << 9 << true << QByteArray("a6 b5 a4 b3 b2 a1");
    QTest::newRow("equal times by the agent's name")
        << QByteArrayList{"1 1 2", "1 2"} << 9 << false << QByteArray("a1 a1 b1 a2 b2");
    QTest::newRow("equal times, newest first")
        << QByteArrayList{"2 1", "2 1"} << 9 << true << QByteArray("a2 b2 a1 b1");
    QTest::newRow("one agent's own order stays")
        << QByteArrayList{"5 1 6", "2 3"} << 9 << false << QByteArray("b2 b3 a5 a1 a6");
    QTest::newRow("one agent's own order stays, newest first")
        << QByteArrayList{"6 1 5", "3 2"} << 9 << true << QByteArray("a6 b3 b2 a1 a5");
    QTest::newRow("a used up page with more stops")
        << QByteArrayList{"1 2+", "3 4"} << 9 << false << QByteArray("a1 a2 +");
    QTest::newRow("a used up page with more stops, newest first")
        << QByteArrayList{"4 3", "2 1+"} << 9 << true << QByteArray("a4 a3 b2 b1 +");
    QTest::newRow("a used up page without more doesn't")
        << QByteArrayList{"1 2", "3 4+"} << 9 << false << QByteArray("a1 a2 b3 b4 +");
    QTest::newRow("an empty page with more stops at once")
        << QByteArrayList{"+7", "3 4"} << 9 << false << QByteArray("+");
    QTest::newRow("one that tells no number has none")
        << QByteArrayList{"+", "3 4"} << 9 << false << QByteArray("b3 b4");
    QTest::newRow("an empty page") << QByteArrayList{"", "3 4"} << 9 << false << QByteArray("b3 b4");
    QTest::newRow("limit") << QByteArrayList{"1 3", "2 4"} << 3 << false << QByteArray("a1 b2 a3 +");
    QTest::newRow("limit met exactly") << QByteArrayList{"1 3", "2"} << 3 << false << QByteArray("a1 b2 a3");
    QTest::newRow("limit met, more there")
        << QByteArrayList{"1 3+", "2"} << 3 << false << QByteArray("a1 b2 a3 +");
    QTest::newRow("three") << QByteArrayList{"1 9", "2 8", "3 7"} << 9 << false
                           << QByteArray("a1 b2 c3 c7 b8 a9");
    QTest::newRow("nobody has any") << QByteArrayList{"", ""} << 9 << true << QByteArray();
}

/** Only the events that were taken count as read. A page that is used up continues where its agent says. */
void TestPageMerge::goesOnFromWhatWasTaken()
{
    const QMap<QString, protocol::EventPage> pages{
        {QStringLiteral("a"), pageOf(QStringLiteral("a"), "1 2+40", false)},
        {QStringLiteral("b"), pageOf(QStringLiteral("b"), "1 5", false)},
        {QStringLiteral("c"), pageOf(QStringLiteral("c"), "6", false)}};
    app::session::Numbers from{{QStringLiteral("b"), 77}, {QStringLiteral("c"), 88}};
    const EventsRead read = mergedEvents(pages, 9, false);
    read.goOn(from);
    const app::session::Numbers expected{
        {QStringLiteral("a"), 40}, {QStringLiteral("b"), 1}, {QStringLiteral("c"), 88}};
    QCOMPARE(from, expected);
    QCOMPARE(read.reachedUs, std::optional<qint64>(40));
}

void TestPageMerge::eventsInOrder()
{
    QFETCH(QByteArrayList, pages);
    QFETCH(int, limit);
    QFETCH(bool, descending);
    QFETCH(QByteArray, merged);
    QMap<QString, protocol::EventPage> byAgent;
    for (qsizetype i = 0; i < pages.size(); ++i) {
        const QString agent(QLatin1Char(char('a' + i)));
        byAgent.insert(agent, pageOf(agent, pages[i], descending));
    }
    const EventsRead read = mergedEvents(byAgent, limit, descending);
    QByteArrayList told;
    for (const events::LockEvent &event : read.events)
        told.append(event.key.source.toUtf8() + QByteArray::number(event.timeUs));
    if (read.more)
        told.append("+");
    QCOMPARE(told.join(' '), merged);
}

void TestPageMerge::journalsAreToldByAgent()
{
    protocol::EventPage a;
    a.firstSeq = 3;
    a.lastSeq = 9;
    const EventsRead read =
        mergedEvents({{QStringLiteral("a"), a}, {QStringLiteral("b"), protocol::EventPage()}}, 10, true);
    QCOMPARE(read.journals.size(), 2);
    QCOMPARE(read.journals.value(QStringLiteral("a")), (EventsRead::JournalRange{3, 9}));
}

void TestPageMerge::holdsNewestFirst()
{
    const QString a = QStringLiteral("a/s"), b = QStringLiteral("b/s");
    const protocol::HoldPage first{0, {holdOf(a, 9, 2), holdOf(a, 4, 1)}, true};
    const protocol::HoldPage second{0, {holdOf(b, 7, 5), holdOf(b, 2, 4)}, false};
    const protocol::HoldPage all = mergedHolds({first, second}, 10);
    QList<qint64> begins;
    for (const protocol::Hold &hold : all.holds)
        begins.append(hold.fromUs);
    QCOMPARE(begins, (QList<qint64>{9, 7, 4})); // the events of `a` after 4 are unknown
    QVERIFY(all.more);
    QCOMPARE(mergedHolds({first, second}, 2).holds.size(), 2);
}

void TestPageMerge::auditNewestFirst()
{
    const QString a = QStringLiteral("a/s"), b = QStringLiteral("b/s");
    const protocol::AuditPage first{0, {entryOf(a, 9, 2), entryOf(a, 3, 1)}, false, true, {}, 70, 6};
    const protocol::AuditPage second{0, {entryOf(b, 5, 8)}, false, false, 4, 90, 3};
    const protocol::AuditPage all = mergedAudit({first, second}, 10);
    QVERIFY(!all.more);
    QVERIFY(!all.verified); // no agent's verdict covers all
    QCOMPARE(all.entries.size(), 3);
    QCOMPARE(all.entries[1].id, 8);
    QVERIFY(mergedAudit({first, first}, 3).more);
}

void TestPageMerge::contentionAddsUp()
{
    protocol::ContentionPage a;
    a.fromUs = 100;
    a.toUs = 900;
    a.locks = {costOf("most", 50), costOf("least", 1, 3)};
    a.waitedUs = 51;
    a.waits = 2;
    protocol::ContentionPage b = a;
    b.fromUs = 50;
    b.toUs = 950;
    b.locks = {costOf("middle", 20), costOf("often", 1, 9)};
    b.waitedUs = 21;
    b.waits = 3;
    const protocol::ContentionPage all = mergedContention({a, b}, 3);
    QByteArrayList names;
    for (const domain::Contention &cost : all.locks)
        names.append(cost.key.name);
    QCOMPARE(names.join(' '), QByteArray("most middle often"));
    QVERIFY(all.more); // "least" is past the limit
    QVERIFY(!mergedContention({a, b}, 4).more);
    QCOMPARE(all.fromUs, 50);
    QCOMPARE(all.toUs, 950);
    QCOMPARE(all.waitedUs, std::optional<qint64>(72));
    QCOMPARE(all.waits, std::optional<qint64>(5));
    b.waitedUs.reset(); // an older agent: no total without its sum
    QVERIFY(!mergedContention({a, b}, 3).waitedUs);
    a.waiters = {{QStringLiteral("a/s"), "w1", 1, 1, 10}};
    b.waiters = {{QStringLiteral("b/s"), "w2", 1, 1, 30}, {QStringLiteral("b/s"), "w3", 1, 1, 5}};
    const protocol::ContentionPage waiters = mergedContention({a, b}, 2);
    QCOMPARE(waiters.waiters.size(), 2);
    QCOMPARE(waiters.waiters[0].waiter, QByteArray("w2"));
    QCOMPARE(waiters.waiters[1].waiter, QByteArray("w1"));
}

void TestPageMerge::approvalsByTheirBeginning()
{
    protocol::ApprovalsPage a, b;
    a.requests.resize(2);
    a.requests[0].askedUs = 5;
    a.requests[1].askedUs = 9;
    b.requests.resize(1);
    b.requests[0].askedUs = 7;
    const protocol::ApprovalsPage all = mergedApprovals({a, b});
    QCOMPARE(all.requests.size(), 3);
    QCOMPARE(all.requests[1].askedUs, 7);
}

void TestPageMerge::adviceBySurety()
{
    protocol::AdvicePage a, b;
    a.advice.resize(2);
    a.advice[0].confidence = domain::AdviceConfidence::Likely;
    a.advice[0].code = domain::AdviceCode::NoExpiry;
    b.advice.resize(2);
    b.advice[0].confidence = domain::AdviceConfidence::Certain;
    b.advice[1].confidence = domain::AdviceConfidence::Likely;
    b.advice[1].code = domain::AdviceCode::LeaseTooShort;
    a.fromUs = 5;
    b.fromUs = 3;
    a.observedPermille = 900;
    b.observedPermille = 950;
    a.holds = 7;
    b.holds = 2;
    b.more = true;
    const protocol::AdvicePage all = mergedAdvice({a, b});
    QList<int> codes;
    for (const domain::Advice &one : all.advice)
        codes.append(int(one.code));
    QCOMPARE(codes, (QList<int>{0, 1, 8, 0}));
    QCOMPARE(all.fromUs, 3);
    QCOMPARE(all.observedPermille, 900);
    QCOMPARE(all.holds, 9);
    QVERIFY(all.more);
}

void TestPageMerge::lanesByRankOrByKeys()
{
    protocol::TimelinePage a, b;
    a.toUs = b.toUs = 1000;
    a.lanes = {laneOf("waited most", 90), laneOf("held least", 0, 1)};
    b.lanes = {laneOf("waited less", 40), laneOf("held most", 0, 500)};
    const protocol::TimelinePage ranked = mergedTimeline({a, b}, 3, {});
    QCOMPARE(namesOf(ranked), QByteArray("waited most waited less held most"));
    QVERIFY(ranked.more);
    const QList<domain::LockKey> keys{*b.lanes[1].key, *a.lanes[1].key, *b.lanes[0].key, *a.lanes[0].key};
    const protocol::TimelinePage asked = mergedTimeline({a, b}, 2, keys);
    QCOMPARE(namesOf(asked), QByteArray("held most held least waited less waited most"));
    QVERIFY(!asked.more); // exactly these were asked for
}

void TestPageMerge::stripsAddUp()
{
    protocol::TimelinePage a, b;
    a.strip = {1, 2, 3};
    b.strip = {10, 20, 30};
    a.gaps = {{QStringLiteral("a/s"), 1, 2, {}, {}}};
    b.gaps = {{QStringLiteral("b/s"), 1, 2, {}, {}}};
    a.firstUs = 70;
    QCOMPARE(mergedTimeline({a, b}, 9, {}).firstUs, 70); // the other agent's journal is empty
    b.firstUs = 60;
    const protocol::TimelinePage all = mergedTimeline({a, b}, 9, {});
    QCOMPARE(all.strip, (QList<qint64>{11, 22, 33}));
    QCOMPARE(all.gaps.size(), 2);
    QCOMPARE(all.firstUs, 60);
}

void TestPageMerge::anyPagingGivesEachEventOnce_data()
{
    QTest::addColumn<bool>("descending");
    QTest::addColumn<bool>("steady");
    QTest::newRow("oldest first") << false << true;
    QTest::newRow("newest first") << true << true;
    QTest::newRow("oldest first, clocks that jump") << false << false;
    QTest::newRow("newest first, clocks that jump") << true << false;
}

/** Journals of any number of agents, read by their numbers as AgentGroup::history() asks for them. */
void TestPageMerge::anyPagingGivesEachEventOnce()
{
    QFETCH(bool, descending);
    QFETCH(bool, steady);
    for (quint32 seed = 1; seed <= 150; ++seed) {
        QRandomGenerator random(seed);
        QHash<QString, QList<events::LockEvent>> journals;
        const int agents = random.bounded(1, 6);
        qsizetype total = 0;
        for (int a = 0; a < agents; ++a) {
            const QString agent(QLatin1Char(char('a' + a)));
            qint64 timeUs = random.bounded(50);
            quint64 seq = random.bounded(5u);
            for (int i = random.bounded(60); i > 0; --i) {
                timeUs += steady ? random.bounded(4) : random.bounded(-20, 24);
                seq += 1 + random.bounded(2u); // gaps from a filter
                journals[agent].append(eventOf(agent, seq, timeUs));
                ++total;
            }
            if (descending)
                std::reverse(journals[agent].begin(), journals[agent].end());
        }
        Numbers from;
        QList<events::LockEvent> all;
        for (bool more = true; more;) {
            const int limit = random.bounded(1, 12);
            QMap<QString, protocol::EventPage> pages;
            for (auto it = journals.cbegin(); it != journals.cend(); ++it) {
                protocol::EventPage &page = pages[it.key()];
                for (const events::LockEvent &event : it.value()) {
                    const auto number = from.constFind(it.key());
                    if (number != from.cend() && (descending ? event.seq >= *number : event.seq <= *number))
                        continue;
                    page.more = page.events.size() == limit;
                    if (page.more)
                        break;
                    page.events.append(event);
                }
            }
            const EventsRead read = mergedEvents(pages, limit, descending);
            if (read.more)
                QVERIFY2(!read.events.isEmpty(), qPrintable(QString::number(seed)));
            QVERIFY(read.events.size() <= limit);
            for (const events::LockEvent &event : read.events)
                from.insert(event.key.source, event.seq);
            all += read.events;
            more = read.more;
        }
        QCOMPARE(all.size(), total);
        for (auto it = journals.cbegin(); it != journals.cend(); ++it) {
            QList<events::LockEvent> its;
            std::copy_if(all.cbegin(), all.cend(), std::back_inserter(its),
                         [&](const events::LockEvent &event) { return event.key.source == it.key(); });
            QCOMPARE(its, it.value());
        }
        const auto isBefore = [descending](const events::LockEvent &a, const events::LockEvent &b) {
            return descending ? a.timeUs > b.timeUs : a.timeUs < b.timeUs;
        };
        if (steady)
            QVERIFY2(std::is_sorted(all.cbegin(), all.cend(), isBefore), qPrintable(QString::number(seed)));
    }
}

LOCKKEEPER_TEST(TestPageMerge)

} // namespace tst_page_merge

#include "tst_page_merge.moc"
