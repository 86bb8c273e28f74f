// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/connect/agent_login.h"

#include "app/connections/known_agents.h"
#include "app/session/agent_session.h"
#include "app/views/connect/keychain.h"
#include "app/views/connect/login_dialog.h"
#include "app/views/connect/trust_dialog.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QLoggingCategory>

#include <utility>

namespace lockkeeper::app::views {

Q_LOGGING_CATEGORY(lcAgentLogin, "lockkeeper.login")

using session::LinkState;

AgentLogin::AgentLogin(session::AgentSession *session, QWidget *window)
    : QObject(window), m_session(session), m_window(window)
{
    connect(session, &session::AgentSession::linkChanged, this, &AgentLogin::look);
}

void AgentLogin::begin(const connections::Connection &connection)
{
    m_connection = connection;
    m_keychainRead = false;
    m_keep = false;
    if (m_dialog)
        m_dialog->reject();
    m_session->setCredentials(connection.tls, connection.login());
}

void AgentLogin::look()
{
    if (m_session->link() == LinkState::Live && std::exchange(m_keep, false))
        Keychain::write(m_connection.address.text(), *m_connection.login());
    if (m_session->link() != LinkState::Waiting || m_dialog || m_session->address() != m_connection.address)
        return;
    if (const QByteArray fingerprint = m_session->unknownCertificate(); !fingerprint.isEmpty())
        askTrust(fingerprint);
    else if (m_session->wantsLogin() && !m_connection.login() && !m_keychainRead)
        lookInKeychain();
    else if (m_session->wantsLogin())
        askLogin();
}

void AgentLogin::tryAgain()
{
    m_session->setCredentials(m_connection.tls, m_connection.login());
    m_session->retryNow();
}

void AgentLogin::askTrust(const QByteArray &fingerprint)
{
    auto *dialog = new TrustDialog(m_connection.address, fingerprint, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog = dialog;
    connect(dialog, &QDialog::accepted, this, [this, fingerprint] {
        m_dialog.clear();
        const auto kept = connections::KnownAgents::trust(m_connection.address, fingerprint,
                                                          connections::KnownAgents::defaultFile());
        if (!kept)
            qCWarning(lcAgentLogin).noquote() << kept.error().line();
        m_connection.tls.pin = fingerprint;
        tryAgain();
    });
    dialog->open();
}

void AgentLogin::lookInKeychain()
{
    m_keychainRead = true;
    Keychain::read(m_connection.address.text(), this,
                   [this, address = m_connection.address](const std::optional<protocol::Login> &kept) {
                       if (address != m_connection.address)
                           return;
                       if (!kept)
                           return look();
                       m_connection.user = kept->user;
                       m_connection.password = kept->password;
                       tryAgain();
                   });
}

void AgentLogin::askLogin()
{
    const bool tried = m_connection.login().has_value();
    auto *dialog = new LoginDialog(m_connection.address, m_connection.user,
                                   tried ? m_session->lastError() : base::Error(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog = dialog;
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_dialog.clear();
        m_connection.user = dialog->user()->text().trimmed();
        m_connection.password = dialog->password()->text().toUtf8();
        m_keep = dialog->keep()->isChecked();
        tryAgain();
    });
    dialog->open();
}

} // namespace lockkeeper::app::views
