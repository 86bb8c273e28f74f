// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/commands_model.h"
#include "app/views/widgets/translated.h"
#include "app/views/widgets/view.h"

#include <QMainWindow>
#include <QTimer>

class QDockWidget;
class QStackedWidget;

namespace lockkeeper::app::views {

class ActivityPanel;
class BannerArea;
class CommandPalette;
class ConsoleStatusBar;
class LinkBanners;
class LockDetail;
class Navigation;
class StartPage;
class WindowActions;

/**
 * The console's window: navigation, the view in front, the docks, the banners and the status bar. Views are
 * registered with addView(); the window owns them then. GUI thread.
 */
class MainWindow : public Translated<QMainWindow>
{
    Q_OBJECT

public:
    static constexpr int kNarrow = 1200; ///< below, the detail dock is a toggle
    static constexpr int kWide = 1600;   ///< from here the detail dock is 360 px wide
    static constexpr int kRoomy = 1920;  ///< from here the bottom dock is shown by default

    /** `commands` isn't owned. */
    MainWindow(const ConsoleContext &context, models::CommandsModel *commands, QWidget *parent = nullptr);
    ~MainWindow() override;

    /** The registration point: a new entry in the navigation and the Go menu. */
    void addView(View *view);
    View *view(const QByteArray &id) const;
    View *currentView() const { return m_current; }
    QList<View *> views() const { return m_views; }
    /** Call it after adding all views: restores geometry, docks and the last view. */
    void restore();

    void showView(const QByteArray &id, const QString &filter = {});
    /** Shows the start page: no agent is known, or the user wants another agent. */
    void showStart(const QString &address);
    void showDetail();
    void hideStart();

    WindowActions *actions() const { return m_actions; }
    LockDetail *detail() const { return m_detail; }
    BannerArea *banners() const { return m_banners; }
    CommandPalette *commandPalette() const { return m_palette; }
    ConsoleStatusBar *consoleStatus() const { return m_status; }
    QDockWidget *detailDock() const { return m_detailDock; }
    QDockWidget *activityDock() const { return m_activityDock; }

Q_SIGNALS:
    void preferencesAsked();
    void connectAsked(const QString &address);
    void watchStoreAsked();
    void demoAsked();
    void stopPrivateAsked();
    void pastAsked();

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void build();
    void buildDocks();
    void connectActions();
    void connectState();
    void retranslate() final;
    void bringForward(View *view, bool remember);
    void step(int direction);
    void nextPane(int direction);
    void readNow();
    void openPalette();
    void refreshActions();
    bool isListed(const domain::LockKey &key) const;
    void showTitle();
    void placeDocks();
    void keep();
    void resetLayout();
    void centreIfLost();
    void toggleDetail(bool shown);
    bool &detailChoice();
    void placeDetail();

    ConsoleContext m_context;
    models::CommandsModel *m_commands;
    WindowActions *m_actions;
    Navigation *m_navigation = nullptr;
    QStackedWidget *m_stack = nullptr;
    BannerArea *m_banners = nullptr;
    LinkBanners *m_linkBanners = nullptr;
    ConsoleStatusBar *m_status = nullptr;
    StartPage *m_start = nullptr;
    CommandPalette *m_palette = nullptr;
    LockDetail *m_detail = nullptr;
    ActivityPanel *m_activity = nullptr;
    QDockWidget *m_detailDock = nullptr;
    QDockWidget *m_activityDock = nullptr;
    QList<View *> m_views;
    QTimer m_second;
    QTimer m_detailLater; ///< after a double click, which must not end in the dock
    View *m_current = nullptr;
    QList<View *> m_trail; ///< visited views, for back and forward
    qsizetype m_place = -1;
    bool m_detailWanted = true;     ///< beside locks, in windows that have the room
    bool m_detailNarrow = false;    ///< the same in narrow ones
    bool m_detailElsewhere = false; ///< beside views without locks
    bool m_placingDetail = false;
    bool m_docksChosen = false;
    bool m_narrow = false;
};

} // namespace lockkeeper::app::views
