// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QMutex>
#include <QSslConfiguration>
#include <QTcpSocket>
#include <QThread>
#include <QUrl>

#include <functional>

class QTcpServer;

namespace lockkeeper::tests {

/** A server on a free port of 127.0.0.1 in its own thread, because senders block theirs. `accept` is called
 * there for each connection. */
class LoopServer
{
public:
    using Accept = std::function<void(QTcpSocket *)>;
    explicit LoopServer(Accept accept, const QSslConfiguration &tls = {});
    ~LoopServer();
    Q_DISABLE_COPY_MOVE(LoopServer)
    quint16 port() const { return m_port; }

private:
    QThread m_thread;
    QTcpServer *m_server = nullptr;
    quint16 m_port = 0;
};

enum class HookAnswer {
    Accepts = 0,
    Fails,     ///< 500
    Refuses,   ///< 400
    TooMany,   ///< 429 with Retry-After: 2
    Redirects, ///< 302 to /elsewhere
    Hangs,
    Endless, ///< 200 and a body without end
    Floods,  ///< 500 and a body without end
    Resets,
};

struct HookRequest
{
    QByteArray line; ///< "POST /hook HTTP/1.1"
    QByteArray head; ///< the header's other lines
    QByteArray body;
};

/** A receiver of HTTP requests. */
class HookServer
{
public:
    explicit HookServer(const QSslConfiguration &tls = {});

    QUrl url(const QString &path = QStringLiteral("/hook")) const;
    /** The next answers; afterwards it accepts all. */
    void answerNext(const QList<HookAnswer> &answers);
    QList<HookRequest> requests() const;
    QByteArrayList bodies() const;
    int connections() const;

private:
    void serve(QTcpSocket *socket);
    void read(QTcpSocket *socket, QByteArray &received);
    void answer(QTcpSocket *socket);

    const bool m_tls;
    mutable QMutex m_mutex; ///< guards the members below
    QList<HookAnswer> m_answers;
    QList<HookRequest> m_requests;
    int m_connections = 0;
    LoopServer m_server; ///< last: ends before the members that it uses
};

/** A mail server without TLS that takes messages, and refuses what begins with `refuse(command)`. */
class MailSink
{
public:
    /** Returns the reply to a command, "550 unknown"; empty: the usual one. */
    using Refuse = std::function<QByteArray(const QByteArray &command)>;
    explicit MailSink(Refuse refuse = {});

    QUrl url() const;
    QByteArrayList messages() const;
    QByteArrayList commands() const;

private:
    void serve(QTcpSocket *socket);
    QByteArray reply(const QByteArray &line);

    const Refuse m_refuse;
    mutable QMutex m_mutex; ///< guards the members below
    QByteArrayList m_messages;
    QByteArrayList m_commands;
    LoopServer m_server;
};

} // namespace lockkeeper::tests
