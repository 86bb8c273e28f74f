// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/codec.h"
#include "shared/transport/stream.h"

#include <QObject>

#include <memory>

namespace lockkeeper::transport {

/** The time limits of a connection, in milliseconds. Tests use shorter ones. */
struct Timings
{
    int pingMs = 5'000;   ///< between pings
    int deadMs = 15'000;  ///< a peer that is silent for so long is dead
    int frameMs = 10'000; ///< a frame that was begun must be whole by then; also how long a close may take
    int loginMs = 10'000; ///< from the connection to setLoggedIn()
};

/**
 * Messages over one stream, either side. Owns the stream; lives in one thread. Once logged in both
 * sides ping every 5 s (with 15 s of silence the peer is dead) and measure the round trip. A peer is closed
 * that breaks the protocol, leaves a frame unfinished for 10 s, or isn't logged in after 10 s. Bytes not yet
 * taken by the kernel are bounded by the caller through pendingBytes(). May be destroyed from a slot of its
 * own signals.
 */
class Channel : public QObject
{
    Q_OBJECT

public:
    explicit Channel(std::unique_ptr<Stream> stream, const Timings &timings = {});
    ~Channel() override;

    void send(const protocol::Message &message);
    /** Sends bytes that encode() and frame() have made: a batch encoded once for many sessions. */
    void sendFrame(const QByteArray &frame);
    qint64 pendingBytes() const;
    /** Of all that was sent, the bytes that are no longer pending; over TLS by some less. */
    qint64 takenBytes() const;
    /** After the login the larger frame limit applies, and the pings begin. */
    void setLoggedIn();
    /** Closes after what was sent has left. closed() follows. */
    void close();
    /** Ends it at once; closed() may come from within. */
    void drop(const base::Error &why);
    /** False from the moment that a close or a fault has begun. */
    bool isOpen() const;
    /** Name of the user at the other end where the system tells (SO_PEERCRED); else empty. */
    QString peerUser() const;
    /** Empty unless the connection is over TLS. */
    std::optional<TlsPeer> tlsPeer() const;
    bool isLoggedIn() const;
    /** The groups of that user, while the connection stands. */
    QStringList peerGroups() const;
    void setLastSeq(quint64 seq); ///< what an agent's Pong says
    /** While held, the channel takes no more messages: what the peer sends stays in the kernel's buffers. The
     * peer's silence doesn't count then. */
    void setHeld(bool held);

Q_SIGNALS:
    /** Any message but Ping and Pong, which the channel answers and uses by itself. */
    void received(const lockkeeper::protocol::Message &message);
    void taken();   ///< pendingBytes() fell
    void drained(); ///< it fell to zero
    void roundTrip(qint64 us);
    /** The peer's answer to a ping, with its newest sequence number and its clock. */
    void ponged(const lockkeeper::protocol::Pong &pong);
    /** Once, at the end. The code tells an orderly end (Cancelled) from others. */
    void closed(const lockkeeper::base::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
