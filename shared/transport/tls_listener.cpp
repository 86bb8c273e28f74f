// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/tls_listener.h"

#include "shared/base/text.h"
#include "shared/transport/tls_stream.h"

#include <QHostAddress>
#include <QLoggingCategory>
#include <QSslSocket>
#include <QTcpServer>
#include <QTimer>

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

using base::ErrorCode;
using base::failure;

namespace {

constexpr int kHandshakeMs = 5'000;
constexpr qsizetype kMostHandshakes = 128;
/** Limit in bytes of Qt's read buffer: a client needs no more than a few frames before its login. */
constexpr qint64 kUnreadOfClient = 8 * 1024;

} // namespace

/** Replaces QSslServer, which stops accepting connections while 30 handshakes are slow. */
class TlsListener::Server : public QTcpServer
{
public:
    explicit Server(std::function<void(qintptr)> taker) : m_taker(std::move(taker)) {}

protected:
    void incomingConnection(qintptr descriptor) override { m_taker(descriptor); }

private:
    std::function<void(qintptr)> m_taker;
};

TlsListener::TlsListener()
    : m_server(std::make_unique<Server>([this](qintptr socket) { shakeHands(socket); }))
{
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
    m_server->setListenBacklogSize(256);
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

void TlsListener::shakeHands(qintptr descriptor)
{
    auto *socket = new QSslSocket(this);
    const auto forget = [this, socket] {
        if (m_handshakes.removeOne(socket))
            socket->deleteLater();
    };
    if (!socket->setSocketDescriptor(descriptor)) {
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
