// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QProcess>
#include <QTemporaryDir>
#include <QUrl>

#include <chrono>
#include <memory>

struct redisContext;

namespace lockkeeper::tests {

/** An answer of Redis, whatever its type. A plain value. */
struct RedisReply
{
    int type = 0;     ///< REDIS_REPLY_…; 0: there was none
    QByteArray bytes; ///< string, status or error
    qint64 integer = 0;
    QList<RedisReply> list;

    bool isError() const;
    bool isNil() const;
};

/** A blocking connection of plain hiredis, for a test's actions on the other side of the code under test. */
class RedisPlain
{
public:
    explicit RedisPlain(const QString &socketPath);
    ~RedisPlain();
    Q_DISABLE_COPY_MOVE(RedisPlain)

    bool isOpen() const;
    RedisReply command(const QList<QByteArray> &arguments);
    /** Puts a command into the pipeline; its answer comes by next(). */
    void append(const QList<QByteArray> &arguments);
    RedisReply next();

private:
    redisContext *m_context;
};

/**
 * A private redis-server (or what LOCKKEEPER_TEST_REDIS_SERVER names) in a temporary folder: on a unix
 * socket, where asked on a loopback port too, without persistence. It ends with this object, and with the
 * thread that started it.
 */
class RedisServer
{
public:
    RedisServer();
    ~RedisServer();
    Q_DISABLE_COPY_MOVE(RedisServer)

    /** Options by which 10,000 keys take three seconds to be loaded from a file, and LOADING is answered
     * meanwhile. None before Redis 7, which can't. */
    static QStringList slowLoading();

    /**
     * The program to start, and the arguments before its own options: redis-server, or another server with
     * its launcher ("/path/to/ld.so --library-path … /path/to/valkey-server").
     */
    static QStringList program();
    /** That of the program: 700 is Redis 7.0, 801 is Valkey 8.1, which is Redis 7.2 to its clients. 0: it
     * can't be started. */
    static int version();
    /** ACL rules for Redis 7, as the program's version has them: no `%R~` and PEXPIRETIME before it, no
     * channels before 6.2. It has no users before 6.0. */
    static QList<QByteArray> rules(const QByteArray &ofSeven);

    /** From its next start on, its clock is off by `by`. */
    void setClock(std::chrono::seconds by) { m_clock = by; }
    /** Starts it and waits until it answers. `arguments` are options of redis-server. */
    bool start(const QStringList &arguments = {}, bool tcp = false);
    /** Ends it by SIGTERM, and by SIGKILL where that doesn't help. */
    void stop();
    void kill();
    /** Stops it and starts it again with the same options. */
    bool restart();
    /** SIGSTOP and SIGCONT. */
    void pause();
    void resume();

    /** redis+unix:///…?db=…&user=… */
    QUrl url(int database = 0, const QString &user = {}) const;
    QUrl tcpUrl(int database = 0) const;
    QString socketPath() const;
    QString folder() const { return m_folder.path(); }
    quint16 port() const { return m_port; }
    qint64 pid() const { return m_process ? m_process->processId() : 0; }

    /** Runs one command on a connection kept for that (as the default user). */
    RedisReply command(const QList<QByteArray> &arguments);
    /**
     * True once a replica has all that was written, false after 15 s. One that has just been filled gets no
     * more for up to a second, though its link is up. `key`: one that is free, of a slot of this server.
     */
    bool waitForReplica(const QByteArray &key = QByteArrayLiteral("replica:probe"));

private:
    bool launch();
    bool waitUntilReady();

    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_process;
    std::unique_ptr<RedisPlain> m_plain;
    QStringList m_arguments;
    quint16 m_port = 0;
    std::chrono::seconds m_clock{0};
};

} // namespace lockkeeper::tests
