// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/events_model.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/locks/column_layout.h"
#include "app/views/locks/filter_bar.h"
#include "app/views/locks/locks_table.h"
#include "app/views/locks/locks_view.h"
#include "app/views/locks/state_chips.h"
#include "app/views/timeline/timeline_view.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/filter_edit.h"
#include "app/views/widgets/requests.h"
#include "app/views/widgets/state_page.h"
#include "app/views/window/console_status_bar.h"
#include "app/views/window/main_window.h"
#include "app/views/window/navigation.h"
#include "app/views/window/start_page.h"
#include "app/views/window/window_actions.h"
#include "app/words/words.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_feed.h"
#include "tests/app/views/support/picture.h"
#include "tests/support/fake_clock.h"
#include "tests/support/test_program.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QFontDatabase>
#include <QFontInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

namespace tst_main_window {

using namespace lockkeeper;
using namespace lockkeeper::app;
using views::WindowActions;

class MainWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_rig.reset(); }
    void opensWithItsViews();
    void firstStartOpensTheOverview();
    void savedFiltersStandBelowLocks();
    void keepsItsMinimumSize();
    void noMessageMovesAnything();
    void dockKeepsItsWidth();
    void goesBackAndForward();
    void pauseCountsChanges();
    void detailIsAToggleInNarrowWindows();
    void detailStandsBesideLocks();
    void emptyDetailTakesNoRoom();
    void agentLostIsABanner();
    void agentLostWaitsForTheOperator();
    void agentLostStandsBeforeRecoveries();
    void oneRestartIsOneBanner();
    void firstScansAreNoSilence();
    void aRecoveryIsOfItsOwnGap();
    void bannersOfAnotherDaySayWhich();
    void bannersEndWithTheirSource();
    void bannersEndWithTheirLanguage();
    void agentLostIsSaidInEachLanguage();
    void standbyIsSaidInEachLanguage();
    void anotherAgentStartsClean();
    void hiddenLocksAreNoTarget();
    void dockAimsAtShownLocksOnly();
    void actionsFollowWhatIsShown();
    void countsSayOfWhat();
    void startPageListsRecentAgents();
    void startPageClaimsNothing();
    void disabledActionsSayWhy();
    void toolBarNamesKeysAndReasons();
    void textGrows();
    void fullScreen();
    void silenceSwitchesTheReleaseOff();
    void switchesLanguageWhole();
    void chineseIsNotClipped();
    void zoneIsAlwaysInSight();
    void hiddenActivityShowsTheNewestOnceItIsSeen();
    void emptyActivitySaysWhatWouldBeThere();
    void countsOneSource();
    void roleToolTipStaysPlain();
    void layoutIsRemembered();
    void viewsAreRemembered();
    void panesAreRows();
    void readingThatTakesLongIsSaid();

private:
    views::MainWindow *window() const { return m_rig->console->window(); }
    WindowActions &actions() const { return *window()->actions(); }
    void select() { m_rig->console->selection()->selectOne(m_rig->feed.locks(1).first().key); }
    void load(int count) { m_rig->feed.load(*m_rig->console->replica(), m_rig->feed.locks(count)); }
    static QStringList wordsOf(const QWidget *widget);

    tests::FakeClock m_clock;
    std::unique_ptr<tests::ConsoleRig> m_rig;
};

void MainWindowTest::init()
{
    m_rig = std::make_unique<tests::ConsoleRig>(m_clock);
    window()->resize(1280, 800);
    window()->show();
    QVERIFY(QTest::qWaitForWindowExposed(window()));
}

void MainWindowTest::opensWithItsViews()
{
    QList<QByteArray> ids;
    for (const views::View *view : window()->views())
        ids.append(view->id());
    QCOMPARE(ids, (QList<QByteArray>{"overview", "locks", "chains", "timeline", "history", "contention",
                                     "alerts", "advice", "audit", "sources", "holder", "past"}));
    QCOMPARE(window()->currentView()->id(), QByteArray("locks"));
    for (const views::View *view : window()->views()) {
        window()->showView(view->id());
        QCOMPARE(view->isVisible(), view->isAvailable());
        // A moment or a holder has to be chosen first.
        QCOMPARE(view->isAvailable(), view->id() != "past" && view->id() != "holder");
        QVERIFY(!view->title().isEmpty());
    }
}

/**
 * The first start opens the overview, which shows whether anything is wrong. Later starts open the last view.
 */
void MainWindowTest::firstStartOpensTheOverview()
{
    QTemporaryDir folder;
    app::settings::Settings settings(folder.filePath(QStringLiteral("console.ini")));
    {
        const app::Console first(&settings, &m_clock);
        QCOMPARE(first.window()->currentView()->id(), QByteArray("overview"));
        first.window()->showView("audit");
        first.window()->close();
    }
    const app::Console second(&settings, &m_clock);
    QCOMPARE(second.window()->currentView()->id(), QByteArray("audit"));
    second.window()->showView("overview");
    QVERIFY(second.window()->detailDock()->isHidden()); // the overview needs the whole width
}

void MainWindowTest::savedFiltersStandBelowLocks()
{
    auto *list = window()->findChild<views::Navigation *>();
    const auto line = [list](const char *text) {
        const auto found = list->findItems(QString::fromLatin1(text), Qt::MatchExactly);
        return found.isEmpty() ? nullptr : found.first();
    };
    QVERIFY(line("Needs attention") && line("Waiting now") && line("No expiry"));
    QCOMPARE(list->row(line("Needs attention")), list->row(line("Locks")) + 1);
    // Indented: its first ink is farther right than that of a view's icon.
    const auto firstInk = [list](const QListWidgetItem *item) {
        const QRect rect = list->visualItemRect(item);
        const QImage image = list->viewport()->grab(rect).toImage();
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 4; y < image.height() - 4; ++y) {
                if (qAbs(qGray(image.pixel(x, y)) - qGray(image.pixel(2, 4))) > 60)
                    return x;
            }
        }
        return -1;
    };
    QVERIFY(firstInk(line("Needs attention")) >= firstInk(line("History")) + 8);
    const auto click = [&](QListWidgetItem *item) {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
    };
    const views::LocksView *locks = m_rig->console->locks();
    window()->showView("history");
    click(line("No expiry"));
    QCOMPARE(window()->currentView()->id(), QByteArray("locks"));
    QCOMPARE(locks->filterBar()->edit()->text(), QStringLiteral("ttl:none"));
    QCOMPARE(list->currentItem(), line("No expiry"));
    // A filter typed by hand is another filter. The view's own line takes a saved filter back.
    m_rig->console->locks()->setFilter(QStringLiteral("ttl:none held>1h"));
    QTRY_COMPARE(list->currentItem(), line("Locks"));
    QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(list->currentItem(), line("Needs attention"));
    click(line("Locks"));
    QCOMPARE(locks->filterBar()->edit()->text(), QString());
    QCOMPARE(list->currentItem(), line("Locks"));
    m_rig->settings.setSavedFilters({{{}, QStringLiteral("Mine & <b>yours</b>"), QStringLiteral("a"), {}}});
    QVERIFY(line("Mine & <b>yours</b>"));
}

void MainWindowTest::keepsItsMinimumSize()
{
    // 1920 × 1080 at 200 %, less a title bar and a panel.
    QCOMPARE(window()->minimumSize(), QSize(940, 480));
    window()->resize(800, 400);
    QCOMPARE(window()->size(), QSize(940, 480));
    load(200);
    m_rig->console->locks()->proxy()->tick();
    QTRY_COMPARE(m_rig->console->locks()->table()->horizontalScrollBar()->maximum(), 0);
    for (const views::View *view : window()->views()) {
        window()->showView(view->id());
        QCoreApplication::processEvents(); // the layout's turn
        const QRect body(QPoint(), window()->size());
        const QRect place(view->mapTo(window(), QPoint()), view->size());
        if (!view->isVisible())
            continue;
        QVERIFY2(body.contains(place), view->id().constData());
        QVERIFY2(view->minimumSizeHint().width() <= view->width(), view->id().constData());
    }
}

/** A banner, the pause or an error in the filter doesn't move the widget under the pointer. */
void MainWindowTest::noMessageMovesAnything()
{
    load(200);
    m_rig->console->locks()->proxy()->tick();
    const auto places = [this] {
        QCoreApplication::processEvents(); // the layout's turn
        QList<QPoint> all;
        const views::LocksView *locks = m_rig->console->locks();
        for (const QWidget *part :
             {locks->table()->viewport(), static_cast<QWidget *>(locks->filterBar()->edit()),
              static_cast<QWidget *>(locks->filterBar()->chips())})
            all.append(part->mapTo(window(), QPoint()));
        for (const QAction *action : {actions()[WindowActions::ReadNow], actions()[WindowActions::Release]}) {
            const auto *bar = window()->findChild<QToolBar *>();
            all.append(bar->widgetForAction(const_cast<QAction *>(action))->mapTo(window(), QPoint()));
        }
        return all;
    };
    const QList<QPoint> before = places();
    actions()[WindowActions::Pause]->trigger();
    QVERIFY(window()->banners()->hasBanner("pause"));
    QTRY_VERIFY(window()->banners()->isVisible());
    QCOMPARE(places(), before);
    actions()[WindowActions::Pause]->trigger();
    QCOMPARE(places(), before);
    m_rig->console->locks()->setFilter(QStringLiteral("sorce:s"));
    const auto labels = window()->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(), [](const QLabel *label) {
        return label->isVisible() && label->text().contains(QStringLiteral("Unknown field “sorce”"));
    }));
    QCOMPARE(places(), before);
}

/** A view with wide content leaves the dock's width alone, and the dock is never narrower than its content.
 */
void MainWindowTest::dockKeepsItsWidth()
{
    tests::ReplayAgent agent;
    domain::LockState lock = m_rig->feed.locks(1).first();
    agent.table.locks.insert(lock.key, lock);
    agent.answer = [&](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *query = std::get_if<protocol::ContentionQuery>(&message);
        if (!query)
            return std::nullopt;
        protocol::ContentionPage page;
        page.id = query->id;
        page.fromUs = query->fromUs.value_or(0);
        page.toUs = query->toUs.value_or(0);
        domain::Contention one;
        one.key = lock.key;
        one.observedUs = 1'800'000'000;
        page.locks = {one};
        return page;
    };
    QVERIFY(agent.start());
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_VERIFY(window()->view("contention")->isAvailable());
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), 1);
    m_rig->console->selection()->selectOne(lock.key);
    const auto *dock = window()->detailDock();
    QTRY_VERIFY(qAbs(dock->width() - 276) <= 12);
    const int before = dock->width();
    window()->showView("contention");
    QTRY_COMPARE(window()->currentView()->shownRows(), std::optional<qint64>(1));
    QCoreApplication::processEvents();
    window()->showView("locks");
    QTRY_VERIFY(dock->isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(dock->width(), before);
    QVERIFY(qMax(dock->minimumSizeHint().width(), dock->minimumWidth()) >= 260);
    window()->resizeDocks({window()->detailDock()}, {120}, Qt::Horizontal);
    QCoreApplication::processEvents();
    QVERIFY2(dock->width() >= 260, qPrintable(QString::number(dock->width())));
    window()->resizeDocks({window()->detailDock()}, {420}, Qt::Horizontal);
    actions()[WindowActions::ResetLayout]->trigger();
    QTRY_COMPARE(dock->width(), before);
}

void MainWindowTest::goesBackAndForward()
{
    window()->showView("history");
    window()->showView("sources");
    actions()[WindowActions::Back]->trigger();
    QCOMPARE(window()->currentView()->id(), QByteArray("history"));
    actions()[WindowActions::Forward]->trigger();
    QCOMPARE(window()->currentView()->id(), QByteArray("sources"));
    QVERIFY(!actions()[WindowActions::Forward]->isEnabled());
}

void MainWindowTest::pauseCountsChanges()
{
    load(12);
    actions()[WindowActions::Pause]->trigger();
    QVERIFY(m_rig->console->replica()->isPaused());
    QVERIFY(window()->banners()->hasBanner("pause"));
    QCOMPARE(window()->consoleStatus()->linkText(), QStringLiteral("Paused"));
    domain::LockState one = m_rig->feed.locks(1).first();
    one.key.name = "new-one";
    m_rig->console->replica()->takeEvents({tests::acquired(one, m_rig->console->replica()->seq() + 1)});
    m_rig->console->replica()->flush();
    QVERIFY(!m_rig->console->replica()->find(one.key));
    const auto said = [this] { return window()->banners()->texts().join(QLatin1Char('\n')); };
    QTRY_VERIFY2(said().contains(QStringLiteral("1 change waiting")), qPrintable(said()));
    actions()[WindowActions::Pause]->trigger();
    QVERIFY(!window()->banners()->hasBanner("pause"));
    QTRY_VERIFY(m_rig->console->replica()->find(one.key));
}

void MainWindowTest::detailIsAToggleInNarrowWindows()
{
    select();
    QTRY_VERIFY(window()->detailDock()->isVisible());
    QVERIFY(qAbs(window()->detailDock()->width() - 276) <= 12);
    window()->resize(1100, 700);
    QTRY_VERIFY(!window()->detailDock()->isVisible());
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(window()->detailDock()->isVisible());
    window()->resize(1920, 1080);
    QTRY_VERIFY(window()->activityDock()->isVisible());
    QTRY_VERIFY(qAbs(window()->detailDock()->width() - 360) <= 12);
}

/** Views without locks use the whole width, unless the user asks for the dock there as well. */
void MainWindowTest::detailStandsBesideLocks()
{
    const auto *dock = window()->detailDock();
    select();
    QTRY_VERIFY(dock->isVisible());
    window()->showView("audit");
    QVERIFY(!dock->isVisible());
    QVERIFY(!actions()[WindowActions::Detail]->isChecked());
    window()->showView("locks");
    QVERIFY(dock->isVisible());
    window()->showView("sources");
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(dock->isVisible());
    window()->showView("history");
    QVERIFY(dock->isVisible());
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(!dock->isVisible());
    window()->showView("locks");
    QVERIFY(dock->isVisible());
    window()->detailDock()->close(); // by its own button
    window()->showView("sources");
    window()->showView("locks");
    QVERIFY(!dock->isVisible());
}

/** An empty dock would only take the table's width. */
void MainWindowTest::emptyDetailTakesNoRoom()
{
    load(12);
    const auto *dock = window()->detailDock();
    const views::LocksView *locks = m_rig->console->locks();
    QVERIFY(!dock->isVisible());
    const int wide = locks->width();
    QSignalSpy messages(m_rig->console->requests(), &views::Requests::messageCame);
    actions()[WindowActions::Detail]->trigger(); // F4
    QVERIFY(!dock->isVisible());
    QCOMPARE(messages.size(), 1); // says how
    QVERIFY(actions()[WindowActions::Detail]->isChecked());
    select();
    QVERIFY(!dock->isVisible()); // not under the second click of a double click
    QTRY_VERIFY(dock->isVisible());
    QTRY_VERIFY(locks->width() <= wide - 260);
    m_rig->console->selection()->clear();
    QTRY_VERIFY(!dock->isVisible());
    QTRY_COMPARE(locks->width(), wide);
    QVERIFY(actions()[WindowActions::Detail]->isChecked()); // the next lock opens it again
    select();
    QTRY_VERIFY(dock->isVisible());
}

void MainWindowTest::agentLostIsABanner()
{
    tests::ReplayAgent agent;
    QVERIFY(agent.start());
    const domain::LockState lock = m_rig->feed.locks(1).first();
    agent.table.locks.insert(lock.key, lock);
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), 1);
    QTRY_COMPARE(window()->windowTitle(), QStringLiteral("fake – Lockkeeper"));
    agent.stop();
    QTRY_VERIFY(window()->banners()->hasBanner("agent"));
    QCOMPARE(window()->consoleStatus()->linkText(), QStringLiteral("Offline"));
    QCOMPARE(m_rig->console->replica()->locks().size(), 1); // old data stays, as last seen
    QVERIFY(agent.start());
    m_rig->console->session()->retryNow();
    QTRY_VERIFY(!window()->banners()->hasBanner("agent"));
}

void MainWindowTest::agentLostWaitsForTheOperator()
{
    tests::ReplayAgent agent;
    QVERIFY(agent.start());
    m_rig->settings.setValue(settings::Key::Reconnect, false);
    auto *agents = m_rig->console->session();
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(agents->link(), session::LinkState::Live);
    agent.stop();
    const auto *area = window()->banners();
    QTRY_VERIFY(area->hasBanner("agent"));
    QCOMPARE(agents->link(), session::LinkState::Waiting);
    QCOMPARE(agents->retryInMs(), 0); // and so nothing counts down
    QVERIFY2(area->texts().first().endsWith(QStringLiteral("It won't reconnect automatically.")),
             qPrintable(area->texts().first()));
    QVERIFY(agent.start());
    const QList<QPushButton *> buttons = area->findChildren<QPushButton *>();
    const auto reconnect = std::find_if(buttons.cbegin(), buttons.cend(), [](const QPushButton *button) {
        return button->text() == QStringLiteral("Reconnect now");
    });
    QVERIFY(reconnect != buttons.cend());
    (*reconnect)->click();
    QTRY_COMPARE(agents->link(), session::LinkState::Live);
    QTRY_VERIFY(!area->hasBanner("agent"));
    // When reconnecting is turned on while a link is lost, the console retries at once.
    agent.stop();
    QTRY_COMPARE(agents->link(), session::LinkState::Waiting);
    QVERIFY(agent.start());
    m_rig->settings.setValue(settings::Key::Reconnect, true);
    QTRY_COMPARE(agents->link(), session::LinkState::Live);
}

namespace {

events::LockEvent gapOf(const char *source, events::EventKind kind, qint64 timeUs)
{
    events::LockEvent event;
    event.key.source = QString::fromLatin1(source);
    event.kind = kind;
    event.timeUs = timeUs;
    return event;
}

} // namespace

void MainWindowTest::agentLostStandsBeforeRecoveries()
{
    tests::ReplayAgent agent;
    QVERIFY(agent.start());
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    const auto *area = window()->banners();
    const qint64 now = m_clock.wallUs();
    for (const char *source : {"one", "two", "three"}) {
        agent.publish(gapOf(source, events::EventKind::GapOpened, now - 120'000'000));
        agent.publish(gapOf(source, events::EventKind::GapClosed, now));
    }
    QTRY_VERIFY(area->texts().value(0).startsWith(QStringLiteral("one, two")));
    QCOMPARE(area->kindOf("gap:"), presentation::BannerKind::Info);
    agent.stop();
    QTRY_VERIFY(area->hasBanner("agent"));
    QVERIFY2(area->texts().first().startsWith(QStringLiteral("Agent lost")),
             qPrintable(area->texts().first()));
}

/** All sources of an agent return from its restart: one announcement. */
void MainWindowTest::oneRestartIsOneBanner()
{
    load(3);
    const auto *area = window()->banners();
    const qint64 now = m_clock.wallUs();
    quint64 seq = m_rig->console->replica()->seq();
    const auto restarted = [&](const char *source, qint64 fromUs, const char *cause) {
        QList<events::LockEvent> told{gapOf(source, events::EventKind::GapOpened, fromUs),
                                      gapOf(source, events::EventKind::GapClosed, now)};
        for (events::LockEvent &event : told) {
            event.seq = ++seq;
            event.detail.cause = events::causeFromName(QLatin1String(cause));
        }
        m_rig->console->replica()->takeEvents(told);
    };
    restarted("one", now - 60'000'000, "agent_restarted");
    QTRY_COMPARE(area->texts().size(), 1);
    QVERIFY2(area->texts().first().startsWith(QStringLiteral("one observed again; not observed ")),
             qPrintable(area->texts().first()));
    restarted("two", now - 120'000'000, "agent_restarted");
    QTRY_COMPARE(area->texts(),
                 QStringList{QStringLiteral("one and two observed again; not observed for up to "
                                            "00:02:00: the agent wasn't running")});
    restarted("three", now, "agent_restarted");
    restarted("four", now, "agent_restarted");
    QTRY_VERIFY2(area->texts().value(0).startsWith(QStringLiteral("4 sources observed again; ")),
                 qPrintable(area->texts().value(0)));
    QCOMPARE(area->texts().size(), 1);
    restarted("five", now, "source_down"); // for another reason
    QTRY_COMPARE(area->texts().size(), 2);
}

/** A source that its agent begins to observe isn't missing yet. */
void MainWindowTest::firstScansAreNoSilence()
{
    tests::ReplayAgent agent;
    domain::SourceState source = m_rig->feed.sources().first();
    source.link = domain::Link::Connecting;
    source.pollMs = 500;
    source.lastSeenUs = source.lastSeenWallUs = m_clock.wallUs() - 60'000'000;
    agent.sources = {source};
    QVERIFY(agent.start());
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    QTRY_VERIFY(m_rig->console->replica()->source(source.name));
    const QByteArray id = "source:" + source.name.toUtf8();
    QVERIFY(m_rig->console->replica()->isStale(source.name));
    QVERIFY(!window()->banners()->hasBanner(id));
    m_clock.advanceUs(6'000'000);
    QTRY_VERIFY(window()->banners()->hasBanner(id));
}

/** The end of the earlier gap was reported while the link was down. */
void MainWindowTest::aRecoveryIsOfItsOwnGap()
{
    load(3);
    const qint64 now = m_clock.wallUs();
    QList<events::LockEvent> told{gapOf("one", events::EventKind::GapOpened, now - 7'200'000'000),
                                  gapOf("one", events::EventKind::GapOpened, now - 120'000'000),
                                  gapOf("one", events::EventKind::GapClosed, now)};
    for (events::LockEvent &event : told)
        event.seq = m_rig->console->replica()->seq() + quint64(&event - told.data()) + 1;
    m_rig->console->replica()->takeEvents(told);
    QTRY_VERIFY(window()->banners()->hasBanner("gap:"));
    QVERIFY2(window()->banners()->texts().first().contains(QStringLiteral("for 00:02:00")),
             qPrintable(window()->banners()->texts().first()));
}

/** At three in the morning "since 14:00" may be of yesterday, or of last week. */
void MainWindowTest::bannersOfAnotherDaySayWhich()
{
    m_rig->feed.load(*m_rig->console->replica(), {});
    actions()[WindowActions::Pause]->trigger();
    m_clock.advanceUs(2 * 86'400'000'000);
    const auto isDated = [this](const QString &beginning) {
        const QStringList texts = window()->banners()->texts();
        return std::any_of(texts.cbegin(), texts.cend(), [&](const QString &text) {
            return text.startsWith(beginning + QStringLiteral("2026-11-"));
        });
    };
    QTRY_VERIFY(isDated(QStringLiteral("Paused at ")));
    QTRY_VERIFY(isDated(QStringLiteral("orders-db not observed since ")));
}

/** When the configuration no longer names a source, the window doesn't report it as missing. */
void MainWindowTest::bannersEndWithTheirSource()
{
    replica::Replica *replica = m_rig->console->replica();
    m_rig->feed.load(*replica, {});
    m_clock.advanceUs(3'600'000'000);
    const auto *area = window()->banners();
    QTRY_VERIFY(area->hasBanner("source:orders-db") && area->hasBanner("source:orders-redis"));
    replica->beginTable();
    replica->addPage({}, m_rig->feed.sources().first(1));
    replica->completeTable(replica->seq());
    QTRY_VERIFY(!area->hasBanner("source:orders-db") && !area->hasBanner("source:orders-redis"));
}

void MainWindowTest::bannersEndWithTheirLanguage()
{
    load(3);
    events::LockEvent gap = gapOf("one", events::EventKind::GapClosed, m_clock.wallUs());
    gap.seq = m_rig->console->replica()->seq() + 1;
    m_rig->console->replica()->takeEvents({gap});
    QTRY_VERIFY(window()->banners()->hasBanner("gap:"));
    Q_EMIT m_rig->console->session()->leftOut(
        QStringLiteral("dc2"), {base::ErrorCode::Timeout, QStringLiteral("it didn't answer"), {}});
    QVERIFY(window()->banners()->hasBanner("left-out:dc2"));
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("zh_CN"));
    QTRY_VERIFY(!window()->banners()->hasBanner("gap:"));
    QVERIFY(!window()->banners()->hasBanner("left-out:dc2"));
}

/** A known cause is translated. */
void MainWindowTest::agentLostIsSaidInEachLanguage()
{
    tests::ReplayAgent agent;
    QVERIFY(agent.start());
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("zh_CN"));
    m_rig->console->start(QStringLiteral("local:/nowhere/agent.sock"));
    for (const char *view : {"overview", "locks"}) {
        window()->showView(view);
        const auto *page = window()->currentView()->findChild<views::StatePage *>();
        QTRY_VERIFY2(page->text().startsWith(QStringLiteral("无法连接 Agent：没有 Agent 监听 ")),
                     qPrintable(page->text()));
    }
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    agent.stop();
    const auto *area = window()->banners();
    QTRY_VERIFY(area->hasBanner("agent"));
    QTRY_VERIFY2(area->texts().first().startsWith(QStringLiteral("与 Agent 的连接已断开：没有 Agent 监听 ")),
                 qPrintable(area->texts().first()));
    tests::picture(window(), "agent-lost-zh");
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("en"));
    QTRY_VERIFY2(area->texts().first().startsWith(QStringLiteral("Agent lost: no agent ")),
                 qPrintable(area->texts().first()));
}

void MainWindowTest::standbyIsSaidInEachLanguage()
{
    m_rig->feed.load(*m_rig->console->replica(), {});
    domain::SourceState source;
    source.name = QStringLiteral("payments");
    source.link = domain::Link::Standby;
    source.error = {base::ErrorCode::Unknown, QStringLiteral("this agent is standby; active is dc2"), {}};
    m_rig->console->replica()->takeStates({}, {source});
    m_rig->console->replica()->flush();
    const auto says = [this](const QString &words) {
        return !window()->banners()->texts().filter(words).isEmpty();
    };
    QTRY_VERIFY(says(QStringLiteral("this agent is standby; active is dc2")));
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("zh_CN"));
    QTRY_VERIFY(says(QStringLiteral("该 Agent 处于待命状态；处于活动状态的是 dc2")));
    QVERIFY(!says(QStringLiteral("standby")));
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("en"));
}

/** The window shows nothing of the previous agent under the name of the next. */
void MainWindowTest::anotherAgentStartsClean()
{
    tests::ReplayAgent first;
    tests::ReplayAgent second;
    QVERIFY(first.start() && second.start());
    const QList<domain::LockState> locks = m_rig->feed.locks(2);
    first.table.locks.insert(locks.at(0).key, locks.at(0));
    second.table.locks.insert(locks.at(1).key, locks.at(1));
    m_rig->console->start(QStringLiteral("local:") + first.address().path);
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), 1);
    m_rig->console->selection()->selectOne(locks.at(0).key);
    first.publish(gapOf("one", events::EventKind::GapClosed, m_clock.wallUs()));
    QTRY_VERIFY(window()->banners()->hasBanner("gap:"));
    m_rig->console->start(QStringLiteral("local:") + second.address().path);
    QVERIFY(m_rig->console->replica()->locks().isEmpty()); // at once, before the next agent's answer
    QVERIFY(m_rig->console->selection()->keys().isEmpty());
    QVERIFY(window()->banners()->texts().isEmpty());
    QTRY_COMPARE(m_rig->console->replica()->locks().size(), 1);
    QVERIFY(m_rig->console->replica()->find(locks.at(1).key));
    QVERIFY(!m_rig->console->replica()->find(locks.at(0).key));
    // The private agent's end doesn't affect this agent.
    Q_EMIT window()->stopPrivateAsked();
    QCOMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    QVERIFY(window()->currentView());
}

void MainWindowTest::hiddenLocksAreNoTarget()
{
    load(12);
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
    m_rig->console->locks()->setFilter(QStringLiteral("nothing-is-called-so"));
    QVERIFY(!actions()[WindowActions::Release]->isEnabled());
    QVERIFY(actions().reason(WindowActions::Release).contains(QStringLiteral("this list doesn't show")));
    m_rig->console->locks()->setFilter({});
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
}

/** A tile of the overview opens a filtered list while the dock keeps the lock of before. */
void MainWindowTest::dockAimsAtShownLocksOnly()
{
    load(12);
    views::LocksView *locks = m_rig->console->locks();
    locks->proxy()->tick();
    const domain::LockKey key = locks->proxy()->lockAt(0)->lock.key();
    m_rig->console->selection()->selectOne(key);
    const QPushButton *release = window()->detail()->releaseButton();
    const auto reason = [this] {
        const auto labels = window()->detail()->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [this](const QLabel *label) {
            return label->isVisible() && label->text() == actions().reason(WindowActions::Release);
        });
    };
    QVERIFY(release->isEnabled());
    window()->showView("overview");
    actions()[WindowActions::Detail]->trigger();
    window()->showView("locks", QStringLiteral("nothing-is-called-so"));
    QVERIFY(window()->detail()->isVisible());
    QVERIFY(!release->isEnabled());
    QVERIFY(reason());
    QVERIFY(window()->detail()->text().contains(QStringLiteral("Not in this list.")));
    locks->setFilter({});
    QVERIFY(release->isEnabled());
    QVERIFY(!window()->detail()->text().contains(QStringLiteral("Not in this list.")));
    // The same beside the overview, which lists only locks that need attention.
    domain::LockState quiet = m_rig->feed.locks(1).first();
    quiet.key.name = "quiet";
    quiet.phase = domain::Phase::Held;
    quiet.stuck = domain::StuckReason::None;
    quiet.waiters.clear();
    m_rig->console->replica()->takeEvents({tests::acquired(quiet, m_rig->console->replica()->seq() + 1)});
    m_rig->console->replica()->flush();
    locks->proxy()->tick();
    m_rig->console->selection()->selectOne(quiet.key);
    QVERIFY(release->isEnabled());
    window()->showView("overview");
    QVERIFY(window()->detail()->isVisible());
    QVERIFY(!release->isEnabled());
    QVERIFY(reason());
}

/** Rows may arrive after their view appears; the start page has no rows. */
void MainWindowTest::actionsFollowWhatIsShown()
{
    window()->showView("sources");
    QVERIFY(!actions()[WindowActions::Export]->isEnabled());
    load(12);
    QTRY_VERIFY(actions()[WindowActions::Export]->isEnabled());
    window()->showView("locks");
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    actions()[WindowActions::Detail]->trigger(); // closing the dock updates the actions anyway
    QVERIFY(!window()->detailDock()->isVisible());
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
    window()->showStart({});
    for (const auto action : {WindowActions::Release, WindowActions::History, WindowActions::Export})
        QVERIFY(!actions()[action]->isEnabled());
}

/** Before an agent is chosen there is nothing to count, to read or to pause. */
void MainWindowTest::startPageClaimsNothing()
{
    window()->resize(1920, 1080);
    m_rig->console->start({});
    QVERIFY(window()->activityDock()->isHidden());
    for (const auto id : {WindowActions::ReadNow, WindowActions::Pause}) {
        QVERIFY(!actions()[id]->isEnabled());
        QVERIFY2(actions()[id]->toolTip().contains(QStringLiteral("No agent is connected.")),
                 qPrintable(actions()[id]->toolTip()));
    }
    QVERIFY(window()->view("locks")->subCounts().isEmpty());
    load(5);
    window()->hideStart();
    window()->showView("locks");
    QTRY_VERIFY(!window()->view("locks")->subCounts().isEmpty());
    QVERIFY(!window()->activityDock()->isHidden());
    QVERIFY(actions()[WindowActions::ReadNow]->isEnabled());
}

void MainWindowTest::startPageListsRecentAgents()
{
    m_rig->console->start({});
    auto *list = window()->findChild<QListWidget *>(QStringLiteral("recent_agents"));
    auto *remove = window()->findChild<QPushButton *>(QStringLiteral("forget_agent"));
    QVERIFY(list && !list->isVisible());           // none yet
    QVERIFY(!window()->detailDock()->isVisible()); // nothing to show
    for (const char *name : {"a", "b", "c"})
        m_rig->settings.noteAgent(QStringLiteral("local:/nowhere/%1.sock").arg(QLatin1String(name)));
    QVERIFY(list->isVisible());
    QCOMPARE(list->count(), 3);
    QCOMPARE(list->item(0)->text(), QStringLiteral("local:/nowhere/c.sock"));
    QVERIFY(!remove->isEnabled());
    list->setCurrentRow(1);
    QTRY_VERIFY(list->visibleRegion().boundingRect().height() >= 3 * list->sizeHintForRow(0)); // all fit
    tests::picture(window(), "start-recent");
    remove->click();
    QCOMPARE(m_rig->settings.recentAgents(),
             QStringList({QStringLiteral("local:/nowhere/c.sock"), QStringLiteral("local:/nowhere/a.sock")}));
    QCOMPARE(list->count(), 2);
    QVERIFY(qobject_cast<QLineEdit *>(window()->focusWidget())); // the address
    list->setCurrentRow(1);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(m_rig->console->session()->addresses().first().path, QStringLiteral("/nowhere/a.sock"));
    QCOMPARE(list->item(0)->text(), QStringLiteral("local:/nowhere/a.sock")); // the last one used
    // The Agent menu of the toolbar has them as well.
    const auto buttons = window()->findChild<QToolBar *>()->findChildren<QPushButton *>();
    QMenu *menu = buttons.last()->menu();
    Q_EMIT menu->aboutToShow();
    const QList<QAction *> entries = menu->actions();
    QCOMPARE(entries.size(), 6); // three actions, a line, two agents
    QVERIFY(entries.at(3)->isSeparator());
    QCOMPARE(entries.at(4)->text(), QStringLiteral("local:/nowhere/a.sock"));
    entries.at(5)->trigger();
    QCOMPARE(m_rig->console->session()->addresses().first().path, QStringLiteral("/nowhere/c.sock"));
}

/** The status bar doesn't count the history's rows as locks. */
void MainWindowTest::countsSayOfWhat()
{
    const auto *status = window()->findChild<app::views::ConsoleStatusBar *>();
    m_rig->console->locks()->proxy()->tick();
    window()->showView("locks");
    QVERIFY2(status->countsText().contains(QStringLiteral(" shown, ")), qPrintable(status->countsText()));
    window()->showView("history");
    QVERIFY2(status->countsText().contains(QStringLiteral("; in this list 0, ")),
             qPrintable(status->countsText()));
}

void MainWindowTest::disabledActionsSayWhy()
{
    load(12);
    QVERIFY(!actions()[WindowActions::Release]->isEnabled());
    QCOMPARE(actions().reason(WindowActions::Release), QStringLiteral("No lock is selected."));
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
    // Beside a view without locks, the selected lock is out of sight.
    m_rig->console->window()->showView(QByteArrayLiteral("sources"));
    QVERIFY(!actions()[WindowActions::Release]->isEnabled());
    QVERIFY(!actions()[WindowActions::History]->isEnabled());
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(!actions()[WindowActions::Release]->isEnabled());
    m_rig->console->window()->showView(QByteArrayLiteral("locks"));
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
}

/** Every tooltip of the toolbar names the shortcut, and that of a grey button the reason as well. */
void MainWindowTest::toolBarNamesKeysAndReasons()
{
    load(12);
    QCOMPARE(actions()[WindowActions::Pause]->toolTip(), QStringLiteral("Pause (F9)"));
    QCOMPARE(actions()[WindowActions::Release]->toolTip(),
             QStringLiteral("Force-release (Ctrl+Del)\nNo lock is selected."));
    QCOMPARE(actions()[WindowActions::History]->toolTip(),
             QStringLiteral("History (Ctrl+H)\nNo lock is selected."));
    QCOMPARE(actions()[WindowActions::Timeline]->toolTip(),
             QStringLiteral("Timeline (Ctrl+T)\nNo lock is selected."));
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    QCOMPARE(actions()[WindowActions::Release]->toolTip(), QStringLiteral("Force-release (Ctrl+Del)"));
    QCOMPARE(actions()[WindowActions::History]->toolTip(), QStringLiteral("History (Ctrl+H)"));
    m_rig->console->locks()->setFilter(QStringLiteral("nothing-has-this-name"));
    QTRY_COMPARE(actions()[WindowActions::History]->toolTip(),
                 QStringLiteral("History (Ctrl+H)\nThis list doesn't show the selected lock. Clear the "
                                "filter in Locks to see it."));
    actions()[WindowActions::Pause]->trigger();
    QCOMPARE(actions()[WindowActions::Pause]->toolTip(), QStringLiteral("Resume (F9)"));
    for (int id = 0; id < WindowActions::IdCount; ++id) {
        const auto one = WindowActions::Id(id);
        QCOMPARE(actions().reason(one).isEmpty(), actions()[one]->isEnabled());
    }
    m_rig->settings.setValue(app::settings::Key::Language, QStringLiteral("zh_CN"));
    QTRY_COMPARE(actions()[WindowActions::ReadNow]->toolTip(), QStringLiteral("立即读取（F5）"));
}

/** Rows and columns grow with the text, and all of it comes back with the next start. */
void MainWindowTest::textGrows()
{
    load(12);
    m_rig->console->locks()->proxy()->tick();
    const views::LocksTable *table = m_rig->console->locks()->table();
    auto *navigation = window()->findChild<views::Navigation *>();
    const auto rowHeight = [table] { return table->visualRect(table->model()->index(1, 0)).height(); };
    const double points = QApplication::font().pointSizeF();
    const auto *title = window()->detail()->findChild<views::ElidedLabel *>(); // its font is its own
    const double titlePoints = title->font().pointSizeF();
    const int column = table->header()->sectionSize(models::HolderColumn);
    const int width = navigation->width();
    QTRY_COMPARE(rowHeight(), 24);
    QVERIFY(!actions()[WindowActions::NormalText]->isEnabled());
    window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(window()));
    QTest::keyClick(window(), Qt::Key_Plus, Qt::ControlModifier);
    QTest::keyClick(window(), Qt::Key_Equal, Qt::ControlModifier);
    QCOMPARE(m_rig->settings.fontZoom(), 120);
    QCOMPARE(QApplication::font().pointSizeF(), points * 1.2);
    QCOMPARE(title->font().pointSizeF(), titlePoints * 1.2);
    QTRY_COMPARE(rowHeight(), 29);
    QCOMPARE(table->header()->sectionSize(models::HolderColumn), qRound(column * 1.2));
    QCOMPARE(navigation->width(), qRound(width * 1.2));
    for (int i = 0; i < 9; ++i)
        actions()[WindowActions::LargerText]->trigger();
    QCOMPARE(m_rig->settings.fontZoom(), app::settings::Settings::kMostZoom);
    QVERIFY(!actions().reason(WindowActions::LargerText).isEmpty());
    QTest::keyClick(window(), Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(m_rig->settings.fontZoom(), 140);
    {
        const app::Console again(&m_rig->settings, &m_clock);
        QCOMPARE(again.window()->font().pointSizeF(), points * 1.4);
    }
    QTest::keyClick(window(), Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(QApplication::font().pointSizeF(), points);
    QTRY_COMPARE(rowHeight(), 24);
    QCOMPARE(navigation->width(), width);
}

void MainWindowTest::fullScreen()
{
    QAction *full = actions()[WindowActions::FullScreen];
    window()->activateWindow(); // no window manager does it
    QVERIFY(QTest::qWaitForWindowActive(window()));
    QTest::keyClick(window(), Qt::Key_F11);
    if (QGuiApplication::platformName() == QLatin1String("xcb") &&
        !QTest::qWaitFor([this] { return window()->isFullScreen(); }, 2'000))
        QSKIP("without a window manager nothing fills the screen");
    QTRY_VERIFY(window()->isFullScreen());
    QVERIFY(full->isChecked());
    window()->close(); // keeps the geometry
    {
        const app::Console again(&m_rig->settings, &m_clock);
        again.window()->show();
        QVERIFY(again.window()->isFullScreen());
        QTRY_VERIFY((*again.window()->actions())[WindowActions::FullScreen]->isChecked());
    }
    window()->show();
    full->trigger();
    QTRY_VERIFY(!window()->isFullScreen());
    QVERIFY(!full->isChecked());
}

/** No message announces the silence: the messages end. */
void MainWindowTest::silenceSwitchesTheReleaseOff()
{
    load(12);
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    window()->showView("sources"); // which has nothing new to show each second
    actions()[WindowActions::Detail]->trigger();
    QVERIFY(actions()[WindowActions::Release]->isEnabled());
    m_clock.advanceUs(3'600'000'000);
    QTRY_VERIFY_WITH_TIMEOUT(!actions()[WindowActions::Release]->isEnabled(), 20'000);
    QCOMPARE(actions().reason(WindowActions::Release),
             words::Words::releaseOff(domain::ReleaseOff::SourceDown));
}

QStringList MainWindowTest::wordsOf(const QWidget *widget)
{
    QStringList words;
    for (const QLabel *label : widget->findChildren<QLabel *>())
        words.append(label->isVisible() ? label->text() : QString());
    for (const QAbstractButton *button : widget->findChildren<QAbstractButton *>())
        words.append(button->isVisible() ? button->text() : QString());
    for (const QAction *action : widget->findChildren<QAction *>())
        words.append(action->text());
    for (const QDockWidget *dock : widget->findChildren<QDockWidget *>())
        words.append(dock->windowTitle());
    for (const QHeaderView *header : widget->findChildren<QHeaderView *>()) {
        for (int column = 0; column < header->count() && header->model(); ++column)
            words.append(header->model()->headerData(column, header->orientation()).toString());
    }
    return words;
}

void MainWindowTest::switchesLanguageWhole()
{
    load(12);
    m_rig->console->locks()->proxy()->tick();
    m_rig->console->selection()->selectOne(m_rig->console->locks()->proxy()->lockAt(0)->lock.key());
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("zh_CN"));
    QTRY_COMPARE(m_rig->console->locks()->title(), QStringLiteral("锁"));
    const QString simplified = QStringLiteral("Noto Sans CJK SC"); // never the glyphs of Japanese
    QCOMPARE(QApplication::font().families().first(), simplified);
    const QFont code = presentation::codeFont(QApplication::font());
    QVERIFY(code.families().contains(simplified));
    QCOMPARE(QFontInfo(code).family(),
             QFontInfo(QFontDatabase::systemFont(QFontDatabase::FixedFont)).family());
    QCOMPARE(m_rig->console->locks()->proxy()->index(0, 0).data().toString(), QStringLiteral("卡死"));
    // An event notifies the widgets.
    QTRY_COMPARE(window()->menuBar()->actions().first()->text(), QStringLiteral("文件(&F)"));
    // Words that stay Latin in Chinese: data, units, names of products and commands.
    static const QRegularExpression latin(QStringLiteral("[A-Za-z]{4,}"));
    static const QRegularExpression allowed(
        QStringLiteral("Lockkeeper|redis|Redis|MariaDB|MySQL|JSON|shedlock|orders|checkout|lock:|worker|"
                       "local:|run demo|UTC|img src|"
                       "Unicode|qt_|break =|[0-9a-f]{8}|settle|Esc|Ctrl|Agent"));
    for (const views::View *view : window()->views()) {
        window()->showView(view->id());
        const auto words = wordsOf(window());
        for (const QString &word : words) {
            if (latin.match(word).hasMatch() && !allowed.match(word).hasMatch())
                QFAIL(qPrintable(QStringLiteral("still English: ") + word));
        }
    }
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("en"));
    QTRY_VERIFY(!QApplication::font().families().contains(simplified));
    QTRY_COMPARE(m_rig->console->locks()->title(), QStringLiteral("Locks"));
}

void MainWindowTest::chineseIsNotClipped()
{
    load(200);
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("zh_CN"));
    const QHeaderView *header = m_rig->console->locks()->findChild<QHeaderView *>();
    QTRY_COMPARE(m_rig->console->locks()->title(), QStringLiteral("锁"));
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column) ||
            header->sectionSize(column) < views::ColumnLayout::kIconOnly) // an icon instead
            continue;
        const QString title = header->model()->headerData(column, Qt::Horizontal).toString();
        QVERIFY2(header->fontMetrics().horizontalAdvance(title) + 16 <= header->sectionSize(column),
                 qPrintable(title));
    }
}

void MainWindowTest::zoneIsAlwaysInSight()
{
    const auto labels = window()->consoleStatus()->findChildren<QAbstractButton *>();
    const auto clock = std::find_if(labels.cbegin(), labels.cend(), [](const QAbstractButton *button) {
        return button->text().endsWith(QLatin1String(" UTC"));
    });
    QVERIFY(clock != labels.cend());
    actions()[WindowActions::ZoneLocal]->trigger();
    QCOMPARE(m_rig->settings.timeZone(), settings::Zone::Local);
}

/**
 * Once shown, the dock lists the events that came while it was hidden, the newest first, up to the usual
 * limit.
 */
void MainWindowTest::hiddenActivityShowsTheNewestOnceItIsSeen()
{
    replica::Replica *replica = m_rig->console->replica();
    const auto tables = window()->activityDock()->findChildren<const QTableView *>();
    const auto found = std::find_if(tables.cbegin(), tables.cend(), [](const QTableView *one) {
        return qobject_cast<const models::EventsModel *>(one->model());
    });
    QVERIFY(found != tables.cend());
    const QTableView *table = *found;
    QVERIFY(!window()->activityDock()->isVisible());
    for (int batch = 0; batch < 4; ++batch) {
        QList<events::LockEvent> events;
        for (int i = 0; i < 400; ++i)
            events.append(tests::acquired(tests::heldLock("a"), replica->seq() + 1 + quint64(i)));
        replica->takeEvents(events);
        replica->flush();
    }
    QCOMPARE(table->model()->rowCount(), 0);
    actions()[WindowActions::Activity]->trigger();
    QCOMPARE(table->model()->rowCount(), 1000);
    const auto seqAt = [table](int row) {
        return models::rowOf<models::EventsModel>(table->model()->index(row, 0))->seq;
    };
    QCOMPARE(seqAt(0), replica->seq());
    QCOMPARE(seqAt(999), replica->seq() - 999);
    replica->takeEvents({tests::acquired(tests::heldLock("b"), replica->seq() + 1)});
    replica->flush();
    QCOMPARE(seqAt(0), replica->seq());
}

void MainWindowTest::emptyActivitySaysWhatWouldBeThere()
{
    actions()[WindowActions::Activity]->trigger();
    const auto says = [this](const char *text) {
        const auto labels = window()->activityDock()->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(), [text](const QLabel *label) {
            return label->isVisible() && label->text().contains(QLatin1String(text));
        });
    };
    QVERIFY(says("No events yet") && says("History has the earlier ones"));
    auto *tabs = window()->activityDock()->findChild<QTabWidget *>();
    tabs->setCurrentIndex(1);
    QVERIFY(says("No commands yet"));
    tabs->setCurrentIndex(0);
    replica::Replica *replica = m_rig->console->replica();
    replica->takeEvents({tests::acquired(tests::heldLock("b"), replica->seq() + 1)});
    replica->flush();
    QVERIFY(!says("No events yet"));
    QVERIFY(tabs->currentWidget()->findChild<QTableView *>()->isVisible());
}

/** English also distinguishes one from many. */
void MainWindowTest::countsOneSource()
{
    m_rig->settings.setValue(settings::Key::Language, QStringLiteral("en"));
    const auto says = [this](const char *text) {
        const auto buttons = window()->consoleStatus()->findChildren<QAbstractButton *>();
        return std::any_of(buttons.cbegin(), buttons.cend(), [text](const QAbstractButton *button) {
            return button->text() == QLatin1String(text);
        });
    };
    domain::SourceState orders;
    orders.name = QStringLiteral("orders");
    domain::SourceState payments = orders;
    payments.name = QStringLiteral("payments");
    m_rig->console->replica()->takeStates({}, {orders});
    m_rig->console->replica()->flush();
    QTRY_VERIFY(says("0/1 source"));
    m_rig->console->replica()->takeStates({}, {payments});
    m_rig->console->replica()->flush();
    QTRY_VERIFY(says("0/2 sources"));
}

/** The names in the tooltip come from the agent's configuration and may contain markup. */
void MainWindowTest::roleToolTipStaysPlain()
{
    tests::ReplayAgent agent;
    agent.grants.list.first().sources = {QStringLiteral("<b>orders</b>")};
    QVERIFY(agent.start());
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    const auto buttons = window()->consoleStatus()->findChildren<QAbstractButton *>();
    const auto tips = [&buttons] {
        QString all;
        for (const QAbstractButton *button : buttons)
            all += button->toolTip() + QLatin1Char('\n');
        return all;
    };
    QTRY_VERIFY2(tips().contains(QLatin1String("orders")), qPrintable(tips()));
    QVERIFY2(!tips().contains(QLatin1String("<b>")), qPrintable(tips()));
}

void MainWindowTest::layoutIsRemembered()
{
    actions()[WindowActions::Activity]->trigger();
    QVERIFY(window()->activityDock()->isVisible());
    window()->resize(1300, 820);
    window()->showView("sources");
    m_rig->settings.setValue(settings::Key::DefaultView, QStringLiteral("last"));
    window()->close();
    Console second(&m_rig->settings, &m_clock);
    second.window()->show();
    QCOMPARE(second.window()->currentView()->id(), QByteArray("sources"));
    QTRY_VERIFY(second.window()->activityDock()->isVisible());
    QHeaderView *header = m_rig->console->locks()->table()->header();
    const int width = header->sectionSize(models::HolderColumn);
    header->resizeSection(models::HolderColumn, width + 60);
    actions()[WindowActions::ResetLayout]->trigger();
    QVERIFY(!window()->activityDock()->isVisible());
    QCOMPARE(header->sectionSize(models::HolderColumn), width);
}

/** Filter, range and grouping return after a restart. */
void MainWindowTest::viewsAreRemembered()
{
    const auto box = [](const Console &console, const char *name) {
        const views::View *contention = console.window()->view("contention");
        return contention->findChild<QComboBox *>(QLatin1String(name));
    };
    box(*m_rig->console, "range")->setCurrentIndex(2);
    box(*m_rig->console, "group")->setCurrentIndex(1);
    const auto historyTab = [](const Console &console) {
        return console.window()->view("history")->findChild<QTabBar *>(QStringLiteral("historyTabs"));
    };
    historyTab(*m_rig->console)->setCurrentIndex(1);
    const auto timeline = [](const Console &console, const char *what) {
        return console.timeline()->saveState().value(QLatin1String(what)).toLongLong();
    };
    m_rig->console->timeline()->findChild<QToolButton *>(QStringLiteral("zoomOut"))->click();
    m_rig->console->timeline()->findChild<QComboBox *>(QStringLiteral("lanes"))->setCurrentIndex(1);
    window()->view("contention")->setFilter(QStringLiteral("name:a"));
    window()->close();
    const Console second(&m_rig->settings, &m_clock);
    QCOMPARE(box(second, "range")->currentIndex(), 2);
    QCOMPARE(box(second, "group")->currentIndex(), 1);
    QCOMPARE(historyTab(second)->currentIndex(), 1);
    QCOMPARE(timeline(second, "range"), 2 * 3'600'000'000); // the same length, up to now
    QCOMPARE(timeline(second, "group"), 1);
    QCOMPARE(second.window()->view("contention")->saveState().value(QStringLiteral("filter")).toString(),
             QStringLiteral("name:a"));
}

/** F6 moves to the rows of a view, or to its chart. */
void MainWindowTest::panesAreRows()
{
    for (const char *id :
         {"overview", "locks", "chains", "timeline", "history", "contention", "advice", "audit", "sources"}) {
        const views::View *view = window()->view(id);
        QVERIFY2(view && qobject_cast<QAbstractScrollArea *>(view->focusProxy()), id);
    }
    const views::View *history = window()->view("history");
    const QWidget *events = history->focusProxy();
    history->findChild<QTabBar *>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    QVERIFY(history->focusProxy() != events);
}

/** A reading without an answer yet is neither fresh nor failed. */
void MainWindowTest::readingThatTakesLongIsSaid()
{
    tests::ReplayAgent agent;
    base::Error error{base::ErrorCode::Timeout, QStringLiteral("late"), {}};
    agent.answer = [&error](const protocol::Message &message) -> std::optional<protocol::Message> {
        const auto *now = std::get_if<protocol::ReadNow>(&message);
        return now ? std::optional<protocol::Message>(protocol::Failed{now->id, error}) : std::nullopt;
    };
    QVERIFY(agent.start());
    m_rig->console->start(QStringLiteral("local:") + agent.address().path);
    QTRY_COMPARE(m_rig->console->session()->link(), session::LinkState::Live);
    QString told;
    connect(m_rig->console->requests(), &views::Requests::messageCame, this,
            [&told](const QString &text) { told = text; });
    actions()[WindowActions::ReadNow]->trigger();
    QTRY_VERIFY2(told.contains(QStringLiteral("may still be reading")), qPrintable(told));
    error.code = base::ErrorCode::Unreachable;
    actions()[WindowActions::ReadNow]->trigger();
    QTRY_VERIFY2(told.contains(QStringLiteral("Not all sources were read: late")), qPrintable(told));
}

LOCKKEEPER_TEST(MainWindowTest)

} // namespace tst_main_window

#include "tst_main_window.moc"
