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

/** Who is at the other end of a connection over TLS, as far as the handshake tells. */
struct TlsPeer
{
    QString address;             ///< of its machine
    QSslCertificate certificate; ///< a verified one; null: it showed none
};

/** What a channel's bytes go through. Owns the device; lives in one thread. */
class Stream : public QObject
{
    Q_OBJECT

public:
    virtual QIODevice &device() = 0;
    virtual bool isOpen() const = 0;
    /** Ends it once what was written has left; ended() follows. */
    virtual void finish() = 0;
    /** Ends it at once; ended() may come from within. */
    virtual void abort() = 0;
    /** Name of the user at the other end, as the system tells; empty where it doesn't. */
    virtual QString peerUser() const { return {}; }
    /** Empty unless the stream is over TLS. */
    virtual std::optional<TlsPeer> tlsPeer() const { return {}; }
    /** Bytes that the kernel hasn't taken yet. */
    virtual qint64 pendingBytes() { return device().bytesToWrite(); }
    /** That user's groups, likewise. */
    virtual QStringList peerGroups() const { return {}; }
    /** Why it ended, where more is known than that it did. */
    virtual std::optional<base::Error> reason() const { return {}; }

Q_SIGNALS:
    void ended();
    /** pendingBytes() fell although the device wrote nothing: what was encrypted has left. */
    void written();
};

/** A connected local socket as a stream. */
std::unique_ptr<Stream> streamOf(std::unique_ptr<QLocalSocket> socket);

} // namespace lockkeeper::transport
