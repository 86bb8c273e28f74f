// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/window/window_actions.h"

#include "app/presentation/icons.h"
#include "app/replica/replica.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/plain_label.h"
#include "app/words/time_format.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

QList<QKeySequence> keys(const char *first, const char *second = nullptr)
{
    QList<QKeySequence> result{QKeySequence(QString::fromLatin1(first))};
    if (second)
        result.append(QKeySequence(QString::fromLatin1(second)));
    return result;
}

QPushButton *menuButton(QMenu *menu, QToolBar *bar)
{
    auto *button = new QPushButton(bar);
    button->setMenu(menu);
    button->setFocusPolicy(Qt::TabFocus);
    bar->addWidget(button);
    return button;
}

} // namespace

WindowActions::WindowActions(const ConsoleContext &context, QWidget *window)
    : QObject(window),
      m_context(context),
      m_window(window),
      m_zoneMenu(new QMenu(window)),
      m_sortMenu(new QMenu(window)),
      m_agentMenu(new QMenu(window))
{
    for (QMenu *&menu : m_menus)
        menu = new QMenu(window);
    setUp(Pause, "media-playback-pause", keys("F9"), true);
    setUp(ReadNow, "view-refresh", keys("F5"));
    setUp(Release, "force-release", keys("Ctrl+Del"));
    setUp(Timeline, "view-timeline", keys("Ctrl+T"));
    setUp(History, "view-history", keys("Ctrl+H"));
    setUp(Holder, "computer", keys("Ctrl+Shift+H"));
    setUp(CopyText, "edit-copy", keys("Ctrl+C"));
    setUp(CopyJson, nullptr, keys("Ctrl+Shift+C"));
    setUp(Export, "document-save-as", keys("Ctrl+E"));
    setUp(SavePicture, nullptr, {});
    setUp(Print, nullptr, keys("Ctrl+P"));
    setUp(Quit, nullptr, keys("Ctrl+Q"));
    setUp(Detail, nullptr, keys("F4"), true);
    setUp(Activity, nullptr, {}, true);
    setUp(FullScreen, nullptr, keys("F11"), true);
    setUp(LargerText, "zoom-in", keys("Ctrl++", "Ctrl+="));
    setUp(SmallerText, "zoom-out", keys("Ctrl+-"));
    setUp(NormalText, nullptr, keys("Ctrl+0"));
    setUp(Columns, nullptr, {});
    setUp(Filter, "edit-find", keys("Ctrl+F"));
    setUp(NextPane, nullptr, keys("F6"));
    setUp(PreviousPane, nullptr, keys("Shift+F6"));
    setUp(Back, "go-previous", keys("Alt+Left"));
    setUp(Forward, "go-next", keys("Alt+Right"));
    setUp(Palette, "edit-find", keys("Ctrl+K"));
    setUp(StateAt, "view-history", keys("Ctrl+Shift+G"));
    setUp(ZoneLocal, nullptr, {}, true);
    setUp(ZoneUtc, nullptr, {}, true);
    setUp(Preferences, "preferences-system", keys("Ctrl+,"));
    setUp(ResetLayout, nullptr, {});
    setUp(Connect, nullptr, {});
    setUp(ConnectAlso, nullptr, {});
    setUp(WatchStore, nullptr, {});
    setUp(StopPrivate, nullptr, {});
    setUp(Reconnect, nullptr, {});
    setUp(Keys, "help-contents", keys("F1", "Ctrl+?"));
    setUp(About, "dialog-information", {});
    auto *zones = new QActionGroup(this);
    zones->addAction((*this)[ZoneLocal]);
    zones->addAction((*this)[ZoneUtc]);
}

void WindowActions::setUp(Id id, const char *icon, const QList<QKeySequence> &shortcuts, bool checkable)
{
    auto *action = new QAction(m_window);
    if (icon)
        action->setIcon(presentation::icon(QString::fromLatin1(icon)));
    action->setShortcuts(shortcuts);
    action->setCheckable(checkable);
    m_window->addAction(action); // shortcuts work while the menu bar is hidden, too
    m_actions.at(std::size_t(id)) = action;
}

void WindowActions::buildMenus(QMenuBar *bar)
{
    const WindowActions &all = *this;
    for (QMenu *menu : m_menus)
        bar->addMenu(menu);
    m_menus.at(FileMenu)->addActions({all[Connect], all[ConnectAlso], all[Reconnect]});
    m_menus.at(FileMenu)->addSeparator();
    m_menus.at(FileMenu)->addActions({all[WatchStore], all[StopPrivate]});
    m_menus.at(FileMenu)->addSeparator();
    m_menus.at(FileMenu)->addActions({all[Export], all[SavePicture], all[Print]});
    m_menus.at(FileMenu)->addSeparator();
    m_menus.at(FileMenu)->addAction(all[Quit]);
    m_menus.at(EditMenu)->addActions({all[CopyText], all[CopyJson], all[Filter]});
    m_zoneMenu->addActions({all[ZoneLocal], all[ZoneUtc]});
    m_menus.at(ViewMenu)->addActions({all[Pause], all[ReadNow]});
    m_menus.at(ViewMenu)->addSeparator();
    m_menus.at(ViewMenu)->addActions({all[Detail], all[Activity]});
    m_menus.at(ViewMenu)->addMenu(m_zoneMenu);
    m_menus.at(ViewMenu)->addSeparator();
    m_menus.at(ViewMenu)->addAction(all[Columns]);
    m_menus.at(ViewMenu)->addMenu(m_sortMenu);
    m_menus.at(ViewMenu)->addSeparator();
    m_menus.at(ViewMenu)->addActions({all[FullScreen], all[LargerText], all[SmallerText], all[NormalText]});
    m_menus.at(ViewMenu)->addSeparator();
    m_menus.at(ViewMenu)->addAction(all[ResetLayout]);
    m_menus.at(LockMenu)->addActions({all[Release], all[Timeline], all[History], all[Holder]});
    m_menus.at(LockMenu)->addSeparator();
    m_menus.at(LockMenu)->addActions({all[CopyText], all[CopyJson]});
    m_menus.at(GoMenu)->addActions({all[Back], all[Forward], all[NextPane], all[PreviousPane]});
    m_menus.at(GoMenu)->addSeparator();
    m_menus.at(GoMenu)->addActions({all[Palette], all[StateAt]});
    m_menus.at(GoMenu)->addSeparator();
    m_menus.at(ToolsMenu)->addAction(all[Preferences]);
    m_menus.at(HelpMenu)->addActions({all[Keys], all[About]});
}

void WindowActions::buildToolBar(QToolBar *bar)
{
    const WindowActions &all = *this;
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(16, 16));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addActions({all[Pause], all[ReadNow]});
    m_pause = qobject_cast<QToolButton *>(bar->widgetForAction(all[Pause]));
    bar->addSeparator();
    bar->addActions({all[Release], all[Timeline], all[History]});
    auto *space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    connect(m_agentMenu, &QMenu::aboutToShow, this, &WindowActions::fillAgentMenu);
    fillAgentMenu();
    m_zone = menuButton(m_zoneMenu, bar);
    m_agent = menuButton(m_agentMenu, bar);
}

QAction *WindowActions::addView(const QString &title, const QIcon &icon)
{
    QAction *action = m_menus.at(GoMenu)->addAction(icon, title);
    if (m_views.size() < 9) // there is no tenth digit
        action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + m_views.size())));
    m_views.append(action);
    return action;
}

QString WindowActions::text(Id id) const
{
    switch (id) {
    case Pause:
        return m_context.replica->isPaused() ? tr("&Resume") : tr("&Pause");
    case ReadNow:
        return tr("&Read now");
    case Release:
        return tr("&Force-release…");
    case Timeline:
        return tr("&Timeline");
    case History:
        return tr("&History");
    case Holder:
        return tr("Show everything of this h&older");
    case CopyText:
        return tr("&Copy");
    case CopyJson:
        return tr("Copy as &JSON");
    case Export:
        return tr("&Export…");
    case SavePicture:
        return tr("Save p&icture…");
    case Print:
        return tr("&Print…");
    case Quit:
        return tr("&Quit");
    case Detail:
        return tr("Lock &detail");
    case Activity:
        return tr("&Events and commands");
    case FullScreen:
        return tr("F&ull screen");
    case LargerText:
        return tr("Lar&ger text");
    case SmallerText:
        return tr("S&maller text");
    case NormalText:
        return tr("Normal te&xt size");
    case Columns:
        return tr("C&olumns…");
    case Filter:
        return tr("&Filter");
    case NextPane:
        return tr("&Next pane");
    case PreviousPane:
        return tr("Pre&vious pane");
    case Back:
        return tr("&Back");
    case Forward:
        return tr("F&orward");
    case Palette:
        return tr("Command &palette…");
    case StateAt:
        return tr("State at a &time…");
    case ZoneLocal:
        return tr("&Local time");
    case ZoneUtc:
        return tr("&UTC");
    case Preferences:
        return tr("&Preferences…");
    case ResetLayout:
        return tr("Reset la&yout");
    case Connect:
        return tr("&Connect to an agent…");
    case ConnectAlso:
        return tr("Co&nnect to another agent as well…");
    case WatchStore:
        return tr("&Watch a store…");
    case StopPrivate:
        return tr("&Stop the private agent");
    case Reconnect:
        return tr("&Reconnect now");
    case Keys:
        return tr("&Keys");
    case About:
        return tr("&About Lockkeeper");
    case IdCount:
        break;
    }
    return {};
}

void WindowActions::setWords(Id id)
{
    m_actions.at(std::size_t(id))->setText(text(id));
    m_actions.at(std::size_t(id))->setIconText(plainText(text(id)));
    showToolTip(id);
}

/** The toolbar's words have no shortcut, and a grey button doesn't say why it is grey. */
void WindowActions::showToolTip(Id id)
{
    QAction *action = m_actions.at(std::size_t(id));
    const QString words = plainText(text(id)).remove(QStringLiteral("…"));
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    const QString title = keys.isEmpty() ? words : tr("%1 (%2)", "action, its shortcut").arg(words, keys);
    const QString &reason = m_reasons.at(std::size_t(id));
    action->setToolTip(plainToolTip(reason.isEmpty() ? title : title + QLatin1Char('\n') + reason));
}

void WindowActions::setOff(Id id, const QString &reason)
{
    m_actions.at(std::size_t(id))->setEnabled(reason.isEmpty());
    m_reasons.at(std::size_t(id)) = reason;
    showToolTip(id);
}

QString WindowActions::reason(const QAction *action) const
{
    const auto it = std::find(m_actions.cbegin(), m_actions.cend(), action);
    const QString known =
        it == m_actions.cend() ? QString() : m_reasons.at(std::size_t(it - m_actions.cbegin()));
    return action->isEnabled() || !known.isEmpty() ? known : tr("Not available now.");
}

bool WindowActions::isForPalette(const QAction *action) const
{
    return action != (*this)[StopPrivate] && action != (*this)[Palette];
}

QString WindowActions::plainText(QString text)
{
    static const QRegularExpression bracketed(QStringLiteral("\\(&.\\)"));
    return text.remove(bracketed).remove(QLatin1Char('&'));
}

void WindowActions::setPrivateAgentRuns(bool runs)
{
    m_privateAgentRuns = runs;
    refresh();
}

/** The recent agents follow the actions, the last one first. */
void WindowActions::fillAgentMenu()
{
    const WindowActions &all = *this;
    m_agentMenu->clear(); // deletes its own entries, and no action of the window
    m_agentMenu->addActions({all[Reconnect], all[Connect], all[ConnectAlso]});
    m_agentMenu->addSeparator();
    for (const QString &address : m_context.settings->recentAgents()) {
        QAction *recent =
            m_agentMenu->addAction(base::displayText(address).replace(QLatin1Char('&'), QLatin1String("&&")));
        connect(recent, &QAction::triggered, this, [this, address] { Q_EMIT agentAsked(address); });
    }
}

/** Makes the button as wide as the wider of its two words, so that its neighbours don't move. */
void WindowActions::keepPauseWidth()
{
    if (!m_pause)
        return;
    const QString now = m_actions.at(Pause)->iconText();
    int width = 0;
    for (const QString &words : {tr("&Pause"), tr("&Resume")}) {
        m_actions.at(Pause)->setIconText(plainText(words));
        width = std::max(width, m_pause->sizeHint().width());
    }
    m_actions.at(Pause)->setIconText(now);
    m_pause->setMinimumWidth(width);
}

void WindowActions::retranslate()
{
    for (int id = 0; id < IdCount; ++id)
        setWords(Id(id));
    const std::array<QString, MenuCount> titles{tr("&File"), tr("&Edit"),  tr("&View"), tr("&Lock"),
                                                tr("&Go"),   tr("&Tools"), tr("&Help")};
    for (std::size_t i = 0; i < titles.size(); ++i)
        m_menus.at(i)->setTitle(titles.at(i));
    m_zoneMenu->setTitle(tr("Time &zone"));
    m_sortMenu->setTitle(tr("&Sort by"));
    keepPauseWidth();
    refresh();
}

void WindowActions::refresh()
{
    const bool paused = m_context.replica->isPaused();
    QAction *pause = (*this)[Pause];
    pause->setChecked(paused);
    setWords(Pause);
    pause->setIcon(presentation::icon(paused ? QStringLiteral("media-playback-start")
                                             : QStringLiteral("media-playback-pause")));
    const bool utc = m_context.times->zone() != words::Zone::Local;
    (*this)[ZoneUtc]->setChecked(utc);
    (*this)[ZoneLocal]->setChecked(!utc);
    const QString zone = m_context.times->zoneText(m_context.clock->wallUs());
    if (m_zone)
        m_zone->setText(utc ? tr("Time: UTC") : tr("Time: local (%1)").arg(zone));
    QString agent = base::displayText(m_context.session->welcome().agent);
    const int agents = int(m_context.session->sessions().size());
    if (m_agent) {
        m_agent->setToolTip(agents > 1 ? plainToolTip(agent) : QString());
        agent.replace(QLatin1Char('&'), QLatin1String("&&"));
        m_agent->setText(agents > kNamedAgents ? tr("%n agent(s)", nullptr, agents)
                         : agent.isEmpty()     ? tr("Agent: none")
                                               : tr("Agent: %1").arg(agent));
    }
    (*this)[FullScreen]->setChecked(m_window->isFullScreen());
    const int zoom = m_context.settings->fontZoom();
    setOff(LargerText, zoom < settings::Settings::kMostZoom ? QString() : tr("This is the largest size."));
    setOff(SmallerText, zoom > settings::Settings::kLeastZoom ? QString() : tr("This is the smallest size."));
    setOff(NormalText, zoom != 100 ? QString() : tr("The text has its normal size."));
    const session::LinkState link = m_context.session->link();
    setOff(ConnectAlso, link != session::LinkState::Offline ? QString() : tr("Connect to an agent first."));
    setOff(Reconnect, link == session::LinkState::Waiting ? QString() : tr("No connection is lost."));
    setOff(StopPrivate, m_privateAgentRuns ? QString() : tr("No private agent is running."));
}

} // namespace lockkeeper::app::views
