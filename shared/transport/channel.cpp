// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/channel.h"

#include "shared/base/clock.h"
#include "shared/transport/stream.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lockkeeper::transport {

Q_LOGGING_CATEGORY(lcTransport, "lockkeeper.transport")

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kReadChunk = 8 * 1024;

} // namespace

class Channel::Private
{
public:
    Private(Channel *channel, std::unique_ptr<Stream> connection, const Timings &limits);
    ~Private();

    void read();
    void readRest();
    bool handleFrames();
    void handle(const protocol::Message &message);
    void answerPing(const protocol::Ping &ping);
    void handlePong(const protocol::Pong &pong);
    void watchFrame(bool progressed);
    void tick();
    void ping();
    void announceTaken();
    void fail(const Error &why);
    void finish();
    void write(const QByteArray &frame);

    Channel *q;
    std::unique_ptr<Stream> stream;
    QIODevice &device; ///< the stream's
    Timings timings;
    protocol::Deframer deframer;
    QTimer readTimer;
    QTimer pingTimer;
    QTimer frameTimer;
    QTimer loginTimer;
    QTimer closeTimer;
    QElapsedTimer sinceStart;
    base::SystemClock clock;
    Error end{ErrorCode::ConnectionLost, QStringLiteral("the peer closed the connection"), {}};
    quint64 pingNumber = 0;
    qint64 pingSentNs = 0;
    quint64 lastSeq = 0;
    qint64 written = 0; ///< bytes
    int silentTicks = 0;
    int streamCalls = 0; ///< depth of calls from the stream's own signals
    bool loggedIn = false;
    bool held = false;
    bool closing = false;
    bool finished = false;
};

Channel::Private::Private(Channel *channel, std::unique_ptr<Stream> connection, const Timings &limits)
    : q(channel), stream(std::move(connection)), device(stream->device()), timings(limits)
{
    sinceStart.start();
    for (QTimer *timer : {&readTimer, &frameTimer, &loginTimer, &closeTimer})
        timer->setSingleShot(true);
    connect(&device, &QIODevice::readyRead, q, [this] { read(); });
    connect(&readTimer, &QTimer::timeout, q, [this] { read(); });
    connect(stream.get(), &Stream::ended, q, [this] { finish(); });
    connect(&device, &QIODevice::bytesWritten, q, [this] { announceTaken(); });
    connect(stream.get(), &Stream::written, q, [this] { announceTaken(); });
    connect(&pingTimer, &QTimer::timeout, q, [this] { tick(); });
    connect(&frameTimer, &QTimer::timeout, q, [this] {
        fail({ErrorCode::Timeout,
              QStringLiteral("the peer left a frame unfinished for %1 ms").arg(timings.frameMs),
              {}});
    });
    connect(&loginTimer, &QTimer::timeout, q, [this] {
        fail({ErrorCode::Timeout, QStringLiteral("no login within %1 ms").arg(timings.loginMs), {}});
    });
    connect(&closeTimer, &QTimer::timeout, q, [this] { stream->abort(); });
    loginTimer.start(timings.loginMs);
    // The stream has already emitted the signals for bytes that arrived before this channel was connected.
    QTimer::singleShot(0, q, [this] {
        if (!stream->isOpen())
            finish();
        else if (device.bytesAvailable() > 0)
            read();
    });
}

Channel::Private::~Private()
{
    // Don't delete a stream while it emits a signal.
    stream->disconnect(q);
    device.disconnect(q);
    if (streamCalls > 0)
        stream.release()->deleteLater();
}

/** Reads one small chunk at each turn of the event loop, so that a busy peer delays neither the other peers
 * nor an operator. */
void Channel::Private::read()
{
    const QPointer<Channel> alive(q);
    if (closing || held || (device.bytesAvailable() == 0 && deframer.pending() == 0))
        return;
    ++streamCalls;
    if (device.bytesAvailable() > 0) {
        deframer.feed(device.read(kReadChunk));
        silentTicks = 0;
    }
    handleFrames();
    if (!alive)
        return;
    --streamCalls;
    if (!closing && !held && device.bytesAvailable() > 0)
        readTimer.start(0);
}

/** Reads the bytes that remain after the peer has disconnected. */
void Channel::Private::readRest()
{
    const QPointer<Channel> alive(q);
    while (alive && !closing && !held && device.bytesAvailable() > 0)
        read();
}

/** False if the channel was destroyed or is closing. */
bool Channel::Private::handleFrames()
{
    const QPointer<Channel> alive(q);
    bool progressed = false;
    while (!closing && !held) {
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
    if (closing || held || deframer.pending() == 0)
        frameTimer.stop();
    else if (progressed || !frameTimer.isActive())
        frameTimer.start(timings.frameMs);
}

void Channel::Private::handle(const protocol::Message &message)
{
    if (const auto *asked = std::get_if<protocol::Ping>(&message))
        answerPing(*asked);
    else if (const auto *answer = std::get_if<protocol::Pong>(&message))
        handlePong(*answer);
    else
        Q_EMIT q->received(message);
}

/** Ignores a peer that isn't logged in, because the answer contains this program's clock. Also ignores a peer
 * that keeps pinging but doesn't read, because its pending answers would grow without bound. */
void Channel::Private::answerPing(const protocol::Ping &ping)
{
    if (loggedIn && stream->pendingBytes() < qint64(protocol::kMaxFrame))
        write(protocol::frame(protocol::encode(protocol::Pong{ping.number, lastSeq, clock.wallUs()})));
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
    // Count ticks instead of time: after this program itself was stopped, its peer must not count as silent.
    silentTicks += held ? 0 : 1;
    if (silentTicks * timings.pingMs >= timings.deadMs)
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
    if (!closing && stream->isOpen())
        written += std::max<qint64>(device.write(frame), 0);
}

void Channel::Private::announceTaken()
{
    const QPointer<Channel> alive(q);
    ++streamCalls;
    Q_EMIT q->taken();
    if (alive && stream->pendingBytes() == 0)
        Q_EMIT q->drained();
    if (alive)
        --streamCalls;
}

/** Ends the connection at once: the channel reads nothing more from a faulty peer and sends it nothing. */
void Channel::Private::fail(const Error &why)
{
    if (closing)
        return;
    // A peer that isn't logged in must not be able to fill the log.
    if (loggedIn)
        qCInfo(lcTransport, "closing a connection: %s", qUtf8Printable(why.line()));
    else
        qCDebug(lcTransport, "closing a connection: %s", qUtf8Printable(why.line()));
    end = why;
    closing = true;
    frameTimer.stop();
    const QPointer<Channel> alive(q);
    stream->abort();
    if (alive)
        finish();
}

void Channel::Private::finish()
{
    if (finished)
        return;
    const QPointer<Channel> alive(q);
    ++streamCalls;
    readRest();
    if (!alive)
        return;
    if (!finished) {
        finished = true;
        if (!closing)
            end = stream->reason().value_or(end);
        closing = true;
        for (QTimer *timer : {&readTimer, &pingTimer, &frameTimer, &loginTimer, &closeTimer})
            timer->stop();
        Q_EMIT q->closed(end);
    }
    if (alive)
        --streamCalls;
}

Channel::Channel(std::unique_ptr<Stream> stream, const Timings &timings)
    : d(std::make_unique<Private>(this, std::move(stream), timings))
{
}

Channel::~Channel() = default;

void Channel::send(const protocol::Message &message)
{
    const QByteArray payload = protocol::encode(message);
    if (payload.size() > qsizetype(protocol::kMaxFrame)) {
        d->fail({ErrorCode::TooLarge,
                 QStringLiteral("a message of %1 bytes is larger than a frame").arg(payload.size()),
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
    return d->stream->pendingBytes();
}

qint64 Channel::takenBytes() const
{
    return d->written - d->stream->pendingBytes();
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
    // Finish later, so that closed() isn't emitted while the caller is still at work.
    QTimer::singleShot(0, this, [this] { d->stream->finish(); });
}

void Channel::drop(const Error &why)
{
    d->fail(why);
}

bool Channel::isOpen() const
{
    return !d->closing;
}

QString Channel::peerUser() const
{
    return d->stream->peerUser();
}

std::optional<TlsPeer> Channel::tlsPeer() const
{
    return d->stream->tlsPeer();
}

bool Channel::isLoggedIn() const
{
    return d->loggedIn;
}

QStringList Channel::peerGroups() const
{
    return d->stream->peerGroups();
}

void Channel::setHeld(bool held)
{
    if (std::exchange(d->held, held) == held || d->closing)
        return;
    if (held)
        d->frameTimer.stop();
    else
        d->readTimer.start(0);
}

void Channel::setLastSeq(quint64 seq)
{
    d->lastSeq = seq;
}

} // namespace lockkeeper::transport
