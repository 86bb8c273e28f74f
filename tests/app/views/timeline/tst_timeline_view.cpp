// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query.h"
#include "app/models/raw_model.h"
#include "app/views/table/data_table.h"
#include "app/views/timeline/timeline_canvas.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/state_page.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTableView>
#include <QtTest>

namespace tst_timeline_view {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using app::timeline::Hit;
using app::timeline::TimeRange;
using app::views::ElidedLabel;
using app::views::LaneChoice;
using app::views::Requests;
using app::views::StatePage;
using app::views::TimelineCanvas;
using app::views::TimelineView;

namespace {

constexpr qint64 kSecond = 1'000'000;
constexpr qint64 kMinute = 60 * kSecond;
constexpr qint64 kHour = 60 * kMinute;
constexpr int kHeader = app::charts::TimelinePainter::kHeaderHeight;

domain::LockKey keyOf(const QByteArray &name)
{
    return {QStringLiteral("orders"), "redis.token", "db0", name};
}

} // namespace

/** The timeline: what it asks for, what it shows, keys, mouse, states. */
class TestTimelineView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsWhatTheAgentTells();
    void asksOnceForWhatItShows();
    void opensFittedToAYoungJournal();
    void opensWhereTheLocksWere();
    void takeOversLeaveTheHoldsVisible();
    void legendNamesTheShapes();
    void keysZoomPanAndStep();
    void followsAndStands();
    void asleepForANight();
    void brushFiltersTheOthers();
    void zoomsToTheBrushAndBack();
    void barTellsItsHold();
    void renewalsAreDrawn();
    void lanesHaveSums();
    void gapOfThreeDays();
    void barFillsTheSelection();
    void looksAtAMoment();
    void selectedLocksAlone();
    void lanesStayWhileTimeGoesOn();
    void reportsOnTheLockOfALane();
    void pinnedLaneComesWhateverItsRank();
    void dragsALane();
    void dragGoesOnInAnotherChart();
    void filters();
    void momentSaysWhatWasTrue();
    void stateAtTheMark();
    void rangeIsReadWhole_data();
    void rangeIsReadWhole();
    void sameAsATable();
    void exportsTheTable();
    void pictures();
    void manyEventsComeAsSums();
    void loadingAndCancel();
    void errorsKeepWhatIsThere();
    void emptySaysWhy();
    void silentSourceIsNotSeen();
    void olderAnswersAreDropped();
    void hostileNamesStayPlain();
    void speaksAnotherLanguage();

private:
    void open();
    void addHold(const QByteArray &lock, qint64 agoFrom, qint64 agoTo, const QByteArray &owner = "w1",
                 const QByteArray &end = "released");
    protocol::TimelineLane &lane(const QByteArray &name);
    TimelineCanvas *canvas() const { return m_view->canvas(); }
    qint64 now() const { return m_rig->clock.wallUs(); }
    QByteArray lanes() const
    {
        QByteArray names;
        for (const protocol::TimelineLane &one : canvas()->chart().lanes)
            names += one.key ? one.key->name : one.holder;
        return names;
    }
    /** A point in a lane, in the viewport's coordinates. */
    QPoint at(qsizetype laneIndex, qint64 us) const
    {
        const auto &box = canvas()->layoutOfLanes().boxes().at(laneIndex);
        return {TimelineCanvas::kNames + int(canvas()->axis().xOf(us)),
                kHeader + box.top - canvas()->verticalScrollBar()->value() + box.holdTop(0) + 4};
    }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *one : m_view->findChildren<QPushButton *>()) {
            if (one->text() == text && one->isVisible())
                return one;
        }
        return nullptr;
    }
    QString moment() const { return m_view->findChild<ElidedLabel *>(QStringLiteral("moment"))->text(); }
    QString page() const { return m_view->findChild<StatePage *>()->text(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<TimelineView> m_view;
};

void TestTimelineView::init()
{
    m_rig = std::make_unique<ViewRig>();
    m_rig->timeline.firstUs = now() - 48 * kHour;
}

void TestTimelineView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

protocol::TimelineLane &TestTimelineView::lane(const QByteArray &name)
{
    for (protocol::TimelineLane &one : m_rig->timeline.lanes) {
        if (one.key && one.key->name == name)
            return one;
    }
    protocol::TimelineLane one;
    one.key = keyOf(name);
    m_rig->timeline.lanes.append(one);
    return m_rig->timeline.lanes.last();
}

void TestTimelineView::addHold(const QByteArray &lock, qint64 agoFrom, qint64 agoTo, const QByteArray &owner,
                               const QByteArray &end)
{
    protocol::Hold hold;
    hold.key = keyOf(lock);
    hold.owner = owner;
    hold.fromUs = now() - agoFrom;
    if (agoTo > 0) {
        hold.toUs = now() - agoTo;
        hold.end = end;
    }
    static qint64 number = 0;
    hold.id = ++number;
    lane(lock).holds.append(hold);
}

void TestTimelineView::open()
{
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_rig->show({m_rig->source(QStringLiteral("orders"))});
    QTRY_VERIFY(m_rig->replica.source(QStringLiteral("orders")));
    m_view = std::make_unique<TimelineView>(m_rig->context);
    new QAbstractItemModelTester(m_view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                 m_view->model());
    m_view->resize(1100, 500);
    m_view->show();
    m_view->activate();
    QTRY_VERIFY(!m_view->reader().isLoading());
}

void TestTimelineView::showsWhatTheAgentTells()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 0, "w2");
    lane("a").waits = {{keyOf("a"), "w9", now() - 25 * kMinute, now() - 10 * kMinute, 1}};
    m_rig->timeline.gaps = {{QStringLiteral("orders"),
                             now() - 5 * kMinute,
                             now() - 4 * kMinute,
                             {},
                             QStringLiteral("source_down")}};
    open();
    QCOMPARE(lanes(), QByteArray("ab"));
    QCOMPARE(canvas()->hitAt(at(0, now() - 20 * kMinute)), (Hit{Hit::On::Hold, 0, 0}));
    QCOMPARE(canvas()->hitAt(at(1, now() - 15 * kMinute)), (Hit{Hit::On::Hold, 1, 0}));
    const QString held = canvas()->sentence({Hit::On::Hold, 0, 0});
    QVERIFY(held.contains(QStringLiteral("a held by w1")));
    QVERIFY(held.contains(QStringLiteral("Waits meanwhile: 1")));
    QVERIFY(canvas()->sentence({Hit::On::Hold, 1, 0}).contains(QStringLiteral("Still held")));
    QVERIFY(canvas()->sentence({Hit::On::Wait, 0, 0}).contains(QStringLiteral("w9 waited for a")));
    QVERIFY(canvas()->sentence({Hit::On::Gap, 0, 0}).contains(QStringLiteral("no connection to it")));
    QTRY_VERIFY(!m_view->reader().strip().isEmpty());
    QVERIFY(m_view->reader().stripRange().covers({now() - 48 * kHour, now()}));
    picture(m_view.get(), "timeline");
}

void TestTimelineView::asksOnceForWhatItShows()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    QTRY_VERIFY(!m_view->reader().strip().isEmpty());
    const protocol::TimelineQuery first = m_rig->timelines.first();
    QCOMPARE(first.by, protocol::TimelineLanes::Lock);
    QCOMPARE(first.lanes, 50);
    QVERIFY(first.bars <= 10'000);
    QVERIFY(first.fromUs < now() - kHour && first.fromUs > now() - 2 * kHour);
    const qsizetype asked = m_rig->timelines.size();
    Q_EMIT canvas()->panAsked(-10 * kMinute); // within the margin
    Q_EMIT canvas()->panAsked(-10 * kMinute);
    QVERIFY(!m_view->reader().isLoading());
    Q_EMIT canvas()->panAsked(-30 * kMinute); // beyond it
    Q_EMIT canvas()->panAsked(-30 * kMinute);
    QVERIFY(m_view->reader().isLoading());
    QTRY_VERIFY(!m_view->reader().isLoading());
    QCOMPARE(m_rig->timelines.size(), asked + 1);
    const protocol::TimelineQuery last = m_rig->timelines.last();
    QVERIFY(last.fromUs < m_view->viewRange().range().fromUs && last.toUs > m_view->viewRange().range().toUs);
}

/** Five minutes of journal fill the picture. The minute before it is hatched, and nothing is claimed there.
 */
void TestTimelineView::opensFittedToAYoungJournal()
{
    m_rig->timeline.firstUs = now() - 5 * kMinute;
    addHold("a", 4 * kMinute, kMinute);
    open();
    QTRY_VERIFY(!m_view->reader().isLoading());
    const TimeRange shown = m_view->viewRange().range();
    QVERIFY(shown.covers({now() - 5 * kMinute, now()}) && shown.lengthUs() < 6 * kMinute);
    QVERIFY(m_view->viewRange().isFollowing());
    QCOMPARE(m_view->saveState().value(QStringLiteral("range")).toLongLong(), kHour);
    Q_EMIT canvas()->zoomAsked(1.5, now());
    QTRY_VERIFY(!m_view->reader().isLoading());
    const QImage image = canvas()->viewport()->grab().toImage();
    const auto hatched = [&](qint64 us) {
        QSet<QRgb> colours;
        for (int i = 0; i < 12; ++i)
            colours.insert(image.pixel(at(0, us) + QPoint(i, 0)));
        return colours.size() > 1;
    };
    QVERIFY(hatched(now() - 6 * kMinute));
    QVERIFY(!hatched(now() - 4 * kMinute - 30 * kSecond));
    QTest::mouseMove(canvas()->viewport(), at(0, now() - 6 * kMinute));
    QTRY_VERIFY2(moment().contains(QStringLiteral("a: not observed")), qPrintable(moment()));
    picture(m_view.get(), "timeline-young");
}

/** If nothing was held in the last hour, the view opens on the whole journal. */
void TestTimelineView::opensWhereTheLocksWere()
{
    addHold("a", 30 * kHour, 29 * kHour);
    m_rig->agent.answer = [this, whole = m_rig->agent.answer](const protocol::Message &message) {
        std::optional<protocol::Message> reply = whole(message);
        auto *page = reply ? std::get_if<protocol::TimelinePage>(&*reply) : nullptr;
        const auto *query = std::get_if<protocol::TimelineQuery>(&message);
        if (page && query->fromUs > now() - 29 * kHour)
            page->lanes.clear();
        return reply;
    };
    open();
    QTRY_COMPARE(lanes(), QByteArray("a"));
    QVERIFY(m_view->viewRange().range().covers({now() - 48 * kHour, now()}));
}

/** Upright lines that touch each other would leave nothing of a hundred short holds to see. */
void TestTimelineView::takeOversLeaveTheHoldsVisible()
{
    for (int i = 0; i < 100; ++i)
        addHold("a", 30 * kMinute - i * 15 * kSecond, 30 * kMinute - (i + 1) * 15 * kSecond, "w1",
                "taken_over");
    addHold("b", 30 * kMinute, 20 * kMinute, "w1", "taken_over");
    open();
    const QImage image = canvas()->viewport()->grab().toImage();
    const QRgb hold = app::presentation::holdColour(m_rig->theme.scheme()).rgb();
    const QRgb line = m_view->palette().color(QPalette::Text).rgb();
    const auto share = [&](int y, QRgb colour) {
        const int from = at(0, now() - 29 * kMinute).x();
        const int to = at(0, now() - 8 * kMinute).x();
        int found = 0;
        for (int x = from; x < to; ++x)
            found += image.pixel(x, y) == colour ? 1 : 0;
        return double(found) / (to - from);
    };
    const int bar = at(0, now()).y();
    QVERIFY2(share(bar, hold) > 0.6, qPrintable(QString::number(share(bar, hold))));
    QCOMPARE(share(bar, line), 0.0);
    QVERIFY(share(bar - 4 - 2, line) > 0.1); // each take-over still has its mark above the bar
    const auto lineAt = [&](int x) { return image.pixel(x, at(1, now()).y()) == line; };
    const int end = at(1, now() - 20 * kMinute).x();
    int marks = 0;
    for (int x = end - 1; x <= end + 1; ++x) // the place is rounded to a pixel
        marks += lineAt(x) ? 1 : 0;
    QVERIFY(marks > 0);
    picture(m_view.get(), "timeline-take-overs");
}

void TestTimelineView::legendNamesTheShapes()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    auto *legend = m_view->findChild<QWidget *>(QStringLiteral("legend"));
    QVERIFY(legend->isVisible());
    for (const char *word : {"Hold", "Wait", "Start uncertain", "Not observed", "Expired", "Taken over",
                             "Force-released", "Lost by the store"})
        QVERIFY2(legend->accessibleDescription().contains(QLatin1String(word)), word);
    const int line = legend->height();
    m_view->resize(854, 500); // of a window of 1280 px
    QTRY_COMPARE(legend->width(), m_view->width() - 16);
    QCOMPARE(legend->height(), line);
    m_view->resize(500, 500);
    QTRY_VERIFY(legend->height() > line); // nothing is cut
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    QVERIFY(!legend->isVisible());
}

void TestTimelineView::keysZoomPanAndStep()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    canvas()->setFocus();
    const TimeRange hour = m_view->viewRange().range();
    QTest::keyClick(canvas(), Qt::Key_Plus);
    QVERIFY(m_view->viewRange().range().lengthUs() < hour.lengthUs());
    QTest::keyClick(canvas(), Qt::Key_Minus);
    QVERIFY(qAbs(m_view->viewRange().range().lengthUs() - hour.lengthUs()) < 10);
    QTest::keyClick(canvas(), Qt::Key_Left);
    QVERIFY(!m_view->viewRange().isFollowing());
    QVERIFY(m_view->viewRange().range().fromUs < hour.fromUs);
    QTest::keyClick(canvas(), Qt::Key_0);
    QVERIFY(m_view->viewRange().range().covers({now() - 48 * kHour, now()}));
    QTest::keyClick(canvas(), Qt::Key_Backspace);
    QVERIFY(m_view->viewRange().range().lengthUs() < 2 * kHour);
    QTRY_VERIFY(!m_view->reader().isLoading());
    // Down to the first lane, and through its events.
    QTest::keyClick(canvas(), Qt::Key_Down);
    QCOMPARE(canvas()->current().lane, 0);
    QTest::keyClick(canvas(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(canvas()->mark().value_or(0), now() - 30 * kMinute);
    QCOMPARE(canvas()->current(), (Hit{Hit::On::Hold, 0, 0}));
    QVERIFY(canvas()->accessibleDescription().contains(QStringLiteral("held by w1")));
    QTest::keyClick(canvas(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(canvas()->mark().value_or(0), now() - 10 * kMinute);
    QTest::keyClick(canvas(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(canvas()->mark().value_or(0), now() - 30 * kMinute);
    QTest::keyClick(canvas(), Qt::Key_Down, Qt::ControlModifier); // the lane itself
    QCOMPARE(lanes(), QByteArray("ba"));
    QCOMPARE(canvas()->current().lane, 1);
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(!canvas()->mark());
    QSignalSpy detail(m_view.get(), &TimelineView::detailAsked);
    QTest::keyClick(canvas(), Qt::Key_Return);
    QCOMPARE(detail.size(), 1);
}

void TestTimelineView::followsAndStands()
{
    addHold("a", 30 * kMinute, 0);
    open();
    QVERIFY(m_view->viewRange().isFollowing());
    const TimeRange before = m_view->viewRange().range();
    m_rig->clock.advanceUs(5 * kMinute);
    m_view->activate();
    QVERIFY(m_view->viewRange().range().contains(now()));
    QCOMPARE(m_view->viewRange().range().lengthUs(), before.lengthUs());
    auto *follow = m_view->findChild<QPushButton *>(QStringLiteral("follow"));
    QVERIFY(follow->isChecked());
    Q_EMIT canvas()->panAsked(-20 * kMinute);
    QVERIFY(!follow->isChecked());
    const TimeRange stands = m_view->viewRange().range();
    m_rig->clock.advanceUs(5 * kMinute);
    m_view->activate();
    QCOMPARE(m_view->viewRange().range(), stands);
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_L);
    QVERIFY(follow->isChecked());
    QVERIFY(m_view->viewRange().range().contains(now()));
}

void TestTimelineView::asleepForANight()
{
    addHold("a", 30 * kMinute, 0);
    open();
    QTRY_VERIFY(!m_view->reader().strip().isEmpty());
    const qsizetype asked = m_rig->timelines.size();
    m_rig->clock.advanceUs(10 * kHour);
    m_view->activate();
    QTRY_VERIFY(!m_view->reader().isLoading());
    for (qsizetype i = asked; i < m_rig->timelines.size(); ++i)
        QVERIFY(m_rig->timelines.at(i).toUs - m_rig->timelines.at(i).fromUs <= 2 * kHour + kMinute);
    QVERIFY(m_view->viewRange().range().contains(now()));
    // The night's events arrive at once, together with the due timers: the view reads once more, not once for
    // each.
    const qsizetype awake = m_rig->timelines.size();
    QVERIFY2(awake <= asked + 3, qPrintable(QString::number(awake - asked)));
    for (int i = 0; i < 500; ++i)
        m_rig->agent.publish(ViewRig::eventAt(now() - 500 + i));
    addHold("b", 2 * kMinute, 0);
    QTRY_COMPARE(lanes(), QByteArray("ab"));
    QVERIFY2(m_rig->timelines.size() <= awake + 3,
             qPrintable(QString::number(m_rig->timelines.size() - awake)));
    m_rig->show({m_rig->source(QStringLiteral("orders"))});
    QTRY_VERIFY(!m_rig->replica.isStale(QStringLiteral("orders"))); // the view shows the present
}

void TestTimelineView::brushFiltersTheOthers()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    QSignalSpy views(&m_rig->requests, &Requests::viewAsked);
    QSignalSpy contention(&m_rig->requests, &Requests::rangeAsked);
    auto *bar = m_view->findChild<QWidget *>(QStringLiteral("brushBar"));
    QVERIFY(!bar->isVisible());
    const QPoint from = at(0, now() - 40 * kMinute);
    const QPoint to = at(0, now() - 20 * kMinute);
    QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas()->viewport(), to);
    QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, {}, to);
    QVERIFY(canvas()->brush());
    const TimeRange brush = *canvas()->brush();
    const qint64 pixel = qint64(canvas()->axis().usPerPixel()) + 1;
    QVERIFY(qAbs(brush.fromUs - (now() - 40 * kMinute)) <= pixel);
    QVERIFY(qAbs(brush.toUs - (now() - 20 * kMinute)) <= pixel);
    QVERIFY(bar->isVisible());
    QVERIFY(button(QStringLiteral("History")));
    button(QStringLiteral("History"))->click();
    QCOMPARE(views.size(), 1);
    QCOMPARE(views.first().first().toByteArray(), QByteArray("history"));
    const auto query =
        app::filter::parseQuery(views.first().last().toString(), app::filter::QueryScope::History);
    QVERIFY(query);
    QCOMPARE(query->clauses.size(), 2);
    const auto asked = [&query](qsizetype clause) {
        return query->clauses.at(clause).first().values.first().number;
    };
    QVERIFY(asked(0) <= brush.fromUs && asked(0) > brush.fromUs - 1000); // a filter knows milliseconds
    QVERIFY(asked(1) >= brush.toUs && asked(1) < brush.toUs + 1000);
    QVERIFY(button(QStringLiteral("Contention")));
    button(QStringLiteral("Contention"))->click();
    QCOMPARE(contention.size(), 1);
    QCOMPARE(contention.first().first().toByteArray(), QByteArray("contention"));
    QCOMPARE(contention.first().at(2).toLongLong(), brush.fromUs);
    QCOMPARE(contention.first().last().toLongLong(), brush.toUs);
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QVERIFY(!canvas()->brush());
    QVERIFY(!bar->isVisible());
}

void TestTimelineView::zoomsToTheBrushAndBack()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    const TimeRange before = m_view->viewRange().range();
    const TimeRange brush{now() - 40 * kMinute, now() - 35 * kMinute};
    canvas()->setBrush(brush);
    QTest::keyClick(canvas(), Qt::Key_Return);
    QCOMPARE(m_view->viewRange().range(), brush);
    QVERIFY(!canvas()->brush());
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QCOMPARE(m_view->viewRange().range(), before);
    // The wheel zooms at the pointer with Ctrl, and scrolls without.
    const QPoint pointer = at(0, now() - 30 * kMinute);
    const double x = canvas()->axis().xOf(now() - 30 * kMinute);
    Q_EMIT canvas()->panAsked(-1); // no effect: while the view follows, now stays in place
    QWheelEvent wheel(pointer, canvas()->viewport()->mapToGlobal(pointer), {}, {0, 120}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(canvas()->viewport(), &wheel);
    QVERIFY(m_view->viewRange().range().lengthUs() < before.lengthUs());
    QVERIFY(qAbs(canvas()->axis().xOf(now() - 30 * kMinute) - x) < 2);
}

/** Besides its ends, a bar shows its hold's wait, its renewals, and who broke it and why. */
void TestTimelineView::barTellsItsHold()
{
    addHold("a", 30 * kMinute, 10 * kMinute, "w1", "force_released");
    protocol::Hold &hold = lane("a").holds.last();
    hold.waitedUs = 90 * kSecond;
    hold.renewals = 1'204;
    hold.renewedUs = now() - 12 * kMinute;
    hold.expiresUs = now() - 8 * kMinute;
    hold.command = "00ff";
    hold.by = QStringLiteral("ada");
    hold.role = QStringLiteral("operator");
    hold.reason = QStringLiteral("its pod is gone");
    addHold("b", 20 * kMinute, 15 * kMinute, "w2", "expired");
    lane("b").holds.last().mayBe = "released";
    open();
    const QString told = canvas()->sentence({Hit::On::Hold, 0, 0});
    for (const char *part : {"Waited 00:01:30 for it", "Renewed", "ada", "its pod is gone"})
        QVERIFY2(told.contains(QLatin1String(part)), qPrintable(told));
    QVERIFY2(canvas()->sentence({Hit::On::Hold, 1, 0}).contains(QStringLiteral("Expired or released")),
             qPrintable(canvas()->sentence({Hit::On::Hold, 1, 0})));
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    const auto *table = m_view->findChild<QTableView *>(QStringLiteral("bars"));
    QCOMPARE(table->model()->index(1, app::timeline::BarEndColumn).data().toString(),
             QStringLiteral("Expired or released"));
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    // The lease below the bar, from its last renewal on.
    const QImage image = canvas()->viewport()->grab().toImage();
    const QPoint below(at(0, now() - 11 * kMinute).x(),
                       at(0, now()).y() - 4 + app::timeline::LaneBox::kHold + 1);
    QCOMPARE(image.pixelColor(below), app::presentation::holdColour(m_rig->theme.scheme()));
    QVERIFY(image.pixelColor(below - QPoint(int(10 * kMinute / canvas()->axis().usPerPixel()), 0)) !=
            app::presentation::holdColour(m_rig->theme.scheme()));
}

/** Each renewal that is journalled is a tick in its bar; the table and the sentence say how many there were.
 */
void TestTimelineView::renewalsAreDrawn()
{
    addHold("a", 50 * kMinute, 10 * kMinute);
    addHold("b", 50 * kMinute, 10 * kMinute);
    protocol::Hold &hold = lane("a").holds.last();
    hold.renewals = 2;
    hold.renewalsUs = {now() - 40 * kMinute, now() - 30 * kMinute};
    open();
    picture(m_view.get(), "timeline-renewals");
    const QImage image = canvas()->viewport()->grab().toImage();
    const QColor ground = m_view->palette().color(QPalette::Base);
    const auto hasTick = [&](qsizetype lane, qint64 ago) {
        const QPoint place(at(lane, now() - ago).x(),
                           at(lane, now()).y() - 4 + app::timeline::LaneBox::kHold - 2);
        const auto isTick = [&](int beside) { return image.pixelColor(place + QPoint(beside, 0)) == ground; };
        return isTick(-1) || isTick(0) || isTick(1);
    };
    QVERIFY(hasTick(0, 40 * kMinute) && hasTick(0, 30 * kMinute));
    QVERIFY(!hasTick(0, 35 * kMinute));
    QVERIFY(!hasTick(1, 40 * kMinute)); // no known renewal
    const QString told = canvas()->sentence({Hit::On::Hold, 0, 0});
    QVERIFY2(told.contains(QStringLiteral("Renewed 2 time")), qPrintable(told));
    QVERIFY(!canvas()->sentence({Hit::On::Hold, 1, 0}).contains(QStringLiteral("Renewed")));
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    const auto *table = m_view->findChild<QTableView *>(QStringLiteral("bars"));
    QCOMPARE(table->model()->index(0, app::timeline::BarRenewalsColumn).data().toString(),
             QStringLiteral("2"));
    QCOMPARE(table->model()->index(1, app::timeline::BarRenewalsColumn).data().toString(),
             QStringLiteral("0"));
}

/** A lane of many locks shows its sums below its name. Any lane shows them on request. */
void TestTimelineView::lanesHaveSums()
{
    protocol::TimelineLane holder;
    holder.source = QStringLiteral("orders");
    holder.holder = "w1";
    m_rig->timeline.lanes.append(holder);
    addHold("a", 30 * kMinute, 10 * kMinute);
    m_rig->timeline.lanes.first().holds = lane("a").holds;
    open();
    QVERIFY2(canvas()->sentence({Hit::On::Lane, 0, -1}).contains(QStringLiteral("1 holds, 00:20:00 in all")),
             qPrintable(canvas()->sentence({Hit::On::Lane, 0, -1})));
    QVERIFY(canvas()->sentence({Hit::On::Lane, 1, -1}).contains(QStringLiteral("00:20:00 in all")));
    picture(m_view.get(), "timeline-sums");
    // Something is written on the second line of the holder's label.
    const QImage image = canvas()->viewport()->grab(QRect(8, kHeader + 24, 160, 14)).toImage();
    QSet<QRgb> colours;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            colours.insert(image.pixel(x, y));
    QVERIFY(colours.size() > 4);
}

/** Three unobserved days: hatched from edge to edge, without a bar. */
void TestTimelineView::gapOfThreeDays()
{
    m_rig->timeline.firstUs = now() - 30 * 24 * kHour;
    addHold("a", 5 * 24 * kHour, 4 * 24 * kHour, "w1", "gap");
    addHold("a", 24 * kHour, kHour);
    m_rig->timeline.gaps = {{QStringLiteral("orders"),
                             now() - 4 * 24 * kHour,
                             now() - 24 * kHour,
                             {},
                             QStringLiteral("source_down")}};
    open();
    Q_EMIT canvas()->zoomAsked(200, now());
    QTRY_VERIFY(!m_view->reader().isLoading());
    const QPoint middle = at(0, now() - 60 * kHour);
    QCOMPARE(canvas()->hitAt(middle).on, Hit::On::Gap);
    QVERIFY(canvas()->sentence(canvas()->hitAt(middle)).contains(QStringLiteral("3d")));
    const QImage image = canvas()->viewport()->grab().toImage();
    const auto hatched = [&](qint64 us) { // its colours along a line are more than one
        QSet<QRgb> colours;
        const QPoint from = at(0, us);
        for (int i = 0; i < 12; ++i)
            colours.insert(image.pixel(from + QPoint(i, 0)));
        return colours.size() > 1;
    };
    QVERIFY(hatched(now() - 95 * kHour) && hatched(now() - 60 * kHour) && hatched(now() - 27 * kHour));
    QVERIFY(!hatched(now() - 130 * kHour)); // before its hold: nothing is drawn
    picture(m_view.get(), "timeline-gap-days");
}

/** The minutes around a moment that another view names, with the mark there. */
void TestTimelineView::looksAtAMoment()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    const qint64 us = now() - 17 * kMinute;
    m_view->lookAt(us);
    QVERIFY(!m_view->viewRange().isFollowing());
    QCOMPARE(m_view->viewRange().range().fromUs, us - 5 * kMinute);
    QCOMPARE(m_view->viewRange().range().toUs, us + 5 * kMinute);
    QCOMPARE(canvas()->mark(), std::optional<qint64>(us));
}

void TestTimelineView::barFillsTheSelection()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {}, at(1, now() - 17 * kMinute));
    QCOMPARE(m_rig->selection.current(), keyOf("b"));
    QCOMPARE(canvas()->current(), (Hit{Hit::On::Hold, 1, 0}));
    QCOMPARE(m_view->shownRows(), 2);
    QCOMPARE(m_view->selectedRows(), 1);
    QVERIFY(m_view->showsLock(keyOf("b")));
    QVERIFY(!m_view->showsLock(keyOf("c")));
    // Another page in another order: the bar is found again.
    std::swap(m_rig->timeline.lanes[0], m_rig->timeline.lanes[1]);
    m_view->refresh();
    QTRY_COMPARE(lanes(), QByteArray("ba"));
    QCOMPARE(canvas()->current(), (Hit{Hit::On::Hold, 0, 0}));
    // The selection of another view chooses the lane.
    m_rig->selection.selectOne(keyOf("a"));
    QCOMPARE(canvas()->current(), (Hit{Hit::On::Lane, 1, -1}));
}

void TestTimelineView::selectedLocksAlone()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    m_view->showLocks({keyOf("b")});
    QTRY_COMPARE(lanes(), QByteArray("b"));
    QCOMPARE(m_rig->timelines.last().keys, QList<domain::LockKey>{keyOf("b")});
    // A click on a lane keeps the chosen lanes; a selection elsewhere replaces them.
    m_view->showLocks({keyOf("a"), keyOf("b")});
    QTRY_COMPARE(lanes(), QByteArray("ab"));
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {}, at(1, now() - 17 * kMinute));
    QCOMPARE(m_rig->selection.current(), keyOf("b"));
    QTRY_COMPARE(lanes(), QByteArray("ab"));
    // A filter from elsewhere makes the view ask for the ranking again.
    m_view->setFilter(QStringLiteral("source:orders"));
    QTRY_VERIFY(m_rig->timelines.last().keys.isEmpty());
    QCOMPARE(m_view->findChild<QComboBox *>(QStringLiteral("lanes"))->currentIndex(), int(LaneChoice::Locks));
}

void TestTimelineView::lanesStayWhileTimeGoesOn()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    std::swap(m_rig->timeline.lanes[0], m_rig->timeline.lanes[1]); // more waiting for b now
    addHold("c", 5 * kMinute, 0);
    m_rig->agent.publish(ViewRig::eventAt(now()));
    QTRY_COMPARE(lanes(), QByteArray("abc"));
    m_view->refresh(); // F5 ranks again
    QTRY_COMPARE(lanes(), QByteArray("bac"));
}

/** On the range in view, or on the selected part of it. */
void TestTimelineView::reportsOnTheLockOfALane()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    QSignalSpy report(&m_rig->requests, &app::views::Requests::reportAsked);
    Q_EMIT canvas()->menuAsked({5, 5}, {Hit::On::Lane, 0, -1}, now());
    auto *menu = m_view->findChild<QMenu *>();
    QVERIFY(menu);
    for (QAction *action : menu->actions()) {
        if (action->text() == QStringLiteral("&Report…"))
            action->trigger();
    }
    menu->close();
    QCOMPARE(report.size(), 1);
    QCOMPARE(report.first().at(0).value<domain::LockKey>(), keyOf("a"));
    QCOMPARE(report.first().at(1).toLongLong(), m_view->viewRange().range().fromUs);
    QCOMPARE(report.first().at(2).toLongLong(), m_view->viewRange().range().toUs);
}

void TestTimelineView::pinnedLaneComesWhateverItsRank()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    Q_EMIT canvas()->menuAsked({5, 5}, {Hit::On::Lane, 1, -1}, now());
    auto *menu = m_view->findChild<QMenu *>();
    QVERIFY(menu);
    for (QAction *action : menu->actions()) {
        if (action->text() == QStringLiteral("&Pin to the top"))
            action->trigger();
    }
    menu->close();
    QCOMPARE(lanes(), QByteArray("ba"));
    // The ranking arrives without the pinned lock, so the view asks for its key.
    m_rig->agent.answer = [this, whole = m_rig->agent.answer](const protocol::Message &message) {
        std::optional<protocol::Message> reply = whole(message);
        auto *page = reply ? std::get_if<protocol::TimelinePage>(&*reply) : nullptr;
        const auto *query = std::get_if<protocol::TimelineQuery>(&message);
        if (page && query->keys.isEmpty())
            page->lanes.removeIf([](const protocol::TimelineLane &one) { return one.key == keyOf("b"); });
        return reply;
    };
    addHold("c", 5 * kMinute, kMinute);
    m_view->refresh();
    QTRY_COMPARE(lanes(), QByteArray("bac"));
}

void TestTimelineView::dragsALane()
{
    for (const char *name : {"a", "b", "c"})
        addHold(name, 30 * kMinute, 10 * kMinute);
    open();
    const QPoint first(20, at(0, now()).y());
    const QPoint last(20, at(2, now()).y());
    QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, first);
    QTest::mouseMove(canvas()->viewport(), last);
    QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, {}, last);
    QCOMPARE(lanes(), QByteArray("bca"));
    m_view->refresh();
    QTRY_VERIFY(!m_view->reader().isLoading());
    QCOMPARE(lanes(), QByteArray("bca")); // the operator's order stays
}

/** A drag moves the lane that was under the pointer, not the lane that stands in its place by now. */
void TestTimelineView::dragGoesOnInAnotherChart()
{
    for (const char *name : {"a", "b", "c"})
        addHold(name, 30 * kMinute, 10 * kMinute);
    open();
    const auto drag = [this](qsizetype from, qsizetype to) {
        QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, {20, at(from, now()).y()});
        QTest::mouseMove(canvas()->viewport(), {20, at(to, now()).y()});
    };
    const auto drop = [this] { QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, {}, {20, 200}); };
    drag(0, 2);
    addHold("z", 30 * kMinute, 10 * kMinute);
    m_rig->timeline.lanes.move(3, 0);
    m_view->refresh();
    QTRY_COMPARE(lanes(), QByteArray("zabc"));
    drop();
    QCOMPARE(lanes(), QByteArray("zbca"));
    drag(0, 3);
    m_rig->timeline.lanes.clear();
    m_view->refresh();
    QTRY_COMPARE(lanes(), QByteArray());
    canvas()->viewport()->grab(); // the drop position has disappeared as well
    drop();
}

void TestTimelineView::filters()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    addHold("b", 20 * kMinute, 15 * kMinute);
    open();
    m_view->setFilter(QStringLiteral("name:a holder:w* source:orders from:-50m to:-5m"));
    QTRY_COMPARE(m_rig->timelines.last().source, QStringLiteral("orders"));
    QCOMPARE(m_rig->timelines.last().lockGlob, QByteArray("*[aA]*"));
    QCOMPARE(m_rig->timelines.last().holderGlob, QByteArray("[wW]*"));
    QTRY_COMPARE(m_view->viewRange().range(), (TimeRange{now() - 50 * kMinute, now() - 5 * kMinute}));
    QVERIFY(!m_view->viewRange().isFollowing());
    // The console applies the terms that the agent can't.
    m_view->setFilter(QStringLiteral("-name:a"));
    QTRY_COMPARE(lanes(), QByteArray("b"));
    QCOMPARE(m_rig->timelines.last().lanes, 200);
    m_view->setFilter(QStringLiteral("event:expired"));
    QTRY_VERIFY(m_view->findChild<QLabel *>(QStringLiteral("note"))
                    ->text()
                    .contains(QStringLiteral("these terms are ignored")));
    auto *lanesBox = m_view->findChild<QComboBox *>(QStringLiteral("lanes"));
    lanesBox->setCurrentIndex(int(LaneChoice::Holders));
    QTRY_COMPARE(m_rig->timelines.last().by, protocol::TimelineLanes::Holder);
    lanesBox->setCurrentIndex(int(LaneChoice::Sources));
    QTRY_COMPARE(m_rig->timelines.last().by, protocol::TimelineLanes::Source);
}

void TestTimelineView::momentSaysWhatWasTrue()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    lane("a").waits = {{keyOf("a"), "w9", now() - 25 * kMinute, now() - 10 * kMinute, 1}};
    open();
    QTest::mouseMove(canvas()->viewport(), at(0, now() - 20 * kMinute));
    QTRY_VERIFY(moment().contains(QStringLiteral("a: held by w1, 1 waiting")));
    QVERIFY(moment().contains(QStringLiteral("UTC")));
    QTest::mouseMove(canvas()->viewport(), at(0, now() - 5 * kMinute));
    QTRY_VERIFY(moment().contains(QStringLiteral("a: not held")));
}

void TestTimelineView::stateAtTheMark()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    QSignalSpy asked(&m_rig->requests, &Requests::stateAtAsked);
    auto *stateAt = m_view->findChild<QPushButton *>(QStringLiteral("stateAt"));
    QVERIFY(!stateAt->isEnabled());
    // The user drags the handle in the header.
    const QPoint from(at(0, now() - 30 * kMinute).x(), 10);
    const QPoint to(at(0, now() - 20 * kMinute).x(), 10);
    QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas()->viewport(), to);
    QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, {}, to);
    QVERIFY(canvas()->mark());
    QVERIFY(qAbs(*canvas()->mark() - (now() - 20 * kMinute)) <= qint64(canvas()->axis().usPerPixel()) + 1);
    QVERIFY(stateAt->isEnabled());
    stateAt->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toLongLong(), *canvas()->mark());
}

void TestTimelineView::rangeIsReadWhole_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

/** In a window of 1280 px the range has its dates, its zone and its length, and nothing of it is left out. */
void TestTimelineView::rangeIsReadWhole()
{
    QFETCH(QString, language);
    m_rig->language.setLanguage(language);
    m_rig->timeline.firstUs = now() - 900 * 24 * kHour;
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    m_view->resize(854, 600); // of 1280, with navigation and the lock's details
    const auto *shown = m_view->findChild<ElidedLabel *>(QStringLiteral("shownRange"));
    const auto fits = [shown] { return shown->sizeHint().width() + 16 <= shown->width(); }; // UTC+8
    const qint64 midnight = now() - now() % (24 * kHour) - 20 * 24 * kHour;
    for (const TimeRange &range :
         {TimeRange{now() - 4 * kMinute, now() - 3 * kMinute},
          TimeRange{midnight - 2 * kHour - kSecond, midnight + 8 * kHour + 12 * kSecond},
          TimeRange{midnight - 70 * 24 * kHour, midnight - 40 * 24 * kHour},
          TimeRange{midnight - 400 * 24 * kHour, midnight + kHour}}) {
        m_view->setFilter(QStringLiteral("from:%1 to:%2")
                              .arg(app::words::TimeFormat::rfc3339(range.fromUs),
                                   app::words::TimeFormat::rfc3339(range.toUs)));
        QCoreApplication::processEvents();
        const TimeRange taken = m_view->viewRange().range();
        QVERIFY2(fits(), qPrintable(shown->text()));
        QVERIFY2(shown->text().contains(QStringLiteral("UTC")), qPrintable(shown->text()));
        for (const qint64 us : {taken.fromUs, taken.toUs})
            QVERIFY2(shown->toolTip().contains(m_rig->times.time(us)), qPrintable(shown->toolTip()));
    }
    const int y = at(0, now()).y();
    QTest::mousePress(canvas()->viewport(), Qt::LeftButton, {}, {TimelineCanvas::kNames + 50, y});
    QTest::mouseMove(canvas()->viewport(), {TimelineCanvas::kNames + 500, y});
    QTest::mouseRelease(canvas()->viewport(), Qt::LeftButton, {}, {TimelineCanvas::kNames + 500, y});
    QVERIFY(canvas()->brush());
    QCoreApplication::processEvents();
    QVERIFY2(fits(), qPrintable(shown->text()));
    picture(m_view.get(), language == QLatin1String("en") ? "timeline-range" : "timeline-range-zh");
}

void TestTimelineView::sameAsATable()
{
    addHold("a", 30 * kMinute, 10 * kMinute, "w1", "expired");
    addHold("b", 20 * kMinute, 0);
    m_rig->timeline.lanes.last().holds.last().startSeen = false;
    lane("a").waits = {{keyOf("a"), "w9", now() - 25 * kMinute, now() - 10 * kMinute, 1}};
    m_rig->timeline.gaps = {{QStringLiteral("orders"), now() - 5 * kMinute, now() - 4 * kMinute, {}, {}}};
    open();
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    auto *table = m_view->findChild<QTableView *>(QStringLiteral("bars"));
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 4);
    const auto cell = [table](int row, int column) {
        return table->model()->index(row, column).data().toString();
    };
    using namespace app::timeline;
    QCOMPARE(cell(0, BarKindColumn), QStringLiteral("Hold"));
    QCOMPARE(cell(0, BarEndColumn), QStringLiteral("Expired"));
    QCOMPARE(cell(0, BarLengthColumn), QStringLiteral("00:20:00"));
    QCOMPARE(cell(1, BarKindColumn), QStringLiteral("Wait"));
    QCOMPARE(cell(1, BarWhoColumn), QStringLiteral("w9"));
    QVERIFY(cell(2, BarFromColumn).startsWith(QStringLiteral("before")));
    QCOMPARE(cell(2, BarToColumn), QStringLiteral("—"));
    QCOMPARE(cell(3, BarKindColumn), QStringLiteral("Gap"));
    for (int row = 0; row < 4; ++row) // a sentence for each bar
        QVERIFY(!table->model()->index(row, 0).data(Qt::AccessibleTextRole).toString().isEmpty());
    table->selectRow(2);
    QCOMPARE(m_rig->selection.current(), keyOf("b"));
    QVERIFY(m_view->copyText());
    QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1Char('\t')));
    picture(m_view.get(), "timeline-table");
}

void TestTimelineView::exportsTheTable()
{
    addHold("=1+1", 30 * kMinute, 10 * kMinute, "a,\"b\"", "expired");
    addHold("b", 20 * kMinute, 0, "@w");
    lane("b").waits = {{keyOf("b"), "+w9", now() - 15 * kMinute, now() - 10 * kMinute, 1}};
    m_rig->timeline.gaps = {{QStringLiteral("orders"), now() - 5 * kMinute, now() - 4 * kMinute, {}, {}}};
    open();
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    const auto *table = m_view->findChild<app::views::DataTable *>(QStringLiteral("bars"));
    tests::compareExports(*m_view, *m_rig, *qobject_cast<app::models::RawModel *>(table->model()));
}

void TestTimelineView::pictures()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    QImage image;
    QVERIFY(image.loadFromData(m_view->pictureFor(QStringLiteral("x.png")), "PNG"));
    const QSize head = image.size() - canvas()->wholeSize(); // title, range and margins
    QVERIFY(head.width() < 20 && head.height() > 30);
    QSvgRenderer svg;
    QVERIFY(svg.load(m_view->pictureFor(QStringLiteral("x.svg"))));
    QCOMPARE(svg.viewBox().size(), image.size());
    // The bar appears in the middle of its time, in the holds' colour.
    const QPoint inside =
        at(0, now() - 20 * kMinute) + QPoint(head.width() / 2, head.height() - head.width() / 2);
    QCOMPARE(image.pixelColor(inside), app::presentation::holdColour(m_rig->theme.scheme()));
}

void TestTimelineView::manyEventsComeAsSums()
{
    protocol::TimelineLane &many = lane("a");
    for (int i = 0; i < 900; ++i)
        many.slices.append({now() - kHour + i * 4 * kSecond, 3 * kSecond, 9 * kSecond, 600, 500, i == 450});
    m_rig->timeline.sliceUs = 4 * kSecond;
    open();
    QCOMPARE(lanes(), QByteArray("a"));
    const Hit hit = canvas()->hitAt(at(0, now() - 20 * kMinute));
    QCOMPARE(hit.on, Hit::On::Dense);
    QVERIFY(canvas()->sentence(hit).contains(QStringLiteral("zoom in")));
    // A brush over all of them asks for nothing more by itself.
    const qsizetype asked = m_rig->timelines.size();
    canvas()->setBrush(TimeRange{now() - kHour, now()});
    m_view->findChild<QPushButton *>(QStringLiteral("asTable"))->click();
    QVERIFY(m_view->model()->rowCount() <= 900);
    QVERIFY(m_rig->timelines.size() <= asked + 1); // the strip
    // The agent took wider slices than it was asked for: that is no reason to ask again and again.
    m_rig->timeline.sliceUs = kHour;
    m_view->refresh();
    QTRY_VERIFY(!m_view->reader().isLoading());
    Q_EMIT canvas()->panAsked(-kSecond);
    QVERIFY(!m_view->reader().isLoading());
}

void TestTimelineView::loadingAndCancel()
{
    m_rig->mute = true;
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<TimelineView>(m_rig->context);
    m_view->show();
    m_view->activate();
    QVERIFY(m_view->reader().isLoading());
    QTRY_VERIFY(page().contains(QStringLiteral("Reading…")));
    QTRY_VERIFY(button(QStringLiteral("Cancel")));
    button(QStringLiteral("Cancel"))->click();
    QVERIFY(!m_view->reader().isLoading());
    QVERIFY(page().contains(QStringLiteral("Nothing was read")));
    m_rig->mute = false;
    addHold("a", 30 * kMinute, 10 * kMinute);
    QTRY_VERIFY(button(QStringLiteral("Try again")));
    button(QStringLiteral("Try again"))->click();
    QTRY_COMPARE(lanes(), QByteArray("a"));
}

void TestTimelineView::errorsKeepWhatIsThere()
{
    m_rig->failure = base::Error{base::ErrorCode::Busy, QStringLiteral("too much at once"), {}};
    open();
    QStringList words;
    for (const QLabel *label : m_view->findChild<StatePage *>()->findChildren<QLabel *>())
        words.append(label->text());
    QVERIFY(words.join(QLatin1Char('\n')).contains(QStringLiteral("too much at once")));
    m_rig->failure.reset();
    addHold("a", 30 * kMinute, 10 * kMinute);
    QTRY_VERIFY(button(QStringLiteral("Try again")));
    button(QStringLiteral("Try again"))->click();
    QTRY_COMPARE(lanes(), QByteArray("a"));
    m_rig->failure = base::Error{base::ErrorCode::Busy, QStringLiteral("too much at once"), {}};
    m_view->refresh();
    auto *note = m_view->findChild<QLabel *>(QStringLiteral("note"));
    QTRY_VERIFY(note->text().contains(QStringLiteral("too much at once")));
    QCOMPARE(lanes(), QByteArray("a"));
    QVERIFY(canvas()->isVisible());
}

void TestTimelineView::emptySaysWhy()
{
    open();
    QVERIFY(page().contains(QStringLiteral("Nothing was held in this time")));
    m_view->setFilter(QStringLiteral("name:zzz"));
    QTRY_VERIFY(page().contains(QStringLiteral("No lane matches this filter")));
    m_view->showLocks({});
    QTRY_VERIFY(page().contains(QStringLiteral("No lock is selected")));
    QVERIFY(m_rig->timelines.last().keys.isEmpty()); // and nothing was asked for
}

void TestTimelineView::silentSourceIsNotSeen()
{
    addHold("a", 30 * kMinute, 0);
    open();
    m_rig->clock.advanceUs(20 * kMinute); // and nothing came
    m_view->activate();
    QTRY_VERIFY(!m_view->reader().isLoading());
    QTest::mouseMove(canvas()->viewport(), at(0, now() - 10 * kMinute));
    QTRY_VERIFY(moment().contains(QStringLiteral("a: not observed")));
    // The bar ends where it was seen last.
    QCOMPARE(canvas()->hitAt(at(0, now() - 10 * kMinute)).on, Hit::On::Lane);
    QCOMPARE(canvas()->hitAt(at(0, now() - 25 * kMinute)).on, Hit::On::Hold);
    picture(m_view.get(), "timeline-silent");
}

void TestTimelineView::olderAnswersAreDropped()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    m_rig->mute = true;
    m_view->refresh();
    m_view->setFilter(QStringLiteral("name:b"));
    m_rig->mute = false;
    m_rig->timeline.lanes.clear();
    addHold("b", 30 * kMinute, 10 * kMinute);
    m_view->refresh();
    QTRY_COMPARE(lanes(), QByteArray("b"));
}

void TestTimelineView::hostileNamesStayPlain()
{
    addHold("<b>x</b>\n\x1b[1m", 30 * kMinute, 10 * kMinute, "<i>w</i>");
    open();
    const QString text = canvas()->sentence({Hit::On::Hold, 0, 0});
    QVERIFY(text.contains(QStringLiteral("<b>x</b>")));
    QVERIFY(!text.contains(QLatin1Char('\x1b')));
}

void TestTimelineView::speaksAnotherLanguage()
{
    addHold("a", 30 * kMinute, 10 * kMinute);
    open();
    const BracketLanguage other;
    QEvent change(QEvent::LanguageChange);
    QApplication::sendEvent(m_view.get(), &change);
    for (const QPushButton *one : m_view->findChildren<QPushButton *>()) {
        if (one->isVisible())
            QVERIFY2(one->text().startsWith(QLatin1Char('[')), qPrintable(one->text()));
    }
    QVERIFY(m_view->title().startsWith(QLatin1Char('[')));
    const auto *lanesBox = m_view->findChild<QComboBox *>(QStringLiteral("lanes"));
    QVERIFY(lanesBox->itemText(0).startsWith(QLatin1Char('[')));
    QVERIFY(canvas()->sentence({Hit::On::Hold, 0, 0}).startsWith(QLatin1Char('[')));
}

LOCKKEEPER_TEST(TestTimelineView)

} // namespace tst_timeline_view

#include "tst_timeline_view.moc"
