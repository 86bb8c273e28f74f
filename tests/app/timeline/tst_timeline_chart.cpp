// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/chart.h"
#include "app/timeline/lane_order.h"
#include "app/timeline/moments.h"
#include "app/timeline/question.h"
#include "app/timeline/scene.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_timeline_chart {

using namespace lockkeeper;
using namespace lockkeeper::app::timeline;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;

domain::LockKey keyOf(const QByteArray &name)
{
    return {QStringLiteral("orders"), "redis.token", "db0", name};
}

/** A hold with times in seconds from the chart's beginning. If `to` is 0, it is still held. */
protocol::Hold hold(qint64 from, qint64 to, const QByteArray &end = "released",
                    const QByteArray &owner = "w1")
{
    protocol::Hold one;
    one.key = keyOf("a");
    one.owner = owner;
    one.fromUs = from * kSecond;
    if (to > 0) {
        one.toUs = to * kSecond;
        one.end = end;
    }
    one.id = from * 1000 + to;
    return one;
}

protocol::Wait wait(qint64 from, qint64 to, const QByteArray &waiter)
{
    protocol::Wait one{keyOf("a"), waiter, from * kSecond, {}, from * 100 + waiter.at(0)};
    if (to > 0)
        one.toUs = to * kSecond;
    return one;
}

protocol::TimelineLane laneOf(const QByteArray &name, const QList<protocol::Hold> &holds = {},
                              const QList<protocol::Wait> &waits = {})
{
    protocol::TimelineLane lane;
    lane.key = keyOf(name);
    lane.holds = holds;
    lane.waits = waits;
    return lane;
}

Chart chartOf(const QList<protocol::TimelineLane> &lanes)
{
    Chart chart;
    chart.range = {0, kHour};
    chart.sliceUs = kSecond;
    chart.lanes = lanes;
    return chart;
}

QList<LaneId> ids(const QByteArray &names)
{
    QList<LaneId> list;
    for (const char name : names)
        list.append({keyOf(QByteArray(1, name)), {}, {}});
    return list;
}

QByteArray shown(const LaneOrder &order, const QByteArray &ranked)
{
    QByteArray names;
    for (const qsizetype index : order.arrange(ids(ranked)))
        names += ranked.at(index);
    return names;
}

} // namespace

/** Lanes, shapes, hits, moments and questions of the timeline. */
class TestTimelineChart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void laneOrder();
    void waitsKeepTheirSubLane();
    void lanesOfAHolderHaveSubLanes();
    void laneAt();
    void barsAndTheirDoubt();
    void endsHaveTheirShape_data();
    void endsHaveTheirShape();
    void openBarsReachAsFarAsWasSeen();
    void narrowBarsAreSummed();
    void slicesAreDrawnAsSums();
    void hits();
    void gapOfThreeDays();
    void sumsAreOfWhatIsShown();
    void leaseAfterTheLastRenewal();
    void renewalsAreTicks();
    void momentsSayWhatWasTrue();
    void stepsToTheNextEvent();
    void asksForNoMoreThanTheScreenShows_data();
    void asksForNoMoreThanTheScreenShows();
    void readsAgainOnlyWhenItMust();
};

void TestTimelineChart::laneOrder()
{
    LaneOrder order;
    QCOMPARE(shown(order, "abcd"), QByteArray("abcd"));
    order.setPinned(ids("c").first(), true);
    QCOMPARE(shown(order, "abcd"), QByteArray("cabd"));
    order.move(ids("cabd"), 3, 1);
    QCOMPARE(shown(order, "abcd"), QByteArray("cdab"));
    QCOMPARE(shown(order, "bdaec"), QByteArray("cdabe")); // another ranking; a new lane comes last
    QCOMPARE(shown(order, "ab"), QByteArray("ab"));       // lanes that left return to their places
    QCOMPARE(shown(order, "abd"), QByteArray("dab"));
    order.move(ids("cdab"), 2, 0); // not into the pinned lanes
    QCOMPARE(shown(order, "abcd"), QByteArray("cadb"));
    order.move(ids("cadb"), 0, 3); // nor out of the pinned lanes
    QCOMPARE(shown(order, "abcd"), QByteArray("cadb"));
    order.setPinned(ids("b").first(), true);
    order.move(ids("cbad"), 1, 0);
    QCOMPARE(shown(order, "abcd"), QByteArray("bcad"));
    order.setPinned(ids("c").first(), false);
    order.setPinned(ids("b").first(), false);
    order.move(ids("abcd"), 7, 0); // no such lane
    order.clear();
    QCOMPARE(shown(order, "abcd"), QByteArray("abcd"));
}

void TestTimelineChart::waitsKeepTheirSubLane()
{
    Tracks tracks;
    QCOMPARE(tracks.assign({{1, 0, 100}, {2, 10, 50}, {3, 60, 90}}), (QList<int>{0, 1, 1}));
    // The first wait is no longer in the page: the others stay in place.
    QCOMPARE(tracks.assign({{2, 10, 50}, {3, 60, 90}, {4, 70, 80}}), (QList<int>{1, 1, 0}));
    QList<TrackItem> many;
    for (int i = 0; i < 12; ++i)
        many.append({100 + i, i, 1000});
    const QList<int> placed = tracks.assign(many);
    QCOMPARE(placed.first(5), (QList<int>{0, 1, 2, 3, 4}));
    QCOMPARE(placed.count(-1), 7);
    LaneLayout layout;
    QList<protocol::Wait> waits;
    for (int i = 0; i < 12; ++i)
        waits.append(wait(10 + i, 500, QByteArray(1, char('a' + i))));
    layout.arrange(chartOf({laneOf("a", {}, waits)}));
    QCOMPARE(layout.boxes().first().waitRows, 5);
    QCOMPARE(layout.boxes().first().hiddenWaits, 7);
}

void TestTimelineChart::lanesOfAHolderHaveSubLanes()
{
    protocol::TimelineLane lane;
    lane.source = QStringLiteral("orders");
    lane.holder = "w1";
    lane.holds = {hold(10, 60), hold(20, 40), hold(50, 70)};
    LaneLayout layout;
    layout.arrange(chartOf({lane}));
    QCOMPARE(layout.boxes().first().holdTracks, (QList<int>{0, 1, 1}));
    // In a lane of one lock, an overlap doesn't mean two holders, only an uncertainty of the clocks.
    layout.arrange(chartOf({laneOf("a", {hold(10, 60), hold(59, 90)})}));
    QCOMPARE(layout.boxes().first().holdRows, 1);
}

void TestTimelineChart::laneAt()
{
    LaneLayout layout;
    layout.arrange(chartOf({laneOf("a"), laneOf("b", {}, {wait(10, 20, "x")}), laneOf("c")}));
    QCOMPARE(layout.boxes().at(0).height, 24); // the height of a table's rows
    QVERIFY(layout.boxes().at(1).height > 24);
    QCOMPARE(layout.laneAt(-1), -1);
    QCOMPARE(layout.laneAt(0), 0);
    QCOMPARE(layout.laneAt(23), 0);
    QCOMPARE(layout.laneAt(24), 1);
    QCOMPARE(layout.laneAt(layout.height() - 1), 2);
    QCOMPARE(layout.laneAt(layout.height()), -1);
}

void TestTimelineChart::barsAndTheirDoubt()
{
    protocol::Hold one = hold(600, 1200);
    one.fromWindowUs = 60 * kSecond;
    one.toWindowUs = 30 * kSecond;
    protocol::Hold found = hold(1800, 2400);
    found.startSeen = false;
    found.fromWindowUs = 60 * kSecond; // meaningless without an observed start
    const Chart chart = chartOf({laneOf("a", {one, found})});
    LaneLayout layout;
    layout.arrange(chart);
    const TimeAxis axis({0, kHour}, 3600);
    const LaneScene scene = sceneOf(chart.lanes.first(), layout.boxes().first(), axis, {{}, kHour}, kSecond);
    QCOMPARE(scene.bars.size(), 2);
    QCOMPARE(scene.bars.at(0).rect, QRectF(600, LaneBox::kPad, 600, LaneBox::kHold));
    QCOMPARE(scene.bars.at(0).softFrom, 540.0); // it began in [540, 600]
    QCOMPARE(scene.bars.at(0).softTo, 1170.0);  // and ended in [1170, 1200]
    QVERIFY(scene.bars.at(0).startSeen);
    QVERIFY(!scene.bars.at(1).startSeen);
    QCOMPARE(scene.bars.at(1).softFrom, 1800.0);
}

void TestTimelineChart::endsHaveTheirShape_data()
{
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<int>("end");
    QTest::newRow("released") << QByteArray("released") << int(BarEnd::Released);
    QTest::newRow("expired") << QByteArray("expired") << int(BarEnd::Expired);
    QTest::newRow("taken over") << QByteArray("taken_over") << int(BarEnd::TakenOver);
    QTest::newRow("forced") << QByteArray("force_released") << int(BarEnd::Forced);
    QTest::newRow("lost") << QByteArray("lost") << int(BarEnd::Lost);
    QTest::newRow("gap") << QByteArray("gap") << int(BarEnd::Gap);
}

void TestTimelineChart::endsHaveTheirShape()
{
    QFETCH(QByteArray, code);
    QFETCH(int, end);
    const Chart chart = chartOf({laneOf("a", {hold(600, 1200, code)})});
    LaneLayout layout;
    layout.arrange(chart);
    const LaneScene scene =
        sceneOf(chart.lanes.first(), layout.boxes().first(), {{0, kHour}, 3600}, {{}, kHour}, kSecond);
    QCOMPARE(int(scene.bars.first().end), end);
}

void TestTimelineChart::openBarsReachAsFarAsWasSeen()
{
    const Chart chart = chartOf({laneOf("a", {hold(600, 0)}, {wait(700, 0, "x")})});
    LaneLayout layout;
    layout.arrange(chart);
    // The source fell silent at 2000 s: after that, the state is unknown.
    const SeenUntil seen{{{QStringLiteral("orders"), 2000 * kSecond}}, 3000 * kSecond};
    const LaneScene scene =
        sceneOf(chart.lanes.first(), layout.boxes().first(), {{0, kHour}, 3600}, seen, kSecond);
    QCOMPARE(scene.bars.at(0).rect.right(), 2000.0);
    QCOMPARE(scene.bars.at(0).end, BarEnd::Open);
    QCOMPARE(scene.bars.at(1).rect.right(), 2000.0);
    QCOMPARE(momentOf(chart, 0, 1999 * kSecond, seen).known, Moment::Known::Held);
    QCOMPARE(momentOf(chart, 0, 2001 * kSecond, seen).known, Moment::Known::NotObserved);
}

void TestTimelineChart::narrowBarsAreSummed()
{
    QList<protocol::Hold> holds;
    for (int i = 0; i < 1800; ++i) // a hold of one second every two seconds
        holds.append(hold(i * 2, i * 2 + 1, i == 900 ? "force_released" : "released"));
    const Chart chart = chartOf({laneOf("a", holds)});
    LaneLayout layout;
    layout.arrange(chart);
    const LaneScene scene =
        sceneOf(chart.lanes.first(), layout.boxes().first(), {{0, kHour}, 360}, {{}, kHour}, kSecond);
    QVERIFY(scene.bars.isEmpty());
    QCOMPARE(scene.dense.size(), 180); // at most one rectangle for two pixels
    qint64 bars = 0;
    int forced = 0;
    for (const DenseShape &shape : scene.dense) {
        QVERIFY(qAbs(shape.share - 0.5) < 0.01);
        bars += shape.bars;
        forced += shape.forced ? 1 : 0;
    }
    QCOMPARE(bars, 1800);
    QCOMPARE(forced, 1); // the forced release stays visible
}

void TestTimelineChart::slicesAreDrawnAsSums()
{
    // A million events within ten seconds arrive as a slice.
    protocol::TimelineLane lane = laneOf("a");
    lane.slices = {{100 * kSecond, 5 * kSecond, 25 * kSecond, 500'000, 400'000, 1},
                   {110 * kSecond, 10 * kSecond, 0, 500'000, 0, 0}};
    Chart chart = chartOf({lane});
    chart.sliceUs = 10 * kSecond;
    LaneLayout layout;
    layout.arrange(chart);
    QCOMPARE(layout.boxes().first().waitRows, 2);
    const LaneScene scene =
        sceneOf(lane, layout.boxes().first(), {{0, kHour}, 3600}, {{}, kHour}, chart.sliceUs);
    QCOMPARE(scene.dense.size(), 3);
    QCOMPARE(scene.dense.at(0).rect.left(), 100.0);
    QCOMPARE(scene.dense.at(0).rect.width(), 10.0);
    QCOMPARE(scene.dense.at(0).share, 0.5);
    QVERIFY(scene.dense.at(0).forced);
    QCOMPARE(scene.dense.at(0).bars, 500'000);
    QVERIFY(scene.dense.at(1).wait);
    QCOMPARE(scene.dense.at(1).share, 2.5); // mean number of waiters; half the band
    QCOMPARE(scene.dense.at(1).rect.height(), 7.0);
    QCOMPARE(scene.dense.at(2).share, 1.0);
    QCOMPARE(momentOf(chart, 0, 105 * kSecond, {{}, kHour}).known, Moment::Known::Slices);
    // Slices of half a pixel with equal load look equal, whether three or four of them begin on two pixels.
    lane.slices.clear();
    for (int i = 0; i < 1200; ++i)
        lane.slices.append({i * 3 * kSecond, kSecond, 0, 1, 0, 0});
    const LaneScene even = sceneOf(lane, layout.boxes().first(), {{0, kHour}, 643}, {{}, kHour}, 3 * kSecond);
    QVERIFY(even.dense.size() > 300 && even.dense.size() <= 322);
    for (qsizetype i = 0; i + 1 < even.dense.size(); ++i)
        QVERIFY(qAbs(even.dense.at(i).share - 1.0 / 3) < 0.001);
}

void TestTimelineChart::hits()
{
    Chart chart = chartOf({laneOf("b"), laneOf("a", {hold(600, 1200), hold(1201, 1300)},
                                               {wait(700, 1200, "x"), wait(800, 1200, "y")})});
    chart.gaps = {{QStringLiteral("orders"), 2000 * kSecond, 2100 * kSecond, {}, {}}};
    LaneLayout layout;
    layout.arrange(chart);
    const TimeAxis axis({0, kHour}, 3600);
    const SeenUntil seen{{}, kHour};
    QList<LaneScene> scenes;
    for (qsizetype i = 0; i < 2; ++i)
        scenes.append(sceneOf(chart.lanes.at(i), layout.boxes().at(i), axis, seen, kSecond));
    const LaneBox &box = layout.boxes().at(1);
    const auto on = [&](double x, int y) { return hitAt({x, double(y)}, chart, layout, scenes, axis, seen); };
    const int inHold = box.top + box.holdTop(0) + 5;
    QCOMPARE(on(900, inHold), (Hit{Hit::On::Hold, 1, 0}));
    QCOMPARE(on(598.5, inHold), (Hit{Hit::On::Hold, 1, 0})); // a near miss counts
    QCOMPARE(on(1202, inHold), (Hit{Hit::On::Hold, 1, 1}));  // an exact hit takes precedence
    QCOMPARE(on(900, box.top + box.waitTop(0) + 2), (Hit{Hit::On::Wait, 1, 0}));
    QCOMPARE(on(900, box.top + box.waitTop(1) + 2), (Hit{Hit::On::Wait, 1, 1}));
    QCOMPARE(on(3000, inHold), (Hit{Hit::On::Lane, 1, -1}));
    QCOMPARE(on(2050, 5), (Hit{Hit::On::Gap, 0, 0}));
    QCOMPARE(on(900, -3), Hit());
    QCOMPARE(on(900, layout.height() + 1), Hit());
}

void TestTimelineChart::gapOfThreeDays()
{
    constexpr qint64 kDay = 24 * kHour;
    Chart chart = chartOf({laneOf("a", {hold(3600, 7200, "gap")})});
    chart.range = {0, 4 * kDay};
    chart.gaps = {
        {QStringLiteral("orders"), 2 * kHour, 2 * kHour + 3 * kDay, {}, QStringLiteral("source_down")},
        {QStringLiteral("stock"), kHour, {}, {}, {}}};
    const SeenUntil seen{{}, 4 * kDay};
    QCOMPARE(momentOf(chart, 0, 2 * kHour, seen).known, Moment::Known::NotObserved);
    QCOMPARE(momentOf(chart, 0, 2 * kHour, seen).gap, 0);
    QCOMPARE(momentOf(chart, 0, 2 * kHour + 3 * kDay - 1, seen).known, Moment::Known::NotObserved);
    QCOMPARE(momentOf(chart, 0, 2 * kHour + 3 * kDay, seen).known, Moment::Known::NotHeld);
    QCOMPARE(momentOf(chart, 0, 90 * kMinute, seen).known, Moment::Known::Held); // observed at that time
    QCOMPARE(nextEvent(chart, 0, 3 * kHour, true).value_or(0), 2 * kHour + 3 * kDay);
}

void TestTimelineChart::sumsAreOfWhatIsShown()
{
    protocol::TimelineLane lane =
        laneOf("a", {hold(0, 100), hold(200, 300), hold(350, 0)}, {wait(90, 210, "x"), wait(500, 600, "y")});
    const SeenUntil seen{{}, 400 * kSecond};
    QCOMPARE(sumsOf(lane, {50 * kSecond, 250 * kSecond}, seen, kSecond),
             (LaneSums{2, 100 * kSecond, 1, 120 * kSecond, false}));
    QCOMPARE(sumsOf(lane, {0, kHour}, seen, kSecond), (LaneSums{3, 250 * kSecond, 2, 220 * kSecond, false}));
    lane = laneOf("a");
    lane.slices = {{0, 500'000, 700'000, 7, 3, 0}, {10 * kSecond, 400'000, 0, 5, 0, 0}};
    QCOMPARE(sumsOf(lane, {0, 5 * kSecond}, seen, kSecond), (LaneSums{7, 500'000, 3, 700'000, true}));
    // A lane of many locks shows the sums below its name, whether it has waits or not.
    LaneLayout layout;
    protocol::TimelineLane holder;
    holder.source = QStringLiteral("orders");
    holder.holder = "w1";
    layout.arrange(chartOf({holder}));
    QVERIFY(layout.boxes().first().height >= LaneBox::kNamed);
}

/** Most journals keep only the last of a hold's renewals. The bar shows how far the lease reaches from it. */
void TestTimelineChart::leaseAfterTheLastRenewal()
{
    const TimeAxis axis({0, 1000 * kSecond}, 1000);
    const auto shapeOf = [&axis](protocol::Hold one, qint64 seenUntil) {
        one.renewals = 3;
        one.renewedUs = 500 * kSecond;
        one.expiresUs = 800 * kSecond;
        const auto lane = laneOf("a", {one});
        LaneLayout layout;
        layout.arrange(chartOf({lane}));
        return sceneOf(lane, layout.boxes().first(), axis, {{}, seenUntil * kSecond}, kSecond).bars.first();
    };
    const BarShape open = shapeOf(hold(100, 0), 600);
    QCOMPARE(open.renewed.value_or(-1), 500.0);
    QCOMPARE(open.leaseTo, 800.0); // past what was seen
    const BarShape released = shapeOf(hold(100, 700), 900);
    QCOMPARE(released.leaseTo, 700.0); // the lease ended with the hold
    // The hold outlasted its lease: it was renewed again, at an unknown time.
    QVERIFY(!shapeOf(hold(100, 0), 900).renewed);
    QVERIFY(!shapeOf(hold(100, 900), 950).renewed);
    QVERIFY(shapeOf(hold(100, 801, "expired"), 950).renewed);
}

/** Each journalled renewal has a tick. The last renewal already has one: no second tick on the same pixel. */
void TestTimelineChart::renewalsAreTicks()
{
    const TimeAxis axis({0, 1000 * kSecond}, 1000);
    protocol::Hold one = hold(100, 700);
    one.renewals = 4;
    one.renewedUs = 500 * kSecond;
    one.expiresUs = 800 * kSecond;
    one.renewalsUs = {200 * kSecond, 300 * kSecond, 400 * kSecond, 500 * kSecond};
    protocol::Hold outside = hold(1010, 2000);
    outside.renewalsUs = {1200 * kSecond};
    protocol::Hold past = hold(-400, 50);
    past.renewalsUs = {-300 * kSecond, 20 * kSecond};
    const auto lane = laneOf("a", {past, one, outside});
    LaneLayout layout;
    layout.arrange(chartOf({lane}));
    const LaneBox &box = layout.boxes().first();
    const LaneScene scene = sceneOf(lane, box, axis, {{}, 2000 * kSecond}, kSecond);
    QList<QPointF> ticks;
    for (const double x : {20.0, 200.0, 300.0, 400.0})
        ticks.append({x, double(box.holdTop(0))});
    QCOMPARE(scene.renewals, ticks);
    // Zoomed out until the ticks touch, they would form a meaningless stripe: the chart draws none.
    const auto alone = laneOf("a", {one});
    const TimeAxis wide({0, 100'000 * kSecond}, 1000);
    QVERIFY(sceneOf(alone, box, wide, {{}, 2000 * kSecond}, kSecond).renewals.isEmpty());
}

void TestTimelineChart::momentsSayWhatWasTrue()
{
    protocol::Hold one = hold(600, 1200);
    one.fromWindowUs = 60 * kSecond;
    one.toWindowUs = 30 * kSecond;
    const Chart chart =
        chartOf({laneOf("a", {one}, {wait(700, 1200, "x"), wait(800, 900, "y")}), laneOf("b")});
    const SeenUntil seen{{}, kHour};
    using Known = Moment::Knowledge;
    QCOMPARE(momentOf(chart, 0, 500 * kSecond, seen), (Moment{Known::NotHeld, -1, -1, -1, 0, 0}));
    QCOMPARE(momentOf(chart, 0, 570 * kSecond, seen), (Moment{Known::MaybeHeld, 0, -1, -1, 0, 0}));
    QCOMPARE(momentOf(chart, 0, 850 * kSecond, seen), (Moment{Known::Held, 0, -1, -1, 1, 2}));
    QCOMPARE(momentOf(chart, 0, 1180 * kSecond, seen), (Moment{Known::MaybeHeld, 0, -1, -1, 1, 1}));
    QCOMPARE(momentOf(chart, 0, 1200 * kSecond, seen), (Moment{Known::NotHeld, -1, -1, -1, 0, 0}));
    QCOMPARE(momentOf(chart, 0, -5, seen).known, Known::NotRead);
    QCOMPARE(momentOf(chart, 7, 5, seen).known, Known::NotRead);
}

void TestTimelineChart::stepsToTheNextEvent()
{
    Chart chart = chartOf({laneOf("a", {hold(600, 1200), hold(1300, 0)}, {wait(700, 1200, "x")}),
                           laneOf("b", {hold(900, 950)})});
    QCOMPARE(nextEvent(chart, 0, 600 * kSecond, true).value_or(0), 700 * kSecond);
    QCOMPARE(nextEvent(chart, 0, 700 * kSecond, true).value_or(0), 1200 * kSecond);
    QCOMPARE(nextEvent(chart, -1, 700 * kSecond, true).value_or(0), 900 * kSecond);
    QCOMPARE(nextEvent(chart, 0, 700 * kSecond, false).value_or(0), 600 * kSecond);
    QCOMPARE(nextEvent(chart, 0, 1300 * kSecond, true), std::nullopt); // it hasn't ended
    QCOMPARE(nextEvent(chart, 0, 600 * kSecond, false), std::nullopt);
}

void TestTimelineChart::asksForNoMoreThanTheScreenShows_data()
{
    QTest::addColumn<qint64>("length");
    QTest::newRow("a second") << kSecond;
    QTest::newRow("an hour") << kHour;
    QTest::newRow("a month") << 30 * 24 * kHour;
    QTest::newRow("a year") << 365 * 24 * kHour;
}

void TestTimelineChart::asksForNoMoreThanTheScreenShows()
{
    QFETCH(qint64, length);
    const qint64 now = 1'795'000'000'000'000;
    const TimeRange shownRange{now - length, now + length / 50};
    const protocol::TimelineQuery query =
        questionFor({}, shownRange, 1000, {now - 30 * 24 * kHour, now}, now);
    QVERIFY(query.fromUs <= shownRange.fromUs - length / 2);
    QVERIFY(query.toUs <= now + 1); // no data beyond now
    QVERIFY(query.lanes <= 200 && query.bars <= 10'000 && query.stripSlices <= 2'000);
    // A slice covers one to two pixels: a lane has at most 2,000 slices for three half screens.
    const double pixels = double(query.sliceUs) / (double(shownRange.lengthUs()) / 1000);
    QVERIFY(pixels > 1 && pixels <= 2);
    QVERIFY((query.toUs - query.fromUs) / query.sliceUs <= 2'000);
    QCOMPARE(questionFor({}, shownRange, 1000, {}, now).stripSlices, 0);
}

void TestTimelineChart::readsAgainOnlyWhenItMust()
{
    const qint64 now = 1'795'000'000'000'000;
    const TimeRange hour{now - kHour, now};
    const protocol::TimelineQuery query = questionFor({}, hour, 1000, {}, now);
    const TimeRange read{query.fromUs, query.toUs};
    const auto still = [&](const TimeRange &range) { return serves(read, query.sliceUs, range, 1000, now); };
    QVERIFY(still(hour));
    QVERIFY(still({hour.fromUs - 20 * kMinute, hour.toUs - 20 * kMinute})); // within the margin
    QVERIFY(!still({hour.fromUs - 40 * kMinute, hour.toUs - 40 * kMinute}));
    QVERIFY(still({hour.fromUs + 10 * kMinute, hour.toUs + 10 * kMinute})); // no later data in the agent
    QVERIFY(still({now - 30 * kMinute, now}));                              // a resolution of a few pixels
    QVERIFY(!still({now - 5 * kMinute, now}));
    QVERIFY(!still({now - 6 * kHour, now}));
}

LOCKKEEPER_TEST(TestTimelineChart)

} // namespace tst_timeline_chart

#include "tst_timeline_chart.moc"
