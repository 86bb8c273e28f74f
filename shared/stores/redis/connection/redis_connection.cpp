// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/redis_connection.h"

#include "shared/base/text.h"
#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/log.h"
#include "shared/stores/redis/connection/socket_link.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockkeeper::stores::redis {

Q_LOGGING_CATEGORY(lcRedis, "lockkeeper.stores.redis", QtInfoMsg)

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kBusyTurnUs = 1'000; ///< until the event loop has its turn

/** The longest that an answer to so many commands takes on the same machine, with the sleep before it. */
qint64 nearUs(qint64 commands)
{
    return 100 + 5 * commands;
}

class LastAnswer final : public ReplySink
{
public:
    LastAnswer(qsizetype answers, RedisConnection::Handler handler)
        : m_left(answers), m_handler(std::move(handler))
    {
    }
    void take(const redisReply *reply) override
    {
        if (--m_left == 0)
            m_handler(reply);
    }

private:
    qsizetype m_left;
    RedisConnection::Handler m_handler;
};

} // namespace

RedisConnection::RedisConnection(Endpoint endpoint, qint64 silenceMs, QObject *parent)
    : QObject(parent), m_endpoint(std::move(endpoint)), m_silenceMs(std::max<qint64>(1, silenceMs))
{
    m_connectTimer.setSingleShot(true);
    m_silenceTimer.setSingleShot(true);
    connect(&m_silenceTimer, &QTimer::timeout, this, &RedisConnection::checkSilence);
    connect(&m_connectTimer, &QTimer::timeout, this, [this] {
        const bool tls = m_endpoint.tls.has_value();
        const QString words = tls ? QStringLiteral("%1 didn't complete the TLS handshake in time")
                                  : QStringLiteral("%1 didn't answer in time");
        fail({ErrorCode::Unreachable, words.arg(m_endpoint.address()),
              tls ? QStringLiteral("Check that this is its TLS port.") : QString()});
    });
}

RedisConnection::~RedisConnection()
{
    if (m_link == nullptr)
        return;
    m_link->owner.clear();
    m_link->over = true;
    m_link->transport->dismiss();
}

void RedisConnection::open(qint64 timeoutMs)
{
    Q_ASSERT(m_link == nullptr);
    ++m_opened;
    m_failure = {};
    m_connected = false;
    m_connectTimer.start(int(std::clamp<qint64>(timeoutMs, 1, 3'600'000)));
    m_link = std::make_shared<SocketLink>(this, m_opened);
    Transport *transport = m_link->transport;
    const std::weak_ptr<SocketLink> weak = m_link;
    // With the link's life checked: a queued signal may come after the link was let go.
    const auto ifPresent = [this, weak](auto act) {
        const LinkPtr link = weak.lock();
        if (link != nullptr && link == m_link)
            act(link);
    };
    connect(
        transport, &Transport::established, this,
        [this, ifPresent] { ifPresent([this](const LinkPtr &link) { established(link); }); },
        Qt::QueuedConnection);
    connect(transport, &Transport::readable, this,
            [this, ifPresent] { ifPresent([this](const LinkPtr &link) { read(link); }); });
    connect(transport, &Transport::ended, this, [this, ifPresent](const Error &error) {
        ifPresent([this, &error](const LinkPtr &) { ended(error); });
    });
    transport->open();
}

void RedisConnection::established(const LinkPtr &link)
{
    // Read bytes that have already arrived: a full server reports it and closes the connection at once.
    link->transport->poll();
    if (!link->over)
        read(link);
    if (link->over)
        return;
    m_connected = true;
    m_connectTimer.stop();
    Q_EMIT connected();
}

void RedisConnection::read(const LinkPtr &keep)
{
    const LinkPtr link = keep; // through handlers that end it, or this
    if (link->busy)
        return;
    if (link->writing) { // a TLS socket reads while it writes, inside somebody's send()
        QMetaObject::invokeMethod(link->transport, &Transport::readable, Qt::QueuedConnection);
        return;
    }
    const bool isNear = m_busyPolling && m_sinceActivity.isValid() &&
                        m_sinceActivity.nsecsElapsed() < nearUs(link->count) * 1'000;
    QElapsedTimer turn;
    turn.start();
    do {
        take(*link);
    } while (isNear && link->owner != nullptr && !link->over && link->count > 0 &&
             turn.nsecsElapsed() < kBusyTurnUs * 1'000 && link->transport->busyPoll(nearUs(link->count)));
}

void RedisConnection::take(SocketLink &link)
{
    m_sinceActivity.restart();
    link.busy = true;
    std::array<char, 16 * 1024> piece;
    while (!link.over) {
        const qint64 size = link.transport->read(piece.data(), qint64(piece.size()));
        if (size == 0)
            break;
        link.heard = true;
        link.reader.feed({piece.data(), qsizetype(size)});
        while (!link.over) {
            const ReplyPtr reply = link.reader.next();
            if (reply == nullptr)
                break;
            dispatch(link, reply.get());
        }
        if (!link.over && link.reader.failed())
            fail(
                {ErrorCode::Protocol, m_endpoint.address() + QStringLiteral(": ") + link.reader.error(), {}});
    }
    link.busy = false;
    if (link.over) {
        finish(link);
        return;
    }
    flush(link);
    if (m_takenHandler)
        m_takenHandler();
}

/** Sends off what was written, at once and in one go. */
void RedisConnection::flush(SocketLink &link)
{
    link.writing = true;
    link.transport->flush();
    link.writing = false;
}

void RedisConnection::dispatch(SocketLink &link, const redisReply *reply)
{
    if (link.isOutOfBand(reply)) {
        if (const auto handler = m_pushHandler) // it may replace itself, or end this
            (*handler)(reply);
    } else if (link.owed.empty()) {
        unasked(reply);
    } else {
        if (link.farewell)
            link.farewell.reset();
        if (!std::exchange(link.answered, true) && isError(reply))
            link.farewell = errorOf(reply, {m_endpoint.user, {}});
        link.answer(reply);
    }
}

/** A server that takes no more clients sends such a reply before it hangs up. */
void RedisConnection::unasked(const redisReply *reply)
{
    Error error{ErrorCode::Protocol, QStringLiteral("an unexpected answer"), {}};
    if (isError(reply))
        error = errorOf(reply, {m_endpoint.user, {}});
    error.cause.prepend(m_endpoint.address() + QStringLiteral(": "));
    fail(error);
}

void RedisConnection::ended(const Error &error)
{
    if (m_link->farewell) {
        Error words = *m_link->farewell;
        words.cause.prepend(m_endpoint.address() + QStringLiteral(": "));
        fail(words);
        return;
    }
    const ErrorCode plain = m_connected ? ErrorCode::ConnectionLost : ErrorCode::Unreachable;
    // A server's last message before it hangs up may be lost with the connection.
    const QString remedy =
        !m_connected || m_link->heard ? QString()
        : m_endpoint.tls
            ? QStringLiteral("If it requires a client certificate, set tls_cert and tls_key.")
            : QStringLiteral(
                  "If it has reached its limit of clients, compare maxclients with the connected clients.");
    fail({error.code == ErrorCode::Unknown ? plain : error.code,
          m_endpoint.address() + QStringLiteral(": ") + error.cause,
          error.remedy.isEmpty() ? remedy : error.remedy});
}

void RedisConnection::settle()
{
    m_connected = false;
    m_connectTimer.stop();
    m_silenceTimer.stop();
}

void RedisConnection::fail(const Error &error)
{
    if (m_link == nullptr)
        return;
    m_failure = error;
    settle();
    letGo(true);
}

void RedisConnection::close()
{
    ++m_opened;
    m_failure = {ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}};
    settle();
    if (m_link != nullptr)
        letGo(false);
}

/** Ends the current link. Its pending answers become null, at once or after the answer in progress. */
void RedisConnection::letGo(bool announce)
{
    const LinkPtr link = std::exchange(m_link, nullptr);
    link->over = true;
    link->announce = announce;
    link->transport->dismiss();
    if (!link->busy)
        finish(*link);
}

/** Doesn't capture `this`: the Connection may have been destroyed. */
void RedisConnection::finish(SocketLink &link)
{
    link.drain();
    if (link.announce && link.owner != nullptr)
        link.owner->announceLoss(link.opened);
}

void RedisConnection::announceLoss(quint64 opened)
{
    qCDebug(lcRedis) << "link lost:" << m_failure.line();
    QMetaObject::invokeMethod(
        this,
        [this, opened] {
            const Error error = m_failure; // a handler may close this, or open it again
            if (opened == m_opened)
                Q_EMIT lost(error);
        },
        Qt::QueuedConnection);
}

bool RedisConnection::send(std::unique_ptr<ReplySink> sink, const CommandBatch &batch)
{
    if (!isOpen() || batch.isEmpty())
        return false;
    SocketLink &link = *m_link;
    if (link.count == 0)
        m_sinceActivity.restart();
    link.owed.push_back({std::move(sink), batch.size(), batch.endsInMonitor()});
    link.count += batch.size();
    if (!m_silenceTimer.isActive())
        m_silenceTimer.start(int(m_silenceMs));
    link.transport->write(batch.wire());
    if (!link.busy || batch.size() >= kWorthSending)
        flush(link);
    return true;
}

bool RedisConnection::send(std::initializer_list<QByteArrayView> arguments, Handler handler)
{
    CommandBatch batch;
    batch.add(arguments);
    return send(batch, std::move(handler));
}

bool RedisConnection::send(const CommandBatch &batch, Handler last)
{
    return send(std::make_unique<LastAnswer>(batch.size(), std::move(last)), batch);
}

bool RedisConnection::send(const QList<QByteArray> &arguments, Handler handler)
{
    CommandBatch batch;
    batch.add(arguments);
    return send(batch, std::move(handler));
}

void RedisConnection::setPushHandler(Handler handler)
{
    m_pushHandler = handler ? std::make_shared<const Handler>(std::move(handler)) : nullptr;
}

void RedisConnection::checkSilence()
{
    if (m_link == nullptr || m_link->count == 0)
        return;
    const qint64 left = m_silenceMs - m_sinceActivity.elapsed();
    if (left > 0)
        m_silenceTimer.start(int(left));
    else
        fail({ErrorCode::Timeout,
              QStringLiteral("%1 has not answered for %2 ms").arg(m_endpoint.address()).arg(m_silenceMs),
              {}});
}

} // namespace lockkeeper::stores::redis
