// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/query.h"
#include "app/views/overview/attention_table.h"
#include "app/views/overview/costs_panel.h"
#include "app/views/overview/figure_tile.h"
#include "app/views/overview/fired_list.h"
#include "app/views/overview/line_list.h"
#include "app/views/overview/overview_view.h"
#include "app/views/overview/source_strip.h"
#include "app/views/overview/verdict_band.h"
#include "app/views/overview/waiting_panel.h"
#include "app/views/widgets/banner_area.h"
#include "app/words/lock_text.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>

namespace tst_overview_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

/** The Overview: verdict, numbers, rows that don't move under a hand, sources. */
class TestOverviewView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void saysWhatIsWrong();
    void unseenWaitersReadAsInTheList();
    void namesActiveAlerts();
    void tilesTellSourcesFromLocks();
    void namesWhereEachLockIs();
    void fitsAWindow_data();
    void fitsAWindow();
    void silentSourceComesFirst();
    void numbersOpenTheirView_data();
    void numbersOpenTheirView();
    void rowsOpenTheirLock();
    void aLockUnderReleaseOpensAlone();
    void orderIsFrozenUnderAHand();
    void selectionFollowsTheLock();
    void atMostTwenty();
    void lastHourBesideOthers();
    void sumsOfManyLocksAreExact();
    void gapsAreBreaks();
    void topOpensItsRanking();
    void breaksOpenTheAudit();
    void failedReadingKeepsWhatWasRead();
    void emptyLoadingAndFailed();
    void speaksAnotherLanguage();

private:
    void open(const QList<domain::LockState> &locks);
    QString verdict() const { return m_view->findChild<VerdictBand *>()->sentence(); }
    FigureTile *tile(int number) const { return m_view->findChildren<FigureTile *>().at(number); }
    QByteArray names() const
    {
        QByteArrayList all;
        for (int row = 0; row < m_view->model()->rowCount(); ++row)
            all.append(m_view->model()->at(row)->lock.key.name);
        return all.join(' ');
    }
    static domain::Contention cost(const QByteArray &name, qint64 waitedUs)
    {
        domain::Contention cost;
        cost.key = {QStringLiteral("s"), "redis.token", "db0", name};
        cost.waitersVisible = true;
        cost.waits = {3, waitedUs, waitedUs / 3, waitedUs / 3, waitedUs / 2};
        cost.acquisitions = 60;
        cost.observedUs = 3'600'000'000;
        return cost;
    }
    static domain::LockState contended(const QByteArray &name, qint64 sinceUs)
    {
        domain::LockState lock = ViewRig::lock(name);
        lock.waitersVisible = true;
        lock.waiters.append({"w9", sinceUs, {}, 0});
        return lock;
    }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<OverviewView> m_view;
};

void TestOverviewView::init()
{
    m_rig = std::make_unique<ViewRig>();
}

void TestOverviewView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

void TestOverviewView::open(const QList<domain::LockState> &locks)
{
    const QSignalSpy table(&m_rig->replica, &app::replica::Replica::reset);
    QVERIFY(m_rig->connectWith(locks));
    QTRY_VERIFY(m_rig->isLive() && !table.isEmpty());
    QTRY_COMPARE(m_rig->replica.locks().size(), locks.size());
    m_rig->show({m_rig->source(QStringLiteral("s"))});
    QTRY_VERIFY(!m_rig->replica.sources().isEmpty());
    m_view = std::make_unique<OverviewView>(m_rig->context);
    new QAbstractItemModelTester(m_view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest,
                                 m_view->model());
    m_view->resize(1144, 720);
    m_view->show();
    m_view->activate();
}

void TestOverviewView::saysWhatIsWrong()
{
    const qint64 now = m_rig->clock.wallUs();
    open({ViewRig::stuckLock("a"), ViewRig::expiredLock("<b>e</b>"), contended("c", now - 131'000'000),
          ViewRig::lock("fine")});
    tests::picture(m_view.get(), "overview");
    QCOMPARE(verdict(),
             QStringLiteral("1 stuck; 1 expired; 1 contended, 1 waiting, the longest for 2 min 11 s"));
    QCOMPARE(names(), QByteArray("a <b>e</b> c"));
    QStringList figures;
    for (const FigureTile *one : m_view->findChildren<FigureTile *>()) {
        figures.append(one->figure());
        QVERIFY(!one->accessibleName().isEmpty() && one->height() >= 24 && one->focusPolicy() != Qt::NoFocus);
    }
    QCOMPARE(figures.join(QLatin1Char(' ')), QStringLiteral("0 4 0 1 1 1 1 00:02:11"));
    // Nobody observed the lock's beginning, so the view doesn't present it as one.
    m_rig->clock.advanceUs(1'000'000);
    domain::LockState found = ViewRig::stuckLock("a");
    found.acquiredBy = domain::Evidence::FirstSeen;
    found.acquiredUs = now - 600'000'000;
    m_rig->replica.takeUnjournalled({found}, {});
    m_rig->replica.flush();
    m_view->look(true);
    const auto cell = [this](int column) {
        return m_view->table()->model()->index(0, column).data().toString();
    };
    QVERIFY2(cell(app::overview::AttentionForColumn).startsWith(QStringLiteral("≥ 00:10:0")),
             qPrintable(cell(app::overview::AttentionForColumn)));
    QVERIFY2(cell(app::overview::AttentionSinceColumn).startsWith(QStringLiteral("≤ ")),
             qPrintable(cell(app::overview::AttentionSinceColumn)));
    QCOMPARE(m_view->table()->model()->index(1, app::overview::AttentionLockColumn).data().toString(),
             QStringLiteral("<b>e</b>"));
    // The mark isn't cut off either if the beginning was days ago, in a window with room for the column.
    m_view->resize(1784, 1000);
    found.acquiredUs = now - 3 * 86'400'000'000;
    m_rig->replica.takeUnjournalled({found}, {});
    m_rig->replica.flush();
    m_view->look(true);
    const QModelIndex since = m_view->table()->model()->index(0, app::overview::AttentionSinceColumn);
    QVERIFY2(m_view->table()->sizeHintForIndex(since).width() <= m_view->table()->columnWidth(since.column()),
             qPrintable(since.data().toString()));
}

void TestOverviewView::unseenWaitersReadAsInTheList()
{
    domain::LockState lock = ViewRig::stuckLock("a");
    lock.waitersVisible = false;
    open({lock});
    const QModelIndex waiting = m_view->table()->model()->index(0, app::overview::AttentionWaitingColumn);
    QCOMPARE(waiting.data().toString(), app::words::LockText::waiters(lock));
    QCOMPARE(waiting.data().toString(), QStringLiteral("—"));
}

/** The number of sources stands apart from those of locks, below another title. */
void TestOverviewView::namesActiveAlerts()
{
    using tests::firedAlert;
    m_rig->book.emplace();
    domain::Alert critical = firedAlert("a1", "a");
    critical.severity = domain::AlertSeverity::Critical;
    domain::Alert taken = firedAlert("a2", "b");
    taken.acknowledgedUs = taken.firedUs + 1;
    m_rig->book->alerts = {firedAlert("a3", "c"), taken, critical};
    open({ViewRig::stuckLock("a")});
    QTRY_VERIFY(m_rig->alerts.isKnown({}));
    m_view->look(true); // 720 px: one line
    QCOMPARE(m_view->findChild<FiredList *>()->findChild<LineList *>()->lines().size(), 1);
    m_view->resize(1144, 900);
    m_view->look(true);
    const auto *fired = m_view->findChild<FiredList *>();
    QTRY_VERIFY(fired->isVisible());
    tests::picture(m_view.get(), "overview-alerts");
    const QList<QAbstractButton *> lines = fired->findChild<LineList *>()->lines();
    QCOMPARE(lines.size(), 2); // the gravest first, the acknowledged one not at all
    QCOMPARE(lines.first()->accessibleName(), QStringLiteral("Critical: “a” in s is stuck."));
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    lines.first()->click();
    QCOMPARE(asked.first().at(0).toByteArray(), QByteArray("alerts"));
    QCOMPARE(asked.first().at(1).toString(), QStringLiteral("a1"));
    for (domain::Alert alert : QList<domain::Alert>(m_rig->book->alerts)) {
        alert.resolvedUs = alert.firedUs + 2;
        m_rig->book->change(m_rig->agent, alert);
    }
    QTRY_COMPARE(m_rig->alerts.activeCount(), 0);
    m_view->look(true);
    QVERIFY(!fired->isVisible());
}

void TestOverviewView::tilesTellSourcesFromLocks()
{
    open({ViewRig::lock("a"), ViewRig::expiredLock("b")});
    const auto *sources = m_view->findChild<QLabel *>(QStringLiteral("sourceTiles"));
    const auto *locks = m_view->findChild<QLabel *>(QStringLiteral("lockTiles"));
    QCOMPARE(sources->text(), QStringLiteral("Sources"));
    QCOMPARE(locks->text(), QStringLiteral("Locks of the observed sources"));
    QTRY_COMPARE(locks->x(), tile(1)->x());
    QCOMPARE(sources->x(), tile(0)->x());
    const int between = tile(2)->x() - tile(1)->geometry().right();
    QVERIFY(tile(1)->x() - tile(0)->geometry().right() >= 2 * between - 1);
    QCOMPARE(tile(1)->figure(), QStringLiteral("2"));
    m_rig->replica.takeUnjournalled({}, {ViewRig::lock("a").key});
    m_rig->replica.flush();
    m_view->look(true);
    QCOMPARE(tile(1)->figure(), QStringLiteral("1"));
}

/** Each list names the source and the table or place of its locks, as their names repeat. */
void TestOverviewView::namesWhereEachLockIs()
{
    m_rig->contention.locks = {cost("a", 90'000'000)};
    domain::AuditEntry entry;
    entry.id = 7;
    entry.timeUs = m_rig->clock.wallUs() - 60'000'000;
    entry.key = ViewRig::stuckLock("a").key;
    m_rig->audit = {entry};
    open({ViewRig::stuckLock("a")});
    const AttentionTable *table = m_view->table();
    QVERIFY(!table->isColumnHidden(app::overview::AttentionWhereColumn));
    QCOMPARE(table->model()->index(0, app::overview::AttentionWhereColumn).data().toString(),
             QStringLiteral("s · db0"));
    const auto *costs = m_view->findChild<CostsPanel *>();
    QTRY_COMPARE(costs->top()->lines().size(), 1);
    QTRY_COMPARE(costs->breaks()->lines().size(), 1);
    for (const LineList *list : {costs->top(), costs->breaks()}) {
        const QString words = list->lines().first()->accessibleName();
        QVERIFY2(words.contains(QStringLiteral("a (s · db0)")), qPrintable(words));
    }
}

void TestOverviewView::fitsAWindow_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QStringLiteral("en");
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

/** Nothing scrolls in a window of 1280 × 800, and a lock's name keeps its room. */
void TestOverviewView::fitsAWindow()
{
    QFETCH(QString, language);
    m_rig->language.setLanguage(language);
    m_rig->contention.locks = {cost("a", 90'000'000), cost("b", 30'000'000)};
    open({ViewRig::stuckLock("a"), ViewRig::expiredLock("b")});
    m_view->resize(1144, 1100); // the charts grow with their window, and shrink again
    QTRY_COMPARE(m_view->findChild<CostsPanel *>()->top()->lines().size(), 2);
    QTRY_COMPARE(m_view->findChild<app::charts::SliceChart *>()->slices().size(), 61);
    QTRY_VERIFY(m_view->findChild<app::charts::SliceChart *>()->plot().height() > 300);
    m_view->resize(1144, 715); // beside the navigation, above the status bar
    const auto *scroll = m_view->findChild<QScrollArea *>();
    QTRY_COMPARE(scroll->verticalScrollBar()->maximum(), 0);
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
    QVERIFY(m_view->table()->columnWidth(app::overview::AttentionLockColumn) >= 180);
    QVERIFY(m_view->findChild<app::charts::SliceChart *>()->plot().height() >= 60);
}

void TestOverviewView::silentSourceComesFirst()
{
    open({ViewRig::stuckLock("a")});
    m_rig->clock.advanceUs(120'000'000);
    m_view->look(true);
    QVERIFY2(verdict().startsWith(QStringLiteral("s not seen for 2 min 0 s; ")), qPrintable(verdict()));
    QCOMPARE(names(), QByteArray());
    QCOMPARE(tile(0)->figure(), QStringLiteral("1"));
    for (int other = 1; other < 8; ++other) // the locks' states are unknown now
        QCOMPARE(tile(other)->figure(), QStringLiteral("?"));
    const auto says = [this](const char *words) {
        const auto labels = m_view->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
                           [words](const QLabel *label) { return label->text() == QLatin1String(words); });
    };
    QVERIFY(says("No source is observed now") && !says("No lock needs attention"));
    const auto chips = m_view->findChild<SourceStrip *>()->chips();
    QCOMPARE(chips.size(), 1);
    QVERIFY2(chips.first()->accessibleName().contains(QStringLiteral("not seen for 2 min 0 s")),
             qPrintable(chips.first()->accessibleName()));
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    QTest::keyClick(chips.first(), Qt::Key_Space);
    QCOMPARE(asked.last().first().toByteArray(), QByteArray("sources"));
    QCOMPARE(asked.last().last().toString(), QStringLiteral("s"));
    m_rig->show({m_rig->source(QStringLiteral("t"))});
    QTRY_VERIFY(m_rig->replica.source(QStringLiteral("t")));
    m_view->look(true);
    QVERIFY(says("No observed lock needs attention"));
    QCOMPARE(tile(3)->figure(), QStringLiteral("0"));
}

void TestOverviewView::numbersOpenTheirView_data()
{
    QTest::addColumn<int>("tile");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QString>("filter");
    const auto row = [](const char *name, int tile, const char *id, const char *filter) {
        QTest::newRow(name) << tile << QByteArray(id) << QString::fromLatin1(filter);
    };
    row("unseen", 0, "sources", "");
    row("held", 1, "locks", "state:held,expiring,contended,expired,stuck");
    row("unreadable", 2, "locks", "state:unknown");
    row("stuck", 3, "locks", "state:stuck");
    row("expired", 4, "locks", "state:expired");
    row("contended", 5, "locks", "state:contended");
    row("waiting", 6, "locks", "waiters>0");
    row("longest", 7, "locks", "state:contended");
}

void TestOverviewView::numbersOpenTheirView()
{
    QFETCH(int, tile);
    QFETCH(QByteArray, id);
    QFETCH(QString, filter);
    open({contended("c", m_rig->clock.wallUs() - 131'000'000)});
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    QSignalSpy lock(&m_rig->requests, &Requests::lockAsked);
    FigureTile *one = this->tile(tile);
    one->setFocus();
    QTest::keyClick(one, Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toByteArray(), id);
    QCOMPARE(asked.first().last().toString(), filter);
    if (id == "locks")
        QVERIFY(app::filter::parseQuery(filter));
    QCOMPARE(lock.count(), tile == 7 ? 1 : 0);
}

void TestOverviewView::rowsOpenTheirLock()
{
    open({ViewRig::stuckLock("a"), ViewRig::stuckLock("b")});
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    QSignalSpy lock(&m_rig->requests, &Requests::lockAsked);
    m_view->table()->selectRow(1);
    QCOMPARE(m_rig->selection.current()->name, QByteArray("b"));
    QTest::keyClick(m_view->table(), Qt::Key_Return);
    QCOMPARE(asked.last().last().toString(), QStringLiteral("state:stuck"));
    QCOMPARE(lock.last().first().value<domain::LockKey>().name, QByteArray("b"));
    QMenu menu;
    menu.addAction(QStringLiteral("x"));
    m_view->setContextMenu(&menu);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
    QCoreApplication::sendEvent(m_view->table()->viewport(), &event);
    QVERIFY(menu.isVisible());
    menu.hide();
}

/** The view opens this lock alone, without the locks whose names contain its name. */
void TestOverviewView::aLockUnderReleaseOpensAlone()
{
    const domain::LockState a = ViewRig::stuckLock("a");
    open({a, ViewRig::stuckLock("a2")});
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    m_view->table()->selectRow(0);
    QCOMPARE(m_rig->selection.current(), std::optional(a.key));
    m_rig->replica.setReleasing(a.key, true);
    QTest::keyClick(m_view->table(), Qt::Key_Return);
    QCOMPARE(asked.last().last().toString(), app::filter::filterFor(a.key));
    const auto query = app::filter::parseQuery(asked.last().last().toString());
    QVERIFY(query && app::filter::matches(*query, a.key));
    QVERIFY(!app::filter::matches(*query, ViewRig::stuckLock("a2").key));
}

/**
 * A row stays in place while a mouse button is down, whatever its lock does. Then the view sorts the rows
 * again.
 */
void TestOverviewView::orderIsFrozenUnderAHand()
{
    domain::LockState b = ViewRig::stuckLock("b");
    b.acquiredUs = m_rig->clock.wallUs() - 1'000'000;
    open({b});
    domain::LockState a = ViewRig::stuckLock("a");
    a.acquiredUs = m_rig->clock.wallUs() - 900'000'000;
    const QPoint at = m_view->table()->visualRect(m_view->model()->index(0, 0)).center();
    QTest::mousePress(m_view->table()->viewport(), Qt::LeftButton, {}, at);
    m_rig->replica.takeUnjournalled({a, ViewRig::lock("b")}, {});
    m_rig->replica.flush();
    m_view->look(true);
    QCOMPARE(names(), QByteArray("b"));
    QVERIFY(m_view->model()->isSettled(0));
    QCOMPARE(tile(3)->figure(), QStringLiteral("1")); // the numbers go on
    QTest::mouseRelease(m_view->table()->viewport(), Qt::LeftButton, {}, at);
    QTRY_COMPARE(names(), QByteArray("a"));
}

void TestOverviewView::selectionFollowsTheLock()
{
    domain::LockState b = ViewRig::stuckLock("b");
    b.acquiredUs = m_rig->clock.wallUs() - 500'000'000;
    open({b, ViewRig::stuckLock("c")});
    m_view->table()->selectRow(m_view->model()->rowOf(b.key));
    domain::LockState a = ViewRig::stuckLock("a");
    a.acquiredUs = m_rig->clock.wallUs() - 900'000'000;
    m_rig->replica.takeUnjournalled({a}, {});
    m_rig->replica.flush();
    m_view->look(true);
    QCOMPARE(m_rig->selection.current()->name, QByteArray("b"));
    QCOMPARE(m_view->table()->selectedRowNumbers(), QList<int>{m_view->model()->rowOf(b.key)});
    QVERIFY(m_view->showsLock(b.key));
    // The lock vanishes: the view selects nothing else in its place.
    m_rig->replica.takeUnjournalled({}, {b.key});
    m_rig->replica.flush();
    m_view->look(true);
    QVERIFY(m_view->table()->selectedRowNumbers().isEmpty());
    QCOMPARE(m_rig->selection.current()->name, QByteArray("b"));
    QVERIFY(!m_view->showsLock(b.key));
}

void TestOverviewView::atMostTwenty()
{
    QList<domain::LockState> locks;
    for (int i = 0; i < 33; ++i)
        locks.append(ViewRig::stuckLock(QByteArray::number(i)));
    open(locks);
    QCOMPARE(m_view->model()->rowCount(), 20);
    QPushButton *more = nullptr;
    const auto find = [this, &more] {
        for (QPushButton *button : m_view->findChildren<QPushButton *>()) {
            if (button->isVisible() && button->text() == QLatin1String("and 13 more"))
                more = button;
        }
        return more != nullptr;
    };
    QTRY_VERIFY(find());
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    more->click();
    QCOMPARE(asked.last().first().toByteArray(), QByteArray("locks"));
    QVERIFY(app::filter::parseQuery(asked.last().last().toString()));
}

void TestOverviewView::lastHourBesideOthers()
{
    m_rig->contention.locks = {cost("a", 90'000'000), cost("b", 30'000'000)};
    const qint64 now = m_rig->clock.wallUs();
    m_rig->waiting = [now](protocol::WaitingPage &page) {
        if (now - page.toUs > 100'000'000'000) // a week ago
            page.sources.first().gaps = {{page.fromUs, page.toUs}};
    };
    open({});
    const auto *hours = m_view->findChild<HoursPanel *>();
    QTRY_COMPARE(hours->cell(0, 0), QStringLiteral("00:02:00"));
    QTRY_COMPARE(hours->cell(1, 1), QStringLiteral("6"));
    QCOMPARE(hours->cell(2, 1), QStringLiteral("120"));
    QCOMPARE(hours->cell(4, 1), QStringLiteral("100.0%"));
    // That hour wasn't observed: the view shows no number, whatever the journal's ranking says.
    for (int row = 0; row < 5; ++row)
        QTRY_COMPARE(hours->cell(row, 2), QStringLiteral("—"));
    QSignalSpy asked(&m_rig->requests, &Requests::rangeAsked);
    hours->head(1)->setFocus();
    QTest::keyClick(hours->head(1), Qt::Key_Space);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().at(0).toByteArray(), QByteArray("contention"));
    QCOMPARE(asked.first().at(3).toLongLong(), now - 24 * 3'600'000'000LL);
}

/** The agent lists only some of the locks. It sums the waits of all; the other sums are lower bounds. */
void TestOverviewView::sumsOfManyLocksAreExact()
{
    m_rig->contention.locks = {cost("a", 90'000'000), cost("b", 30'000'000)};
    m_rig->contention.more = true;
    m_rig->contention.waitedUs = 180'000'000;
    m_rig->contention.waits = 1'234;
    open({});
    const auto *hours = m_view->findChild<HoursPanel *>();
    QTRY_COMPARE(hours->cell(0, 0), QStringLiteral("00:03:00"));
    QCOMPARE(hours->cell(1, 0), QStringLiteral("1,234"));
    QCOMPARE(hours->cell(2, 0), QStringLiteral("≥ 120"));
}

/** A minute of which not all is known has no bar: no line is drawn over it, and no zero. */
void TestOverviewView::gapsAreBreaks()
{
    m_rig->waiting = [](protocol::WaitingPage &page) {
        protocol::SourceWaiting &source = page.sources.first();
        if (source.waitedUs.isEmpty())
            return;
        source.gaps = {{page.fromUs + 600'000'000, page.fromUs + 720'000'000}};
        source.waitedUs[3] = 120'000'000;
        page.sources.append({QStringLiteral("orders-db"), page.toUs, {}, QList<qint64>(60, 0)});
    };
    open({contended("c", m_rig->clock.wallUs() - 131'000'000)});
    const auto *chart = m_view->findChild<app::charts::SliceChart *>();
    QTRY_COMPARE(chart->slices().size(), 61);
    QCOMPARE(chart->slices().at(3).low.value_or(-1), 2.0);
    QCOMPARE(chart->slices().at(4).low.value_or(-1), 0.0);
    for (const int minute : {10, 11}) {
        QVERIFY(!chart->slices().at(minute).low);
        QCOMPARE(chart->slices().at(minute).observed, 0.0);
    }
    QCOMPARE(chart->hatched().size(), 1);
    QTRY_COMPARE(chart->slices().last().low.value_or(-1), 1.0); // now
    tests::picture(m_view.get(), "overview-gaps");
    const auto *chip = m_view->findChild<SourceStrip *>()->chips().first();
    QTRY_VERIFY2(chip->accessibleDescription().contains(QStringLiteral("(00:02:00)")),
                 qPrintable(chip->accessibleDescription()));
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    auto *bars = m_view->findChild<app::charts::SliceChart *>();
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Home);
    QTest::keyClick(bars, Qt::Key_Return);
    QCOMPARE(asked.last().first().toByteArray(), QByteArray("history"));
    QVERIFY(app::filter::parseQuery(asked.last().last().toString(), app::filter::QueryScope::History));
    QTest::keyClick(bars, Qt::Key_End);
    QTest::keyClick(bars, Qt::Key_Return);
    QCOMPARE(asked.last().last().toString(), QStringLiteral("waiters>0"));
    // Once a source isn't observed, the current number of waiters isn't known either.
    m_rig->clock.advanceUs(50'000'000);
    m_view->look(true);
    QVERIFY(!chart->slices().last().low);
}

void TestOverviewView::topOpensItsRanking()
{
    for (int i = 0; i < 7; ++i)
        m_rig->contention.locks.append(cost("lock " + QByteArray::number(i), 90'000'000 - i));
    m_rig->contention.locks.first().waits.count = 2'140;
    const QLocale before;
    const auto restore = qScopeGuard([&before] { QLocale::setDefault(before); });
    QLocale::setDefault(QLocale::English); // as in the console
    open({});
    const auto lines = [this] { return m_view->findChild<CostsPanel *>()->top()->lines(); };
    QTRY_COMPARE(lines().size(), 5);
    for (const QAbstractButton *line : lines())
        QVERIFY(line->height() >= 24 && !line->accessibleName().isEmpty());
    QVERIFY2(lines().first()->accessibleName().contains(QStringLiteral("2,140 wait")),
             qPrintable(lines().first()->accessibleName()));
    QSignalSpy asked(&m_rig->requests, &Requests::rangeAsked);
    QTest::mouseClick(lines().at(2), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().at(0).toByteArray(), QByteArray("contention"));
    QCOMPARE(asked.first().at(1).toString(), QStringLiteral("source:=s place:=db0 lock:=\"lock 2\""));
    QVERIFY(app::filter::parseQuery(asked.first().at(1).toString(), app::filter::QueryScope::Ranking));
    QCOMPARE(asked.first().at(3).toLongLong() - asked.first().at(2).toLongLong(), 3'600'000'000LL);
}

void TestOverviewView::breaksOpenTheAudit()
{
    domain::AuditEntry entry;
    entry.id = 7;
    entry.timeUs = m_rig->clock.wallUs() - 60'000'000;
    entry.key = {QStringLiteral("s"), "redis.token", "db0", "<b>a</b>"};
    entry.who = QStringLiteral("kim");
    entry.outcome = domain::Outcome::Released;
    domain::AuditEntry old = entry;
    old.id = 6;
    old.timeUs -= 100'000'000'000;
    m_rig->audit = {entry, old};
    open({});
    const auto lines = [this] { return m_view->findChild<CostsPanel *>()->breaks()->lines(); };
    QTRY_COMPARE(lines().size(), 1);
    QSignalSpy asked(&m_rig->requests, &Requests::viewAsked);
    lines().first()->setFocus();
    QTest::keyClick(lines().first(), Qt::Key_Space);
    QCOMPARE(asked.last().first().toByteArray(), QByteArray("audit"));
    QVERIFY2(app::filter::parseQuery(asked.last().last().toString(), app::filter::QueryScope::Audit),
             qPrintable(asked.last().last().toString()));
}

void TestOverviewView::failedReadingKeepsWhatWasRead()
{
    m_rig->contention.locks = {cost("a", 90'000'000)};
    open({});
    const auto *hours = m_view->findChild<HoursPanel *>();
    QTRY_COMPARE(hours->cell(0, 0), QStringLiteral("00:01:30"));
    m_rig->failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("too long"), {}};
    m_view->refresh();
    auto *banners = m_view->findChild<BannerArea *>();
    QTRY_VERIFY(banners->hasBanner(QByteArrayLiteral("unread")));
    QCOMPARE(hours->cell(0, 0), QStringLiteral("00:01:30"));
    m_rig->failure.reset();
    m_view->refresh();
    QTRY_VERIFY(!banners->hasBanner(QByteArrayLiteral("unread")));
}

void TestOverviewView::emptyLoadingAndFailed()
{
    m_view = std::make_unique<OverviewView>(m_rig->context);
    m_view->show();
    const auto labels = [this] {
        QStringList texts;
        for (const QLabel *label : m_view->findChildren<QLabel *>()) {
            if (label->isVisible())
                texts += label->text();
        }
        return texts.join(QLatin1Char('\n'));
    };
    QVERIFY2(!labels().contains(QStringLiteral("Reading")), "a quick answer doesn't flash");
    QTRY_VERIFY2(labels().contains(QStringLiteral("Reading…")), qPrintable(labels()));
    QVERIFY(m_rig->connectWith({}));
    QTRY_VERIFY2(labels().contains(QStringLiteral("No source is configured")), qPrintable(labels()));
    m_rig->show({m_rig->source(QStringLiteral("s"))});
    QTRY_VERIFY2(labels().contains(QStringLiteral("No lock needs attention")), qPrintable(labels()));
    m_view->look(true);
    QCOMPARE(verdict(), QStringLiteral("No problem in the observed sources"));
    const auto *chart = m_view->findChild<app::charts::SliceChart *>();
    QTRY_COMPARE(chart->slices().size(), 61);
    m_rig->agent.stop();
    QTRY_VERIFY2(verdict().contains(QStringLiteral("The agent can't be reached")), qPrintable(verdict()));
    // After a while, the loaded hour is no longer the last hour, and can't be reloaded.
    QVERIFY2(chart->title() == QLatin1String("Waiting, last hour"), qPrintable(chart->title()));
    m_rig->clock.advanceUs(300'000'000);
    QTRY_VERIFY2(chart->title().startsWith(QLatin1String("Waiting, the hour until ")),
                 qPrintable(chart->title()));
    QVERIFY2(!chart->title().contains(QLatin1String("2026-")), qPrintable(chart->title()));
    m_rig->clock.advanceUs(86'400'000'000);
    for (const char *words : {"Waiting, the hour until 2026-", "Most waiting in the hour until 2026-",
                              "Force-releases in the 24 hours until 2026-"})
        QTRY_VERIFY2((chart->title() + labels()).contains(QLatin1String(words)), qPrintable(labels()));
}

void TestOverviewView::speaksAnotherLanguage()
{
    open({ViewRig::stuckLock("a")});
    const tests::BracketLanguage other;
    QTRY_VERIFY2(verdict().startsWith(QLatin1Char('[')), qPrintable(verdict()));
    QStringList left;
    for (const QLabel *label : m_view->findChildren<QLabel *>()) {
        const bool words = label->text().contains(QRegularExpression(QStringLiteral("[a-z]{3}")));
        if (label->isVisible() && words && !label->text().contains(QLatin1Char('[')))
            left.append(label->text());
    }
    QVERIFY2(left.isEmpty(), qPrintable(left.join(QLatin1Char('\n'))));
}

LOCKKEEPER_TEST(TestOverviewView)

} // namespace tst_overview_view

#include "tst_overview_view.moc"
