// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/listener.h"

#include <QSslConfiguration>

#include <functional>

class QSslSocket;

namespace lockkeeper::transport {

/**
 * Listens for TLS on one address and port. A connection counts from its handshake's end, which has 5 s; those
 * before it are bounded as strangers are. A client whose certificate doesn't verify is refused, whether one
 * is asked for or demanded.
 */
class TlsListener final : public Listener
{
    Q_OBJECT

public:
    TlsListener();
    ~TlsListener() override;

    /** For the handshakes from now on: the certificate, its key, and whether clients need one. */
    void setConfiguration(const QSslConfiguration &configuration);
    /** The host has to be an address of this machine; port 0: any free one. */
    base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) override;
    void close() override;
    quint16 port() const;

private:
    void shakeHands(qintptr descriptor);
    void take(QSslSocket *socket);

    class Server;
    std::unique_ptr<Server> m_server;
    QSslConfiguration m_configuration;
    QList<QSslSocket *> m_handshakes; ///< the oldest first
};

} // namespace lockkeeper::transport
