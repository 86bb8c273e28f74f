// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/tls_stream.h"

#include "shared/transport/tls_trust.h"

#include <QHostAddress>
#include <QSslSocket>

namespace lockkeeper::transport {

TlsStream::TlsStream(std::unique_ptr<QSslSocket> socket, qint64 unread, Address address)
    : m_socket(std::move(socket)),
      m_peer{m_socket->peerAddress().toString(), m_socket->peerCertificate()},
      m_address(std::move(address))
{
    m_socket->setReadBufferSize(unread);
    connect(m_socket.get(), &QSslSocket::disconnected, this, &Stream::ended);
    connect(m_socket.get(), &QSslSocket::encryptedBytesWritten, this, &Stream::written);
}

TlsStream::~TlsStream() = default;

QIODevice &TlsStream::device()
{
    return *m_socket;
}

bool TlsStream::isOpen() const
{
    return m_socket->state() == QAbstractSocket::ConnectedState;
}

void TlsStream::finish()
{
    m_socket->disconnectFromHost();
}

void TlsStream::abort()
{
    m_socket->abort();
}

std::optional<TlsPeer> TlsStream::tlsPeer() const
{
    return m_peer;
}

qint64 TlsStream::pendingBytes()
{
    return m_socket->bytesToWrite() + m_socket->encryptedBytesToWrite();
}

std::optional<base::Error> TlsStream::reason() const
{
    const QAbstractSocket::SocketError error = m_socket->error();
    if (m_address.isLocal() || error == QAbstractSocket::UnknownSocketError ||
        error == QAbstractSocket::RemoteHostClosedError)
        return std::nullopt;
    return tlsFailure(error, m_socket->errorString(), m_address);
}

} // namespace lockkeeper::transport
