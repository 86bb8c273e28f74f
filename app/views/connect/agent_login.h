// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/connection.h"

#include <QDialog>
#include <QPointer>

namespace lockkeeper::app::session {
class AgentSession;
}

namespace lockkeeper::app::views {

/**
 * Helps a TLS session that was refused: asks the user whether to trust an unknown agent, and for the login.
 * Asks once per refusal. Cancelling the dialog leaves the session as it is; the next attempt, which the user
 * starts, asks again. GUI thread.
 */
class AgentLogin : public QObject
{
    Q_OBJECT

public:
    AgentLogin(session::AgentSession *session, QWidget *window);

    /** Call it before the session opens the connection. */
    void begin(const connections::Connection &connection);
    QDialog *dialog() const { return m_dialog; }
    session::AgentSession *session() const { return m_session; }

private:
    void look();
    void askTrust(const QByteArray &fingerprint);
    void lookInKeychain();
    void askLogin();
    void tryAgain();

    session::AgentSession *m_session;
    QWidget *m_window;
    connections::Connection m_connection;
    QPointer<QDialog> m_dialog;
    bool m_keychainRead = false;
    bool m_keep = false; ///< keep the login once it has proven right
};

} // namespace lockkeeper::app::views
