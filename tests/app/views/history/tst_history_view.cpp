// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/records/records.h"
#include "app/views/history/history_view.h"
#include "app/views/history/holds_page.h"
#include "app/views/history/time_bar.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/words.h"
#include "shared/base/text.h"
#include "tests/app/views/support/exported.h"
#include "tests/app/views/support/view_rig.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

#include <ctime>

namespace tst_history_view {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ViewRig;

namespace {
constexpr qint64 kSecond = 1'000'000;
}

class TestHistoryView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void readsTheNewestPageOnActivate();
    void timeBarSpansTheJournal();
    void scrollingReadsOnBeforeTheEnd();
    void anyDepthInBoundedMemory();
    void pagesThatNobodyWaitsForAreTakenBack_data();
    void pagesThatNobodyWaitsForAreTakenBack();
    void filterIsApplied();
    void wrongFilterIsExplainedAndFiltersNothing();
    void tailingStopsOnScroll();
    void followsWhileItIsSeen_data();
    void followsWhileItIsSeen();
    void standsStillUnderAButton();
    void reportsOnTheLockOfAnEvent();
    void standsStillWhileAMenuIsOpen();
    void standsStillWhileARowIsSelected();
    void aFilterErrorMovesNothing();
    void goesToATimeAndKeepsItInSight();
    void aTypedTimeIsTakenAsTyped_data();
    void aTypedTimeIsTakenAsTyped();
    void aTimeThatIsNoneIsExplained();
    void timesHaveMilliseconds();
    void aTypedTimeIsRestatedInAnotherZone_data();
    void aTypedTimeIsRestatedInAnotherZone();
    void thePositionEndsWithItsFilter_data();
    void thePositionEndsWithItsFilter();
    void gapIsOneRowAcrossAllColumns_data();
    void gapIsOneRowAcrossAllColumns();
    void failureOffersTryAgain();
    void readingAnewKeepsWhatThereIs();
    void readingHoldsCanBeCancelled();
    void emptyStatesSayWhy();
    void cancelledReadingIsNotCalledEmpty();
    void searchTellsHowFarItHasCome_data();
    void searchTellsHowFarItHasCome();
    void exportGoesOnThroughEmptySlices();
    void copiesAsTextAndJson();
    void exportsAllThatFits_data();
    void exportsAllThatFits();
    void exportsAllHolds();
    void forcedReleasesTellByWhomAndWhy();
    void waitsTellWhoAndHowLong_data();
    void waitsTellWhoAndHowLong();
    void holdsHaveATab();
    void holdsAreReadPageByPage();
    void holdsComeWithTheirAgent();
    void onlyThisLockIsThatOfItsSource();
    void aRowOpensItsMoment();
    void hostileNamesAreLiteral();
    void entersThroughTheKeyboard();
    void speaksAnotherLanguage();
    void remembersItsFilter();

private:
    void answerInSlices(quint64 muteAt);
    void open(int events);
    void activate();
    bool says(const QString &text) const;
    template <typename W> W *button(const QString &text) const;
    QLineEdit *timeField() const;
    void type(QLineEdit *field, const QString &text) const;
    int topRow() const { return m_table->rowAt(0); }
    QScrollBar *bar() const { return m_table->verticalScrollBar(); }

    std::unique_ptr<ViewRig> m_rig;
    std::unique_ptr<HistoryView> m_view;
    DataTable *m_table = nullptr;
};

void TestHistoryView::init()
{
    m_rig = std::make_unique<ViewRig>();
}

void TestHistoryView::cleanup()
{
    m_view.reset();
    m_rig.reset();
}

/** Connects a console to a journal of `events` and shows the view without activating it. */
void TestHistoryView::open(int events)
{
    m_rig->keepMany(events);
    QVERIFY(m_rig->connectAgent());
    QTRY_VERIFY(m_rig->isLive());
    m_view = std::make_unique<HistoryView>(m_rig->context);
    m_view->resize(1000, 640);
    m_table = m_view->findChild<DataTable *>(QStringLiteral("history"));
    QVERIFY(m_table);
    m_view->show();
}

void TestHistoryView::activate()
{
    m_view->activate();
    QTRY_VERIFY(m_view->model()->rowCount() > 0);
    QTRY_COMPARE(m_view->model()->phase(), app::models::HistoryModel::LoadPhase::Idle);
}

/** Returns true if a visible label contains `text`. */
bool TestHistoryView::says(const QString &text) const
{
    const QList<QLabel *> labels = m_view->findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&text](const QLabel *label) {
        return label->isVisible() && label->text().contains(text);
    });
}

template <typename W> W *TestHistoryView::button(const QString &text) const
{
    const QList<W *> buttons = m_view->findChildren<W *>();
    for (W *one : buttons) {
        if (one->isVisible() && one->text() == text)
            return one;
    }
    return nullptr;
}

QLineEdit *TestHistoryView::timeField() const
{
    const QList<QLineEdit *> fields = m_view->findChildren<QLineEdit *>();
    const auto found = std::find_if(fields.begin(), fields.end(), [](const QLineEdit *field) {
        return field->accessibleName() == QLatin1String("Time to go to");
    });
    return found == fields.end() ? nullptr : *found;
}

/** Replaces the field's text, key by key. */
void TestHistoryView::type(QLineEdit *field, const QString &text) const
{
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
}

void TestHistoryView::readsTheNewestPageOnActivate()
{
    open(450);
    QCOMPARE(m_rig->agent.received<protocol::HistoryQuery>().size(), 0);
    activate();
    auto asked = m_rig->agent.received<protocol::HistoryQuery>();
    // Besides the page, the view asks one question for the time bar: the time of the journal's oldest event.
    asked.removeIf([](const protocol::HistoryQuery &query) { return query.limit == 1 && !query.descending; });
    QCOMPARE(asked.size(), 1);
    QVERIFY(asked.first().descending);
    QCOMPARE(asked.first().limit, 200);
    QCOMPARE(m_view->model()->rowCount(), 200);
    QCOMPARE(m_view->model()->at(0)->seq, quint64(450));
    QVERIFY(m_table->isVisible());
    QVERIFY(says(QStringLiteral("450 event(s) in the journal, following")));
    m_view->activate(); // again: no second reading
    QCOMPARE(m_view->model()->rowCount(), 200);
    m_rig->agent.stop();
    QTRY_VERIFY(!says(QStringLiteral("following"))); // no agent to follow
    QVERIFY(says(QStringLiteral("450 event(s) in the journal")));
}

void TestHistoryView::timeBarSpansTheJournal()
{
    open(450);
    activate();
    auto *timeBar = m_view->findChild<TimeBar *>(QStringLiteral("timeBar"));
    // One event a second: more than the 200 that were read.
    QTRY_VERIFY(timeBar->scale().newestUs - timeBar->scale().oldestUs >= 449'000'000);
    QTest::mouseClick(timeBar, Qt::LeftButton, {}, QPoint(5, timeBar->height() - 2));
    // The view soon reads newer rows above it: only the last row and the visible rows count.
    const auto showsTheBeginning = [this] {
        const int rows = m_view->model()->rowCount();
        const events::LockEvent *top = m_view->model()->at(topRow());
        return rows > 0 && m_view->model()->at(rows - 1)->seq == 1 && top && top->seq < 60;
    };
    QTRY_VERIFY(showsTheBeginning());
}

void TestHistoryView::scrollingReadsOnBeforeTheEnd()
{
    open(450);
    activate();
    bar()->setValue(110); // 90 rows before the end of the loaded rows
    QTRY_COMPARE(m_view->model()->rowCount(), 400);
    QCOMPARE(topRow(), 110);
    bar()->setValue(bar()->maximum());
    QTRY_COMPARE(m_view->model()->rowCount(), 450);
    QCOMPARE(m_view->model()->at(449)->seq, quint64(1));
    QVERIFY(!m_view->model()->hasOlder());
}

/** To the first event and back, page by page, through more than is kept. */
void TestHistoryView::anyDepthInBoundedMemory()
{
    constexpr int kEvents = 24'000;
    constexpr int kKept = 20'000;
    open(kEvents);
    activate();
    const app::models::HistoryModel *model = m_view->model();
    const auto newest = [model] { return model->at(0)->seq; };
    const auto oldest = [model] { return model->at(model->rowCount() - 1)->seq; };
    while (model->hasOlder()) {
        const quint64 before = oldest();
        bar()->setValue(bar()->maximum());
        QVERIFY(QTest::qWaitFor([&] {
            bar()->setValue(bar()->maximum()); // the scroll bar's range grows a turn after the rows
            return oldest() < before;
        }));
        QVERIFY(model->rowCount() <= kKept);
    }
    QCOMPARE(oldest(), quint64(1));
    QCOMPARE(model->rowCount(), kKept);
    while (model->hasNewer()) {
        const quint64 before = newest();
        QVERIFY(QTest::qWaitFor([&] {
            bar()->setValue(bar()->minimum());
            return newest() > before;
        }));
        QVERIFY(model->rowCount() <= kKept);
    }
    for (int row = 0; row < model->rowCount(); ++row)
        QCOMPARE(model->at(row)->seq, quint64(kEvents - row));
}

void TestHistoryView::pagesThatNobodyWaitsForAreTakenBack_data()
{
    QTest::addColumn<QString>("then");
    QTest::newRow("another filter") << QStringLiteral("filter");
    QTest::newRow("another time") << QStringLiteral("time");
    QTest::newRow("the newest") << QStringLiteral("newest");
    QTest::newRow("the button") << QStringLiteral("cancel");
}

/** The view cancels its request, so that the agent stops reading; meanwhile nothing in the view waits. */
void TestHistoryView::pagesThatNobodyWaitsForAreTakenBack()
{
    QFETCH(QString, then);
    open(900);
    activate();
    const auto lastAsked = [this] { return m_rig->agent.received<protocol::HistoryQuery>().last(); };
    m_rig->mute = true;
    bar()->setValue(110);
    QTRY_VERIFY(lastAsked().beforeSeq && lastAsked().limit == 200);
    const quint64 id = lastAsked().id;
    QCOMPARE(m_view->model()->phase(), app::models::HistoryModel::LoadPhase::Loading);
    if (then == QLatin1String("filter"))
        m_view->setFilter(QStringLiteral("name:rare"));
    else if (then == QLatin1String("time"))
        Q_EMIT m_view->findChild<TimeBar *>(QStringLiteral("timeBar"))
            ->timeAsked(m_rig->clock.wallUs() - 300 * kSecond);
    else if (then == QLatin1String("newest"))
        m_view->refresh();
    else {
        QTRY_VERIFY(button<QPushButton>(QStringLiteral("Cancel")));
        QTest::mouseClick(button<QPushButton>(QStringLiteral("Cancel")), Qt::LeftButton);
    }
    QTRY_VERIFY(m_rig->agent.received<protocol::Cancel>().contains(protocol::Cancel{id}));
}

void TestHistoryView::filterIsApplied()
{
    open(300);
    activate();
    auto *filter = m_view->findChild<FilterEdit *>();
    m_view->focusFilter();
    QTest::keyClicks(filter, QStringLiteral("name:rare"));
    QTRY_COMPARE(m_view->model()->rowCount(), 30);
    for (int row = 0; row < 30; ++row)
        QCOMPARE(m_view->model()->at(row)->key.name, QByteArray("rare"));
    QVERIFY(says(QStringLiteral("among about 300 event(s)")));
}

void TestHistoryView::wrongFilterIsExplainedAndFiltersNothing()
{
    open(100);
    activate();
    m_view->setFilter(QStringLiteral("name:rare"));
    QTRY_COMPARE(m_view->model()->rowCount(), 10);
    m_view->setFilter(QStringLiteral("sorce:s"));
    QVERIFY(says(QStringLiteral("Unknown field “sorce”. Did you mean “source”?")));
    QTRY_COMPARE(m_view->model()->rowCount(), 100); // without the previous filter
    m_view->setFilter(QStringLiteral("source:s"));
    QVERIFY(!says(QStringLiteral("Unknown field")));
    QTRY_COMPARE(m_view->model()->rowCount(), 100);
}

void TestHistoryView::tailingStopsOnScroll()
{
    open(100);
    activate();
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->rowCount(), 101);
    QCOMPARE(topRow(), 0);

    bar()->setValue(20);
    const quint64 seen = m_view->model()->at(topRow())->seq;
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->newCount(), 2);
    QCOMPARE(m_view->model()->rowCount(), 101);
    QCOMPARE(m_view->model()->at(topRow())->seq, seen);
    QVERIFY(!says(QStringLiteral("following")));
    // English has its plural forms in a separate translation; here the source text appears.
    QToolButton *fresh = button<QToolButton>(QStringLiteral("2 new"));
    QVERIFY(fresh);
    QTest::mouseClick(fresh, Qt::LeftButton);
    QTRY_COMPARE(m_view->model()->rowCount(), 103);
    QCOMPARE(topRow(), 0);
    QVERIFY(!fresh->isVisible());
    QVERIFY(says(QStringLiteral("following")));
}

void TestHistoryView::followsWhileItIsSeen_data()
{
    QTest::addColumn<int>("meanwhile");
    QTest::addColumn<int>("rows");
    QTest::newRow("few are kept") << 3 << 103;
    QTest::newRow("many are asked for") << 1100 << 200;
}

/** A hidden history gathers no rows; shown again it keeps following the newest. */
void TestHistoryView::followsWhileItIsSeen()
{
    QFETCH(int, meanwhile);
    QFETCH(int, rows);
    open(100);
    activate();
    m_view->hide();
    for (int i = 0; i < meanwhile; ++i)
        m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->newCount(), meanwhile);
    QCOMPARE(m_view->model()->rowCount(), 100);
    m_view->show();
    QTRY_COMPARE(m_view->model()->rowCount(), rows);
    QCOMPARE(m_view->model()->at(0)->seq, quint64(100 + meanwhile));
    QCOMPARE(topRow(), 0);
    QTRY_VERIFY(says(QStringLiteral("following")));
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->at(0)->seq, quint64(101 + meanwhile));
}

void TestHistoryView::standsStillUnderAButton()
{
    open(100);
    activate();
    const QPoint third = m_table->visualRect(m_view->model()->index(2, 0)).center();
    QTest::mousePress(m_table->viewport(), Qt::RightButton, {}, third); // selects nothing by itself
    m_table->clearSelection();
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->newCount(), 1);
    QCOMPARE(m_view->model()->rowCount(), 100);
    QTest::mouseRelease(m_table->viewport(), Qt::RightButton, {}, third);
    for (QWidget *popup = QApplication::activePopupWidget(); popup; popup = QApplication::activePopupWidget())
        popup->close();
    QTRY_COMPARE(m_view->model()->rowCount(), 101);
    QVERIFY(says(QStringLiteral("following")));
}

void TestHistoryView::reportsOnTheLockOfAnEvent()
{
    open(100);
    activate();
    const events::LockEvent event = *m_view->model()->at(2);
    QSignalSpy report(&m_rig->requests, &app::views::Requests::reportAsked);
    Q_EMIT m_table->customContextMenuRequested(m_table->visualRect(m_view->model()->index(2, 0)).center());
    QTRY_VERIFY(QApplication::activePopupWidget());
    for (QAction *action : QApplication::activePopupWidget()->actions()) {
        if (action->text() == QStringLiteral("&Report…"))
            action->trigger();
    }
    QApplication::activePopupWidget()->close();
    QCOMPARE(report.size(), 1);
    QCOMPARE(report.first().at(0).value<domain::LockKey>(), event.key);
    QCOMPARE(report.first().at(1).toLongLong(), event.timeUs - 600 * base::kSecondUs);
    QCOMPARE(report.first().at(2).toLongLong(), event.timeUs + 600 * base::kSecondUs);
}

void TestHistoryView::standsStillWhileAMenuIsOpen()
{
    open(100);
    activate();
    Q_EMIT m_table->customContextMenuRequested(m_table->visualRect(m_view->model()->index(2, 0)).center());
    QTRY_VERIFY(QApplication::activePopupWidget());
    QTRY_VERIFY(!m_view->model()->isTailing());
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->newCount(), 1);
    QCOMPARE(m_view->model()->rowCount(), 100);
    QApplication::activePopupWidget()->close();
    QTRY_COMPARE(m_view->model()->rowCount(), 101);
}

/** The visible rows stay in place while a row is selected. A button above leads back to the newest event. */
void TestHistoryView::standsStillWhileARowIsSelected()
{
    open(100);
    activate();
    m_table->selectRow(3);
    const quint64 seen = m_view->model()->at(3)->seq;
    for (int i = 0; i < 128; ++i)
        m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_COMPARE(m_view->model()->newCount(), 128);
    QCOMPARE(m_view->model()->at(3)->seq, seen);
    QCOMPARE(m_table->selectedRowNumbers(), QList<int>{3});
    QVERIFY(!says(QStringLiteral("following")));
    QToolButton *fresh = button<QToolButton>(QStringLiteral("128 new"));
    QVERIFY(fresh);
    m_table->clearSelection();
    QTRY_COMPARE(m_view->model()->rowCount(), 228);
    QCOMPARE(topRow(), 0);
    QVERIFY(says(QStringLiteral("following")));
}

void TestHistoryView::aFilterErrorMovesNothing()
{
    open(20);
    activate();
    const auto places = [this] {
        return QList<QPoint>{m_table->viewport()->mapTo(m_view.get(), QPoint()),
                             timeField()->mapTo(m_view.get(), QPoint())};
    };
    const QList<QPoint> before = places();
    m_view->setFilter(QStringLiteral("sorce:s"));
    QVERIFY(says(QStringLiteral("Unknown field “sorce”")));
    QCoreApplication::processEvents(); // the layout's turn
    QCOMPARE(places(), before);
}

void TestHistoryView::goesToATimeAndKeepsItInSight()
{
    open(900);
    activate();
    const qint64 at = m_rig->clock.wallUs() - 500 * kSecond;
    type(timeField(), m_rig->times.dateTime(at));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Go to time")), Qt::LeftButton);
    // The newer page comes in above, and the requested time stays in place.
    QTRY_COMPARE(m_view->model()->rowCount(), 400);
    QCOMPARE(m_view->model()->at(topRow())->timeUs, at);
    QVERIFY(!m_view->model()->isTailing());
    bar()->setValue(50);
    QTRY_COMPARE(m_view->model()->rowCount(), 600);
    QCOMPARE(m_view->model()->at(topRow())->timeUs, at + 150 * kSecond);
}

void TestHistoryView::aTypedTimeIsTakenAsTyped_data()
{
    QTest::addColumn<QString>("form");
    QTest::newRow("time of day") << QStringLiteral("HH:mm:ss");
    QTest::newRow("with the date") << QStringLiteral("yyyy-MM-dd HH:mm:ss");
    QTest::newRow("as the filter takes it") << QStringLiteral("yyyy-MM-ddTHH:mm:ss");
}

void TestHistoryView::aTypedTimeIsTakenAsTyped()
{
    QFETCH(QString, form);
    open(900);
    activate();
    const qint64 at = m_rig->clock.wallUs() / kSecond * kSecond - 500 * kSecond;
    type(timeField(), QDateTime::fromMSecsSinceEpoch(at / 1000, QTimeZone::utc()).toString(form));
    QTest::keyClick(timeField(), Qt::Key_Return);
    QTRY_VERIFY(!m_view->model()->isTailing() && m_view->model()->rowCount() > 0);
    const auto asked = m_rig->agent.received<protocol::HistoryQuery>();
    const bool sent = std::any_of(asked.begin(), asked.end(),
                                  [at](const protocol::HistoryQuery &query) { return query.toUs == at; });
    QVERIFY(sent);
}

void TestHistoryView::aTimeThatIsNoneIsExplained()
{
    open(20);
    activate();
    type(timeField(), QStringLiteral("25:61"));
    QTest::keyClick(timeField(), Qt::Key_Return);
    QVERIFY(says(QStringLiteral("“25:61” isn't a time.")));
    QTRY_VERIFY(m_view->model()->isTailing()); // a while after the last key
    type(timeField(), QStringLiteral("2"));
    QVERIFY(!says(QStringLiteral("isn't a time")));
}

/** Events of one second differ in their milliseconds, with no setting, and the column has room for them. */
void TestHistoryView::timesHaveMilliseconds()
{
    events::LockEvent event = ViewRig::eventAt(m_rig->clock.wallUs() - 10 * kSecond, "a");
    event.timeUs = event.timeUs / kSecond * kSecond + 402'000;
    m_rig->keep(event);
    open(0);
    activate();
    QVERIFY(!m_rig->times.milliseconds());
    const QModelIndex time = m_table->model()->index(0, app::models::TimeColumn);
    QVERIFY2(time.data().toString().endsWith(QStringLiteral(".402")), qPrintable(time.data().toString()));
    QVERIFY(m_table->sizeHintForIndex(time).width() <= m_table->columnWidth(time.column()));
}

void TestHistoryView::aTypedTimeIsRestatedInAnotherZone_data()
{
    QTest::addColumn<QString>("inUtc");
    QTest::addColumn<QString>("inShanghai");
    const auto row = [](const char *inUtc, const char *inShanghai) {
        QTest::newRow(inUtc) << QString::fromLatin1(inUtc) << QString::fromLatin1(inShanghai);
    };
    row("2026-11-17 02:40:13", "2026-11-17 10:40:13");
    row("2026-11-17 23:10", "2026-11-18 07:10:00");
    row("-15m", "-15m");
    row("no time", "no time");
}

void TestHistoryView::aTypedTimeIsRestatedInAnotherZone()
{
    QFETCH(QString, inUtc);
    QFETCH(QString, inShanghai);
    const QByteArray zone = qgetenv("TZ");
    const auto restore = qScopeGuard([&zone] {
        zone.isNull() ? qunsetenv("TZ") : qputenv("TZ", zone);
        tzset();
    });
    qputenv("TZ", "Asia/Shanghai");
    tzset();
    open(10);
    activate();
    type(timeField(), inUtc);
    m_rig->times.setMilliseconds(true);
    QCOMPARE(timeField()->text(), inUtc);
    m_rig->times.setZone(app::words::Zone::Local);
    QCOMPARE(timeField()->text(), inShanghai);
}

void TestHistoryView::thePositionEndsWithItsFilter_data()
{
    QTest::addColumn<bool>("filterFirst");
    QTest::newRow("the filter is written after going there") << false;
    QTest::newRow("going there with the filter in force") << true;
}

/** The first matching event is later than the requested time: the view shows it all the same. */
void TestHistoryView::thePositionEndsWithItsFilter()
{
    QFETCH(bool, filterFirst);
    m_rig->keepMany(900);
    events::LockEvent forced = ViewRig::eventAt(m_rig->clock.wallUs() - 10 * kSecond, "forced");
    forced.kind = events::EventKind::ForceReleased;
    m_rig->keep(forced);
    open(0);
    activate();
    const QString filter = QStringLiteral("event:force_released from:") +
                           m_rig->times.time(m_rig->clock.wallUs() - 60 * kSecond);
    const auto goBack = [this] {
        type(timeField(), m_rig->times.dateTime(m_rig->clock.wallUs() - 500 * kSecond));
        QTest::keyClick(timeField(), Qt::Key_Return);
    };
    if (filterFirst) {
        m_view->setFilter(filter);
        QTRY_COMPARE(m_view->model()->rowCount(), 1);
        goBack();
    } else {
        goBack();
        QTRY_VERIFY(!m_view->model()->isTailing() && m_view->model()->rowCount() > 0);
        type(m_view->findChild<FilterEdit *>(), filter);
    }
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
    QTRY_COMPARE(m_view->model()->phase(), app::models::HistoryModel::LoadPhase::Idle);
    QCOMPARE(m_view->model()->at(0)->key.name, QByteArray("forced"));
    QVERIFY(!says(QStringLiteral("No event matches this filter")));
    QVERIFY(!m_view->model()->hasNewer());
}

void TestHistoryView::gapIsOneRowAcrossAllColumns_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("selected");
    QTest::newRow("light") << false << false;
    QTest::newRow("dark") << true << false;
    QTest::newRow("selected") << false << true;
}

void TestHistoryView::gapIsOneRowAcrossAllColumns()
{
    QFETCH(bool, dark);
    QFETCH(bool, selected);
    using app::presentation::Appearance;
    m_rig->theme.setAppearance(dark ? Appearance::Dark : Appearance::Light);
    m_rig->keepMany(5);
    m_rig->keep(ViewRig::gapAt(m_rig->clock.wallUs()));
    open(5);
    activate();
    const int row = 5;
    if (selected)
        m_table->selectRow(row);
    const QRect first = m_table->visualRect(m_view->model()->index(row, 0));
    const QRect whole(0, first.top(), m_table->viewport()->width(), first.height());
    const QImage image = m_table->viewport()->grab(whole).toImage();
    const QImage above = m_table->viewport()->grab(whole.translated(0, -first.height())).toImage();
    // Number of pixels in a stretch that contrast with the background: text, but not hatching.
    const auto ink = [](const QImage &of, int from, int to) {
        const int ground = qGray(of.pixel(0, 0));
        int count = 0;
        for (int y = 0; y < of.height(); ++y) {
            for (int x = from; x < to; ++x)
                count += std::abs(qGray(of.pixel(x, y)) - ground) > 130 ? 1 : 0;
        }
        return count;
    };
    const int width = image.width();
    QVERIFY2(ink(above, 0, width / 7) > 20, "a usual row has its time at the left");
    QCOMPARE(ink(image, 0, width / 7), 0);
    QCOMPARE(ink(image, width - width / 7, width), 0);
    QVERIFY2(ink(image, width / 3, width - width / 3) > 100, "the gap's sentence stands in the middle");
    // The hatching continues across every border of columns.
    const auto differs = [&image](int x) {
        for (int y = 1; y < image.height(); ++y) {
            if (image.pixel(x, y) != image.pixel(x, 0))
                return true;
        }
        return false;
    };
    for (int x = 0; x < width / 7; ++x)
        QVERIFY2(differs(x), qPrintable(QString::number(x)));
}

void TestHistoryView::failureOffersTryAgain()
{
    m_rig->failure = base::Error{base::ErrorCode::Storage, QStringLiteral("The <b>disk</b> is gone"), {}};
    open(10);
    m_view->activate();
    QTRY_VERIFY(says(QStringLiteral("The <b>disk</b> is gone")));
    QVERIFY(!m_table->isVisible());
    QVERIFY(!says(QStringLiteral("in the journal")));
    // Buttons come into sight with the next round of events.
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Copy details")));
    m_rig->failure.reset();
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Try again")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Try again")), Qt::LeftButton);
    QTRY_COMPARE(m_view->model()->rowCount(), 10);
    QTRY_VERIFY(m_table->isVisible());
}

/** Reading again needs an agent. Without an agent, the attempt loses nothing. */
void TestHistoryView::readingAnewKeepsWhatThereIs()
{
    protocol::Hold hold;
    hold.key = tests::heldLock("a").key;
    hold.id = 1;
    m_rig->holds = {hold};
    open(10);
    activate();
    m_rig->agent.stop();
    QTRY_VERIFY(!m_rig->isLive());
    QSignalSpy message(&m_rig->requests, &app::views::Requests::messageCame);
    m_view->refresh();
    QCOMPARE(message.size(), 1);
    QCOMPARE(m_view->model()->rowCount(), 10);
    QVERIFY(m_rig->agent.start());
    QTRY_VERIFY(m_rig->isLive());
    m_view->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
    m_rig->failure = base::Error{base::ErrorCode::Timeout, QStringLiteral("too long"), {}};
    m_view->refresh();
    QCOMPARE(m_view->shownRows(), std::optional<qint64>(1));
    QTRY_VERIFY(says(QStringLiteral("Not read again: too long")));
    QCOMPARE(m_view->shownRows(), std::optional<qint64>(1));
}

/** Matching holds may be many pages away. */
void TestHistoryView::readingHoldsCanBeCancelled()
{
    open(10);
    activate();
    m_rig->mute = true;
    m_view->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Cancel")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Cancel")), Qt::LeftButton);
    QTRY_VERIFY(says(QStringLiteral("Reading was cancelled.")));
    QTRY_COMPARE(m_rig->agent.received<protocol::Cancel>().size(), 1);
    QVERIFY(!says(QStringLiteral("No holds yet")));
    m_rig->mute = false;
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Try again")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Try again")), Qt::LeftButton);
    QTRY_VERIFY(says(QStringLiteral("No holds yet")));
    m_view->setFilter(QStringLiteral("name:nothing"));
    QTRY_VERIFY(says(QStringLiteral("No hold matches this filter")));
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Show all holds")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Show all holds")), Qt::LeftButton);
    QTRY_VERIFY(says(QStringLiteral("No holds yet")));
}

void TestHistoryView::emptyStatesSayWhy()
{
    open(0);
    m_view->activate();
    QTRY_VERIFY(says(QStringLiteral("No events yet")));
    m_rig->agent.publish(ViewRig::eventAt(m_rig->clock.wallUs()));
    QTRY_VERIFY(m_table->isVisible());
    m_view->setFilter(QStringLiteral("name:nothing"));
    QTRY_VERIFY(says(QStringLiteral("No event matches this filter")));
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Show all events")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Show all events")), Qt::LeftButton);
    QTRY_COMPARE(m_view->model()->rowCount(), 1);
}

void TestHistoryView::cancelledReadingIsNotCalledEmpty()
{
    m_rig->mute = true;
    open(10);
    m_view->activate();
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Cancel")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Cancel")), Qt::LeftButton);
    QTRY_VERIFY(says(QStringLiteral("Reading was cancelled.")));
    QTRY_COMPARE(m_rig->agent.received<protocol::Cancel>().size(), 1);
    QVERIFY(!says(QStringLiteral("No events yet")));
    m_rig->mute = false;
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Try again")));
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Try again")), Qt::LeftButton);
    QTRY_COMPARE(m_view->model()->rowCount(), 10);
}

/**
 * A search for a holder reads 100 numbers a page, in which only the events of w1 fit. No page reaches below
 * `muteAt`.
 */
void TestHistoryView::answerInSlices(quint64 muteAt)
{
    const auto usual = m_rig->agent.answer;
    m_rig->agent.answer = [this, usual,
                           muteAt](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::HistoryQuery>(&message);
        if (!query || query->holderGlob.isEmpty())
            return usual(message);
        const quint64 lastSeq = m_rig->agent.table.seq;
        const quint64 above = query->beforeSeq.value_or(lastSeq + 1);
        if (!query->inSlices || above <= muteAt)
            return std::nullopt;
        protocol::EventPage page{query->id, {}, above > 101, 1, lastSeq};
        page.reachedSeq = above > 101 ? above - 100 : 1;
        page.reachedUs = m_rig->agent.journal.at(qsizetype(*page.reachedSeq) - 1).timeUs;
        for (quint64 seq = above - 1; seq >= *page.reachedSeq; --seq) {
            const events::LockEvent &event = m_rig->agent.journal.at(qsizetype(seq) - 1);
            if (base::globMatches(query->holderGlob, event.owner))
                page.events.append(event);
        }
        return page;
    };
}

void TestHistoryView::searchTellsHowFarItHasCome_data()
{
    QTest::addColumn<int>("found");
    QTest::newRow("nothing yet") << 0;
    QTest::newRow("some") << 3;
}

void TestHistoryView::searchTellsHowFarItHasCome()
{
    QFETCH(int, found);
    open(900);
    activate();
    for (qsizetype i = 0; i < found; ++i)
        m_rig->agent.journal[899 - i].owner = "the-one";
    answerInSlices(501);
    m_view->setFilter(QStringLiteral("holder:the-one"));
    const auto at = [this](int seq) {
        return m_rig->context.times->nearTime(m_rig->agent.journal.at(seq - 1).timeUs, m_rig->clock.wallUs());
    };
    QTRY_VERIFY(says(QStringLiteral("Searched back to %1…").arg(at(501))));
    auto *cancel = button<QPushButton>(QStringLiteral("Cancel"));
    QVERIFY(cancel);
    QCOMPARE(m_view->model()->rowCount(), found);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Go on")));
    QVERIFY(says(found > 0 ? QStringLiteral("Reading was cancelled.")
                           : QStringLiteral("Reading was cancelled at %1").arg(at(501))));
    QVERIFY(!says(QStringLiteral("No event matches this filter")));
    const auto asked = m_rig->agent.received<protocol::HistoryQuery>().size();
    QCOMPARE(m_view->model()->phase(), app::models::HistoryModel::LoadPhase::Idle); // no further question
    answerInSlices(0);
    QTest::mouseClick(button<QPushButton>(QStringLiteral("Go on")), Qt::LeftButton);
    QTRY_VERIFY(!m_view->model()->hasOlder());
    QCOMPARE(m_rig->agent.received<protocol::HistoryQuery>().size(), asked + 5);
    QCOMPARE(m_view->model()->rowCount(), found);
    QCOMPARE(says(QStringLiteral("No event matches this filter")), found == 0);
}

void TestHistoryView::exportGoesOnThroughEmptySlices()
{
    open(900);
    activate();
    for (const qsizetype i : {30, 880})
        m_rig->agent.journal[i].owner = "the-one";
    answerInSlices(0);
    m_view->setFilter(QStringLiteral("holder:the-one"));
    QTRY_COMPARE(m_view->model()->rowCount(), 2);
    QCOMPARE(tests::exported(*m_view, *m_rig, QStringLiteral("a.jsonl")).size(), 2);
}

void TestHistoryView::copiesAsTextAndJson()
{
    open(20);
    m_view->resize(1250, 640); // room for the numbers
    activate();
    QVERIFY(!m_view->copyText());
    QVERIFY(!m_view->copyJson());
    m_table->selectRow(0);
    m_table->selectionModel()->select(m_view->model()->index(2, 0),
                                      QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(m_view->selectedRows(), qint64(2));
    QVERIFY(m_view->copyText());
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(QStringLiteral("Time (UTC)\t")));
    QVERIFY(text.contains(QStringLiteral("\t20")) && text.contains(QStringLiteral("\t18")));
    QVERIFY(!text.contains(QStringLiteral("\t19")));
    QVERIFY(m_view->copyJson());
    const QStringList lines =
        QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    const QJsonObject event = QJsonDocument::fromJson(lines.first().toUtf8()).object();
    QCOMPARE(event.value(QLatin1String("seq")).toInt(), 20);
    QCOMPARE(event.value(QLatin1String("agent")).toString(), QStringLiteral("fake"));
    QVERIFY(m_view->canExport());
}

void TestHistoryView::exportsAllThatFits_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<int>("rows");
    QTest::newRow("all") << QString() << 1'200;
    QTest::newRow("asked of the agent") << QStringLiteral("name:rare") << 120;
    QTest::newRow("left to the console") << QStringLiteral("-name:rare") << 1'080;
}

/** The export reads page by page from the agent, beyond the rows that the table has read. */
void TestHistoryView::exportsAllThatFits()
{
    QFETCH(QString, filter);
    QFETCH(int, rows);
    open(1'200);
    m_view->resize(1250, 640); // room for the numbers
    m_view->setFilter(filter);
    activate();
    QVERIFY(m_view->model()->rowCount() < 400);
    const QByteArrayList lines = tests::exported(*m_view, *m_rig, QStringLiteral("a.csv"));
    QCOMPARE(lines.size(), rows + 1);
    QVERIFY(lines.first().startsWith("seq,agent,source,"));
    const QByteArrayList objects = tests::exported(*m_view, *m_rig, QStringLiteral("a.jsonl"));
    QCOMPARE(objects.size(), rows);
    QSet<QString> seqs;
    for (const QByteArray &line : objects)
        seqs.insert(
            QJsonDocument::fromJson(line).object().value(QLatin1String("seq")).toVariant().toString());
    QCOMPARE(seqs.size(), rows); // each once
}

void TestHistoryView::exportsAllHolds()
{
    for (int i = 900; i > 0; --i) {
        protocol::Hold hold;
        hold.id = i;
        hold.key = tests::heldLock("=cmd|' /C calc'!A0").key;
        hold.owner = "w" + QByteArray::number(i);
        hold.fromUs = i * 1'000'000ll;
        hold.end = "released";
        m_rig->holds.append(hold);
    }
    open(10);
    activate();
    m_view->findChild<QTabBar *>()->setCurrentIndex(1);
    QTRY_VERIFY(m_view->holds()->model()->rowCount() > 0);
    const QByteArrayList lines = tests::exported(*m_view, *m_rig, QStringLiteral("holds.csv"));
    QCOMPARE(lines.size(), 901);
    QVERIFY2(lines.at(1).contains(",'=cmd"), lines.at(1).constData());
    const QByteArrayList objects = tests::exported(*m_view, *m_rig, QStringLiteral("holds.jsonl"));
    QCOMPARE(objects.size(), 900);
    const QJsonObject first =
        app::records::withAgent(app::records::holdObject(m_rig->holds.first()), QStringLiteral("fake"));
    QCOMPARE(objects.first() + '\n', app::records::jsonLine(first));
    QVERIFY(m_view->holds()->model()->rowCount() < 900);
}

/** The event holds only the command. The view asks the audit for author and reason, once for each command. */
void TestHistoryView::forcedReleasesTellByWhomAndWhy()
{
    events::LockEvent forced = ViewRig::eventAt(m_rig->clock.wallUs());
    forced.kind = events::EventKind::ForceReleased;
    forced.owner = "worker-7";
    forced.command = QByteArray(32, '7');
    m_rig->keep(forced);
    domain::AuditEntry other;
    other.id = 2;
    other.command = QByteArray(32, '8');
    other.reason = QStringLiteral("another one");
    domain::AuditEntry entry;
    entry.id = 1;
    entry.who = QStringLiteral("maria");
    entry.reason = QStringLiteral("<b>paged</b>, ticket 12");
    entry.command = forced.command;
    m_rig->audit = {other, entry};
    open(0);
    m_view->resize(1700, 640);
    activate();
    const auto by = [this] {
        return m_view->model()->index(0, app::models::EventByColumn).data().toString();
    };
    QTRY_COMPARE(by(), QStringLiteral("maria: <b>paged</b>, ticket 12"));
    QVERIFY(!m_table->isColumnHidden(app::models::EventByColumn));
    m_view->resize(1100, 640);
    QVERIFY(m_table->isColumnHidden(app::models::EventByColumn)); // shown in the line below instead
    m_table->selectRow(0);
    auto *text = m_view->findChild<PlainLabel *>(QStringLiteral("eventText"));
    tests::picture(m_view.get(), "history-forced");
    for (const char *part :
         {"maria", "<b>paged</b>, ticket 12", "77777777777777777777777777777777", "worker-7"})
        QVERIFY2(text->text().contains(QLatin1String(part)), qPrintable(text->text()));
    m_table->clearSelection();
    QCOMPARE(text->text(), QString());
    m_table->selectRow(0);
    QVERIFY(!text->text().isEmpty());
    m_view->setFilter(QStringLiteral("name:of-another-lock")); // which takes the row with its selection
    QCOMPARE(text->text(), QString());
}

void TestHistoryView::waitsTellWhoAndHowLong_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<std::optional<events::WaitOutcome>>("outcome");
    QTest::addColumn<QString>("says");
    QTest::newRow("start") << int(events::EventKind::WaitStart) << std::optional<events::WaitOutcome>()
                           << QStringLiteral("worker-9 began to wait for often, which w1 holds.");
    QTest::newRow("acquired") << int(events::EventKind::WaitEnd)
                              << std::optional(events::WaitOutcome::Acquired)
                              << QStringLiteral("worker-9 waited 4.0 s for often, and holds it now.");
    QTest::newRow("gone") << int(events::EventKind::WaitEnd) << std::optional(events::WaitOutcome::LockGone)
                          << QStringLiteral("worker-9 waited 4.0 s for often, which is no longer listed.");
    QTest::newRow("left") << int(events::EventKind::WaitEnd) << std::optional(events::WaitOutcome::Left)
                          << QStringLiteral("worker-9 waited 4.0 s for often and waits no longer.");
}

void TestHistoryView::waitsTellWhoAndHowLong()
{
    QFETCH(int, kind);
    QFETCH(std::optional<events::WaitOutcome>, outcome);
    events::LockEvent wait = ViewRig::eventAt(m_rig->clock.wallUs());
    wait.kind = events::EventKind(kind);
    wait.waiter = "worker-9";
    if (wait.kind == events::EventKind::WaitEnd) {
        wait.detail.outcome = outcome;
        wait.detail.sinceUs = wait.timeUs - 4 * kSecond;
    }
    m_rig->keep(wait);
    open(0);
    m_view->resize(1130, 640); // what a window of 1280 leaves it
    activate();
    QVERIFY(!m_table->isColumnHidden(app::models::EventWaiterColumn));
    QCOMPARE(m_view->model()->index(0, app::models::EventWaiterColumn).data().toString(),
             QStringLiteral("worker-9"));
    m_table->selectRow(0);
    QTEST(m_view->findChild<PlainLabel *>(QStringLiteral("eventText"))->text(), "says");
}

void TestHistoryView::holdsHaveATab()
{
    protocol::Hold hold;
    hold.key = tests::heldLock("lock:a").key;
    hold.owner = "worker-3";
    hold.id = 7;
    hold.fromUs = m_rig->clock.wallUs() - 100 * kSecond;
    hold.toUs = hold.fromUs + 40 * kSecond;
    hold.end = "force_released";
    protocol::Hold other = hold;
    other.key.name = "lock:b";
    other.owner = "worker-4";
    other.id = 6;
    other.toUs.reset();
    other.end.clear();
    hold.waitedUs = 12 * kSecond;
    hold.waitSeen = false;
    hold.command = "c0ffee";
    hold.by = QStringLiteral("ada");
    hold.role = QStringLiteral("operator");
    hold.reason = QStringLiteral("its pod was killed");
    m_rig->holds = {hold, other};
    open(1);
    activate();
    m_view->resize(1130, 640);
    QVERIFY(m_rig->holdsAsked.isEmpty()); // no user sees them
    auto *tabs = m_view->findChild<QTabBar *>(QStringLiteral("historyTabs"));
    tabs->setCurrentIndex(1);
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(2));
    tests::picture(m_view.get(), "history-holds");
    const auto cell = [this](int row, int column) {
        return m_view->holds()->model()->index(row, column).data().toString();
    };
    QCOMPARE(cell(0, app::models::HoldLockColumn), QStringLiteral("lock:a"));
    QCOMPARE(cell(0, app::models::HoldOwnerColumn), QStringLiteral("worker-3"));
    QCOMPARE(cell(0, app::models::HoldDurationColumn), QStringLiteral("40.0 s"));
    QCOMPARE(cell(0, app::models::HoldEndColumn), app::words::Words::holdEnd("force_released"));
    QCOMPARE(cell(1, app::models::HoldToColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::HoldWaitedColumn), QStringLiteral("≥ 12.0 s"));
    QCOMPARE(cell(1, app::models::HoldWaitedColumn), QStringLiteral("—"));
    QCOMPARE(cell(0, app::models::HoldByColumn), QStringLiteral("ada: its pod was killed"));
    QCOMPARE(cell(1, app::models::HoldByColumn), QStringLiteral("—"));
    for (const int column : {app::models::HoldWaitedColumn, app::models::HoldEndColumn,
                             app::models::HoldByColumn}) // what a window of 1280 leaves them
        QVERIFY(!m_view->holds()->table()->isColumnHidden(column));
    QVERIFY(m_view->holds()->table()->columnWidth(app::models::HoldByColumn) >= 320); // a sentence
    QVERIFY(!m_view->holds()->table()->horizontalScrollBar()->isVisible());
    // The same filter, as far as it applies to holds.
    m_view->setFilter(QStringLiteral("name:lock:a holder:worker from:-5m"));
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
    QVERIFY(!m_rig->holdsAsked.last().lockGlob.isEmpty() && !m_rig->holdsAsked.last().holderGlob.isEmpty());
    QCOMPARE(m_rig->holdsAsked.last().fromUs, std::optional(m_rig->clock.wallUs() - 300 * kSecond));
    QVERIFY(!says(QStringLiteral("other terms are ignored")));
    m_view->setFilter(QStringLiteral("event:expired -name:b"));
    QTRY_VERIFY(says(QStringLiteral("other terms are ignored")));
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
    m_view->holds()->table()->selectRow(0);
    QVERIFY(m_view->copyText());
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("lock:a\tworker-3")));
    HistoryView second(m_rig->context);
    second.restoreState(m_view->saveState());
    QCOMPARE(second.findChild<QTabBar *>(QStringLiteral("historyTabs"))->currentIndex(), 1);
}

void TestHistoryView::holdsAreReadPageByPage()
{
    for (qint64 id = 1'000; id > 0; --id) {
        protocol::Hold hold;
        hold.key = tests::heldLock(id == 3 ? "rare" : "often").key;
        hold.id = id;
        hold.fromUs = m_rig->clock.wallUs() - 100 * kSecond;
        m_rig->holds.append(hold);
    }
    open(1);
    activate();
    m_view->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(200));
    m_view->holds()->table()->scrollToBottom();
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(400));
    QCOMPARE(m_rig->holdsAsked.last().beforeId, std::optional<qint64>(801));
    m_view->setFilter(
        QStringLiteral("-name:often")); // no term for the agent: the view reads pages until a row fits
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
}

/** The view asks for holds once it is connected, and again when the user connects to another agent. */
void TestHistoryView::holdsComeWithTheirAgent()
{
    protocol::Hold hold;
    hold.key = tests::heldLock("a").key;
    hold.id = 1;
    m_rig->holds = {hold};
    open(1);
    m_rig->agent.stop();
    QTRY_VERIFY(!m_rig->isLive());
    m_view->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    QTRY_VERIFY(!m_view->holds()->model()->error().cause.isEmpty());
    QVERIFY(m_rig->agent.start());
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
    tests::ReplayAgent other;
    other.answer = m_rig->agent.answer;
    QVERIFY(other.start());
    m_rig->session.open(other.address());
    QVERIFY(!says(QStringLiteral("No holds yet"))); // no answer yet
    QCOMPARE(m_view->shownRows(), std::optional<qint64>(0));
    QTRY_COMPARE(m_view->shownRows(), std::optional<qint64>(1));
}

/** The view asks for a lock's history by its key, whatever bytes the name consists of. */
void TestHistoryView::onlyThisLockIsThatOfItsSource()
{
    events::LockEvent odd = ViewRig::eventAt(m_rig->clock.wallUs(), "lock:\xff");
    m_rig->keep(odd);
    open(0);
    activate();
    QSignalSpy asked(&m_rig->requests, &app::views::Requests::historyAsked);
    Q_EMIT m_table->customContextMenuRequested(m_table->visualRect(m_view->model()->index(0, 0)).center());
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    for (QAction *action : menu->actions()) {
        if (action->text() == QLatin1String("&Only this lock"))
            action->trigger();
    }
    menu->close();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().value<domain::LockKey>(), odd.key);
}

/** One click leads from an event to the table and to the timeline of its time. */
void TestHistoryView::aRowOpensItsMoment()
{
    const events::LockEvent event = ViewRig::eventAt(m_rig->clock.wallUs() - 60'000'000, "lock:a");
    m_rig->keep(event);
    open(0);
    activate();
    auto *stateAt = m_view->findChild<QPushButton *>(QStringLiteral("stateAtEvent"));
    auto *around = m_view->findChild<QPushButton *>(QStringLiteral("timelineAtEvent"));
    QVERIFY(!stateAt->isEnabled() && !around->isEnabled()); // no event is chosen
    QSignalSpy states(&m_rig->requests, &app::views::Requests::stateAtAsked);
    QSignalSpy timelines(&m_rig->requests, &app::views::Requests::timelineAtAsked);
    m_table->setCurrentIndex(m_view->model()->index(0, 0));
    QTest::mouseClick(stateAt, Qt::LeftButton);
    QTest::mouseClick(around, Qt::LeftButton);
    QCOMPARE(states.size(), 1);
    QCOMPARE(states.first().first().toLongLong(), event.timeUs);
    QCOMPARE(timelines.size(), 1);
    QCOMPARE(timelines.first().at(0).value<QList<domain::LockKey>>(), QList<domain::LockKey>{event.key});
    QCOMPARE(timelines.first().at(1).toLongLong(), event.timeUs);
}

void TestHistoryView::hostileNamesAreLiteral()
{
    m_rig->keep(ViewRig::eventAt(m_rig->clock.wallUs(), "<img src=x><b>\xe2\x80\xae\n\xff"));
    open(0);
    activate();
    const QModelIndex cell = m_view->model()->index(0, app::models::EventLockColumn);
    const QString shown = cell.data().toString();
    QVERIFY(shown.startsWith(QStringLiteral("<img src=x><b>")));
    QVERIFY(!shown.contains(QLatin1Char('\n')));
    QVERIFY(!shown.contains(QChar(0x202e)));
    m_table->selectRow(0);
    QVERIFY(m_view->copyText());
    QCOMPARE(QGuiApplication::clipboard()->text().trimmed().count(QLatin1Char('\n')), 1);
}

void TestHistoryView::entersThroughTheKeyboard()
{
    open(20);
    activate();
    QSignalSpy asked(&m_rig->requests, &Requests::lockAsked);
    m_table->selectRow(0);
    m_table->setFocus();
    QTest::keyClick(m_table, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().value<domain::LockKey>().name, QByteArray("rare"));
    const auto before = m_rig->agent.received<protocol::HistoryQuery>().size();
    timeField()->setFocus();
    QTest::keyClick(timeField(), Qt::Key_Return);
    QTRY_VERIFY(m_rig->agent.received<protocol::HistoryQuery>().size() > before);
}

void TestHistoryView::speaksAnotherLanguage()
{
    open(20);
    activate();
    QSignalSpy title(m_view.get(), &View::titleChanged);
    {
        const tests::BracketLanguage language;
        QTRY_COMPARE(m_view->title(), QStringLiteral("[History]"));
        QTRY_VERIFY(title.size() > 0);
        QVERIFY(button<QPushButton>(QStringLiteral("[Go to time]")));
        QCOMPARE(m_view->model()->headerData(app::models::EventLockColumn, Qt::Horizontal).toString(),
                 QStringLiteral("[Lock]"));
        QCOMPARE(m_view->model()->index(0, app::models::EventKindColumn).data().toString(),
                 QStringLiteral("[Acquired]"));
        QVERIFY(says(QStringLiteral("following]")));
    }
    QTRY_VERIFY(button<QPushButton>(QStringLiteral("Go to time")));
}

void TestHistoryView::remembersItsFilter()
{
    open(20);
    m_view->setFilter(QStringLiteral("name:rare"));
    QTRY_COMPARE(m_view->model()->rowCount(), 2);
    const QVariantMap kept = m_view->saveState();
    HistoryView again(m_rig->context);
    again.restoreState(kept);
    again.activate();
    QTRY_COMPARE(again.model()->rowCount(), 2);
}

LOCKKEEPER_TEST(TestHistoryView)

} // namespace tst_history_view

#include "tst_history_view.moc"
