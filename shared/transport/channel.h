// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/codec.h"

#include <QObject>

#include <memory>

class QLocalSocket;

namespace lockkeeper::transport {

/**
 * Messages over one local socket, either side. Owns the socket; lives in one thread. Both sides ping
 * every 5 s (with 15 s of silence the peer is dead), measure the round trip, and close a peer that breaks the protocol or leaves a
 * frame unfinished for 10 s. Bytes not yet taken by the kernel are bounded by the caller through pendingBytes().
 */
class Channel : public QObject
{
    Q_OBJECT

public:
    explicit Channel(std::unique_ptr<QLocalSocket> socket, QObject *parent = nullptr);
    ~Channel() override;

    void send(const protocol::Message &message);
    /** Sends bytes that encode() and frame() have made: a batch encoded once for many sessions. */
    void sendFrame(const QByteArray &frame);
    qint64 pendingBytes() const;
    /** After the login the larger frame limit applies. */
    void setLoggedIn();
    /** Closes after what was sent has left. closed() follows. */
    void close();
    /** Name of the user at the other end of the socket where the system tells (SO_PEERCRED); else empty. */
    QString peerUser() const;
    void setLastSeq(quint64 seq); ///< what an agent's Pong says

Q_SIGNALS:
    void received(const lockkeeper::protocol::Message &message);
    void drained();                ///< pendingBytes() fell to zero
    void roundTrip(qint64 us);
    /** Once, at the end. The code tells an orderly end (Cancelled) from others. */
    void closed(const lockkeeper::base::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
