// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"

#include <QHostInfo>
#include <QSslSocket>

namespace lockkeeper::agent::liveness {

/**
 * Connects to a holder, and for Http requests the path and reads the status alone. A name is resolved, each
 * of its addresses is checked, and the connection goes to the checked address, so that a second answer of the
 * name's server can't lead elsewhere. No redirect is followed. TLS certificates are verified for the name.
 *
 * Tcp: an accepted connection is alive. A refused one is dead if the holder's own text is the address, so
 * that the refusal comes from the holder's host; behind a name may be another host. Http: 2xx is alive; every
 * other status, a refused connection and a wrong certificate are unknown.
 */
class SocketProbe final : public HolderProbe
{
    Q_OBJECT

public:
    SocketProbe(ProbeTarget target, Done done);
    ~SocketProbe() override;

protected:
    void begin() override;
    void abort() override;

private:
    void resolved(const QHostInfo &info);
    void connectToNext();
    void connected();
    void failed();
    void read();
    bool isHttp() const { return target().method == domain::LivenessMethod::Http; }

    QList<QHostAddress> m_addresses; ///< still to be tried
    QSslSocket m_socket;
    QByteArray m_answer;
    int m_lookUp = -1;
    bool m_wasRefused = false;
    bool m_wasConnected = false;
};

} // namespace lockkeeper::agent::liveness
