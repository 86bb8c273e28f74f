// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/main_window.h"

#include "app/models/seconds.h"
#include "app/presentation/icons.h"
#include "app/presentation/theme.h"
#include "app/replica/holder.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/palette/command_palette.h"
#include "app/views/picture/picture_output.h"
#include "app/views/table/columns_dialog.h"
#include "app/views/table/columns_menu.h"
#include "app/views/widgets/banner_area.h"
#include "app/views/widgets/release_verdict.h"
#include "app/views/widgets/requests.h"
#include "app/views/window/activity_panel.h"
#include "app/views/window/console_status_bar.h"
#include "app/views/window/help_dialogs.h"
#include "app/views/window/link_banners.h"
#include "app/views/window/navigation.h"
#include "app/views/window/palette_commands.h"
#include "app/views/window/start_page.h"
#include "app/views/window/window_actions.h"
#include "app/words/error_words.h"
#include "app/words/time_format.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>
#include <QToolBar>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
// 1920 × 1080 at 200 %, less the window's frame and a panel of the desktop.
constexpr QSize kLeast(940, 480);
constexpr QSize kFrame(8, 48);
} // namespace

MainWindow::MainWindow(const ConsoleContext &context, models::CommandsModel *commands, QWidget *parent)
    : Translated(parent),
      m_context(context),
      m_commands(commands),
      m_actions(new WindowActions(context, this))
{
    setMinimumSize(kLeast);
    resize(QSize(1280, 800).boundedTo(screen()->availableSize() - kFrame).expandedTo(kLeast));
    setWindowIcon(presentation::icon(QStringLiteral("lockkeeper"), QColor(0x2F6FA8)));
    build();
    buildDocks();
    m_actions->buildMenus(menuBar());
    m_palette = new CommandPalette(m_context, this);
    connectActions();
    connectState();
    retranslate();
}

MainWindow::~MainWindow() = default;

void MainWindow::build()
{
    auto *bar = new QToolBar(this);
    m_actions->buildToolBar(bar);
    addToolBar(Qt::TopToolBarArea, bar);
    m_navigation = new Navigation(m_context.theme, this);
    m_stack = new QStackedWidget(this);
    m_start = new StartPage(this);
    m_stack->addWidget(m_start);
    // Ignore the size of pages that aren't in front: they would squeeze the docks for good.
    connect(m_stack, &QStackedWidget::currentChanged, this, [this](int front) {
        for (int i = 0; i < m_stack->count(); ++i) {
            const auto policy = i == front ? QSizePolicy::Preferred : QSizePolicy::Ignored;
            m_stack->widget(i)->setSizePolicy(policy, policy);
        }
    });
    m_banners = new BannerArea(m_context.theme, this);
    m_linkBanners = new LinkBanners(m_context, m_banners, this);
    auto *body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_navigation);
    body->addWidget(m_stack, 1);
    auto *centre = new QWidget(this);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(body, 1);
    column->addWidget(m_banners); // at the foot: a new banner moves nothing under the pointer
    setCentralWidget(centre);
    m_status = new ConsoleStatusBar(m_context, m_commands, this);
    setStatusBar(m_status);
}

void MainWindow::connectActions()
{
    const WindowActions &all = *m_actions;
    const auto on = [this, &all](WindowActions::Id id, auto act) {
        connect(all[id], &QAction::triggered, this, act);
    };
    on(WindowActions::Pause, [this] { m_context.replica->setPaused(!m_context.replica->isPaused()); });
    on(WindowActions::ReadNow, [this] { readNow(); });
    on(WindowActions::Release,
       [this] { Q_EMIT m_context.requests->releaseAsked(m_context.selection->keys()); });
    on(WindowActions::Timeline, [this] {
        if (m_context.selection->current())
            Q_EMIT m_context.requests->timelineAsked(m_context.selection->keys());
    });
    on(WindowActions::History, [this] {
        if (const auto key = m_context.selection->current())
            Q_EMIT m_context.requests->historyAsked(*key);
    });
    on(WindowActions::Holder, [this] {
        if (const auto key = m_context.selection->current())
            Q_EMIT m_context.requests->holderOfAsked(*key);
    });
    on(WindowActions::CopyText, [this] { m_current ? void(m_current->copyText()) : void(); });
    on(WindowActions::CopyJson, [this] { m_current ? void(m_current->copyJson()) : void(); });
    on(WindowActions::Export, [this] { m_current ? void(m_current->exportRows()) : void(); });
    const auto draw = [this](void (PictureOutput::*output)(const ViewPicture &) const) {
        if (const auto picture = m_current ? m_current->picture() : std::nullopt)
            (PictureOutput(m_context, m_current).*output)(*picture);
    };
    on(WindowActions::SavePicture, [draw] { draw(&PictureOutput::save); });
    on(WindowActions::Print, [draw] { draw(&PictureOutput::print); });
    on(WindowActions::Quit, [this] { close(); });
    on(WindowActions::Detail, [this](bool shown) { toggleDetail(shown); });
    on(WindowActions::Activity, [this](bool shown) {
        m_docksChosen = true;
        m_activityDock->setVisible(shown);
    });
    on(WindowActions::FullScreen,
       [this](bool full) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, full)); });
    const auto zoom = [this](int percent) {
        m_context.settings->setValue(settings::Key::FontZoom, percent);
        m_actions->refresh();
    };
    on(WindowActions::LargerText,
       [this, zoom] { zoom(m_context.settings->fontZoom() + settings::Settings::kZoomStep); });
    on(WindowActions::SmallerText,
       [this, zoom] { zoom(m_context.settings->fontZoom() - settings::Settings::kZoomStep); });
    on(WindowActions::NormalText, [zoom] { zoom(100); });
    on(WindowActions::Columns, [this] {
        const TableColumns columns = m_current ? m_current->tableColumns() : TableColumns();
        if (columns.header)
            (new ColumnsDialog(columns, this))->open();
    });
    connect(all.sortMenu(), &QMenu::aboutToShow, this, [this, menu = all.sortMenu()] {
        ColumnsMenu::fillSortMenu(menu, m_current ? m_current->tableColumns() : TableColumns());
    });
    on(WindowActions::Filter, [this] { m_current ? m_current->focusFilter() : void(); });
    on(WindowActions::NextPane, [this] { nextPane(1); });
    on(WindowActions::PreviousPane, [this] { nextPane(-1); });
    on(WindowActions::Back, [this] { step(-1); });
    on(WindowActions::Forward, [this] { step(1); });
    on(WindowActions::Palette, [this] { openPalette(); });
    on(WindowActions::StateAt, [this] { Q_EMIT pastAsked(); });
    on(WindowActions::ZoneLocal,
       [this] { m_context.settings->setValue(settings::Key::TimeZone, QStringLiteral("local")); });
    on(WindowActions::ZoneUtc,
       [this] { m_context.settings->setValue(settings::Key::TimeZone, QStringLiteral("utc")); });
    on(WindowActions::Preferences, [this] { Q_EMIT preferencesAsked(); });
    on(WindowActions::ResetLayout, [this] { resetLayout(); });
    on(WindowActions::Connect,
       [this] { showStart(m_context.settings->value(settings::Key::LastAgent).toString()); });
    on(WindowActions::ConnectAlso, [this] {
        showStart(m_context.settings->value(settings::Key::LastAgent).toString() + QLatin1String(", "));
    });
    on(WindowActions::WatchStore, [this] { Q_EMIT watchStoreAsked(); });
    on(WindowActions::StopPrivate, [this] { Q_EMIT stopPrivateAsked(); });
    on(WindowActions::Reconnect, [this] { m_context.session->retryNow(); });
    on(WindowActions::Keys, [this] { showKeys(this); });
    on(WindowActions::About, [this] { showAbout(this); });
}

void MainWindow::connectState()
{
    connect(m_navigation, &Navigation::chosen, this, [this](View *view) { bringForward(view, true); });
    connect(m_start, &StartPage::connectAsked, this, &MainWindow::connectAsked);
    connect(m_start, &StartPage::forgetAsked, m_context.settings, &settings::Settings::forgetAgent);
    const auto showRecent = [this] { m_start->setRecent(m_context.settings->recentAgents()); };
    connect(m_context.settings, &settings::Settings::recentAgentsChanged, m_start, showRecent);
    showRecent();
    connect(m_actions, &WindowActions::agentAsked, this, &MainWindow::connectAsked);
    connect(m_start, &StartPage::demoAsked, this, &MainWindow::demoAsked);
    connect(m_start, &StartPage::watchAsked, this, &MainWindow::watchStoreAsked);
    connect(m_status, &ConsoleStatusBar::linkClicked, this, [this] {
        if (m_context.replica->isPaused())
            m_context.replica->setPaused(false);
        else
            showView(QByteArrayLiteral("sources"));
    });
    connect(m_status, &ConsoleStatusBar::pendingClicked, this, [this] {
        m_activityDock->show();
        m_activity->showCommands();
    });
    connect(m_status, &ConsoleStatusBar::zoneClicked, this,
            [this] { m_actions->zoneMenu()->popup(QCursor::pos()); });
    connect(m_context.requests, &Requests::viewAsked, this, &MainWindow::showView);
    connect(m_context.requests, &Requests::rangeAsked, this,
            [this](const QByteArray &id, const QString &filter, qint64 fromUs, qint64 toUs) {
                showView(id);
                if (View *shown = view(id); shown && shown == m_current) {
                    shown->setFilter(filter);
                    shown->setRange(fromUs, toUs);
                }
            });
    connect(m_context.selection, &replica::Selection::changed, this, &MainWindow::refreshActions);
    connect(m_context.replica, &replica::Replica::changed, this, &MainWindow::refreshActions);
    connect(m_context.replica, &replica::Replica::sourcesChanged, this, &MainWindow::refreshActions);
    connect(m_context.replica, &replica::Replica::releasingChanged, this, &MainWindow::refreshActions);
    connect(m_context.replica, &replica::Replica::offlineChanged, this, &MainWindow::refreshActions);
    connect(&m_second, &QTimer::timeout, this, &MainWindow::refreshActions); // a silent source emits nothing
    models::startSeconds(m_second);
    connect(m_context.replica, &replica::Replica::pauseChanged, m_actions, &WindowActions::refresh);
    connect(m_context.times, &words::TimeFormat::changed, m_actions, &WindowActions::refresh);
    connect(m_context.session, &session::AgentGroup::linkChanged, this, [this] {
        m_actions->refresh();
        refreshActions(); // what the agent offers
        showTitle();
    });
}

void MainWindow::showTitle()
{
    const int agents = int(m_context.session->sessions().size());
    const QString agent = agents > WindowActions::kNamedAgents
                              ? tr("%n agent(s)", nullptr, agents)
                              : base::displayText(m_context.session->welcome().agent);
    const QString past = m_current && m_current->isPast() ? m_current->windowTitle() : QString();
    setWindowTitle(agent.isEmpty()  ? tr("Lockkeeper")
                   : past.isEmpty() ? tr("%1 – Lockkeeper").arg(agent)
                                    : tr("%1 – %2 – Lockkeeper", "a past moment, agent").arg(past, agent));
}

void MainWindow::refreshActions()
{
    // A selection from another view isn't visible: an action must not affect locks that the operator doesn't
    // see.
    bool inSight = m_current && (m_current->selectsLocks() || !m_detailDock->isHidden());
    const QList<domain::LockKey> &keys = m_context.selection->keys();
    const bool hidden = inSight && !std::all_of(keys.cbegin(), keys.cend(),
                                                [this](const domain::LockKey &key) { return isListed(key); });
    inSight = inSight && !hidden;
    const ReleaseVerdict verdict =
        ReleaseVerdict::of(inSight ? m_context.selection->keys() : QList<domain::LockKey>(), m_context);
    const bool past = m_current && m_current->isPast();
    const auto off = [this](WindowActions::Id id, bool on, const QString &reason) {
        m_actions->setOff(id, on ? QString() : reason);
    };
    off(WindowActions::Release, verdict.possible,
        past     ? words::Words::releaseOff(domain::ReleaseOff::Past)
        : hidden ? ReleaseVerdict::notListed()
                 : verdict.reason);
    const bool chosen = inSight && m_context.selection->current();
    const QString none =
        hidden ? tr("This list doesn't show the selected lock. Clear the filter in Locks to see it.")
               : ReleaseVerdict::nothingSelected();
    off(WindowActions::History, chosen, none);
    off(WindowActions::Timeline, chosen, none);
    const auto current = chosen && !past ? m_context.replica->find(*m_context.selection->current())
                                         : std::optional<domain::LockState>();
    off(WindowActions::Holder, current && !replica::holderOf(*current).isEmpty(),
        past      ? tr("A past moment shows no holder's other locks.")
        : !chosen ? none
                  : tr("This lock has no known holder."));
    const bool connected = !m_context.replica->isOffline();
    for (const auto id : {WindowActions::StateAt, WindowActions::ReadNow})
        off(id, connected, tr("No agent is connected."));
    off(WindowActions::Pause, connected || m_context.replica->isPaused(), tr("No agent is connected."));
    off(WindowActions::Export, m_current && m_current->canExport(), tr("This view has no rows to export."));
    const bool drawn = m_current && m_current->picture();
    for (const auto id : {WindowActions::SavePicture, WindowActions::Print})
        off(id, drawn, tr("Only Timeline and Contention have pictures, once they show something."));
    off(WindowActions::Detail, !past, tr("A past moment has its own details beside it."));
    off(WindowActions::Back, m_place > 0, tr("No view came before."));
    off(WindowActions::Forward, m_place + 1 < m_trail.size(), tr("No view comes after."));
    const TableColumns columns = m_current ? m_current->tableColumns() : TableColumns();
    off(WindowActions::Columns, columns.header, tr("This view has no table."));
    m_actions->sortMenu()->setEnabled(columns.header && columns.header->isSortIndicatorShown());
    m_detail->followList();
}

/** False if the view in front lists locks and hides this one. */
bool MainWindow::isListed(const domain::LockKey &key) const
{
    return !m_current || !m_current->selectsLocks() || m_current->showsLock(key);
}

void MainWindow::retranslate()
{
    m_actions->retranslate();
    showTitle();
    m_detailDock->setWindowTitle(tr("Lock"));
    m_activityDock->setWindowTitle(tr("Activity"));
    m_navigation->setAccessibleName(tr("Views"));
    for (QToolBar *bar : findChildren<QToolBar *>())
        bar->setWindowTitle(tr("Toolbar"));
    m_linkBanners->retranslate();
    refreshActions();
}

void MainWindow::addView(View *view)
{
    m_views.append(view);
    m_stack->addWidget(view);
    m_navigation->addView(view);
    QAction *go = m_actions->addView(view->title(), presentation::icon(view->iconName()));
    connect(go, &QAction::triggered, this, [this, view] { bringForward(view, true); });
    connect(view, &View::rowsChanged, this, [this, view] {
        if (view == m_current)
            refreshActions();
    });
    connect(view, &View::titleChanged, go, [this, go, view] {
        go->setText(view->title());
        showTitle();
    });
    const auto offer = [this, go, view] {
        const bool offered = view->isAvailable();
        go->setVisible(offered);
        if (!offered && m_current == view)
            bringForward(m_views.first(), true);
    };
    go->setVisible(view->isAvailable());
    connect(view, &View::availableChanged, this, offer);
}

View *MainWindow::view(const QByteArray &id) const
{
    for (View *one : m_views) {
        if (one->id() == id)
            return one;
    }
    return nullptr;
}

void MainWindow::showView(const QByteArray &id, const QString &filter)
{
    View *wanted = view(id);
    if (!wanted || !wanted->isAvailable())
        return;
    bringForward(wanted, true);
    if (!filter.isEmpty())
        wanted->setFilter(filter);
}

void MainWindow::bringForward(View *view, bool remember)
{
    const bool another = view != m_current;
    m_current = view;
    m_stack->setCurrentWidget(view);
    m_navigation->setCurrent(view);
    m_status->setView(view);
    if (another && remember) {
        m_trail.resize(m_place + 1);
        m_trail.append(view);
        m_place = m_trail.size() - 1;
    }
    if (!view->isPast())
        m_context.settings->setValue(settings::Key::LastView, QString::fromLatin1(view->id()));
    showTitle();
    placeDetail();
    refreshActions();
    view->activate();
}

void MainWindow::step(int direction)
{
    const qsizetype place = m_place + direction;
    if (place < 0 || place >= m_trail.size())
        return;
    m_place = place;
    bringForward(m_trail.at(place), false);
}

void MainWindow::showStart(const QString &address)
{
    if (!address.isEmpty())
        m_start->setAddress(address);
    m_stack->setCurrentWidget(m_start);
    m_start->focusAddress();
    m_navigation->setCurrent(nullptr);
    m_current = nullptr;
    m_status->setView(nullptr);
    placeDetail();
    refreshActions();
}

void MainWindow::hideStart()
{
    if (m_current || m_views.isEmpty())
        return;
    View *back = m_place >= 0 ? m_trail.at(m_place) : m_views.first();
    bringForward(back, m_place < 0);
}

void MainWindow::openPalette()
{
    const PaletteCommands commands(*m_actions, *menuBar());
    m_palette->open(commands.entries(m_views, [this](View *view) { bringForward(view, true); }));
}

void MainWindow::readNow()
{
    if (m_current)
        m_current->refresh();
    if (m_context.session->link() != session::LinkState::Live)
        return;
    m_context.session->ask(protocol::ReadNow(), this, [this](const base::Result<protocol::Done> &done) {
        // After a timeout of the agent or of this console, the scans continue.
        const bool goesOn = !done && done.error().code == base::ErrorCode::Timeout;
        Q_EMIT m_context.requests->messageCame(
            done     ? tr("All sources have been read.")
            : goesOn ? tr("Not all sources were read within 30 s; the agent may still be reading.")
                     : tr("Not all sources were read: %1").arg(words::ErrorWords::cause(done.error())));
    });
}

} // namespace lockkeeper::app::views
