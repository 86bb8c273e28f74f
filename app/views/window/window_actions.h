// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"

#include <QAction>
#include <QList>
#include <QObject>

#include <array>

class QMenu;
class QMenuBar;
class QToolBar;
class QPushButton;
class QToolButton;

namespace lockkeeper::app::views {

/** The window's actions, and the menus and the toolbar made of them. The window carries out the actions. */
class WindowActions : public QObject
{
    Q_OBJECT

public:
    /** Up to this many agents are shown by name; more are shown as a number. */
    static constexpr int kNamedAgents = 3;

    enum Id {
        Pause,
        ReadNow,
        Release,
        Timeline,
        History,
        Holder,
        CopyText,
        CopyJson,
        Export,
        SavePicture,
        Print,
        Quit,
        Detail,
        Activity,
        FullScreen,
        LargerText,
        SmallerText,
        NormalText,
        Columns,
        Filter,
        NextPane,
        PreviousPane,
        Back,
        Forward,
        Palette,
        StateAt,
        ZoneLocal,
        ZoneUtc,
        Preferences,
        ResetLayout,
        Connect,
        ConnectAlso,
        WatchStore,
        StopPrivate,
        Reconnect,
        Keys,
        About,
        IdCount
    };

    WindowActions(const ConsoleContext &context, QWidget *window);

    QAction *operator[](Id id) const { return m_actions.at(std::size_t(id)); }
    void buildMenus(QMenuBar *bar);
    void buildToolBar(QToolBar *bar);
    QMenu *lockMenu() const { return m_menus.at(LockMenu); }
    QMenu *zoneMenu() const { return m_zoneMenu; }
    /** *Sort by*, which the window fills. */
    QMenu *sortMenu() const { return m_sortMenu; }
    /** An entry of the Go menu, with Ctrl+1 and so on in the order of the calls. */
    QAction *addView(const QString &title, const QIcon &icon);
    /** In the order of addView(). */
    const QList<QAction *> &viewActions() const { return m_views; }

    void retranslate();
    /** Refreshes the texts that show a state: the pause, the zone, the agent's name. */
    void refresh();
    /** Switches the action off for the reason, which its tooltip shows. An empty reason switches it on. */
    void setOff(Id id, const QString &reason);
    /** The reason why the action is off; empty: it is on. */
    QString reason(Id id) const { return m_reasons.at(std::size_t(id)); }
    /** The same for any action; an action that is off for no known reason is "not available now". */
    QString reason(const QAction *action) const;
    /** False for actions that end something without a question. */
    bool isForPalette(const QAction *action) const;
    /** An action's text without its mnemonic, which Chinese puts in brackets: "暂停(&P)". */
    static QString plainText(QString text);
    void setPrivateAgentRuns(bool runs);

Q_SIGNALS:
    /** A recent agent of the Agent menu, by its address. */
    void agentAsked(const QString &address);

private:
    enum Menu { FileMenu, EditMenu, ViewMenu, LockMenu, GoMenu, ToolsMenu, HelpMenu, MenuCount };
    QString text(Id id) const;
    void keepPauseWidth();
    void fillAgentMenu();
    void setWords(Id id);
    void showToolTip(Id id);
    void setUp(Id id, const char *icon, const QList<QKeySequence> &keys, bool checkable = false);

    ConsoleContext m_context;
    QWidget *m_window;
    std::array<QAction *, IdCount> m_actions{};
    std::array<QString, IdCount> m_reasons;
    std::array<QMenu *, MenuCount> m_menus{};
    QMenu *m_zoneMenu;
    QMenu *m_sortMenu;
    QMenu *m_agentMenu;
    QToolButton *m_pause = nullptr; ///< on the toolbar
    QPushButton *m_zone = nullptr;
    QPushButton *m_agent = nullptr;
    QList<QAction *> m_views;
    bool m_privateAgentRuns = false;
};

} // namespace lockkeeper::app::views
