// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/redis/connection/endpoint.h"
#include "shared/stores/redis/connection/resp.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/** Takes the answers to a batch, one call a command, in order. Deleted after the last. */
class ReplySink
{
public:
    ReplySink() = default;
    virtual ~ReplySink() = default;
    Q_DISABLE_COPY_MOVE(ReplySink)

    /** `reply` is valid during the call; null: the link ended first, and the outcome of the command is
     * unknown. */
    virtual void take(const redisReply *reply) = 0;
};

/**
 * One link to a Redis server on the event loop of the thread it lives in: connects, sends commands in
 * pipelines, watches for silence. Every command that was accepted by send() has its answer taken once,
 * also when the link breaks, unless the Connection is destroyed first. Never reconnects by itself.
 *
 * Messages that the server sends unasked go to the push handler: messages of subscribed channels, and after
 * MONITOR the commands of the server's clients. The answer to (P|S)SUBSCRIBE and (P|S)UNSUBSCRIBE is their
 * confirmation. The server confirms each channel separately, so one such command names exactly one channel.
 */
class RedisConnection : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(const redisReply *)>;
    /** Commands that are worth a system call: the server begins with them while the next are composed. */
    static constexpr qsizetype kWorthSending = 16;

    /** `silenceMs`: how long the server may owe an answer before the link counts as dead. */
    RedisConnection(Endpoint endpoint, qint64 silenceMs, QObject *parent = nullptr);
    ~RedisConnection() override;

    /** Answers connected() or lost(). Must not be open. */
    void open(qint64 timeoutMs);
    /** Ends the link; answers that are owed are taken as null. No lost() follows. */
    void close();
    /** Ends the link as if it had broken: lost(error) follows. */
    void fail(const base::Error &error);
    bool isOpen() const { return m_link != nullptr && m_connected; }

    /** False, and nothing is sent or called, where the link is down. */
    bool send(std::unique_ptr<ReplySink> sink, const CommandBatch &batch);
    bool send(std::initializer_list<QByteArrayView> arguments, Handler handler);
    /** `last` takes the last answer; those before it are dropped. */
    bool send(const CommandBatch &batch, Handler last);
    bool send(const QList<QByteArray> &arguments, Handler handler);
    /**
     * Called for each array `message`, `pmessage` or `smessage` of a subscribed link, for `sunsubscribe`
     * where the server has ended that, and for each line of MONITOR (a status); never null. Stays over
     * close() and open(). Must not be set from within itself. A link that owes no answer isn't watched for
     * silence: a client that only listens sends PING from time to time (answered in a subscribed link, too).
     */
    void setPushHandler(Handler handler);
    /** Called when all bytes that arrived together were read. Kept across close() and open(). */
    void setTakenHandler(std::function<void()> handler) { m_takenHandler = std::move(handler); }

    /**
     * For a client that asks again as soon as it is answered, with a server as near as this machine: it gets
     * its answers without sleeping in between. After the taken handler, the connection polls the socket for
     * as long as an answer takes there. After a millisecond in all, the event loop has its turn.
     */
    void setBusyPolling(bool busyPolling) { m_busyPolling = busyPolling; }

    /** Why the link ended or is ending; meaningful when a null answer is taken. */
    const base::Error &failure() const { return m_failure; }
    const Endpoint &endpoint() const { return m_endpoint; }
    qint64 silenceMs() const { return m_silenceMs; }

Q_SIGNALS:
    void connected();
    /** Once for each open(), after every answer owed was taken; not after close(). */
    void lost(const lockkeeper::base::Error &error);

private:
    struct SocketLink;
    using LinkPtr = std::shared_ptr<SocketLink>;

    void established(const LinkPtr &link);
    void read(const LinkPtr &keep);
    /** Reads the received bytes. */
    void take(SocketLink &link);
    static void flush(SocketLink &link);
    static void finish(SocketLink &link);
    void dispatch(SocketLink &link, const redisReply *reply);
    void ended(const base::Error &error);
    void unasked(const redisReply *reply);
    void settle();
    void letGo(bool announce);
    void announceLoss(quint64 opened);
    void checkSilence();

    Endpoint m_endpoint;
    qint64 m_silenceMs;
    std::shared_ptr<const Handler> m_pushHandler;
    std::function<void()> m_takenHandler;
    LinkPtr m_link; ///< the present one; null: neither open nor opening
    QTimer m_connectTimer;
    QTimer m_silenceTimer;
    QElapsedTimer m_sinceActivity;
    quint64 m_opened = 0; ///< distinguishes the links of one Connection in queued calls
    bool m_connected = false;
    bool m_busyPolling = false;
    base::Error m_failure;
};

} // namespace lockkeeper::stores::redis
