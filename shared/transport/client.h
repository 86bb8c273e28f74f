// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"
#include "shared/transport/tls_trust.h"

namespace lockkeeper::transport {

/**
 * A client's connection: connects, says Hello, logs in where the agent wants it, waits for Welcome, and only
 * then is connected. Doesn't reconnect by itself. Lives in one thread. No signal is emitted from within
 * open() or close().
 */
class Client : public QObject
{
    Q_OBJECT

public:
    /** How far an opening has come, for who shows it; a local socket is opened at once. */
    enum class Step : quint8 {
        Reached = 0, ///< the host's name is resolved, or ssh is logged in
        Opened,      ///< bytes pass: the socket, TLS or the bridge stands
    };

    explicit Client(QString program, QStringList features = {}, QObject *parent = nullptr);
    ~Client() override;

    /** For the connections opened from now on. */
    void setTimings(const Timings &timings);
    /** The same, over TLS. */
    void setTls(const TlsOptions &options);
    /** What is answered to an agent that wants a login; empty: the connection ends, wantsLogin() is true. */
    void setLogin(const std::optional<protocol::Login> &login);
    /** Opens, after dropping without a signal what was open before. */
    void open(const Address &address);
    /** Ends after what was sent has left; disconnected() (Cancelled) follows. */
    void close();
    bool isConnected() const;
    void send(const protocol::Message &message);
    /** Once disconnected: fingerprint of a certificate that wasn't known and that a person may decide to
     * trust; else empty. */
    QByteArray unknownCertificate() const;
    /** Once disconnected: the agent wanted a name and a password, and got none or wrong ones. */
    bool wantsLogin() const;

Q_SIGNALS:
    void stepped(lockkeeper::transport::Client::Step step);
    void connected(const lockkeeper::protocol::Welcome &welcome);
    /** Every message after Welcome other than pings. */
    void received(const lockkeeper::protocol::Message &message);
    void roundTrip(qint64 us);
    /** The agent's answer to a ping, with its newest sequence number and its clock. */
    void ponged(const lockkeeper::protocol::Pong &pong);
    /** Refused, not reachable, or lost; once for each open(). */
    void disconnected(const lockkeeper::base::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
