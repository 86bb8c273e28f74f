// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QUrl>

#include <memory>

namespace lockkeeper::tests {

/** Where a stock client connects. */
struct StockAddress
{
    QString socket; ///< MySQL: the socket; PostgreSQL: its folder; empty: host and port
    int port = 0;
    QString user = QStringLiteral("root");
    QString password;
    QString database = QStringLiteral("app");
};

/**
 * A session of a client that has nothing to do with Lockkeeper: the command-line clients `mariadb` and
 * `psql`, and Debian's python3-pymysql and python3-psycopg2. Statements go to its standard input, one at a
 * time. Autocommit is off only where a statement says so. Ends with this object.
 */
class StockClient
{
public:
    enum class Kind { MariaDbCli, PyMySql, Psql, Psycopg2 };

    StockClient(Kind kind, const StockAddress &address);
    ~StockClient();
    Q_DISABLE_COPY_MOVE(StockClient)

    /** Sends a statement without waiting for its end. */
    void send(const QString &sql);
    /** Sends a statement and waits for its end; its rows, tab-separated. Fails after 20 s. */
    bool run(const QString &sql);
    /** Waits for the end of all that was sent. */
    bool finish(int ms = 20'000);
    /** True once the server has ended the session: the next statement fails, or the client has left. */
    bool isCutOff();
    QByteArray output();
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    /** Ends the client at once, as a crash would. */
    void crash();

private:
    QProcess m_process;
    QByteArray m_output;
    QString m_mark; ///< before "done-N": this client's command to print it
    int m_sent = 0;
};

/** The short name of a kind of client. */
QString stockName(StockClient::Kind kind);

} // namespace lockkeeper::tests
