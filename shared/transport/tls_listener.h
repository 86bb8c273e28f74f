// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/listener.h"

#include <QHash>
#include <QSslConfiguration>
#include <QStringList>
#include <QTimer>

#include <functional>

class QSslSocket;

namespace lockkeeper::transport {

/**
 * Listens for TLS on one address and port. A connection counts as soon as its handshake has ended. A
 * handshake may take 5 s, and the number of unfinished handshakes is limited like the number of strangers.
 * Handshakes begin one at a time, the machines in turn, because each costs some milliseconds of processor
 * time: a machine that connects very often delays only itself. A client whose certificate doesn't verify is
 * refused, even where the certificate is optional.
 */
class TlsListener final : public Listener
{
    Q_OBJECT

public:
    TlsListener();
    ~TlsListener() override;

    /** Applies to handshakes from now on: the agent's certificate and key, and whether clients need one. */
    void setConfiguration(const QSslConfiguration &configuration);
    /** The host has to be a numeric address of this machine; port 0: any free port. */
    base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) override;
    void close() override;
    quint16 port() const;

private:
    void queue(qintptr descriptor);
    void dropQueued();
    void serveNext();
    void shakeHands(qintptr descriptor);
    void take(QSslSocket *socket);

    class TlsAcceptor;
    std::unique_ptr<TlsAcceptor> m_server;
    QSslConfiguration m_configuration;
    QHash<QString, QList<qintptr>> m_queued; ///< connections whose handshake hasn't begun, by their machine
    QStringList m_turns;                     ///< the machines in m_queued, the next one first
    QTimer m_turn;
    QList<QSslSocket *> m_handshakes; ///< unfinished; oldest first
};

} // namespace lockkeeper::transport
