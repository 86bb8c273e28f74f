// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/stores/redis/endpoint.h"
#include "shared/stores/redis/resp.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>

struct redisAsyncContext;

namespace lockkeeper::stores::redis {

/** Takes the answers to a batch, one call a command, in order. Deleted after the last. */
class ReplySink
{
public:
    ReplySink() = default;
    virtual ~ReplySink() = default;
    Q_DISABLE_COPY_MOVE(ReplySink)

    /** `reply` is valid during the call; null: the link ended first, and what became of the command is
     * unknown. */
    virtual void take(const redisReply *reply) = 0;

private:
    friend class Connection;
    qsizetype m_pending = 0;
};

/**
 * One link to a Redis server on the event loop of the thread it lives in: connects, sends commands in
 * pipelines, watches for silence. Every command that was accepted by send() has its answer taken once,
 * also when the link breaks, unless the Connection is destroyed first. Never reconnects by itself.
 */
class Connection : public QObject
{
    Q_OBJECT

public:
    using Handler = std::function<void(const redisReply *)>;

    /** `silenceMs`: how long the server may owe an answer before the link counts as dead. */
    Connection(Endpoint endpoint, qint64 silenceMs, QObject *parent = nullptr);
    ~Connection() override;

    /** Answers connected() or lost(). Must not be open. */
    void open(qint64 timeoutMs);
    /** Ends the link; answers that are owed are taken as null. No lost() follows. */
    void close();
    /** Ends the link as if it had broken: lost(error) follows. */
    void fail(const base::Error &error);
    bool isOpen() const { return m_context != nullptr && m_connected; }

    /** False, and nothing is sent or called, where the link is down. */
    bool send(std::unique_ptr<ReplySink> sink, const CommandBatch &batch);
    bool send(std::initializer_list<QByteArrayView> arguments, Handler handler);

    /** Why the link ended or is ending; meaningful when a null answer is taken. */
    const base::Error &failure() const { return m_failure; }
    const Endpoint &endpoint() const { return m_endpoint; }
    qint64 silenceMs() const { return m_silenceMs; }

Q_SIGNALS:
    void connected();
    /** Once for each open(), after every answer owed was taken; not after close(). */
    void lost(const lockkeeper::base::Error &error);

private:
    static void onConnect(const redisAsyncContext *context, int status);
    static void onReply(redisAsyncContext *context, void *reply, void *sink);
    void connectTo(const QString &address);
    void attach(redisAsyncContext *context);
    void ended(redisAsyncContext *context);
    void settle();
    void resolve();
    void announceLoss();
    void checkSilence();
    void noteFailure(const redisAsyncContext *context);

    Endpoint m_endpoint;
    qint64 m_silenceMs;
    redisAsyncContext *m_context = nullptr;
    QStringList m_addresses; ///< still to be tried
    QTimer m_connectTimer;
    QTimer m_silenceTimer;
    QElapsedTimer m_sinceActivity;
    qint64 m_owed = 0; ///< answers
    int m_lookup = -1;
    quint64 m_opened = 0; ///< tells the links of one Connection apart in queued calls
    bool m_connected = false;
    bool m_opening = false;
    bool m_failed = false;
    base::Error m_failure;
};

} // namespace lockkeeper::stores::redis
