// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/client.h"

#include "shared/protocol/handshake.h"
#include "shared/transport/ssh_stream.h"
#include "shared/transport/tls_stream.h"

#include <QLocalSocket>
#include <QPointer>
#include <QSslSocket>
#include <QTimer>

namespace lockkeeper::transport {

using base::Error;
using base::ErrorCode;

namespace {

/** sshd gives a user two minutes to log in. */
constexpr int kSshLoginMs = 150'000;
constexpr qint64 kUnreadOfAgent = 64 * 1024;

Error connectError(QLocalSocket::LocalSocketError code, const QString &path, const QString &text)
{
    switch (code) {
    case QLocalSocket::ServerNotFoundError:
        return {ErrorCode::Unreachable,
                QStringLiteral("no agent listens on '%1': there is no such socket").arg(path),
                QStringLiteral("Start lockkeeper-agent, or specify its address")};
    case QLocalSocket::ConnectionRefusedError:
        return {ErrorCode::Unreachable, QStringLiteral("no agent answers on '%1'").arg(path),
                QStringLiteral("Restart lockkeeper-agent; it replaces the stale socket")};
    case QLocalSocket::SocketAccessError:
        return {ErrorCode::PermissionDenied,
                QStringLiteral("the socket '%1' belongs to another user").arg(path),
                QStringLiteral("Run as the user that lockkeeper-agent runs as")};
    default:
        return {ErrorCode::Unreachable, QStringLiteral("can't connect to '%1': %2").arg(path, text),
                QStringLiteral("Check that lockkeeper-agent runs and that this is its socket")};
    }
}

} // namespace

class Client::Private
{
public:
    /** The states of a handshake; connected() is emitted on reaching the last. */
    enum class HandshakeState { Closed, Connecting, Greeting, Connected };

    explicit Private(Client *client) : q(client) { connecting.setSingleShot(true); }

    void drop();
    void openSocket();
    void openSsh();
    void openTls();
    void greet(std::unique_ptr<Stream> stream);
    void handle(const protocol::Message &message);
    void handleGreeting(const protocol::Message &message);
    void answerLogin();
    void refuse(const Error &why);
    void endLater(const Error &why);
    void end(const Error &why);

    Client *q;
    QString program;
    Timings timings;
    HandshakeState state = HandshakeState::Closed;
    Address address;
    std::unique_ptr<QLocalSocket> socket; ///< while Connecting
    std::unique_ptr<SshStream> ssh;       ///< the same
    std::unique_ptr<QSslSocket> tls;      ///< the same
    TlsOptions tlsOptions;
    std::optional<protocol::Login> login;
    std::optional<protocol::OnBehalf> onBehalf;
    QByteArray unknownCertificate;
    bool wantsLogin = false;
    bool loginSent = false;
    std::unique_ptr<Channel> channel; ///< from Greeting on
    QTimer connecting;
    std::optional<Error> goodbye; ///< why the agent, or this side, ends the connection
    quint64 attempt = 0;          ///< number of this open(); a late end of an earlier one is ignored
};

void Client::Private::drop()
{
    ++attempt;
    connecting.stop();
    state = HandshakeState::Closed;
    goodbye.reset();
    if (socket) {
        socket->disconnect(q);
        socket.release()->deleteLater();
    }
    if (ssh) {
        ssh->disconnect(q);
        ssh.release()->deleteLater();
    }
    if (tls) {
        tls->disconnect(q);
        tls->abort();
        tls.release()->deleteLater();
    }
    channel.reset();
}

void Client::Private::openTls()
{
    tls = std::make_unique<QSslSocket>();
    tls->setReadBufferSize(kUnreadOfAgent);
    tls->setSslConfiguration(clientConfiguration(tlsOptions));
    connect(
        tls.get(), &QSslSocket::encrypted, q,
        [this, current = attempt] {
            if (current != attempt || !tls)
                return;
            tls->disconnect(q);
            if (const auto objection = distrust({}, tls->peerCertificate(), tlsOptions, address))
                return end(objection->error);
            greet(std::make_unique<TlsStream>(std::move(tls), kUnreadOfAgent, address));
        },
        Qt::QueuedConnection);
    connect(
        tls.get(), &QSslSocket::hostFound, q,
        [this, current = attempt] {
            if (current == attempt)
                Q_EMIT q->stepped(OpenProgress::Reached);
        },
        Qt::QueuedConnection);
    connect(tls.get(), &QSslSocket::sslErrors, q, [this](const QList<QSslError> &found) {
        if (const auto objection = distrust(found, tls->peerCertificate(), tlsOptions, address)) {
            goodbye = objection->error;
            unknownCertificate = objection->unknown;
        } else {
            tls->ignoreSslErrors(found);
        }
    });
    connect(tls.get(), &QSslSocket::errorOccurred, q, [this](QAbstractSocket::SocketError code) {
        endLater(goodbye.value_or(tlsFailure(code, tls->errorString(), address)));
    });
    connecting.start(timings.loginMs);
    tls->connectToHostEncrypted(address.host, quint16(address.port));
}

void Client::Private::openSocket()
{
    socket = std::make_unique<QLocalSocket>();
    // connectToServer() may emit both signals itself: handle them later, once open() has returned.
    connect(
        socket.get(), &QLocalSocket::connected, q,
        [this] {
            socket->disconnect(q);
            greet(streamOf(std::move(socket)));
        },
        Qt::QueuedConnection);
    connect(socket.get(), &QLocalSocket::errorOccurred, q, [this](QLocalSocket::LocalSocketError code) {
        endLater(connectError(code, address.path, socket->errorString()));
    });
    connecting.start(timings.loginMs);
    socket->connectToServer(address.path);
}

void Client::Private::openSsh()
{
    ssh = std::make_unique<SshStream>(address);
    connect(ssh.get(), &SshStream::entered, q, [this] { Q_EMIT q->stepped(OpenProgress::Reached); });
    connect(
        ssh.get(), &SshStream::opened, q,
        [this] {
            ssh->disconnect(q);
            greet(std::move(ssh));
        },
        Qt::QueuedConnection);
    connect(ssh.get(), &SshStream::failed, q, [this](const Error &error) { endLater(error); });
    connecting.start(kSshLoginMs);
    ssh->start();
}

void Client::Private::greet(std::unique_ptr<Stream> stream)
{
    connecting.stop();
    state = HandshakeState::Greeting;
    channel = std::make_unique<Channel>(std::move(stream), timings);
    connect(channel.get(), &Channel::received, q, [this](const protocol::Message &m) { handle(m); });
    connect(channel.get(), &Channel::roundTrip, q, &Client::roundTrip);
    connect(channel.get(), &Channel::ponged, q, &Client::ponged);
    connect(channel.get(), &Channel::closed, q, [this](const Error &error) {
        const bool stranger = address.isTls && state == HandshakeState::Greeting;
        end(goodbye.value_or(stranger ? notAnAgent(error, address) : error));
    });
    protocol::Hello hello;
    hello.program = program;
    hello.user = qEnvironmentVariable("USER");
    hello.agent = address.agent;
    hello.onBehalf = onBehalf;
    channel->send(hello);
    Q_EMIT q->stepped(OpenProgress::Opened);
}

void Client::Private::handle(const protocol::Message &message)
{
    if (const auto *bye = std::get_if<protocol::Goodbye>(&message)) {
        goodbye = bye->error;
        wantsLogin =
            loginSent && state == HandshakeState::Greeting && bye->error.code == ErrorCode::Authentication;
        channel->close();
    } else if (state == HandshakeState::Greeting && std::holds_alternative<protocol::LoginNeeded>(message)) {
        answerLogin();
    } else if (state == HandshakeState::Greeting) {
        handleGreeting(message);
    } else if (state == HandshakeState::Connected) {
        Q_EMIT q->received(message);
    }
}

void Client::Private::handleGreeting(const protocol::Message &message)
{
    const auto *welcome = std::get_if<protocol::Welcome>(&message);
    if (!welcome)
        return refuse(
            {ErrorCode::Protocol, QStringLiteral("the agent didn't answer Hello with Welcome"), {}});
    const auto version = protocol::negotiate(welcome->version, welcome->version);
    if (!version)
        return refuse(version.error());
    channel->setLoggedIn();
    state = HandshakeState::Connected;
    Q_EMIT q->connected(*welcome);
}

void Client::Private::answerLogin()
{
    if (loginSent)
        return refuse({ErrorCode::Protocol, QStringLiteral("the agent asked for a login twice"), {}});
    if (!login) {
        wantsLogin = true;
        return refuse({ErrorCode::Authentication,
                       QStringLiteral("the agent at '%1' requires a name and a password").arg(address.text()),
                       QStringLiteral("Use --user NAME, and --password env:NAME or file:PATH")});
    }
    loginSent = true;
    channel->send(*login);
}

void Client::Private::refuse(const Error &why)
{
    goodbye = why;
    channel->close();
}

void Client::Private::endLater(const Error &why)
{
    const quint64 current = attempt;
    QMetaObject::invokeMethod(
        q,
        [this, current, why] {
            if (current == attempt)
                end(why);
        },
        Qt::QueuedConnection);
}

void Client::Private::end(const Error &why)
{
    if (state == HandshakeState::Closed)
        return;
    drop();
    Q_EMIT q->disconnected(why);
}

Client::Client(QString program, QObject *parent) : QObject(parent), d(std::make_unique<Private>(this))
{
    d->program = std::move(program);
    connect(&d->connecting, &QTimer::timeout, this, [this] {
        d->end({ErrorCode::Timeout,
                QStringLiteral("can't connect to '%1' within %2 ms")
                    .arg(d->address.text())
                    .arg(d->connecting.interval()),
                QStringLiteral("Check that lockkeeper-agent isn't stopped or overloaded")});
    });
}

Client::~Client()
{
    d->drop();
}

void Client::setTimings(const Timings &timings)
{
    d->timings = timings;
}

void Client::setTls(const TlsOptions &options)
{
    d->tlsOptions = options;
}

void Client::setLogin(const std::optional<protocol::Login> &login)
{
    d->login = login;
}

void Client::setOnBehalf(const std::optional<protocol::OnBehalf> &onBehalf)
{
    d->onBehalf = onBehalf;
}

QByteArray Client::unknownCertificate() const
{
    return d->unknownCertificate;
}

bool Client::wantsLogin() const
{
    return d->wantsLogin;
}

void Client::open(const Address &address)
{
    d->drop();
    d->state = Private::HandshakeState::Connecting;
    d->address = address;
    d->unknownCertificate.clear();
    d->wantsLogin = false;
    d->loginSent = false;
    if (address.isLocal())
        d->openSocket();
    else if (address.isTls)
        d->openTls();
    else
        d->openSsh();
}

void Client::close()
{
    if (d->state == Private::HandshakeState::Closed)
        return;
    const Error cancelled{ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}};
    if (!d->channel)
        return d->endLater(cancelled);
    d->goodbye = cancelled;
    d->channel->close();
}

bool Client::isConnected() const
{
    return d->state == Private::HandshakeState::Connected && d->channel && d->channel->isOpen();
}

void Client::send(const protocol::Message &message)
{
    if (isConnected())
        d->channel->send(message);
}

} // namespace lockkeeper::transport
