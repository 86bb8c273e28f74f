// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/transport.h"

#include "shared/base/text.h"

#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <sys/socket.h>

namespace lockkeeper::stores::redis {

using base::ErrorCode;

namespace {

/** What a server that floods may fill before it is read. */
constexpr qint64 kReadBuffer = 1024 * 1024;

/** Why a socket ended that had not failed in a check of ours: the server's alerts in plain words. */
base::Error tlsFailure(const QSslSocket &socket)
{
    const QString words = base::displayText(socket.errorString());
    const bool alert = words.contains(QLatin1String("alert"));
    if (alert &&
        (words.contains(QLatin1String("certificate")) || words.contains(QLatin1String("unknown ca")) ||
         words.contains(QLatin1String("handshake failure"))))
        return {ErrorCode::Authentication, QStringLiteral("the server refuses our certificate: ") + words,
                QStringLiteral("Set tls_cert and tls_key to a certificate that the server accepts.")};
    if (words.contains(QLatin1String("wrong version number")) ||
        words.contains(QLatin1String("packet length too long")))
        return {ErrorCode::Protocol, QStringLiteral("the server doesn't speak TLS on this port"),
                QStringLiteral("Use the port for TLS, or redis:// for this one.")};
    return {ErrorCode::Unknown, words, {}};
}

QString wordsOf(const QTcpSocket &socket)
{
    switch (socket.error()) {
    case QAbstractSocket::RemoteHostClosedError:
        return QStringLiteral("the server closed the connection");
    case QAbstractSocket::ConnectionRefusedError:
        return QStringLiteral("connection refused");
    case QAbstractSocket::HostNotFoundError:
        return QStringLiteral("host not found");
    default:
        return base::displayText(socket.errorString());
    }
}

QString wordsOf(const QLocalSocket &socket)
{
    switch (socket.error()) {
    case QLocalSocket::PeerClosedError:
        return QStringLiteral("the server closed the connection");
    case QLocalSocket::ConnectionRefusedError:
        return QStringLiteral("connection refused");
    case QLocalSocket::ServerNotFoundError:
        return QStringLiteral("no such socket");
    case QLocalSocket::SocketAccessError:
        return QStringLiteral("permission denied");
    default:
        return base::displayText(socket.errorString());
    }
}

} // namespace

Transport::Transport(const Endpoint &endpoint, QObject *parent) : QObject(parent), m_endpoint(endpoint)
{
    if (m_endpoint.isUnix()) {
        m_local = new QLocalSocket(this);
        m_device = m_local;
        watch(m_local);
    } else {
        m_tls = m_endpoint.tls ? new QSslSocket(this) : nullptr;
        m_tcp = m_tls != nullptr ? m_tls : new QTcpSocket(this);
        m_device = m_tcp;
        watch(m_tcp);
        if (m_tls != nullptr)
            watchTls(m_tls);
    }
    connect(m_device, &QIODevice::readyRead, this, &Transport::readable);
}

void Transport::watch(QTcpSocket *socket)
{
    socket->setProxy(QNetworkProxy::NoProxy);
    socket->setReadBufferSize(kReadBuffer);
    connect(socket, &QTcpSocket::connected, this, [this, socket] {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        if (m_tls == nullptr)
            Q_EMIT established();
    });
    const auto end = [this, socket] { Q_EMIT ended(failureOf(*socket)); };
    // Queued: a socket may find out inside a write, whose caller doesn't expect the end of all.
    connect(socket, &QTcpSocket::errorOccurred, this, [this, end] { endLater(end); });
    connect(socket, &QTcpSocket::disconnected, this, end, Qt::QueuedConnection);
}

void Transport::watchTls(QSslSocket *socket)
{
    connect(socket, &QSslSocket::encrypted, this, &Transport::established);
    connect(socket, &QSslSocket::sslErrors, this, [this, socket](const QList<QSslError> &found) {
        const QList<QSslError> left = objections(found, m_endpoint.tls->verify);
        if (left.isEmpty())
            socket->ignoreSslErrors(found);
        else
            m_refused = untrusted(left, m_endpoint.host);
    });
}

base::Error Transport::failureOf(const QTcpSocket &socket) const
{
    if (!m_refused.cause.isEmpty())
        return m_refused;
    const auto error = socket.error();
    const bool ofTls = error == QAbstractSocket::SslHandshakeFailedError ||
                       error == QAbstractSocket::SslInternalError ||
                       error == QAbstractSocket::SslInvalidUserDataError;
    if (m_tls != nullptr && ofTls)
        return tlsFailure(*m_tls);
    return {ErrorCode::Unknown, wordsOf(socket), {}};
}

void Transport::watch(QLocalSocket *socket)
{
    socket->setReadBufferSize(kReadBuffer);
    connect(socket, &QLocalSocket::connected, this, &Transport::established);
    const auto end = [this, socket] { Q_EMIT ended({ErrorCode::Unknown, wordsOf(*socket), {}}); };
    connect(socket, &QLocalSocket::errorOccurred, this, [this, end] { endLater(end); });
    connect(socket, &QLocalSocket::disconnected, this, end, Qt::QueuedConnection);
}

void Transport::open()
{
    if (m_local != nullptr)
        m_local->connectToServer(m_endpoint.path);
    else if (m_tls != nullptr)
        openTls();
    else
        m_tcp->connectToHost(m_endpoint.host, m_endpoint.port);
}

void Transport::openTls()
{
    const auto configuration = configurationOf(*m_endpoint.tls);
    if (configuration) {
        m_tls->setSslConfiguration(*configuration);
        m_tls->connectToHostEncrypted(m_endpoint.host, m_endpoint.port);
        return;
    }
    const base::Error error = configuration.error();
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT ended(error); }, Qt::QueuedConnection);
}

void Transport::dismiss()
{
    disconnect();
    m_device->disconnect(this);
    if (m_tcp != nullptr)
        m_tcp->abort();
    else
        m_local->abort();
    setParent(nullptr);
    deleteLater(); // this may be a signal of the socket's
}

qint64 Transport::read(char *to, qint64 most)
{
    return m_device->isOpen() ? std::max<qint64>(0, m_device->read(to, most)) : 0;
}

void Transport::write(QByteArrayView bytes)
{
    m_written.append(bytes);
}

void Transport::flush()
{
    if (m_written.isEmpty())
        return;
    const qint64 sent = sendNow();
    if (sent < m_written.size()) {
        m_device->write(m_written.constData() + sent, m_written.size() - sent);
        if (m_tcp != nullptr)
            m_tcp->flush();
        else
            m_local->flush();
    }
    m_written.resize(0);
}

/**
 * How much the system takes at once. A socket of Qt's asks to be told when it may write before it does, which
 * wakes the event loop twice (GLib's) for each command: it only gets what is left, and finds out what is
 * wrong.
 */
qint64 Transport::sendNow() const
{
    if (m_tls != nullptr || m_device->bytesToWrite() > 0)
        return 0;
    const qintptr socket = m_tcp != nullptr ? m_tcp->socketDescriptor() : m_local->socketDescriptor();
    if (socket < 0)
        return 0;
    return std::max<qint64>(
        ::send(int(socket), m_written.constData(), size_t(m_written.size()), MSG_DONTWAIT | MSG_NOSIGNAL), 0);
}

void Transport::poll()
{
    if (m_tls != nullptr)
        return;
    m_polling = true;
    (void)m_device->waitForReadyRead(0);
    m_polling = false;
}

/** Of an end found while polling `disconnected` tells; that nothing has come is no error. */
void Transport::endLater(const std::function<void()> &end)
{
    if (!m_polling)
        QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::redis
