// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection.h"

#include "shared/base/text.h"
#include "shared/stores/redis/log.h"
#include "shared/stores/redis/socket_adapter.h"

#include <QHostAddress>
#include <QHostInfo>

#include <algorithm>
#include <hiredis/async.h>
#include <utility>

namespace lockkeeper::stores::redis {

Q_LOGGING_CATEGORY(lcRedis, "lockkeeper.stores.redis", QtInfoMsg)

using base::Error;
using base::ErrorCode;

namespace {

/** Ties a context to the Connection that opened it, for as long as both live. */
struct Tie
{
    QPointer<Connection> owner;
    quint64 opened = 0;
};

Tie *tieOf(const redisAsyncContext *context)
{
    return static_cast<Tie *>(context->data);
}

class HandlerSink final : public ReplySink
{
public:
    explicit HandlerSink(Connection::Handler handler) : m_handler(std::move(handler)) {}
    void take(const redisReply *reply) override { m_handler(reply); }

private:
    Connection::Handler m_handler;
};

QString addressOf(const Endpoint &endpoint)
{
    if (endpoint.isUnix())
        return base::displayText(endpoint.path);
    return base::displayText(endpoint.host) + QLatin1Char(':') + QString::number(endpoint.port);
}

} // namespace

Connection::Connection(Endpoint endpoint, qint64 silenceMs, QObject *parent)
    : QObject(parent), m_endpoint(std::move(endpoint)), m_silenceMs(std::max<qint64>(1, silenceMs))
{
    m_connectTimer.setSingleShot(true);
    m_silenceTimer.setSingleShot(true);
    connect(&m_silenceTimer, &QTimer::timeout, this, &Connection::checkSilence);
    connect(&m_connectTimer, &QTimer::timeout, this, [this] {
        fail({ErrorCode::Unreachable,
              QStringLiteral("%1 didn't answer in time").arg(addressOf(m_endpoint)),
              {}});
    });
}

Connection::~Connection()
{
    if (m_lookup >= 0)
        QHostInfo::abortHostLookup(m_lookup);
    if (m_context != nullptr) {
        tieOf(m_context)->owner.clear();
        redisAsyncFree(m_context);
    }
}

void Connection::open(qint64 timeoutMs)
{
    Q_ASSERT(m_context == nullptr);
    ++m_opened;
    m_owed = 0;
    m_failed = false;
    m_failure = {};
    m_connected = false;
    m_opening = true;
    m_connectTimer.start(int(std::clamp<qint64>(timeoutMs, 1, 3'600'000)));
    if (m_endpoint.isUnix() || !QHostAddress(m_endpoint.host).isNull())
        connectTo(m_endpoint.isUnix() ? m_endpoint.path : m_endpoint.host);
    else
        resolve();
}

void Connection::resolve()
{
    // hiredis would look the name up in this thread and block it.
    m_lookup = QHostInfo::lookupHost(m_endpoint.host, this, [this, opened = m_opened](const QHostInfo &info) {
        m_lookup = -1;
        if (opened != m_opened || !m_opening)
            return;
        m_addresses.clear();
        for (const QHostAddress &address : info.addresses())
            m_addresses.append(address.toString());
        if (m_addresses.isEmpty())
            fail({ErrorCode::Unreachable,
                  QStringLiteral("%1: %2").arg(addressOf(m_endpoint), base::displayText(info.errorString())),
                  {}});
        else
            connectTo(m_addresses.takeFirst());
    });
}

void Connection::connectTo(const QString &address)
{
    redisAsyncContext *context = m_endpoint.isUnix()
                                     ? redisAsyncConnectUnix(address.toLocal8Bit().constData())
                                     : redisAsyncConnect(address.toLatin1().constData(), m_endpoint.port);
    if (context == nullptr) {
        fail({ErrorCode::Unreachable, QStringLiteral("out of memory"), {}});
        return;
    }
    if (context->err != 0) {
        noteFailure(context);
        redisAsyncFree(context);
        if (!m_addresses.isEmpty())
            connectTo(m_addresses.takeFirst());
        else
            fail(m_failure);
        return;
    }
    attach(context);
}

void Connection::attach(redisAsyncContext *context)
{
    m_context = context;
    context->data = new Tie{this, m_opened};
    auto *adapter = new SocketAdapter(context, [context] {
        const std::unique_ptr<Tie> tie(tieOf(context));
        if (tie->owner != nullptr && tie->owner->m_context == context)
            tie->owner->ended(context);
    });
    connect(adapter, &SocketAdapter::activity, this, [this] { m_sinceActivity.restart(); });
    redisAsyncSetConnectCallback(context, onConnect);
}

void Connection::onConnect(const redisAsyncContext *context, int status)
{
    Connection *self = tieOf(context)->owner;
    if (self == nullptr || status != REDIS_OK)
        return;
    // Queued: hiredis doesn't bear that its context is freed in this callback.
    QMetaObject::invokeMethod(
        self,
        [self, opened = self->m_opened] {
            if (opened != self->m_opened || self->m_context == nullptr || self->m_failed)
                return;
            self->m_opening = false;
            self->m_connected = true;
            self->m_connectTimer.stop();
            Q_EMIT self->connected();
        },
        Qt::QueuedConnection);
}

void Connection::ended(redisAsyncContext *context)
{
    noteFailure(context);
    m_context = nullptr;
    m_connected = false;
    if (m_opening && !m_failed && !m_addresses.isEmpty()) {
        QMetaObject::invokeMethod(
            this,
            [this, opened = m_opened] {
                if (opened == m_opened && m_opening && !m_addresses.isEmpty())
                    connectTo(m_addresses.takeFirst());
            },
            Qt::QueuedConnection);
        return;
    }
    announceLoss();
}

void Connection::noteFailure(const redisAsyncContext *context)
{
    if (m_failed)
        return;
    const QString words =
        base::displayText(QByteArrayView(context->errstr != nullptr ? context->errstr : ""));
    const QString cause = addressOf(m_endpoint) + QStringLiteral(": ") + words;
    if (!m_connected)
        m_failure = {ErrorCode::Unreachable, cause, {}};
    else if (context->err == REDIS_ERR_PROTOCOL)
        m_failure = {ErrorCode::Protocol, cause, {}};
    else
        m_failure = {ErrorCode::ConnectionLost, cause, {}};
}

void Connection::settle()
{
    m_connected = false;
    m_opening = false;
    m_addresses.clear();
    m_connectTimer.stop();
    m_silenceTimer.stop();
}

void Connection::fail(const Error &error)
{
    if (m_failed || (m_context == nullptr && !m_opening))
        return;
    m_failed = true;
    m_failure = error;
    settle();
    if (m_context != nullptr)
        redisAsyncFree(m_context); // ended() announces the loss, at once or after the callback we are in
    else
        announceLoss();
}

void Connection::close()
{
    ++m_opened;
    m_failed = true;
    m_failure = {ErrorCode::Cancelled, QStringLiteral("the connection was closed"), {}};
    settle();
    // No longer this object's context: its end is announced to nobody.
    if (redisAsyncContext *context = std::exchange(m_context, nullptr))
        redisAsyncFree(context); // inside a callback: marked, and freed after it
}

void Connection::announceLoss()
{
    settle();
    m_failed = true;
    qCDebug(lcRedis) << "link lost:" << m_failure.line();
    QMetaObject::invokeMethod(
        this,
        [this, opened = m_opened] {
            if (opened == m_opened)
                Q_EMIT lost(m_failure);
        },
        Qt::QueuedConnection);
}

bool Connection::send(std::unique_ptr<ReplySink> sink, const CommandBatch &batch)
{
    if (!isOpen() || batch.isEmpty())
        return false;
    ReplySink *raw = sink.get();
    for (qsizetype i = 0; i < batch.size(); ++i) {
        const QByteArrayView command = batch.command(i);
        if (redisAsyncFormattedCommand(m_context, onReply, raw, command.data(), size_t(command.size())) !=
            REDIS_OK)
            break;
        ++raw->m_pending;
    }
    if (raw->m_pending == 0)
        return false;
    if (m_owed == 0)
        m_sinceActivity.restart();
    m_owed += raw->m_pending;
    if (!m_silenceTimer.isActive())
        m_silenceTimer.start(int(m_silenceMs));
    if (raw->m_pending < batch.size())
        fail({ErrorCode::Protocol, QStringLiteral("a command could not be queued"), {}});
    sink.release(); // deleted by onReply() with its last answer
    return true;
}

bool Connection::send(std::initializer_list<QByteArrayView> arguments, Handler handler)
{
    CommandBatch batch;
    batch.add(arguments);
    return send(std::make_unique<HandlerSink>(std::move(handler)), batch);
}

void Connection::onReply(redisAsyncContext *context, void *reply, void *sink)
{
    auto *taker = static_cast<ReplySink *>(sink);
    const Tie *tie = tieOf(context);
    const qsizetype pending = --taker->m_pending;
    if (Connection *self = tie->owner) {
        if (tie->opened == self->m_opened) {
            --self->m_owed;
            if (reply == nullptr)
                self->noteFailure(context);
        }
        taker->take(static_cast<const redisReply *>(reply));
    }
    if (pending == 0)
        delete taker;
}

void Connection::checkSilence()
{
    if (m_owed == 0)
        return;
    const qint64 left = m_silenceMs - m_sinceActivity.elapsed();
    if (left > 0)
        m_silenceTimer.start(int(left));
    else
        fail({ErrorCode::Timeout,
              QStringLiteral("%1 has not answered for %2 ms").arg(addressOf(m_endpoint)).arg(m_silenceMs),
              {}});
}

} // namespace lockkeeper::stores::redis
