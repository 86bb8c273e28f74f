// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/peer_user.h"
#include "shared/transport/stream.h"

#include <QLocalSocket>

namespace lockkeeper::transport {

namespace {

/** Limit in bytes of Qt's read buffer. Further bytes stay in the kernel's buffer, which blocks the sender. */
constexpr qint64 kUnread = 64 * 1024;

class LocalStream final : public Stream
{
public:
    explicit LocalStream(std::unique_ptr<QLocalSocket> socket)
        : m_socket(std::move(socket)), m_peerUser(peerUserOf(m_socket->socketDescriptor()))
    {
        m_socket->setReadBufferSize(kUnread);
        connect(m_socket.get(), &QLocalSocket::disconnected, this, &Stream::ended);
    }

    QIODevice &device() override { return *m_socket; }
    bool isOpen() const override { return m_socket->state() == QLocalSocket::ConnectedState; }
    void finish() override { m_socket->disconnectFromServer(); }
    void abort() override { m_socket->abort(); }
    QString peerUser() const override { return m_peerUser; }
    QStringList peerGroups() const override { return peerGroupsOf(m_socket->socketDescriptor()); }

private:
    std::unique_ptr<QLocalSocket> m_socket;
    QString m_peerUser;
};

} // namespace

std::unique_ptr<Stream> streamOf(std::unique_ptr<QLocalSocket> socket)
{
    return std::make_unique<LocalStream>(std::move(socket));
}

} // namespace lockkeeper::transport
