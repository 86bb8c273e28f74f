// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/client_session.h"
#include "shared/transport/local_listener.h"
#include "shared/transport/tls_listener.h"

#include <QObject>

#include <map>

namespace lockkeeper::agent::server {

/** The listeners and their sessions. Lives in the main thread. */
class Server : public QObject
{
    Q_OBJECT

public:
    explicit Server(Services services, QObject *parent = nullptr);
    ~Server() override;

    /**
     * Listens on exactly these addresses. A listener that stays keeps its sessions. The sessions of a removed
     * listener stay as well, unless it was the last one over TLS: then all sessions over TLS end. If an
     * address can't be listened on, the previous listeners are restored.
     */
    base::Result<void> listen(const QStringList &addresses, const QString &baseDir);
    /** Sets the certificate, the key and the clients' authorities for new connections over TLS. If an
     * authority was removed, all sessions with a certificate end; a client whose certificate is still good
     * can connect again. */
    void setTls(const QSslConfiguration &configuration);
    /** Applies a changed policy to the sockets' modes and to every session. */
    void policyChanged();
    qsizetype sessionCount() const { return m_sessions.size(); }
    qint64 waitingBytes() const;
    /** Stops listening, and notifies every client that the agent ends. */
    void shutDown();

private:
    base::Result<void> begin(const transport::Address &address);
    void take(transport::Listener &listener);
    /** See Session::endTls(). */
    void endTls(bool byCertificate, const QString &cause);
    std::unique_ptr<transport::Listener> makeListener(const transport::Address &address) const;
    void warnOfFolder(const transport::Address &address) const;

    Services m_services;
    QSslConfiguration m_tls;
    std::map<QString, std::unique_ptr<transport::Listener>> m_listeners; ///< by address
    QList<ClientSession *> m_sessions;
};

} // namespace lockkeeper::agent::server
