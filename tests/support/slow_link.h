// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTcpServer>

namespace lockkeeper::tests {

/**
 * Stands between clients and a server's port on this machine, in the event loop of its thread: the server's
 * answers come late, or never.
 */
class SlowLink : public QObject
{
    Q_OBJECT

public:
    explicit SlowLink(quint16 server);

    quint16 port() const { return m_server.serverPort(); }
    /** The number of open connections. */
    qsizetype connections() const;
    /** From now on. Nothing overtakes the data in transit. */
    void setDelayMs(int ms) { m_delayMs = ms; }
    /** While it is on: the server's next answer is dropped, and breaks the connection. */
    void setDropping(bool on) { m_dropping = on; }
    /** Ends every connection: the data in transit are lost. */
    void cut() { Q_EMIT cutting(); }
    /** The present connections stay open, but deliver nothing any more. */
    void hush() { Q_EMIT hushing(); }

Q_SIGNALS:
    void cutting();
    void hushing();

private:
    void onConnection();

    QTcpServer m_server;
    quint16 m_to;
    int m_delayMs = 0;
    bool m_dropping = false;
};

} // namespace lockkeeper::tests
