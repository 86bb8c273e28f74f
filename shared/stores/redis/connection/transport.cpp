// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/transport.h"

#include "shared/base/busy_wait.h"
#include "shared/base/text.h"

#include <QLocalSocket>
#include <QNetworkProxy>
#include <QSocketNotifier>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace lockkeeper::stores::redis {

using base::ErrorCode;

namespace {

/** The bytes that a flooding server may send before they are read. */
constexpr qint64 kReadBuffer = 1024 * 1024;
/** A larger write buffer is freed when it isn't needed. */
constexpr qsizetype kIdleWritten = 64 * 1024;

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

Transport::~Transport()
{
    closeSocket();
}

void Transport::dismiss()
{
    disconnect();
    closeSocket();
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
    if (m_socket >= 0)
        return readSocket(to, most);
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
    if (m_socket >= 0) {
        writeSocket();
        return;
    }
    m_device->write(m_written);
    m_written.resize(0);
    if (m_tcp != nullptr)
        m_tcp->flush();
    else
        m_local->flush();
}

void Transport::poll()
{
    if (m_tls != nullptr)
        return;
    m_polling = true;
    (void)m_device->waitForReadyRead(0);
    m_polling = false;
    takeOver();
}

/** If Qt has taken bytes from the server already, the link stays Qt's. */
void Transport::takeOver()
{
    const qintptr socket = m_tcp != nullptr ? m_tcp->socketDescriptor() : m_local->socketDescriptor();
    if (socket < 0 || m_device->bytesAvailable() > 0 || m_device->bytesToWrite() > 0)
        return;
    m_socket = ::fcntl(int(socket), F_DUPFD_CLOEXEC, 0);
    if (m_socket < 0)
        return;
    m_device->disconnect(this);
    if (m_tcp != nullptr)
        m_tcp->abort();
    else
        m_local->abort();
    m_toRead = new QSocketNotifier(m_socket, QSocketNotifier::Read, this);
    connect(m_toRead, &QSocketNotifier::activated, this, [this] {
        m_drained = false;
        Q_EMIT readable();
    });
    m_toWrite = new QSocketNotifier(m_socket, QSocketNotifier::Write, this);
    m_toWrite->setEnabled(false);
    connect(m_toWrite, &QSocketNotifier::activated, this, &Transport::writeSocket);
}

/** The notifiers may be calling: they end with this object. */
void Transport::closeSocket()
{
    if (m_socket < 0)
        return;
    m_toRead->setEnabled(false);
    m_toWrite->setEnabled(false);
    ::close(std::exchange(m_socket, -1));
}

/** `error`: the system's; 0: the server hung up. */
void Transport::endSocket(int error)
{
    const bool hungUp = error == 0 || error == ECONNRESET || error == EPIPE;
    const QString words = hungUp ? QStringLiteral("the server closed the connection")
                                 : base::displayText(qt_error_string(error));
    m_toRead->setEnabled(false);
    m_toWrite->setEnabled(false);
    QMetaObject::invokeMethod(
        this,
        [this, words] {
            Q_EMIT ended({ErrorCode::Unknown, words, {}});
        },
        Qt::QueuedConnection);
}

qint64 Transport::readSocket(char *to, qint64 most)
{
    if (m_drained || !m_toRead->isEnabled())
        return 0;
    const qint64 size = ::recv(m_socket, to, size_t(most), MSG_DONTWAIT);
    m_drained = size < most;
    if (size == 0)
        endSocket(0);
    else if (size < 0 && errno != EAGAIN && errno != EINTR)
        endSocket(errno);
    return std::max<qint64>(size, 0);
}

bool Transport::busyPoll(qint64 us)
{
    if (m_socket < 0 || !m_toRead->isEnabled())
        return false;
    pollfd socket{m_socket, POLLIN, 0};
    if (!base::busyWait(us, [&] { return !m_drained || ::poll(&socket, 1, 0) > 0; }))
        return false;
    m_drained = false;
    return true;
}

void Transport::writeSocket()
{
    const qint64 sent =
        ::send(m_socket, m_written.constData(), size_t(m_written.size()), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent == m_written.size() && m_written.capacity() > kIdleWritten)
        m_written.clear();
    else if (sent > 0)
        m_written.remove(0, sent);
    // Reading finds out why writing fails, after the server's last bytes.
    const bool isBroken = sent < 0 && errno != EAGAIN && errno != EINTR;
    m_toWrite->setEnabled(!m_written.isEmpty() && !isBroken);
}

/** The signal `disconnected` reports an end found while polling; an empty read is no error. */
void Transport::endLater(const std::function<void()> &end)
{
    if (!m_polling)
        QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::redis
