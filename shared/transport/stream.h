// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QIODevice>
#include <QSslCertificate>

#include <memory>
#include <optional>

class QLocalSocket;

namespace lockkeeper::transport {

/** The peer of a TLS connection, as the handshake identified it. */
struct TlsPeer
{
    QString address;             ///< of the peer's machine
    QSslCertificate certificate; ///< verified; null: the peer showed none
};

/** A byte stream that carries a channel. Owns the device; lives in one thread. */
class Stream : public QObject
{
    Q_OBJECT

public:
    virtual QIODevice &device() = 0;
    virtual bool isOpen() const = 0;
    /** Closes the stream once all written bytes have left; ended() follows. */
    virtual void finish() = 0;
    /** Closes the stream at once; ended() may be emitted before abort() returns. */
    virtual void abort() = 0;
    /** Name of the peer's user, as the system reports it; empty where it doesn't. */
    virtual QString peerUser() const { return {}; }
    /** Empty unless the stream is over TLS. */
    virtual std::optional<TlsPeer> tlsPeer() const { return {}; }
    /** Bytes that the kernel hasn't taken yet. */
    virtual qint64 pendingBytes() { return device().bytesToWrite(); }
    /** Groups of the peer's user, as the system reports them; empty where it doesn't. */
    virtual QStringList peerGroups() const { return {}; }
    /** Why the stream ended; empty if the reason isn't known. */
    virtual std::optional<base::Error> reason() const { return {}; }

Q_SIGNALS:
    void ended();
    /** pendingBytes() fell although the device wrote nothing: encrypted bytes have left. */
    void written();
};

/** A connected local socket as a stream. */
std::unique_ptr<Stream> streamOf(std::unique_ptr<QLocalSocket> socket);

} // namespace lockkeeper::transport
