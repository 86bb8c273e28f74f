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

namespace lockkeeper::tests {

/** One row of an answer, as text; NULL is a null QByteArray. */
using Row = QList<QByteArray>;

/**
 * A private mariadbd in a temporary folder, on a unix socket and, if asked, a free loopback port. It ends
 * with this object and with this process, however that ends. User root, without a password. Works as root and
 * as anybody else.
 */
class MariaDbServer
{
public:
    /** `options` are added to the server's command line. */
    explicit MariaDbServer(QStringList options = {}, bool tcp = false);
    ~MariaDbServer();
    Q_DISABLE_COPY_MOVE(MariaDbServer)

    /** From its next start on, its clock is off by `by`. */
    void setClock(std::chrono::seconds by) { m_clock = by; }
    /** Starts on the same data, and the same port; false with a message on standard error. */
    bool start();
    /** Ends in order (SIGTERM) and waits. */
    void stop();
    /** Ends at once (SIGKILL) and waits. */
    void kill();
    /** Stops the process without ending it (SIGSTOP), and lets it continue. */
    void freeze();
    void thaw();
    /** Ends, and keeps a copy of its data … */
    bool keep();
    /** … and ends and starts with that copy. */
    bool restore();
    bool isRunning() const;
    /** Microseconds of processor time that the server has used. */
    qint64 processorUs() const;

    QString socketPath() const;
    int port() const { return m_port; }
    /** mysql+unix://… with this user and database. */
    QUrl url(const QString &database, const QString &user = QStringLiteral("root")) const;
    /** mysql://user@127.0.0.1:port/database, where TCP was asked for. */
    QUrl tcpUrl(const QString &database, const QString &user = QStringLiteral("root")) const;

    /** Runs statements, separated by ';' at the end of a line, as root; fails the process on an error. */
    QList<Row> exec(const QString &sql, const QString &database = {});

    /** The same on a connection made for it, from any thread; the statements' rows are dropped. */
    void execAside(const QString &sql) const;

private:
    bool install();
    bool installAnew(const QString &data) const;
    bool waitUntilReady();
    void closeConnection();
    QStringList arguments() const;

    QTemporaryDir m_folder;
    QStringList m_options;
    std::unique_ptr<QProcess> m_process;
    QString m_connection;
    int m_port = 0;
    std::chrono::seconds m_clock{0};
};

} // namespace lockkeeper::tests
