// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QUrl>

#include <memory>

class QTemporaryDir;

namespace lockkeeper::tests {

/**
 * A private PostgreSQL server in a temporary folder, on a unix socket and a free loopback port. It ends with
 * this object and with this process. Superuser "root", trusted without a password. The server refuses to run
 * as root: it is then run as "nobody", who owns its folder.
 */
class PostgresServer
{
public:
    explicit PostgresServer(QStringList options = {});
    ~PostgresServer();
    Q_DISABLE_COPY_MOVE(PostgresServer)

    /** Starts on the same data; false with a message on standard error. */
    bool start();
    /** Starts on a copy of another server's data, as a replica that follows it or that gets nothing more. */
    bool startCopyOf(const PostgresServer &primary, bool follows);
    /** Ends in order ("fast") and waits. */
    void stop();
    bool isRunning() const;

    QString socketFolder() const;
    int port() const { return m_port; }
    /** Runs one statement, and returns the first value of its first row. */
    QString exec(const QString &sql) const;
    /** postgresql:///postgres?host=…, through the socket. */
    QUrl url(const QString &database = QStringLiteral("postgres"),
             const QString &user = QStringLiteral("root")) const;
    /** postgresql://user@127.0.0.1:port/database. */
    QUrl tcpUrl(const QString &database = QStringLiteral("postgres"),
                const QString &user = QStringLiteral("root")) const;

private:
    bool install();
    bool installAnew(const QString &data) const;
    bool waitUntilReady() const;
    QString program(const QString &name) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QStringList m_options;
    std::unique_ptr<QProcess> m_process;
    int m_port = 0;
};

} // namespace lockkeeper::tests
