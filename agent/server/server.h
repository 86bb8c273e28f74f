// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/session.h"
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
     * Listens on exactly these addresses: a listener that stays keeps its sessions, and so do those whose
     * listener goes, unless it was the last one over TLS: whoever came in over TLS is sent away. Where one of
     * them can't be listened on, it listens as it did before.
     */
    base::Result<void> listen(const QStringList &addresses, const QString &baseDir);
    /** The certificate, key and clients' authorities of the connections over TLS from now on. Where one of
     * the authorities is gone, sessions by a certificate end: whose is still good comes in again. */
    void setTls(const QSslConfiguration &configuration);
    /** The policy is another one: of the sockets' modes, and of every session. */
    void policyChanged();
    qsizetype sessionCount() const { return m_sessions.size(); }
    qint64 waitingBytes() const;
    /** Listens no more and tells every client that the agent ends. */
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
    QList<Session *> m_sessions;
};

} // namespace lockkeeper::agent::server
