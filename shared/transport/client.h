// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"
#include "shared/transport/tls_trust.h"

namespace lockkeeper::transport {

/**
 * A client's connection to an agent. It counts as connected only after the handshake: it sends Hello, logs in
 * if the agent asks for it, and receives Welcome. Doesn't reconnect automatically. Lives in one thread.
 * open() and close() emit no signal before they return.
 */
class Client : public QObject
{
    Q_OBJECT

public:
    /** Progress of open(), for display; a local socket skips Reached. */
    enum class OpenProgress : quint8 {
        Reached = 0, ///< the host's name is resolved, or ssh is logged in
        Opened,      ///< the socket, TLS or the bridge is open
    };

    explicit Client(QString program, QObject *parent = nullptr);
    ~Client() override;

    /** Applies to connections opened from now on. */
    void setTimings(const Timings &timings);
    /** Applies to TLS connections opened from now on. */
    void setTls(const TlsOptions &options);
    /** The answer to an agent that asks for a login; empty: the connection ends, and wantsLogin() is true. */
    void setLogin(const std::optional<protocol::Login> &login);
    /** For connections opened from now on: the user that they act for. Only a hub sets it. */
    void setOnBehalf(const std::optional<protocol::OnBehalf> &onBehalf);
    /** Opens a connection. First drops an open connection without a signal. */
    void open(const Address &address);
    /** Closes once the sent bytes have left; disconnected() (Cancelled) follows. */
    void close();
    bool isConnected() const;
    void send(const protocol::Message &message);
    /** After disconnected(): fingerprint of an unknown certificate that the user may decide to trust;
     * otherwise empty. */
    QByteArray unknownCertificate() const;
    /** After disconnected(): true if the agent asked for a name and a password and got none or wrong ones. */
    bool wantsLogin() const;

Q_SIGNALS:
    void stepped(lockkeeper::transport::Client::OpenProgress step);
    void connected(const lockkeeper::protocol::Welcome &welcome);
    /** Every message after Welcome other than pings. */
    void received(const lockkeeper::protocol::Message &message);
    void roundTrip(qint64 us);
    /** The agent's answer to a ping, with its newest sequence number and its clock. */
    void ponged(const lockkeeper::protocol::Pong &pong);
    /** The connection was refused, couldn't be made, or was lost. Emitted once for each open(). */
    void disconnected(const lockkeeper::base::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
