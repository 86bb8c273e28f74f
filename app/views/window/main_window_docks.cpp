// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow about its layout: docks, panes, and the saved state of both.
#include "app/replica/selection.h"
#include "app/settings/settings.h"
#include "app/views/detail/lock_detail.h"
#include "app/views/widgets/named.h"
#include "app/views/widgets/requests.h"
#include "app/views/window/activity_panel.h"
#include "app/views/window/main_window.h"
#include "app/views/window/navigation.h"
#include "app/views/window/start_page.h"
#include "app/views/window/window_actions.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace lockkeeper::app::views {

namespace {

constexpr int kStateVersion = 1;
constexpr int kDetailNarrow = 276;
constexpr int kDetailWide = 360;
constexpr int kActivityHeight = 180;

} // namespace

void MainWindow::buildDocks()
{
    m_detail = new LockDetail(m_context, this);
    m_detail->setMinimumWidth(kDetailNarrow); // what it shows is read word by word down to here
    m_detail->setShownInList([this](const domain::LockKey &key) { return isListed(key); });
    m_detailDock = named("detail", new QDockWidget(this));
    m_detailDock->setWidget(m_detail);
    m_detailDock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    addDockWidget(Qt::RightDockWidgetArea, m_detailDock);
    m_activity = new ActivityPanel(m_context, m_commands, this);
    m_activityDock = named("activity", new QDockWidget(this));
    m_activityDock->setWidget(m_activity);
    m_activityDock->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    addDockWidget(Qt::BottomDockWidgetArea, m_activityDock);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setDockNestingEnabled(false);
    m_activityDock->hide();
    m_detailLater.setSingleShot(true);
    connect(&m_detailLater, &QTimer::timeout, this, &MainWindow::placeDetail);
    connect(m_context.selection, &replica::Selection::changed, this, [this] {
        if (m_detailDock->isHidden() != !m_context.selection->current())
            m_detailLater.start(QApplication::doubleClickInterval());
    });
    connect(m_detailDock, &QDockWidget::visibilityChanged, this, [this] {
        if (!m_placingDetail) // its own button closed it
            detailChoice() = !m_detailDock->isHidden();
        (*m_actions)[WindowActions::Detail]->setChecked(detailChoice());
        refreshActions();
    });
    connect(m_activityDock, &QDockWidget::visibilityChanged, this,
            [this] { (*m_actions)[WindowActions::Activity]->setChecked(!m_activityDock->isHidden()); });
}

/** The operator's last choice for the detail dock, in windows and beside views of this kind. */
bool &MainWindow::detailChoice()
{
    if (m_current && !m_current->hasRoomForDetail())
        return m_detailElsewhere;
    return m_narrow ? m_detailNarrow : m_detailWanted;
}

/**
 * Hides the dock while no lock is selected, and by default beside views without locks: it would only say that
 * no lock is selected, and cost a fifth of the width.
 */
void MainWindow::placeDetail()
{
    m_placingDetail = true;
    // Beside a past moment the dock would show the present, and before an agent is chosen it has nothing to
    // show.
    const bool starting = m_stack->currentWidget() == m_start;
    const bool shown =
        detailChoice() && !starting && !(m_current && m_current->isPast()) && m_context.selection->current();
    const bool opens = shown && m_detailDock->isHidden();
    m_detailDock->setVisible(shown);
    if (opens && !m_docksChosen)
        resizeDocks({m_detailDock}, {width() >= kWide ? kDetailWide : kDetailNarrow}, Qt::Horizontal);
    (*m_actions)[WindowActions::Detail]->setChecked(detailChoice());
    if (!m_docksChosen)
        m_activityDock->setVisible(width() >= kRoomy && !starting);
    m_placingDetail = false;
}

void MainWindow::toggleDetail(bool shown)
{
    const bool empty = !m_context.selection->current();
    if (empty)
        Q_EMIT m_context.requests->messageCame(tr("Select a lock to see its details."));
    detailChoice() = shown || empty;
    if (&detailChoice() == &m_detailWanted)
        m_docksChosen = true;
    placeDetail();
}

void MainWindow::showDetail()
{
    detailChoice() = true;
    placeDetail();
    m_detailDock->raise();
}

void MainWindow::placeDocks()
{
    const bool narrow = width() < kNarrow;
    if (narrow != m_narrow) {
        m_narrow = narrow;
        m_detailNarrow = false;
        placeDetail();
    }
    if (m_docksChosen)
        return;
    m_activityDock->setVisible(width() >= kRoomy && m_stack->currentWidget() != m_start);
    if (!m_detailDock->isHidden())
        resizeDocks({m_detailDock}, {width() >= kWide ? kDetailWide : kDetailNarrow}, Qt::Horizontal);
    if (!m_activityDock->isHidden())
        resizeDocks({m_activityDock}, {kActivityHeight}, Qt::Vertical);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    placeDocks();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    placeDocks();
    centreIfLost();
}

void MainWindow::centreIfLost()
{
    const QRect frame = frameGeometry();
    const auto screens = QApplication::screens();
    const bool seen = std::any_of(screens.cbegin(), screens.cend(), [&](const QScreen *screen) {
        const QRect part = screen->availableGeometry() & frame;
        return part.width() >= 200 && part.height() >= 100;
    });
    if (seen || screens.isEmpty())
        return;
    QRect place(QPoint(), size());
    place.moveCenter(QApplication::primaryScreen()->availableGeometry().center());
    move(place.topLeft());
}

void MainWindow::restore()
{
    const QByteArray geometry = m_context.settings->value(settings::Key::WindowGeometry).toByteArray();
    const QByteArray docks = m_context.settings->value(settings::Key::WindowState).toByteArray();
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    m_placingDetail = true;
    if (!docks.isEmpty() && restoreState(docks, kStateVersion)) {
        m_docksChosen = true;
        m_detailWanted = m_context.settings->value(settings::Key::DetailShown).toBool();
    }
    m_placingDetail = false;
    for (View *one : m_views) {
        const auto kept = m_context.settings->viewState(QString::fromLatin1(one->id()));
        if (kept)
            one->restoreState({{QStringLiteral("filter"), kept->filter},
                               {QStringLiteral("group"), QString::fromUtf8(kept->group)},
                               {QStringLiteral("range"), kept->range}});
    }
    QString id = m_context.settings->value(settings::Key::DefaultView).toString();
    if (id == QLatin1String("last"))
        id = m_context.settings->value(settings::Key::LastView).toString();
    View *first = view(id.toLatin1());
    if (first && !first->isAvailable()) // a past moment isn't kept
        first = nullptr;
    if (!first && !m_views.isEmpty())
        first = m_views.first();
    if (first)
        bringForward(first, true);
}

void MainWindow::keep()
{
    m_context.settings->setValue(settings::Key::WindowGeometry, saveGeometry());
    m_context.settings->setValue(settings::Key::DetailShown, m_detailWanted);
    // Docks that only follow the window's width aren't the operator's choice yet.
    if (m_docksChosen)
        m_context.settings->setValue(settings::Key::WindowState, saveState(kStateVersion));
    for (const View *one : std::as_const(m_views)) {
        const QVariantMap state = one->saveState();
        if (state.isEmpty())
            continue;
        settings::ViewState kept;
        kept.filter = state.value(QStringLiteral("filter")).toString();
        kept.group = state.value(QStringLiteral("group")).toString().toUtf8();
        kept.range = state.value(QStringLiteral("range")).toString();
        m_context.settings->setViewState(QString::fromLatin1(one->id()), kept);
    }
    m_context.settings->sync();
}

void MainWindow::changeEvent(QEvent *event)
{
    Translated::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) // also by the window manager
        m_actions->refresh();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    keep();
    QMainWindow::closeEvent(event);
}

void MainWindow::resetLayout()
{
    m_docksChosen = false;
    m_detailWanted = true;
    m_detailDock->setFloating(false);
    m_activityDock->setFloating(false);
    addDockWidget(Qt::RightDockWidgetArea, m_detailDock);
    addDockWidget(Qt::BottomDockWidgetArea, m_activityDock);
    m_detailElsewhere = false;
    placeDetail();
    placeDocks();
    m_context.settings->resetLayout(); // last: the tables need their final room
}

void MainWindow::nextPane(int direction)
{
    QList<QWidget *> panes{m_navigation};
    if (m_current)
        panes.append(m_current);
    if (!m_detailDock->isHidden())
        panes.append(m_detail->releaseButton()->isEnabled()
                         ? static_cast<QWidget *>(m_detail->releaseButton())
                         : m_detail);
    if (!m_activityDock->isHidden())
        panes.append(m_activity);
    qsizetype at = 0;
    for (qsizetype i = 0; i < panes.size(); ++i) {
        const QWidget *focus = QApplication::focusWidget();
        if (focus && (panes.at(i) == focus || panes.at(i)->isAncestorOf(focus)))
            at = i;
    }
    if (m_detail->isAncestorOf(QApplication::focusWidget()))
        at = panes.indexOf(panes.contains(m_detail) ? m_detail
                                                    : static_cast<QWidget *>(m_detail->releaseButton()));
    const auto count = panes.size();
    panes.at((at + direction + count) % count)->setFocus(Qt::ShortcutFocusReason);
}

} // namespace lockkeeper::app::views
