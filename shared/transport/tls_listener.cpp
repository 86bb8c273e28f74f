// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/tls_listener.h"

#include "shared/base/text.h"
#include "shared/transport/tls_stream.h"

#include <QHostAddress>
#include <QLoggingCategory>
#include <QSslSocket>
#include <QTcpServer>

#include <algorithm>
#include <sys/socket.h>
#include <unistd.h>

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kHandshakeMs = 5'000;
constexpr qsizetype kMostHandshakes = 128;
constexpr qsizetype kMostQueued = 128;
constexpr int kBacklog = 4'096; ///< Linux allows no more by default (net.core.somaxconn)
/** Limit in bytes of Qt's read buffer: a client needs no more than a few frames before its login. */
constexpr qint64 kUnreadOfClient = 8 * 1024;

/** The numeric address of the peer; empty: the connection has ended. */
QString machineOf(qintptr descriptor)
{
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(int(descriptor), reinterpret_cast<sockaddr *>(&peer), &size) != 0)
        return {};
    return QHostAddress(reinterpret_cast<const sockaddr *>(&peer)).toString();
}

} // namespace

/** Replaces QSslServer, which stops accepting connections while 30 handshakes are slow. */
class TlsListener::TlsAcceptor : public QTcpServer
{
public:
    explicit TlsAcceptor(std::function<void(qintptr)> taker) : m_taker(std::move(taker)) {}

protected:
    void incomingConnection(qintptr descriptor) override { m_taker(descriptor); }

private:
    std::function<void(qintptr)> m_taker;
};

TlsListener::TlsListener()
    : m_server(std::make_unique<TlsAcceptor>([this](qintptr socket) { queue(socket); }))
{
    m_turn.setSingleShot(true);
    connect(&m_turn, &QTimer::timeout, this, &TlsListener::serveNext);
}

TlsListener::~TlsListener()
{
    close();
}

void TlsListener::setConfiguration(const QSslConfiguration &configuration)
{
    m_configuration = configuration;
}

base::Result<void> TlsListener::listen(const Address &address, int maxConnections)
{
    close();
    setMostConnections(maxConnections);
    const QHostAddress host(address.host);
    if (host.isNull())
        return failure(ErrorCode::Usage,
                       QStringLiteral("can't listen on '%1': it isn't an address of this machine")
                           .arg(base::singleLine(address.text())),
                       QStringLiteral("Give a number, e.g. tls://0.0.0.0:7420 or tls://[::]:7420"));
    // The kernel drops the first packet of a client that finds this queue full, and the client waits a
    // second.
    m_server->setListenBacklogSize(kBacklog);
    if (m_server->listen(host, quint16(address.port)))
        return {};
    return failure(m_server->serverError() == QAbstractSocket::AddressInUseError ? ErrorCode::Busy
                                                                                 : ErrorCode::Storage,
                   QStringLiteral("can't listen on '%1': %2")
                       .arg(base::singleLine(address.text()), m_server->errorString()),
                   QStringLiteral("Give another port, or an address that this machine has"));
}

void TlsListener::close()
{
    dropReady();
    m_server->close();
    m_turns.clear();
    for (const QList<qintptr> &descriptors : std::exchange(m_queued, {})) {
        for (const qintptr descriptor : descriptors)
            ::close(int(descriptor));
    }
    for (QSslSocket *socket : std::exchange(m_handshakes, {})) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

quint16 TlsListener::port() const
{
    return m_server->serverPort();
}

void TlsListener::queue(qintptr descriptor)
{
    const QString machine = machineOf(descriptor);
    if (machine.isEmpty()) {
        ::close(int(descriptor));
        return;
    }
    QList<qintptr> &queued = m_queued[machine];
    queued.append(descriptor);
    if (queued.size() == 1)
        m_turns.append(machine);
    dropQueued();
    if (!m_turn.isActive())
        m_turn.start(0);
}

/** Keeps the queue short: the machine with the most connections loses its oldest one. */
void TlsListener::dropQueued()
{
    qsizetype count = 0;
    auto longest = m_queued.begin();
    for (auto it = m_queued.begin(); it != m_queued.end(); ++it) {
        count += it->size();
        if (it->size() > longest->size())
            longest = it;
    }
    if (count > kMostQueued)
        ::close(int(longest->takeFirst()));
    if (longest->isEmpty()) {
        m_turns.removeOne(longest.key());
        m_queued.erase(longest);
    }
}

/** The event loop serves other events between two calls. */
void TlsListener::serveNext()
{
    if (m_turns.isEmpty())
        return;
    const QString machine = m_turns.takeFirst();
    QList<qintptr> &queued = m_queued[machine];
    const qintptr descriptor = queued.takeFirst();
    if (queued.isEmpty())
        m_queued.remove(machine);
    else
        m_turns.append(machine);
    if (!m_turns.isEmpty())
        m_turn.start(0);
    shakeHands(descriptor);
}

void TlsListener::shakeHands(qintptr descriptor)
{
    auto *socket = new QSslSocket(this);
    const auto forget = [this, socket] {
        if (m_handshakes.removeOne(socket))
            socket->deleteLater();
    };
    if (!socket->setSocketDescriptor(descriptor)) {
        ::close(int(descriptor));
        delete socket;
        return;
    }
    m_handshakes.append(socket);
    socket->setReadBufferSize(kUnreadOfClient);
    socket->setSslConfiguration(m_configuration);
    auto *due = new QTimer(socket);
    connect(due, &QTimer::timeout, socket, &QSslSocket::abort);
    due->start(kHandshakeMs);
    // Queued: the channel may close the socket, which must not happen while the socket emits a signal.
    connect(
        socket, &QSslSocket::encrypted, this,
        [this, socket, due] {
            if (m_handshakes.removeOne(socket)) {
                delete due;
                take(socket);
            }
        },
        Qt::QueuedConnection);
    connect(socket, &QSslSocket::errorOccurred, this, [socket, forget] {
        qCDebug(lcTransport).noquote()
            << "no TLS with" << socket->peerAddress().toString() << base::singleLine(socket->errorString());
        forget();
    });
    connect(socket, &QSslSocket::disconnected, this, forget);
    socket->startServerEncryption();
    if (m_handshakes.size() > kMostHandshakes) {
        QSslSocket *worst =
            mostIntrusive(m_handshakes, [](QSslSocket *s) { return s->peerAddress().toString(); });
        m_handshakes.removeOne(worst);
        worst->disconnect(this);
        worst->abort();
        worst->deleteLater();
    }
}

void TlsListener::take(QSslSocket *socket)
{
    socket->disconnect(this);
    socket->setParent(nullptr);
    // Qt accepts any certificate if it is optional, but a certificate that doesn't verify is worse than none.
    const auto faults = socket->sslHandshakeErrors();
    const bool late = !socket->peerCertificate().isNull() &&
                      socket->sslConfiguration().caCertificates() != m_configuration.caCertificates();
    if (!faults.isEmpty() || late) {
        qCInfo(lcTransport).noquote() << "refused a certificate of" << socket->peerAddress().toString()
                                      << (late ? QStringLiteral("the authorities changed meanwhile")
                                               : base::singleLine(faults.constFirst().errorString()));
        socket->abort();
        socket->deleteLater();
        return;
    }
    admit(std::make_unique<TlsStream>(std::unique_ptr<QSslSocket>(socket), kUnreadOfClient));
}

} // namespace lockkeeper::transport
