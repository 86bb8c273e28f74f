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
    int deadMs = 15'000;  ///< silence after which the peer counts as dead
    int frameMs = 10'000; ///< limit for completing a frame once it has begun, and for closing
    int loginMs = 10'000; ///< from the connection to setLoggedIn()
};

/**
 * Sends and receives messages over one stream, on either side. Owns the stream; lives in one thread. After
 * the login both sides ping every 5 s and measure the round trip; a peer that is silent for 15 s counts as
 * dead. The channel disconnects a peer that breaks the protocol, leaves a frame unfinished for 10 s, or isn't
 * logged in after 10 s. The caller must bound the bytes that the kernel hasn't taken yet; pendingBytes()
 * counts them. A slot of the channel's signals may destroy the channel.
 */
class Channel : public QObject
{
    Q_OBJECT

public:
    explicit Channel(std::unique_ptr<Stream> stream, const Timings &timings = {});
    ~Channel() override;

    void send(const protocol::Message &message);
    /** Sends bytes that encode() and frame() produced, so that a batch is encoded once for many sessions. */
    void sendFrame(const QByteArray &frame);
    qint64 pendingBytes() const;
    /** The number of bytes sent that are no longer pending; over TLS slightly less. */
    qint64 takenBytes() const;
    /** Ends the login phase: raises the frame limit and starts the pings. */
    void setLoggedIn();
    /** Closes once the sent bytes have left. closed() follows. */
    void close();
    /** Ends the connection at once; closed() may be emitted before drop() returns. */
    void drop(const base::Error &why);
    /** False as soon as a close or a fault has begun. */
    bool isOpen() const;
    /** Name of the peer's user, where the system provides it (SO_PEERCRED); otherwise empty. */
    QString peerUser() const;
    /** Empty unless the connection is over TLS. */
    std::optional<TlsPeer> tlsPeer() const;
    bool isLoggedIn() const;
    /** The groups of the peer's user, while the connection is open. */
    QStringList peerGroups() const;
    void setLastSeq(quint64 seq); ///< newest sequence number, for the Pongs that follow
    /** While held, the channel reads no more messages: the peer's bytes stay in the kernel's buffers, and its
     * silence doesn't count. */
    void setHeld(bool held);

Q_SIGNALS:
    /** Any message except Ping and Pong, which the channel handles internally. */
    void received(const lockkeeper::protocol::Message &message);
    void taken();   ///< pendingBytes() fell
    void drained(); ///< pendingBytes() fell to zero
    void roundTrip(qint64 us);
    /** The peer's answer to a ping, with its newest sequence number and its clock. */
    void ponged(const lockkeeper::protocol::Pong &pong);
    /** Emitted once, at the end. After an orderly close the error's code is Cancelled. */
    void closed(const lockkeeper::base::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
