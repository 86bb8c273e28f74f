// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/channel.h"

#include "shared/base/clock.h"
#include "shared/transport/peer_user.h"

#include <QElapsedTimer>
#include <QLocalSocket>
#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

namespace lockkeeper::transport {

Q_LOGGING_CATEGORY(lcTransport, "lockkeeper.transport")

using base::Error;
using base::ErrorCode;

namespace {

/** Read at a time, and what Qt may hold unread: a flood stays in the kernel's buffer, which blocks its
 * sender. */
constexpr qint64 kReadChunk = 64 * 1024;

} // namespace

class Channel::Private
{
public:
    Private(Channel *channel, std::unique_ptr<QLocalSocket> connection, const Timings &limits);
    ~Private();

    void read();
    bool handleFrames();
    void handle(const protocol::Message &message);
    void handlePong(const protocol::Pong &pong);
    void watchFrame(bool progressed);
    void tick();
    void ping();
    void announceTaken();
    void fail(const Error &why);
    void finish();
    void write(const QByteArray &frame);

    Channel *q;
    std::unique_ptr<QLocalSocket> socket;
    Timings timings;
    protocol::Deframer deframer;
    QTimer pingTimer;
    QTimer frameTimer;
    QTimer loginTimer;
    QTimer closeTimer;
    QElapsedTimer sinceStart;
    base::SystemClock clock;
    QString user;
    Error end{ErrorCode::ConnectionLost, QStringLiteral("the peer closed the connection"), {}};
    quint64 pingNumber = 0;
    qint64 pingSentNs = 0;
    quint64 lastSeq = 0;
    int silentTicks = 0;
    int socketCalls = 0; ///< depth of calls from the socket's own signals
    bool loggedIn = false;
    bool closing = false;
    bool finished = false;
};

Channel::Private::Private(Channel *channel, std::unique_ptr<QLocalSocket> connection, const Timings &limits)
    : q(channel), socket(std::move(connection)), timings(limits), user(peerUserOf(socket->socketDescriptor()))
{
    sinceStart.start();
    socket->setReadBufferSize(kReadChunk);
    for (QTimer *timer : {&frameTimer, &loginTimer, &closeTimer})
        timer->setSingleShot(true);
    connect(socket.get(), &QLocalSocket::readyRead, q, [this] { read(); });
    connect(socket.get(), &QLocalSocket::disconnected, q, [this] { finish(); });
    connect(socket.get(), &QLocalSocket::bytesWritten, q, [this] { announceTaken(); });
    connect(&pingTimer, &QTimer::timeout, q, [this] { tick(); });
    connect(&frameTimer, &QTimer::timeout, q, [this] {
        fail({ErrorCode::Timeout,
              QStringLiteral("the peer left a frame unfinished for %1 ms").arg(timings.frameMs),
              {}});
    });
    connect(&loginTimer, &QTimer::timeout, q, [this] {
        fail({ErrorCode::Timeout, QStringLiteral("no login within %1 ms").arg(timings.loginMs), {}});
    });
    connect(&closeTimer, &QTimer::timeout, q, [this] { socket->abort(); });
    loginTimer.start(timings.loginMs);
    // What came before the socket was handed over has had its signals already.
    QTimer::singleShot(0, q, [this] {
        if (socket->state() == QLocalSocket::UnconnectedState)
            finish();
        else if (socket->bytesAvailable() > 0)
            read();
    });
}

Channel::Private::~Private()
{
    // A socket can't be deleted under one of its own signals.
    socket->disconnect(q);
    if (socketCalls > 0)
        socket.release()->deleteLater();
}

void Channel::Private::read()
{
    const QPointer<Channel> alive(q);
    ++socketCalls;
    while (!closing && socket->bytesAvailable() > 0) {
        deframer.feed(socket->read(kReadChunk));
        silentTicks = 0;
        if (!handleFrames() || !alive)
            break;
    }
    if (alive)
        --socketCalls;
}

/** False where the channel is gone or going. */
bool Channel::Private::handleFrames()
{
    const QPointer<Channel> alive(q);
    bool progressed = false;
    while (!closing) {
        auto payload = deframer.next();
        if (!payload) {
            fail(payload.error());
            return false;
        }
        if (!*payload)
            break;
        progressed = true;
        const auto message = protocol::decode(**payload);
        if (!message) {
            fail(message.error());
            return false;
        }
        handle(*message);
        if (!alive)
            return false;
    }
    watchFrame(progressed);
    return !closing;
}

void Channel::Private::watchFrame(bool progressed)
{
    if (closing || deframer.pending() == 0)
        frameTimer.stop();
    else if (progressed || !frameTimer.isActive())
        frameTimer.start(timings.frameMs);
}

void Channel::Private::handle(const protocol::Message &message)
{
    if (const auto *asked = std::get_if<protocol::Ping>(&message))
        write(protocol::frame(protocol::encode(protocol::Pong{asked->number, lastSeq, clock.wallUs()})));
    else if (const auto *answer = std::get_if<protocol::Pong>(&message))
        handlePong(*answer);
    else
        Q_EMIT q->received(message);
}

void Channel::Private::handlePong(const protocol::Pong &pong)
{
    if (pong.number != pingNumber || pingSentNs == 0)
        return;
    const qint64 us = (sinceStart.nsecsElapsed() - pingSentNs) / 1000;
    pingSentNs = 0;
    const QPointer<Channel> alive(q);
    Q_EMIT q->roundTrip(us);
    if (alive)
        Q_EMIT alive->ponged(pong);
}

void Channel::Private::tick()
{
    // Ticks are counted, not time: a program that was stopped itself must not call its peer silent.
    if (++silentTicks * timings.pingMs >= timings.deadMs)
        fail({ErrorCode::Timeout, QStringLiteral("the peer was silent for %1 ms").arg(timings.deadMs), {}});
    else
        ping();
}

void Channel::Private::ping()
{
    pingSentNs = sinceStart.nsecsElapsed();
    write(protocol::frame(protocol::encode(protocol::Ping{++pingNumber})));
}

void Channel::Private::write(const QByteArray &frame)
{
    if (!closing && socket->state() == QLocalSocket::ConnectedState)
        socket->write(frame);
}

void Channel::Private::announceTaken()
{
    const QPointer<Channel> alive(q);
    ++socketCalls;
    Q_EMIT q->taken();
    if (alive && socket->bytesToWrite() == 0)
        Q_EMIT q->drained();
    if (alive)
        --socketCalls;
}

/** Ends the connection at once: nothing more is read from or promised to a peer at fault. */
void Channel::Private::fail(const Error &why)
{
    if (closing)
        return;
    qCInfo(lcTransport, "closing a connection: %s", qUtf8Printable(why.line()));
    end = why;
    closing = true;
    frameTimer.stop();
    const QPointer<Channel> alive(q);
    socket->abort();
    if (alive)
        finish();
}

void Channel::Private::finish()
{
    if (finished)
        return;
    const QPointer<Channel> alive(q);
    ++socketCalls;
    if (!closing)
        read();
    if (!alive)
        return;
    if (!finished) {
        finished = true;
        closing = true;
        for (QTimer *timer : {&pingTimer, &frameTimer, &loginTimer, &closeTimer})
            timer->stop();
        Q_EMIT q->closed(end);
    }
    if (alive)
        --socketCalls;
}

Channel::Channel(std::unique_ptr<QLocalSocket> socket, QObject *parent)
    : Channel(std::move(socket), Timings(), parent)
{
}

Channel::Channel(std::unique_ptr<QLocalSocket> socket, const Timings &timings, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, std::move(socket), timings))
{
}

Channel::~Channel() = default;

void Channel::send(const protocol::Message &message)
{
    const QByteArray payload = protocol::encode(message);
    if (payload.size() > qsizetype(protocol::kMaxFrame)) {
        d->fail({ErrorCode::TooLarge,
                 QStringLiteral("a message of %1 bytes doesn't fit a frame").arg(payload.size()),
                 {}});
        return;
    }
    d->write(protocol::frame(payload));
}

void Channel::sendFrame(const QByteArray &frame)
{
    d->write(frame);
}

qint64 Channel::pendingBytes() const
{
    return d->socket->bytesToWrite();
}

void Channel::setLoggedIn()
{
    if (d->loggedIn || d->closing)
        return;
    d->loggedIn = true;
    d->loginTimer.stop();
    d->deframer.setLimit(protocol::kMaxFrame);
    d->pingTimer.start(d->timings.pingMs);
    d->ping();
}

void Channel::close()
{
    if (d->closing)
        return;
    d->closing = true;
    d->end = {ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}};
    d->frameTimer.stop();
    d->loginTimer.stop();
    d->pingTimer.stop();
    d->closeTimer.start(d->timings.frameMs);
    // Later, so that a caller in the middle of its work doesn't get closed() under its hands.
    QTimer::singleShot(0, this, [this] { d->socket->disconnectFromServer(); });
}

bool Channel::isOpen() const
{
    return !d->closing;
}

QString Channel::peerUser() const
{
    return d->user;
}

void Channel::setLastSeq(quint64 seq)
{
    d->lastSeq = seq;
}

} // namespace lockkeeper::transport
