// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application/language.h"
#include "app/connections/connection.h"
#include "app/models/commands_model.h"
#include "app/presentation/theme.h"
#include "app/replica/alert_board.h"
#include "app/replica/holder_checks.h"
#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/session/agent_group.h"
#include "app/settings/settings.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/menu_key.h"
#include "app/views/widgets/requests.h"
#include "app/words/time_format.h"

#include <memory>
#include <optional>

namespace lockkeeper::app {

namespace demo {
class Demo;
}
namespace private_agent {
class PrivateAgent;
}

namespace views {
class AgentLogin;
class ChainsView;
class LocksView;
class MainWindow;
class HolderView;
class PastView;
class ReleaseController;
class TimelineView;
class Tray;
} // namespace views

/**
 * The composition root of the console: owns session, replica, selection, theme and window, and connects
 * objects that don't know each other. GUI thread.
 */
class Console : public QObject
{
    Q_OBJECT

public:
    /** Owns neither argument. `privateFolder`: the folder of the private agent; empty: the user's default. */
    Console(settings::Settings *settings, const base::Clock *clock, const QString &privateFolder = {},
            QObject *parent = nullptr);
    ~Console() override;

    /** Opens the agent at `address`, or the start page if it is empty or not an address. */
    void start(const QString &address);

    views::MainWindow *window() const { return m_window.get(); }
    /** The login of the first agent. */
    views::AgentLogin *login() const { return m_logins.value(0); }
    views::LocksView *locks() const { return m_locks; }
    views::ChainsView *chains() const { return m_chains; }
    views::HolderView *holder() const { return m_holder; }
    views::PastView *past() const { return m_past; }
    views::TimelineView *timeline() const { return m_timeline; }
    views::Requests *requests() { return &m_requests; }
    replica::Replica *replica() { return &m_replica; }
    session::AgentGroup *session() { return &m_session; }
    replica::Selection *selection() { return &m_selection; }
    Language *language() { return &m_language; }
    presentation::Theme *theme() { return &m_theme; }
    private_agent::PrivateAgent *privateAgent() const { return m_privateAgent.get(); }
    /** The demo of the start page. startDemo() starts it. */
    demo::Demo *demo();
    void startDemo();
    void endDemo();
    /** Opens the wizard whose result is a private agent, or a configuration section for another agent. */
    void watchStore();

private:
    void build();
    void connectRequests();
    void applySettings();
    void openPreferences();
    void openAgent(const QString &address);
    void giveCredentials();
    void connectPrivateAgent();
    void followSelection();
    void forgetDemo();
    void resumePrivateAgent();
    void stopPrivateAgent();
    void privateAgentEnded(const base::Error &error);
    views::ConsoleContext context();

    settings::Settings *m_settings;
    const base::Clock *m_clock;
    Language m_language;
    presentation::Theme m_theme;
    words::TimeFormat m_times;
    session::AgentGroup m_session;
    replica::Replica m_replica;
    replica::AlertBoard m_alerts;
    replica::HolderChecks m_holders;
    replica::Selection m_selection;
    views::Requests m_requests;
    views::MenuKey m_menuKey;
    models::CommandsModel m_commands;
    std::unique_ptr<private_agent::PrivateAgent> m_privateAgent;
    std::unique_ptr<demo::Demo> m_demo;
    std::unique_ptr<views::MainWindow> m_window;
    QList<connections::Connection> m_connections; ///< as last opened
    QList<views::AgentLogin *> m_logins;          ///< one per session
    views::LocksView *m_locks = nullptr;
    views::ChainsView *m_chains = nullptr;
    views::HolderView *m_holder = nullptr;
    views::PastView *m_past = nullptr;
    views::TimelineView *m_timeline = nullptr;
    views::ReleaseController *m_releases = nullptr;
    views::Tray *m_tray = nullptr;
    std::optional<base::Error> m_privateError; ///< the error in the private agent's banner
};

} // namespace lockkeeper::app
