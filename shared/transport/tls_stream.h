// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/stream.h"

class QSslSocket;

namespace lockkeeper::transport {

/** Either side of a TLS connection after its handshake. */
class TlsStream final : public Stream
{
    Q_OBJECT

public:
    /** `unread`: limit of Qt's read buffer in bytes; the rest stays in the kernel, which blocks the sender.
     */
    TlsStream(std::unique_ptr<QSslSocket> socket, qint64 unread, Address address = {});
    ~TlsStream() override;

    QIODevice &device() override;
    bool isOpen() const override;
    void finish() override;
    void abort() override;
    std::optional<TlsPeer> tlsPeer() const override;
    qint64 pendingBytes() override;
    std::optional<base::Error> reason() const override;

private:
    std::unique_ptr<QSslSocket> m_socket;
    TlsPeer m_peer;
    Address m_address; ///< address of the agent; empty on the agent's side
};

} // namespace lockkeeper::transport
