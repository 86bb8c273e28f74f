// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/codec.h"
#include "tests/agent/journal/journal_fixture.h"
#include "tests/agent/journal/raw_spans.h"
#include "tests/support/test_program.h"

#include <QMap>
#include <QRandomGenerator>

namespace tst_journal_rollups {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using events::EventKind;

namespace {

constexpr qint64 kMinute = 60'000'000;
constexpr qint64 kHour = 60 * kMinute;
constexpr qint64 kDay = 24 * kHour;
constexpr qint64 kStart = 20'000 * kDay;

/** A store whose locks come and go, and whose clock is set now and then. */
class Course
{
public:
    explicit Course(quint32 seed) : m_random(seed) {}

    QList<events::LockEvent> some(int count)
    {
        QList<events::LockEvent> events;
        for (int i = 0; i < count; ++i) {
            m_atUs += qint64(m_random.bounded(quint32(3 * kMinute)));
            if (m_random.bounded(200) == 0)
                jump();
            events += next();
        }
        return events;
    }
    qint64 nowUs() const { return m_atUs; }

private:
    void jump()
    {
        const qint64 lengths[] = {kHour, kDay, 3 * kDay, -kHour, -kDay, 40 * kMinute};
        m_atUs += lengths[m_random.bounded(6)];
    }

    events::LockEvent next()
    {
        const EventKind kinds[] = {EventKind::Acquired,      EventKind::Released,  EventKind::Expired,
                                   EventKind::TakenOver,     EventKind::WaitStart, EventKind::WaitEnd,
                                   EventKind::ForceReleased, EventKind::GapOpened};
        const EventKind kind = kinds[m_random.bounded(8)];
        if (kind == EventKind::GapOpened)
            return sourceEvent(m_random.bounded(2) ? EventKind::GapOpened : EventKind::GapClosed, m_atUs);
        // One lock is hardly ever released.
        const bool rare = m_random.bounded(50) == 0;
        const QByteArray name = rare ? "rare" : "l" + QByteArray::number(m_random.bounded(5));
        events::LockEvent event =
            lockEvent(kind, name, "w" + QByteArray::number(m_random.bounded(4)), m_atUs);
        if (kind == EventKind::WaitStart || kind == EventKind::WaitEnd)
            event.waiter = "x" + QByteArray::number(m_random.bounded(4));
        return event;
    }

    QRandomGenerator m_random;
    qint64 m_atUs = kStart;
};

/** The oldest event. Retention deletes rows that ended before it, also where a clock was set back. */
events::LockEvent beginning()
{
    return sourceEvent(EventKind::SourceUp, kStart - 60 * kDay);
}

bool begin(JournalFixture &f, int keepDays)
{
    f.options.keepDays = keepDays;
    f.clock.setWallUs(kStart);
    if (!f.open())
        return false;
    f.commit({beginning()});
    return true;
}

qint64 metaOf(JournalFixture &f, const char *key)
{
    return f
        .sql(QStringLiteral("SELECT CAST(value AS TEXT) FROM meta WHERE CAST(key AS TEXT) = '%1'")
                 .arg(QLatin1String(key)))
        .toLongLong();
}

protocol::TimelinePage ask(JournalFixture &f, const protocol::TimelineQuery &query)
{
    return f.ask([query](agent::journal::Queries &queries) { return queries.timeline.timeline(query); });
}

/** All locks, ranked by their cost in the range. */
protocol::ContentionPage rankingOf(JournalFixture &f, qint64 fromUs, qint64 toUs)
{
    protocol::ContentionQuery query;
    query.fromUs = fromUs;
    query.toUs = toUs;
    query.limit = 1000;
    return f.ask(
        [query](agent::journal::Queries &queries) { return queries.contention.contention(query, {}); });
}

} // namespace

/** The sums of ended spans, by hour and by day. */
class TestJournalRollups : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalARecount_data();
    void equalARecount();
    void olderJournalIsFilled();
    void outliveTheirRows();
    void oldestGoFirstFromALargeFile();
    void stripEqualsARecount();
    void longHoldCostsNoRows();
    void aMillionEventsUnderABrush();
};

void TestJournalRollups::equalARecount_data()
{
    QTest::addColumn<int>("seed");
    for (const int seed : {1, 2, 3, 4})
        QTest::addRow("course %d", seed) << seed;
}

void TestJournalRollups::equalARecount()
{
    QFETCH(int, seed);
    JournalFixture f;
    f.options.keepRollupsDays = 800;
    QVERIFY(begin(f, 400));
    Course course{quint32(seed)};
    QRandomGenerator random{quint32(seed)};
    for (int part = 0; part < 6; ++part) {
        f.commit(course.some(700));
        f.clock.setWallUs(std::max(f.clock.wallUs(), course.nowUs()) + (part == 2 ? -2 * kDay : kMinute));
        if (part == 3)
            QVERIFY(f.open()); // a restart, which begins a round
        if (part % 2 == 0 || part == 3)
            f.roll();
        (void)f.history({});
        const QList<RawSpan> spans = rawSpans(f.path());
        const qint64 untilUs = metaOf(f, "rollup_until_us");
        QCOMPARE(differences(rawRollups(f.path()), countedRollups(spans, untilUs)), QString());
        for (int question = 0; question < 12; ++question) {
            protocol::TimelineQuery query;
            query.fromUs = kStart - kDay + qint64(random.bounded(qint64(6 * kDay)));
            query.toUs =
                query.fromUs + 1 + qint64(random.bounded(qint64(question % 3 == 0 ? 60 * kDay : 2 * kDay)));
            query.sliceUs = question % 2 ? 10 * kMinute : 0;
            query.bars = 1 + int(random.bounded(400));
            query.by = question % 4 == 3 ? protocol::TimelineLanes::Source : protocol::TimelineLanes::Lock;
            if (question % 6 == 5)
                query.keys = {heldState("l1", {}, 0).key, heldState("rare", {}, 0).key};
            const protocol::TimelinePage page = ask(f, query);
            QCOMPARE(f.lastError.cause, QString());
            QVERIFY(page.fromUs <= query.fromUs && page.toUs >= query.toUs);
            compareWithRecount(page, spans, f.clock.wallUs());
            const protocol::ContentionPage ranking = rankingOf(f, query.fromUs, query.toUs);
            QCOMPARE(f.lastError.cause, QString());
            compareWithRecount(ranking, spans);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

/** One that was written before there were roll-ups, and an agent that is killed while it makes them. */
void TestJournalRollups::olderJournalIsFilled()
{
    JournalFixture f;
    QVERIFY(begin(f, 400));
    Course course(9);
    f.commit(course.some(9000));
    f.close();
    f.sql(QStringLiteral("DELETE FROM meta WHERE CAST(key AS TEXT) LIKE 'rollup%'"));
    for (const char *table : {"hours", "days", "minutes", "crossings"})
        f.sql(QStringLiteral("DELETE FROM rollup_%1").arg(QLatin1String(table)));
    f.clock.setWallUs(course.nowUs());
    QVERIFY(f.open());
    f.roll();
    QCOMPARE(
        differences(rawRollups(f.path()), countedRollups(rawSpans(f.path()), metaOf(f, "rollup_until_us"))),
        QString());
    QCOMPARE(f.sql(QStringLiteral("SELECT sum(events) FROM rollup_minutes")).toInt(), 9001);
}

void TestJournalRollups::outliveTheirRows()
{
    JournalFixture f;
    QVERIFY(begin(f, 12));
    Course course(5);
    QMap<std::pair<bool, qint64>, RawSpan> ever;
    for (int part = 0; part < 5; ++part) {
        f.commit(course.some(1500));
        (void)f.history({});
        for (const RawSpan &span : rawSpans(f.path()))
            ever[{span.ofWait, span.id}] = span;
        f.clock.setWallUs(std::max(f.clock.wallUs(), course.nowUs()));
        f.roll();
        (void)f.history({});
    }
    f.clock.advanceUs(40 * kDay);
    f.roll();
    QTRY_VERIFY(rawSpans(f.path()).size() < ever.size() / 2);
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM events")).toInt(), 0);
    QStringList counted = countedRollups(ever.values(), metaOf(f, "rollup_until_us"));
    QStringList told = rawRollups(f.path());
    const auto isCrossing = [](const QString &line) { return line.startsWith(QLatin1String("crossing")); };
    counted.removeIf(isCrossing);
    told.removeIf(isCrossing);
    QCOMPARE(differences(told, counted), QString());
    // Their names stay as well. A range that only the sums cover is answered in whole hours.
    protocol::TimelineQuery query;
    query.fromUs = kStart + 30 * kMinute;
    query.toUs = kStart + 2 * kDay;
    const protocol::TimelinePage page = ask(f, query);
    QCOMPARE(f.lastError.cause, QString());
    QCOMPARE(page.fromUs, kStart);
    QVERIFY(page.lanes.size() >= 5);
    for (const protocol::TimelineLane &lane : page.lanes)
        QVERIFY(lane.holds.isEmpty() && lane.waits.isEmpty() && !lane.slices.isEmpty());
    QList<RawSpan> closed = ever.values();
    closed.removeIf(
        [](const RawSpan &span) { return span.ofWait && span.toUs == RawSpan::kOpen; }); // retention's
    compareWithRecount(page, closed, f.clock.wallUs());
    QCOMPARE(page.firstUs, kStart - 60 * kDay);
    // Percentiles need the rows: a ranking covers only the remaining rows, though its hours cover more.
    compareWithRecount(rankingOf(f, query.fromUs, f.clock.wallUs()), rawSpans(f.path()));
    // A holder's lane has no sums: the answer covers only the remaining rows.
    query.by = protocol::TimelineLanes::Holder;
    QCOMPARE(ask(f, query).fromUs, query.toUs - 1);
    f.clock.advanceUs(400 * kDay);
    f.roll();
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_hours")).toInt(), 0);
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_days")).toInt(), 0);
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_crossings")).toInt(), 0);
}

void TestJournalRollups::oldestGoFirstFromALargeFile()
{
    JournalFixture f;
    f.clock.setWallUs(kStart);
    QVERIFY(f.open());
    Course course(8);
    f.commit(course.some(3000));
    f.clock.setWallUs(course.nowUs());
    f.roll();
    f.sql(QStringLiteral(
        "INSERT INTO rollup_hours(at, lock_id, holds, held_us, waits, waited_us, forced, expired, "
        "takeovers) VALUES(1, 1, 0, 0, 0, 0, 0, 0, 0)"));
    f.options.keepMib = 0;
    f.roll();
    QTRY_COMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_hours WHERE at = 1")).toInt(), 0);
}

void TestJournalRollups::stripEqualsARecount()
{
    JournalFixture f;
    f.options.keepDays = 400;
    f.clock.setWallUs(kStart);
    QVERIFY(f.open());
    Course course(4);
    QRandomGenerator random(4);
    for (int part = 0; part < 3; ++part) {
        f.commit(course.some(1500));
        if (part < 2)
            f.roll();
    }
    (void)f.history({});
    const QList<qint64> times = rawEventTimes(f.path());
    for (int round = 0; round < 40; ++round) {
        protocol::TimelineQuery query;
        query.fromUs = 0;
        query.toUs = 1;
        query.stripFromUs = kStart - kHour + qint64(random.bounded(qint64(2 * kDay)));
        query.stripToUs =
            query.stripFromUs + 1 + qint64(random.bounded(qint64(round % 2 ? 10 * kDay : kHour)));
        query.stripSlices = 1 + int(random.bounded(2000));
        if (round % 5 == 0)
            query.source = QStringLiteral("orders");
        QList<qint64> counted(query.stripSlices, 0);
        for (const qint64 at : times) {
            if (at >= query.stripFromUs && at < query.stripToUs)
                ++counted[(at - query.stripFromUs) * query.stripSlices /
                          (query.stripToUs - query.stripFromUs)];
        }
        QCOMPARE(ask(f, query).strip, counted);
    }
}

/** A clock that was wrong by fifty years makes no half a million rows. */
void TestJournalRollups::longHoldCostsNoRows()
{
    JournalFixture f;
    f.options.keepDays = 36'000;
    f.clock.setWallUs(kStart);
    QVERIFY(f.open());
    f.commit({lockEvent(EventKind::Acquired, "a", "w", 5),
              lockEvent(EventKind::Released, "a", "w", kStart - 10 * kDay)});
    f.roll();
    QCOMPARE(f.sql(QStringLiteral("SELECT count(*) FROM rollup_hours WHERE lock_id > 0")).toInt(), 1);
    protocol::TimelineQuery query;
    query.fromUs = 1000 * kDay;
    query.toUs = 1001 * kDay;
    QCOMPARE(ask(f, query).lanes.size(), 1);
    QCOMPARE(ask(f, query).lanes.first().holds.size(), 1);
    query.bars = 1;
    query.by = protocol::TimelineLanes::Source;
    const protocol::TimelinePage page = ask(f, query);
    QCOMPARE(page.lanes.size(), 1);
    qint64 heldUs = 0;
    for (const protocol::TimelineSlice &slice : page.lanes.first().slices)
        heldUs += slice.heldUs;
    QCOMPARE(heldUs, kDay);
}

/** One lock over ten hours: an answer about a part of them is bounded, and the parts add up to all. */
void TestJournalRollups::aMillionEventsUnderABrush()
{
    constexpr int kHolds = 500'000;
    constexpr qint64 kStepUs = 10 * kHour / kHolds;
    JournalFixture f;
    QVERIFY(begin(f, 400));
    f.commit({lockEvent(EventKind::Acquired, "l1", "w", kStart - 2),
              lockEvent(EventKind::Released, "l1", "w", kStart - 1)});
    f.close();
    f.sql(QStringLiteral(
              "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1) "
              "INSERT INTO holds(hold_id, lock_id, from_us, from_window_us, start_seen, open_check, to_us, "
              "end, close_check) SELECT 1000 + i, 1, %2 + i * %3, 0, 1, 0, %2 + i * %3 + 7, 1, 0 FROM n")
              .arg(kHolds - 1)
              .arg(kStart)
              .arg(kStepUs));
    f.clock.setWallUs(kStart + kDay);
    QVERIFY(f.open());
    f.roll();
    for (const qint64 lengthUs : {10 * kHour, 4 * kHour, 2 * kHour, 30 * kMinute}) {
        protocol::TimelineQuery query;
        query.fromUs = kStart + (lengthUs < 10 * kHour ? kMinute : 0);
        query.toUs = query.fromUs + lengthUs;
        query.bars = 10'000;
        const protocol::TimelinePage page = ask(f, query);
        QCOMPARE(f.lastError.cause, QString());
        QCOMPARE(page.lanes.size(), 1);
        const protocol::TimelineLane &lane = page.lanes.constFirst();
        QVERIFY(protocol::encode(page).size() < qsizetype(protocol::kMaxFrame));
        QVERIFY(lane.holds.isEmpty() ? lane.slices.size() <= 2001 : lane.holds.size() <= 10'000);
        qint64 holds = lane.holds.size();
        for (const protocol::TimelineSlice &slice : lane.slices)
            holds += slice.holds;
        QCOMPARE(holds, lengthUs / kStepUs);
    }
}

LOCKKEEPER_TEST(TestJournalRollups)

} // namespace tst_journal_rollups

#include "tst_journal_rollups.moc"
