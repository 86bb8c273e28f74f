// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query.h"
#include "app/views/contention/blockers_panel.h"
#include "app/views/contention/contention_panel.h"
#include "app/views/contention/contention_view.h"
#include "app/views/contention/range_bar.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/requests.h"
#include "shared/base/clock.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QtTest>

namespace tst_contention_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

namespace {

domain::Contention lock(const QByteArray &name, qint64 waitingUs, qint64 observedUs = 3'600'000'000)
{
    domain::Contention c;
    c.key = {QStringLiteral("orders-db"), "sql.row", "app.jobs/PRIMARY", name};
    c.waitersVisible = waitingUs >= 0;
    if (c.waitersVisible)
        c.waits = {3, waitingUs, waitingUs / 3, waitingUs / 2, waitingUs / 2};
    c.acquisitions = 60;
    c.holds = {60, 0, 80'000, 120'000, 900'000};
    c.handoverHigh = {59, 0, 500'000, 500'000, 500'000};
    c.handoverLow = {59, 0, 0, 1'000, 1'000};
    c.heldLowUs = observedUs / 4;
    c.heldHighUs = observedUs / 2;
    c.observedUs = observedUs;
    return c;
}

} // namespace

/** The Contention view: ranges, sorting, what isn't known. */
class TestContentionView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void bounds_data();
    void bounds();
    void showsTheRanking();
    void theRankingStaysInSight();
    void saysWhatIsNotVisible();
    void sorts();
    void asksForTheRange();
    void aDesksClockMayBeOff();
    void showsTheRangeOfABrush();
    void courseFollowsTheRow();
    void comparesWithBefore();
    void hoursOfADay();
    void aWeekIsSeenWhole();
    void noChartIsCutOff();
    void tablesAreOneRow();
    void ranksWaiters();
    void ranksBlockers();
    void blockersMayBeNobody();
    void filters();
    void takesTimesInTheFilter();
    void boxAndTypedRangeAgree();
    void enterKeepsTheRange();
    void barsAnswer();
    void opensAtARange();
    void aChosenRangeComesBack();
    void hoursAnswer();
    void exports();
    void emptyAndFailed();
    void failureKeepsTheRanking();
    void aTableIsNoOtherTable();
    void splitterStaysWhereItWas();
    void cancelledIsNotEmpty();
    void speaksAnotherLanguage();

private:
    void open(const QList<domain::Contention> &locks);
    void openWithCourse();
    DataTable *table() const { return m_view->findChild<DataTable *>(QStringLiteral("contention")); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    QPushButton *button(const QString &text) const
    {
        for (QPushButton *one : m_view->findChildren<QPushButton *>()) {
            if (one->isVisible() && one->text() == text)
                return one;
        }
        return nullptr;
    }
    QString labels() const
    {
        QStringList texts;
        for (const QLabel *label : m_view->findChildren<QLabel *>()) {
            if (label->isVisible())
                texts += label->text();
        }
        return texts.join(QLatin1Char('\n'));
    }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<ContentionView> m_view;
};

void TestContentionView::init()
{
    m_rig = std::make_unique<ViewRig>();
}

void TestContentionView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void TestContentionView::open(const QList<domain::Contention> &locks)
{
    m_rig->contention.locks = locks;
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<ContentionView>(m_rig->context);
    new QAbstractItemModelTester(m_view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                 m_view->model());
    m_view->resize(1100, 500);
    m_view->show();
    m_view->activate();
    QTRY_VERIFY(!m_view->model()->isLoading());
}

void TestContentionView::bounds_data()
{
    QTest::addColumn<int>("range");
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    const auto row = [](const char *name, ContentionRange range, const char *now, const char *from,
                        const char *to) {
        QTest::newRow(name) << int(range) << QString::fromLatin1(now) << QString::fromLatin1(from)
                            << QString::fromLatin1(to);
    };
    row("hour", ContentionRange::Hour, "2026-11-21T09:30:00Z", "2026-11-21T08:30:00Z",
        "2026-11-21T09:30:00Z");
    row("day", ContentionRange::Day, "2026-11-21T09:30:00Z", "2026-11-20T09:30:00Z", "2026-11-21T09:30:00Z");
    row("week", ContentionRange::Week, "2026-11-21T09:30:00Z", "2026-11-14T09:30:00Z",
        "2026-11-21T09:30:00Z");
    row("night, in the morning", ContentionRange::LastNight, "2026-11-21T09:30:00Z", "2026-11-20T22:00:00Z",
        "2026-11-21T08:00:00Z");
    row("night, during it", ContentionRange::LastNight, "2026-11-21T03:00:00Z", "2026-11-20T22:00:00Z",
        "2026-11-21T03:00:00Z");
    row("night, before midnight", ContentionRange::LastNight, "2026-11-21T23:00:00Z", "2026-11-21T22:00:00Z",
        "2026-11-21T23:00:00Z");
}

void TestContentionView::bounds()
{
    QFETCH(int, range);
    QFETCH(QString, now);
    const auto [from, to] = boundsOf(ContentionRange(range), QDateTime::fromString(now, Qt::ISODate));
    const auto text = [](qint64 us) {
        return QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC).toString(Qt::ISODate);
    };
    QTEST(text(from), "from");
    QTEST(text(to), "to");
}

void TestContentionView::showsTheRanking()
{
    open({lock("<b>17</b>", 90'000'000), lock("18", 3'000'000)});
    QCOMPARE(m_view->shownRows(), 2);
    QCOMPARE(cell(0, app::models::ContentionLockColumn), QStringLiteral("jobs <b>17</b>"));
    QCOMPARE(cell(0, app::models::ContentionWaitingColumn), QStringLiteral("00:01:30"));
    QCOMPARE(cell(0, app::models::ContentionWaitsColumn), QStringLiteral("3"));
    QCOMPARE(cell(1, app::models::ContentionWaitTimeColumn), QStringLiteral("1.0 s / 1.5 s"));
    QCOMPARE(cell(0, app::models::ContentionHeldColumn), QStringLiteral("25.0% – 50.0%"));
    QCOMPARE(cell(0, app::models::ContentionChangesColumn), QStringLiteral("1.0"));
    QVERIFY2(labels().contains(QStringLiteral("Observed 100.0% of this range")), qPrintable(labels()));
    QVERIFY(!labels().contains(QStringLiteral("not visible")));
}

/** At 200 % of 1920 × 1080 the charts scroll, so that five rows and more are seen. */
void TestContentionView::theRankingStaysInSight()
{
    QList<domain::Contention> locks;
    for (int i = 0; i < 12; ++i)
        locks.append(lock("lock " + QByteArray::number(i), 90'000'000));
    open(locks);
    m_view->resize(800, 405);
    const auto *table = m_view->findChild<DataTable *>(QStringLiteral("contention"));
    QTRY_VERIFY2(table->viewport()->height() >= 5 * DataTable::rowHeight(m_rig->context),
                 qPrintable(QString::number(table->viewport()->height())));
    QTRY_VERIFY(m_view->panel()->visibleRegion().boundingRect().height() >= 130);
    m_view->resize(1100, 715);
    const QWidget *panel = m_view->panel();
    QTRY_VERIFY2(panel->visibleRegion().boundingRect().height() == panel->height(),
                 qPrintable(QString::number(panel->visibleRegion().boundingRect().height())));
}

void TestContentionView::saysWhatIsNotVisible()
{
    open({lock("17", 90'000'000), lock("blind", -1, 1'800'000'000)});
    for (const int column :
         {int(app::models::ContentionWaitingColumn), int(app::models::ContentionWaitsColumn),
          int(app::models::ContentionWaitTimeColumn)})
        QCOMPARE(cell(1, column), QStringLiteral("?"));
    QVERIFY2(labels().contains(QStringLiteral("?: this scheme doesn't show waiters")), qPrintable(labels()));
    QVERIFY2(labels().contains(QStringLiteral("Observed 50.0% to 100.0%")), qPrintable(labels()));
}

void TestContentionView::sorts()
{
    open({lock("b", 90'000'000), lock("blind", -1), lock("a", 3'000'000)});
    const auto names = [this] {
        QByteArrayList all;
        for (int row = 0; row < 3; ++row)
            all.append(m_view->model()->at(row)->key.name);
        return QString::fromUtf8(all.join(' '));
    };
    QCOMPARE(names(), QStringLiteral("b blind a"));
    table()->sortByColumn(app::models::ContentionLockColumn, Qt::AscendingOrder);
    QCOMPARE(names(), QStringLiteral("a b blind"));
    table()->selectRow(0);
    table()->sortByColumn(app::models::ContentionWaitingColumn, Qt::DescendingOrder);
    QCOMPARE(names(), QStringLiteral("b a blind")); // what isn't known is last …
    QCOMPARE(table()->selectedRowNumbers(), QList<int>{1});
    table()->sortByColumn(app::models::ContentionWaitingColumn, Qt::AscendingOrder);
    QCOMPARE(names(), QStringLiteral("a b blind")); // … either way
    ContentionView other(m_rig->context);           // in another run
    const auto *header = other.findChild<DataTable *>(QStringLiteral("contention"))->horizontalHeader();
    QCOMPARE(header->sortIndicatorSection(), int(app::models::ContentionWaitingColumn));
    QCOMPARE(header->sortIndicatorOrder(), Qt::AscendingOrder);
    QVERIFY(m_rig->settings.columns(QStringLiteral("contention"))->columns.isEmpty()); // none chosen
    table()->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    QCOMPARE(names(), QStringLiteral("b blind a"));
    QVERIFY(!m_rig->settings.columns(QStringLiteral("contention")));
}

void TestContentionView::asksForTheRange()
{
    open({lock("17", 90'000'000)});
    auto *range = m_view->findChild<QComboBox *>(QStringLiteral("range"));
    range->setCurrentIndex(int(ContentionRange::Week));
    QTRY_VERIFY(std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(), [](const auto &one) {
        return *one.toUs - *one.fromUs == 7 * 24 * 3'600'000'000LL;
    }));
    const protocol::ContentionQuery asked =
        *std::find_if(m_rig->ranges.cbegin(), m_rig->ranges.cend(),
                      [](const auto &one) { return *one.toUs - *one.fromUs > 24 * 3'600'000'000LL; });
    QCOMPARE(*asked.toUs - *asked.fromUs, 7 * 24 * 3'600'000'000LL);
    ContentionView other(m_rig->context);
    other.restoreState(m_view->saveState());
    QCOMPARE(other.saveState().value(QStringLiteral("range")).toInt(), int(ContentionRange::Week));
}

/** The last hour follows the agent's clock, as the journal's times do. */
void TestContentionView::aDesksClockMayBeOff()
{
    constexpr qint64 kOffUs = 600'000'000;
    m_rig->agent.wallUs = base::SystemClock().wallUs() + kOffUs;
    open({lock("17", 90'000'000)});
    QTRY_VERIFY(m_rig->session.aheadUs() < 0);
    m_rig->ranges.clear();
    m_view->refresh();
    // The other queries ask for the period before, or belong to the first reading.
    QTRY_VERIFY(std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(), [this](const auto &one) {
        return std::abs(*one.toUs - m_rig->clock.wallUs() - kOffUs) < 60'000'000;
    }));
}

/** The query keeps the brush's milliseconds, though the fields show minutes. */
void TestContentionView::showsTheRangeOfABrush()
{
    open({lock("17", 90'000'000)});
    const qint64 from = m_rig->clock.wallUs() - 7'200'000'000 + 1'234'000;
    m_view->setRange(from, from + 605'432'100);
    QTRY_VERIFY(std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(), [from](const auto &one) {
        return one.fromUs == from && one.toUs == from + 605'433'000;
    }));
    QCOMPARE(m_view->findChild<QComboBox *>(QStringLiteral("range"))->currentIndex(),
             int(ContentionRange::Custom));
}

/**
 * The view asks for the selected lock's slices, and only for slices that were observed. Another row's slices
 * replace them, and the selection stays with its lock.
 */
void TestContentionView::courseFollowsTheRow()
{
    const qint64 now = m_rig->clock.wallUs();
    events::LockEvent up;
    up.seq = 1;
    up.key.source = QStringLiteral("orders-db");
    up.kind = events::EventKind::SourceUp;
    up.timeUs = now - 1'800'000'000;
    m_rig->agent.journal = {up};
    open({lock("a*", 90'000'000), lock("b", 3'000'000)});
    domain::SourceState source;
    source.name = QStringLiteral("orders-db");
    source.link = domain::Link::Up;
    source.lastSeenUs = now;
    m_rig->show({source});
    QTRY_VERIFY(!m_rig->replica.sources().isEmpty());
    m_view->refresh();
    QTRY_VERIFY(!m_view->model()->isLoading());
    const auto &series = m_view->panel()->series();
    QTRY_VERIFY(series.key() && series.key()->name == "a*" && !series.isReading());
    const auto blind = std::count_if(series.slices().cbegin(), series.slices().cend(),
                                     [](const auto &slice) { return slice.observedUs == 0; });
    QCOMPARE(int(blind), 6); // the source is up in the middle of the seventh slice of five minutes
    qsizetype asked = 0;
    for (const protocol::ContentionQuery &query : std::as_const(m_rig->ranges))
        asked += query.lockGlob == "a\\*" ? 1 : 0;
    QCOMPARE(asked % (series.slices().size() - blind), 0);
    QVERIFY(asked > 0);
    QVERIFY(series.slices().last().figures);
    const auto charts = m_view->findChildren<app::charts::SliceChart *>();
    QCOMPARE(charts.size(), 4);
    for (const app::charts::SliceChart *chart : charts) {
        QVERIFY2(chart->top() > 0, qPrintable(chart->title()));
        QVERIFY(!chart->accessibleDescription().isEmpty());
        QCOMPARE(chart->slices().size(), series.slices().size());
        QCOMPARE(chart->slices().first().observed, 0.0);
    }
    table()->selectRow(1);
    QTRY_VERIFY(series.key() && series.key()->name == "b" && !series.isReading());
    m_view->refresh();
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(table()->selectedRowNumbers(), QList<int>{1});
    // The view cancels a row's pending query when another row is selected, and reads that row to its end.
    table()->selectRow(0);
    table()->selectRow(1);
    QTRY_VERIFY(!series.isReading() && series.slices().last().figures);
    QCOMPARE(series.key()->name, QByteArray("b"));
}

void TestContentionView::comparesWithBefore()
{
    open({lock("17", 90'000'000), lock("blind", -1)});
    // The same answer for both periods: nothing has changed.
    QTRY_COMPARE(cell(0, app::models::ContentionBeforeColumn), QStringLiteral("0%"));
    QCOMPARE(cell(1, app::models::ContentionBeforeColumn), QStringLiteral("0%"));
    const auto before = std::find_if(m_rig->ranges.cbegin(), m_rig->ranges.cend(),
                                     [](const auto &query) { return query.limit == 1'000; });
    QVERIFY(before != m_rig->ranges.cend());
    QCOMPARE(*before->toUs - *before->fromUs, 3'600'000'000LL);
    using app::models::ContentionChange;
    using app::presentation::ContentionFormatter;
    QCOMPARE(ContentionFormatter::change({ContentionChange::CostTrend::Known, 0.124}),
             QStringLiteral("+12%"));
    QCOMPARE(ContentionFormatter::change({ContentionChange::CostTrend::Known, -0.4}), QStringLiteral("−40%"));
    QCOMPARE(ContentionFormatter::change({ContentionChange::CostTrend::Known, 40}),
             QStringLiteral("> +999%"));
    QCOMPARE(ContentionFormatter::change({}), QStringLiteral("?"));
}

/**
 * From a day on, each hour is a cell. An unobserved hour differs from an hour outside the range.
 */
void TestContentionView::hoursOfADay()
{
    open({lock("17", 90'000'000)});
    auto *range = m_view->findChild<QComboBox *>(QStringLiteral("range"));
    auto *heat = m_view->findChild<app::charts::HeatMap *>();
    QVERIFY(!heat->isVisible());
    range->setCurrentIndex(int(ContentionRange::Day));
    QTRY_VERIFY(heat->isVisible());
    QTRY_VERIFY(!m_view->panel()->series().isReading());
    int inRange = 0;
    for (const app::charts::HeatMap::Day &day : heat->days()) {
        QCOMPARE(day.hours.size(), app::charts::HeatMap::kHours);
        for (const app::charts::HeatCell &one : day.hours)
            inRange += one.inRange ? 1 : 0;
    }
    QCOMPARE(inRange, 25); // the day begins within an hour
    double before = -1;
    for (int step = 0; step <= 10; ++step) { // brighter all the way: it reads in grey as well
        const double bright = app::charts::HeatMap::cividis(step / 10.0).lightnessF();
        QVERIFY(bright > before);
        before = bright;
    }
    range->setCurrentIndex(int(ContentionRange::Custom));
    auto *from = m_view->findChild<QDateTimeEdit *>(QStringLiteral("from"));
    QVERIFY(from->isVisible());
    QVERIFY2(from->text().endsWith(QStringLiteral("UTC")), qPrintable(from->text()));
    range->setCurrentIndex(int(ContentionRange::Hour));
    QVERIFY(!from->isVisible());
}

/** 200 rows of one table make one line: the view adds up the sums, and invents no percentile. */
void TestContentionView::tablesAreOneRow()
{
    QList<domain::Contention> locks;
    for (int i = 0; i < 200; ++i)
        locks.append(lock(QByteArray::number(i), 1'000'000));
    domain::Contention other = lock("mutex", 30'000'000);
    other.key.place = "app.locks";
    locks.append(other);
    open(locks);
    QCOMPARE(m_view->shownRows(), 201);
    tests::picture(m_view.get(), "contention-locks");
    auto *group = m_view->findChild<QComboBox *>(QStringLiteral("group"));
    group->setCurrentIndex(int(app::models::ContentionGrouping::Place));
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(m_view->shownRows(), 2);
    tests::picture(m_view.get(), "contention-tables");
    QCOMPARE(cell(1, app::models::ContentionLockColumn), QStringLiteral("app.locks — 1 lock(s)"));
    QCOMPARE(cell(0, app::models::ContentionLockColumn), QStringLiteral("app.jobs — 200 lock(s)"));
    QCOMPARE(cell(0, app::models::ContentionWaitingColumn), QStringLiteral("00:03:20"));
    QCOMPARE(cell(0, app::models::ContentionWaitsColumn), QStringLiteral("600"));
    QCOMPARE(cell(0, app::models::ContentionWaitTimeColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::ContentionHoldTimeColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::ContentionHandoverColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::ContentionHeldColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::ContentionChangesColumn), QStringLiteral("200.0"));
    QTRY_COMPARE(cell(0, app::models::ContentionBeforeColumn), QStringLiteral("0%"));
    QVERIFY(!m_view->panel()->series().key()); // no series for a table
    QCOMPARE(m_rig->ranges.last().limit, 1'000);
    // If the locks are only a part, the view says so, and compares nothing.
    m_rig->contention.more = true;
    m_view->refresh();
    QTRY_VERIFY2(labels().contains(QStringLiteral("locks with the most waiting")), qPrintable(labels()));
    QCOMPARE(cell(0, app::models::ContentionBeforeColumn), QStringLiteral("?"));
    table()->selectRow(1);
    QTest::keyClick(table(), Qt::Key_Return); // into the group
    QCOMPARE(group->currentIndex(), int(app::models::ContentionGrouping::None));
    QTRY_COMPARE(m_view->shownRows(), 1);
    QCOMPARE(cell(0, app::models::ContentionLockColumn), QStringLiteral("mutex"));
    ContentionView second(m_rig->context);
    second.restoreState(m_view->saveState());
    QCOMPARE(second.saveState(), m_view->saveState());
}

void TestContentionView::ranksBlockers()
{
    domain::BlockerCost first{
        QStringLiteral("orders-db"), "w1@10.2.3.17", {}, 2, 5, 9, 60'000'000, 20'000'000, 3'600'000'000};
    domain::BlockerCost second = first;
    second.holder = "<b>w2</b>";
    second.totalUs = 20'000'000;
    second.waiters = 7;
    domain::BlockerCost statement = first;
    statement.holder.clear();
    statement.statement = "UPDATE jobs\nSET done = 1";
    m_rig->contention.blockers = {first, second, statement};
    m_rig->contention.unattributedUs = 20'000'000;
    open({lock("17", 90'000'000)});
    auto *group = m_view->findChild<QComboBox *>(QStringLiteral("group"));
    group->setCurrentIndex(group->findText(QStringLiteral("By holder")));
    app::models::BlockersModel *model = m_view->blockers()->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_COMPARE(model->rowCount(), 2);
    QCOMPARE(m_rig->ranges.constLast().ranking, domain::ContentionRanking::Holder);
    QCOMPARE(m_view->shownRows(), 2);
    QCOMPARE(model->index(0, app::models::BlockerWaitingColumn).data().toString(),
             QStringLiteral("00:01:00"));
    QCOMPARE(model->index(0, app::models::BlockerShareColumn).data().toString(), QStringLiteral("60.0%"));
    QVERIFY2(labels().contains(QStringLiteral("20.0 s of waiting isn't attributed")), qPrintable(labels()));
    QVERIFY2(labels().contains(QStringLiteral("Observed 100.0% of this range")), qPrintable(labels()));
    tests::picture(m_view.get(), "contention-holders");
    DataTable *rows = m_view->blockers()->table();
    rows->sortByColumn(app::models::BlockerWaitersColumn, Qt::DescendingOrder);
    QCOMPARE(model->at(0)->holder, QByteArray("<b>w2</b>"));
    rows->sortByColumn(app::models::BlockerWaitingColumn, Qt::DescendingOrder);
    QCOMPARE(model->record(0).value(QLatin1String("holder")).toString(), QStringLiteral("w1@10.2.3.17"));
    QCOMPARE(model->record(0).value(QLatin1String("unattributed_us")).toInteger(), 20'000'000);
    QSignalSpy asked(&m_rig->requests, &Requests::holderAsked);
    Q_EMIT rows->activatedRow(0);
    QCOMPARE(asked.value(0).value(0).toString(), QStringLiteral("orders-db"));
    QCOMPARE(asked.value(0).value(1).toByteArray(), QByteArray("w1@10.2.3.17"));
    group->setCurrentIndex(group->findText(QStringLiteral("By statement")));
    QCOMPARE(model->rowCount(), 0); // holders aren't statements
    QTRY_COMPARE(model->rowCount(), 1);
    QVERIFY(!model->index(0, 0).data().toString().contains(QLatin1Char('\n')));
    QCOMPARE(model->headerData(0, Qt::Horizontal).toString(), QStringLiteral("Statement"));
    QVERIFY2(labels().contains(QStringLiteral("began without a statement")), qPrintable(labels()));
    group->setCurrentIndex(0);
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(m_view->shownRows(), 1); // the export is of the locks again
}

void TestContentionView::blockersMayBeNobody()
{
    m_rig->contention.unattributedUs = 5'000'000;
    open({lock("17", 90'000'000)});
    auto *group = m_view->findChild<QComboBox *>(QStringLiteral("group"));
    group->setCurrentIndex(group->findText(QStringLiteral("By holder")));
    QTRY_VERIFY(m_view->blockers()->model()->hasRead());
    QVERIFY2(labels().contains(QStringLiteral("No waiting that somebody caused")), qPrintable(labels()));
    QVERIFY2(labels().contains(QStringLiteral("5.0 s of waiting isn't attributed")), qPrintable(labels()));
    m_rig->failure = base::Error{base::ErrorCode::TooLarge, QStringLiteral("too many waits in this range"),
                                 QStringLiteral("Choose a shorter range")};
    m_view->refresh();
    QTRY_VERIFY2(labels().contains(QStringLiteral("Choose a shorter range")), qPrintable(labels()));
}

void TestContentionView::ranksWaiters()
{
    m_rig->contention.waiters = {
        {QStringLiteral("orders-db"), "<b>w7</b>", 3, 12, 90'000'000, 60'000'000, 3'600'000'000},
        {QStringLiteral("orders-db"), "w8", 1, 1, 5'000'000, 5'000'000, 3'600'000'000}};
    open({lock("17", 90'000'000)});
    auto *group = m_view->findChild<QComboBox *>(QStringLiteral("group"));
    group->setCurrentIndex(int(app::models::ContentionGrouping::Waiter));
    QTRY_COMPARE(m_view->shownRows(), 2);
    tests::picture(m_view.get(), "contention-waiters");
    QCOMPARE(cell(0, app::models::ContentionLockColumn), QStringLiteral("<b>w7</b> — 3 lock(s)"));
    QCOMPARE(cell(0, app::models::ContentionWaitingColumn), QStringLiteral("00:01:30"));
    QCOMPARE(cell(0, app::models::ContentionWaitsColumn), QStringLiteral("12"));
    QCOMPARE(cell(0, app::models::ContentionObservedColumn), QStringLiteral("100.0%"));
    for (const int column :
         {int(app::models::ContentionWaitTimeColumn), int(app::models::ContentionHoldTimeColumn),
          int(app::models::ContentionHandoverColumn), int(app::models::ContentionHeldColumn),
          int(app::models::ContentionChangesColumn), int(app::models::ContentionBeforeColumn),
          int(app::models::ContentionForcedColumn)})
        QCOMPARE(cell(0, column), QStringLiteral("—")); // no claim without a query
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    table()->selectRow(1);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
    QVERIFY(asked.first().last().toString().startsWith(QStringLiteral("source:=orders-db waiter:=w8 from:")));
    QVERIFY(app::filter::parseQuery(asked.first().last().toString(), app::filter::QueryScope::History));
    m_view->setFilter(QStringLiteral("place:x"));
    QTRY_VERIFY2(labels().contains(QStringLiteral("one name in the filter counts alone")),
                 qPrintable(labels()));
    const QJsonObject waiter = m_view->model()->record(0); // the agent counts a waiter's waits alone
    QVERIFY(!waiter.value(QLatin1String("waiter")).toString().isEmpty());
    QVERIFY(waiter.value(QLatin1String("wait_total_us")).toInteger() > 0);
    for (const char *unknown : {"acquisitions", "forced", "lock", "place", "changes_per_minute"})
        QVERIFY2(waiter.value(QLatin1String(unknown)).isNull(), unknown);
}

void TestContentionView::filters()
{
    open({lock("a17", 90'000'000), lock("b", 3'000'000)});
    m_rig->ranges.clear();
    m_view->setFilter(QStringLiteral("name:A17"));
    QTRY_VERIFY(std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(),
                            [](const auto &query) { return query.lockGlob == "*[aA]17*"; }));
    QTRY_COMPARE(m_view->shownRows(), 1);
    m_view->setFilter(QStringLiteral("-source:orders-db"));
    QTRY_COMPARE(m_view->shownRows(), 0);
    QVERIFY2(labels().contains(QStringLiteral("No lock matches this filter")), qPrintable(labels()));
    m_view->setFilter(QStringLiteral("held>1m")); // a field of another table
    QTRY_VERIFY2(labels().contains(QStringLiteral("Unknown field")), qPrintable(labels()));
    m_view->setFilter({});
    QTRY_COMPARE(m_view->shownRows(), 2);
}

/** Like in the History, `from:` and `to:` set the requested range, beside other terms. */
void TestContentionView::takesTimesInTheFilter()
{
    open({lock("a17", 90'000'000), lock("b", 3'000'000)});
    constexpr qint64 hour = 3'600'000'000;
    const qint64 now = m_rig->clock.wallUs();
    const auto asked = [this](qint64 from, qint64 to) {
        return std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(),
                           [=](const auto &one) { return one.fromUs == from && one.toUs == to; });
    };
    m_view->setFilter(QStringLiteral("from:-6h to:-5h name:a17"));
    QTRY_VERIFY(asked(now - 6 * hour, now - 5 * hour));
    QTRY_COMPARE(m_view->shownRows(), 1);
    QVERIFY2(!labels().contains(QStringLiteral("Unknown field")), qPrintable(labels()));
    m_view->setFilter(QStringLiteral("from:-3h")); // until now
    QTRY_VERIFY(asked(now - 3 * hour, now));
    m_view->setFilter(QStringLiteral("to:-2h")); // an hour, as in the Timeline
    QTRY_VERIFY(asked(now - 3 * hour, now - 2 * hour));
    QTRY_COMPARE(m_view->shownRows(), 2);
    // A range alone hides no lock: an empty ranking isn't the filter's doing.
    m_rig->contention.locks.clear();
    m_view->refresh();
    QTRY_VERIFY2(labels().contains(QStringLiteral("No contention in this range")), qPrintable(labels()));
}

void TestContentionView::boxAndTypedRangeAgree()
{
    open({lock("17", 90'000'000)});
    constexpr qint64 hour = 3'600'000'000;
    const qint64 now = m_rig->clock.wallUs();
    auto *box = m_view->findChild<QComboBox *>(QStringLiteral("range"));
    auto *from = m_view->findChild<QDateTimeEdit *>(QStringLiteral("from"));
    const auto *edit = m_view->findChild<FilterEdit *>();
    m_view->setFilter(QStringLiteral("from:-6h to:-5h source:orders-db"));
    QCOMPARE(box->currentIndex(), int(ContentionRange::Custom));
    QCOMPARE(from->dateTime().toMSecsSinceEpoch(), (now - 6 * hour) / 1000);
    QVERIFY(from->isVisible());
    box->setCurrentIndex(int(ContentionRange::Day));
    QCOMPARE(edit->text(), QStringLiteral("source:orders-db"));
    QTRY_COMPARE(m_view->model()->rangeUs(), 24 * hour);
    QCOMPARE(box->currentIndex(), int(ContentionRange::Day));
    // The fields beside the box set the range as well.
    m_view->setFilter(QStringLiteral("from:-6h to:-5h source:orders-db"));
    from->setDateTime(from->dateTime().addSecs(-3600));
    Q_EMIT from->editingFinished();
    QCOMPARE(edit->text(), QStringLiteral("source:orders-db"));
    QTRY_COMPARE(m_view->model()->fromUs(), (now - 7 * hour) / 1000 * 1000);
    QCOMPARE(m_view->model()->toUs(), (now - 5 * hour) / 1000 * 1000);
    // If the user removes the range from the filter, the box keeps it.
    m_view->setFilter(QStringLiteral("from:-6h to:-5h"));
    m_view->setFilter({});
    QCOMPARE(box->currentIndex(), int(ContentionRange::Custom));
    // A range from a brush or a link appears in the filter, where the user can change and keep it.
    m_view->setFilter(QStringLiteral("name:17"));
    m_view->setRange(now - 25 * hour, now - 24 * hour);
    QVERIFY2(edit->text().startsWith(QStringLiteral("name:17 from:")), qPrintable(edit->text()));
    QCOMPARE(box->currentIndex(), int(ContentionRange::Custom));
    m_view->setRange(now - hour, now);
    QCOMPARE(edit->text(), QStringLiteral("name:17"));
    QCOMPARE(box->currentIndex(), int(ContentionRange::Hour));
}

void TestContentionView::enterKeepsTheRange()
{
    open({lock("<b>17</b>", 90'000'000)});
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toByteArray(), QByteArray("history"));
    const QString filter = asked.first().last().toString();
    const auto query = app::filter::parseQuery(filter, app::filter::QueryScope::History);
    QVERIFY2(query.has_value(), qPrintable(filter));
    qint64 from = 0, to = 0;
    for (const auto &clause : query->clauses) {
        from = clause.first().field == app::filter::QueryField::From ? clause.first().values.first().number
                                                                     : from;
        to = clause.first().field == app::filter::QueryField::To ? clause.first().values.first().number : to;
    }
    QVERIFY(from <= m_view->model()->fromUs() && from > m_view->model()->fromUs() - 1'000);
    QVERIFY(to >= m_view->model()->toUs() && to < m_view->model()->toUs() + 1'000);
    // The menu offers the same range, and in it the waits alone.
    Q_EMIT table()->customContextMenuRequested(table()->visualRect(table()->model()->index(0, 0)).center());
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    for (QAction *action : menu->actions()) {
        if (action->text() == QLatin1String("&Waits in this range"))
            action->trigger();
    }
    menu->close();
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked.last().last().toString(), QString(filter + QStringLiteral(" event:wait_start,wait_end")));
}

/** Shows one lock of a source that has been observed for more than a day. */
void TestContentionView::openWithCourse()
{
    events::LockEvent up;
    up.seq = 1;
    up.key.source = QStringLiteral("orders-db");
    up.kind = events::EventKind::SourceUp;
    up.timeUs = m_rig->clock.wallUs() - 30 * base::kHourUs;
    m_rig->agent.journal = {up};
    open({lock("17", 90'000'000)});
    domain::SourceState source;
    source.name = QStringLiteral("orders-db");
    source.link = domain::Link::Up;
    source.lastSeenUs = m_rig->clock.wallUs();
    m_rig->show({source});
    QTRY_VERIFY(!m_rig->replica.sources().isEmpty());
    m_view->refresh();
    QTRY_VERIFY(!m_view->model()->isLoading());
    const auto &read = m_view->panel()->series();
    QTRY_VERIFY(!read.isReading() && !read.slices().isEmpty() && read.slices().last().figures);
}

/** The beginning of the time range in a filter of the History. */
static qint64 fromOf(const QVariant &filter)
{
    const auto query = *app::filter::parseQuery(filter.toString(), app::filter::QueryScope::History);
    return query.clauses.at(3).first().values.first().number;
}

/** The user opens the events in a bar's time with the pointer or the keyboard. */
void TestContentionView::barsAnswer()
{
    openWithCourse();
    const QRegularExpression range(
        QStringLiteral("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d – (\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d UTC"));
    QVERIFY2(labels().contains(range), qPrintable(labels())); // an hour of which day
    auto *chart = m_view->findChildren<app::charts::SliceChart *>().first();
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(chart->width() - 3, chart->height() / 2));
    QCOMPARE(asked.count(), 1);
    const auto &slices = m_view->panel()->series().slices();
    QCOMPARE(fromOf(asked.last().last()) / 1000, slices.last().span.fromUs / 1000);
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Home);
    QTest::keyClick(chart, Qt::Key_Right);
    tests::picture(m_view.get(), "contention-bars");
    QVERIFY2(chart->accessibleDescription().contains(QStringLiteral("observed")),
             qPrintable(chart->accessibleDescription()));
    QTest::keyClick(chart, Qt::Key_Return);
    QCOMPARE(asked.count(), 2);
    QCOMPARE(fromOf(asked.last().last()) / 1000, slices.at(1).span.fromUs / 1000);
}

/** In a window of 1280 × 800: charts that can be compared, their values, and every row of the heat map. */
void TestContentionView::aWeekIsSeenWhole()
{
    openWithCourse();
    m_view->resize(1144, 715);
    m_view->findChild<QComboBox *>(QStringLiteral("range"))->setCurrentIndex(int(ContentionRange::Week));
    QTRY_VERIFY(!m_view->panel()->series().isReading() && !m_view->panel()->series().slices().isEmpty());
    const auto *heat = m_view->findChild<app::charts::HeatMap *>();
    QTRY_VERIFY(heat->isVisible() && heat->days().size() >= 7);
    QTRY_COMPARE(heat->visibleRegion().boundingRect().height(), heat->height());
    const auto charts = m_view->findChildren<app::charts::SliceChart *>();
    const auto withBars = [&charts] {
        return std::count_if(charts.cbegin(), charts.cend(),
                             [](const auto *chart) { return chart->top() > 0; });
    };
    QTRY_VERIFY(withBars() >= 2);
    for (const auto *chart : charts) {
        if (chart->slices().isEmpty() || chart->top() <= 0)
            continue;
        QVERIFY2(chart->plot().height() >= 118, qPrintable(QString::number(chart->plot().height())));
        QCOMPARE(chart->scale().last(), QStringLiteral("0"));
        QVERIFY(!chart->scale().at(0).isEmpty() && !chart->scale().at(1).isEmpty());
        QCOMPARE(chart->visibleRegion().boundingRect().height(), chart->height());
    }
    QVERIFY(table()->viewport()->height() >= 4 * DataTable::rowHeight(m_rig->context));
}

/** A narrow window shows two charts beside each other: all fit at the right. */
void TestContentionView::noChartIsCutOff()
{
    openWithCourse();
    QTRY_VERIFY(!m_view->panel()->series().isReading() && !m_view->panel()->series().slices().isEmpty());
    const auto rowsOfCharts = [this] {
        QSet<int> rows;
        for (const auto *chart : m_view->findChildren<app::charts::SliceChart *>())
            rows.insert(chart->y());
        return rows.size();
    };
    const QWidget *panel = m_view->panel();
    for (const int width : {700, 1144}) {
        m_view->resize(width, 715);
        QTRY_COMPARE(rowsOfCharts(), width < 1000 ? 2 : 1);
        QTRY_VERIFY2(
            panel->width() <= panel->parentWidget()->width(),
            qPrintable(QStringLiteral("%1 of %2").arg(panel->width()).arg(panel->parentWidget()->width())));
    }
}

/** A cell of the heat map opens its events, too. */
void TestContentionView::hoursAnswer()
{
    openWithCourse();
    auto *heat = m_view->findChild<app::charts::HeatMap *>();
    m_view->findChild<QComboBox *>(QStringLiteral("range"))->setCurrentIndex(int(ContentionRange::Day));
    QTRY_VERIFY(heat->isVisible());
    const auto &read = m_view->panel()->series();
    QTRY_VERIFY(!read.isReading() && !read.slices().isEmpty() && read.slices().last().figures);
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    const int day = int(heat->days().size()) - 1;
    int hour = app::charts::HeatMap::kHours - 1;
    while (!heat->days().at(day).hours.at(hour).inRange)
        --hour;
    QTest::mouseClick(heat, Qt::LeftButton, {}, heat->placeOf(day, hour).center());
    QCOMPARE(asked.count(), 1);
    QCOMPARE(fromOf(asked.last().last()) / 1000, read.slices().last().span.fromUs / 1000);
    if (hour + 1 < app::charts::HeatMap::kHours) // after the range: no query
        QTest::mouseClick(heat, Qt::LeftButton, {}, heat->placeOf(day, hour + 1).center());
    QCOMPARE(asked.count(), 1);
    QVERIFY(heat->focusPolicy() & Qt::TabFocus);
    heat->setFocus();
    QTest::keyClick(heat, Qt::Key_Left); // to the last hour
    QTest::keyClick(heat, Qt::Key_Left);
    QVERIFY(!heat->accessibleName().isEmpty());
    QVERIFY(heat->accessibleDescription().contains(QStringLiteral(" – ")));
    tests::picture(m_view.get(), "contention-hours");
    QTest::keyClick(heat, Qt::Key_Return);
    QCOMPARE(asked.count(), 2);
    const auto &slices = read.slices();
    QCOMPARE(fromOf(asked.last().last()) / 1000, slices.at(slices.size() - 2).span.fromUs / 1000);
    QTest::keyClick(heat, Qt::Key_Right);
    QTest::keyClick(heat, Qt::Key_Right); // there is nothing after the last hour
    QTest::keyClick(heat, Qt::Key_Space);
    QCOMPARE(asked.count(), 3);
    QCOMPARE(fromOf(asked.last().last()) / 1000, slices.last().span.fromUs / 1000);
}

/**
 * When another view asks for the last hour, the range stays relative. Any other hour becomes a fixed range.
 */
void TestContentionView::opensAtARange()
{
    open({lock("17", 90'000'000)});
    constexpr qint64 hour = 3'600'000'000;
    const qint64 now = m_rig->clock.wallUs();
    m_view->setRange(now - 25 * hour, now - 24 * hour);
    const auto *range = m_view->findChild<QComboBox *>(QStringLiteral("range"));
    QCOMPARE(range->currentIndex(), int(ContentionRange::Custom));
    QTRY_VERIFY(std::any_of(m_rig->ranges.cbegin(), m_rig->ranges.cend(), [&](const auto &asked) {
        return asked.fromUs == now - 25 * hour && asked.toUs == now - 24 * hour;
    }));
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(m_view->model()->fromUs(), now - 25 * hour);
    m_view->setRange(now - hour, now);
    QCOMPARE(range->currentIndex(), int(ContentionRange::Hour));
    QTRY_COMPARE(m_view->model()->toUs(), now);
}

/**
 * A range chosen in the fields comes back with its times, also from saved text, and whatever zone is shown.
 */
void TestContentionView::aChosenRangeComesBack()
{
    open({lock("17", 90'000'000)});
    m_view->findChild<QComboBox *>(QStringLiteral("range"))->setCurrentIndex(int(ContentionRange::Custom));
    const QDateTime from(QDate(2026, 11, 17), QTime(3, 30), Qt::UTC);
    const auto fieldsOf = [](const ContentionView &view) {
        const auto at = [&view](const char *name) {
            return view.findChild<QDateTimeEdit *>(QLatin1String(name))->dateTime();
        };
        return std::pair(at("from"), at("to"));
    };
    m_view->findChild<QDateTimeEdit *>(QStringLiteral("from"))->setDateTime(from);
    m_view->findChild<QDateTimeEdit *>(QStringLiteral("to"))->setDateTime(from.addSecs(5400));
    QVariantMap kept = m_view->saveState();
    kept[QStringLiteral("range")] = kept.value(QStringLiteral("range")).toString();
    m_rig->times.setZone(app::words::Zone::Local);
    ContentionView other(m_rig->context);
    other.restoreState(kept);
    QCOMPARE(other.findChild<QComboBox *>(QStringLiteral("range"))->currentIndex(),
             int(ContentionRange::Custom));
    QCOMPARE(fieldsOf(other).first, from);
    QCOMPARE(fieldsOf(other).second, from.addSecs(5400));
    QCOMPARE(other.saveState(), kept);
}

void TestContentionView::exports()
{
    QList<domain::Contention> locks{lock("=cmd|' /C calc'!A0", 90'000'000), lock("a,\"b\"", 3'000'000),
                                    lock("c", -1)};
    for (domain::Contention &one : locks)
        one.key = {QStringLiteral("orders"), "redis.token", "db0", one.key.name};
    open(locks);
    const QJsonObject record = m_view->model()->record(0);
    QCOMPARE(record.value(QLatin1String("lock")).toString(), QStringLiteral("=cmd|' /C calc'!A0"));
    QCOMPARE(record.value(QLatin1String("agent")).toString(), QStringLiteral("fake"));
    QCOMPARE(record.value(QLatin1String("wait_total_us")).toInteger(), 90'000'000);
    QVERIFY(m_view->model()->record(2).value(QLatin1String("wait_total_us")).isNull()); // waiters not shown
    tests::compareExports(*m_view, *m_rig, *m_view->model());
    m_view->model()->setGrouping(app::models::ContentionGrouping::Source);
    const QJsonObject sum = m_view->model()->record(0);
    QCOMPARE(sum.value(QLatin1String("locks")).toInt(), 3);
    QVERIFY(sum.value(QLatin1String("lock")).isNull() && sum.value(QLatin1String("wait_p50_us")).isNull());
}

void TestContentionView::emptyAndFailed()
{
    open({});
    QTRY_VERIFY2(labels().contains(QStringLiteral("No contention in this range")), qPrintable(labels()));
    m_rig->failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("too long"), {}};
    m_view->refresh();
    QTRY_VERIFY2(labels().contains(QStringLiteral("too long")), qPrintable(labels()));
    m_rig->failure.reset();
    m_rig->contention.locks = {lock("17", 1)};
    m_view->refresh();
    QTRY_COMPARE(m_view->shownRows(), 1);
}

/** After a failure, the last ranking stays, in another colour, and names its time. */
void TestContentionView::failureKeepsTheRanking()
{
    open({lock("17", 90'000'000), lock("18", 1'000'000)});
    QCOMPARE(m_view->shownRows(), 2);
    const BannerArea *banners = m_view->list()->banners();
    QVERIFY(banners->texts().isEmpty() && !table()->isStale());
    const qint64 fromUs = m_view->model()->fromUs();
    QTRY_VERIFY(!m_view->panel()->series().isReading());
    tests::picture(m_view.get(), "contention-read");
    m_rig->failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("too long"), {}};
    m_view->findChild<QComboBox *>(QStringLiteral("range"))->setCurrentIndex(int(ContentionRange::Week));
    QTRY_COMPARE(banners->texts().size(), 1);
    QVERIFY2(banners->texts().first().contains(QStringLiteral("too long")) &&
                 banners->texts().first().contains(m_rig->times.dateTime(fromUs)),
             qPrintable(banners->texts().first()));
    QCOMPARE(m_view->shownRows(), 2);
    QVERIFY(table()->isVisible() && table()->isStale());
    tests::picture(m_view.get(), "contention-stale");
    table()->selectRow(1); // no claim about a series that can't be read
    QTRY_VERIFY2(labels().contains(QStringLiteral("not read yet")), qPrintable(labels()));
    QVERIFY2(!labels().contains(QStringLiteral("No waiting")), qPrintable(labels()));
    m_rig->failure.reset();
    QTRY_VERIFY(button(QStringLiteral("Try again")));
    button(QStringLiteral("Try again"))->click();
    QTRY_VERIFY(banners->texts().isEmpty());
    QVERIFY(table()->isVisible() && !table()->isStale());
}

/** The locks of a table are those of its indexes, and none of a table whose name begins so. */
void TestContentionView::aTableIsNoOtherTable()
{
    domain::Contention other = lock("19", 1'000'000);
    other.key.place = "app.jobs_old/PRIMARY";
    open({lock("17", 90'000'000), other});
    m_view->findChild<QComboBox *>(QStringLiteral("group"))
        ->setCurrentIndex(int(app::models::ContentionGrouping::Place));
    QTRY_VERIFY(!m_view->model()->isLoading());
    QCOMPARE(m_view->shownRows(), 2);
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_Return);
    QTRY_COMPARE(m_view->shownRows(), 1);
    QCOMPARE(cell(0, app::models::ContentionLockColumn), QStringLiteral("jobs 17"));
}

void TestContentionView::splitterStaysWhereItWas()
{
    open({lock("17", 90'000'000)});
    const auto sizes = [](const ContentionView &view) { return view.findChild<QSplitter *>()->sizes(); };
    const auto *handle = m_view->findChild<QSplitter *>()->handle(1);
    QTRY_VERIFY(sizes(*m_view).last() > 0); // the layout has given the charts their room
    const QList<int> before = sizes(*m_view);
    const QPoint at = handle->rect().center();
    QTest::mousePress(const_cast<QSplitterHandle *>(handle), Qt::LeftButton, {}, at);
    QTest::mouseMove(const_cast<QSplitterHandle *>(handle), at - QPoint(0, 40));
    QTest::mouseRelease(const_cast<QSplitterHandle *>(handle), Qt::LeftButton, {}, at - QPoint(0, 40));
    QVERIFY(sizes(*m_view) != before);
    ContentionView other(m_rig->context);
    other.resize(m_view->size());
    other.show();
    other.activate();
    QTRY_COMPARE(sizes(other), sizes(*m_view));
    QTRY_COMPARE(other.shownRows(), 1);
    const QList<int> moved = sizes(*m_view);
    m_rig->settings.resetLayout();
    // The parts have their preferred heights, which depend on what each view has read and laid out.
    QVERIFY(sizes(*m_view).first() > moved.first());
    QVERIFY(sizes(other).first() > moved.first());
    QVERIFY(m_rig->settings.splitter(QString::fromLatin1(m_view->id())).isEmpty());
}

void TestContentionView::cancelledIsNotEmpty()
{
    open({});
    QTRY_VERIFY2(labels().contains(QStringLiteral("No contention in this range")), qPrintable(labels()));
    m_rig->mute = true;
    m_view->refresh();
    QPushButton *cancel = nullptr;
    QTRY_VERIFY((cancel = button(QStringLiteral("Cancel"))));
    cancel->click();
    QTRY_VERIFY2(labels().contains(QStringLiteral("Nothing was read")), qPrintable(labels()));
    QVERIFY2(!labels().contains(QStringLiteral("No contention")), qPrintable(labels()));
    m_rig->mute = false;
    m_rig->contention.locks = {lock("17", 1)};
    QTRY_VERIFY(button(QStringLiteral("Try again")));
    button(QStringLiteral("Try again"))->click();
    QTRY_COMPARE(m_view->shownRows(), 1);
}

void TestContentionView::speaksAnotherLanguage()
{
    open({lock("17", -1)});
    const tests::BracketLanguage language;
    QTRY_VERIFY(m_view->title().startsWith(QLatin1Char('[')));
    QTRY_VERIFY(labels().contains(QStringLiteral("[?: this scheme")));
    for (int column = 0; column < app::models::ContentionColumnCount; ++column)
        QVERIFY(m_view->model()->headerData(column, Qt::Horizontal).toString().startsWith(QLatin1Char('[')));
}

LOCKKEEPER_TEST(TestContentionView)

} // namespace tst_contention_view

#include "tst_contention_view.moc"
