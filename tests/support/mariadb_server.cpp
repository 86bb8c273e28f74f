// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mariadb_server.h"

#include "tests/support/copied_folder.h"
#include "tests/support/free_port.h"
#include "tests/support/freeze.h"
#include "tests/support/install_once.h"
#include "tests/support/shifted_clock.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>
#include <QStandardPaths>
#include <QUrlQuery>
#include <QUuid>

#include <cstdio>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {
constexpr int kStartMs = 30'000;

QByteArray textOrNull(const QVariant &value)
{
    if (value.isNull())
        return {};
    const QByteArray text = value.toByteArray();
    return text.isNull() ? QByteArrayLiteral("") : text;
}
} // namespace

MariaDbServer::MariaDbServer(QStringList options, bool tcp)
    : m_options(std::move(options)),
      m_connection(QStringLiteral("test-") + QUuid::createUuid().toString(QUuid::WithoutBraces)),
      m_port(tcp ? freePort() : 0)
{
}

MariaDbServer::~MariaDbServer()
{
    closeConnection();
    kill();
}

QString MariaDbServer::socketPath() const
{
    return m_folder.filePath(QStringLiteral("s"));
}

QUrl MariaDbServer::url(const QString &database, const QString &user) const
{
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("db"), database);
    query.addQueryItem(QStringLiteral("user"), user);
    QUrl url;
    url.setScheme(QStringLiteral("mysql+unix"));
    url.setPath(socketPath());
    url.setQuery(query);
    return url;
}

QUrl MariaDbServer::tcpUrl(const QString &database, const QString &user) const
{
    QUrl url;
    url.setScheme(QStringLiteral("mysql"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_port);
    url.setUserName(user);
    url.setPath(QLatin1Char('/') + database);
    return url;
}

bool MariaDbServer::install()
{
    const QString data = m_folder.filePath(QStringLiteral("data"));
    if (QFile::exists(data))
        return true;
    return installOnce(
        QStandardPaths::findExecutable(QStringLiteral("mariadbd"), {QStringLiteral("/usr/sbin")}), data,
        [this, data] { return installAnew(data); });
}

bool MariaDbServer::installAnew(const QString &data) const
{
    QProcess installer;
    QStringList arguments{
        QStringLiteral("--no-defaults"), QStringLiteral("--datadir=") + data,
        // A server removes files there that look like old temporary tables, even those of another server.
        QStringLiteral("--tmpdir=") + m_folder.path(),
        QStringLiteral("--auth-root-authentication-method=normal"), QStringLiteral("--skip-test-db"),
        QStringLiteral("--force"), QStringLiteral("--skip-name-resolve"),
        QStringLiteral("--innodb-log-file-size=4M")};
    if (geteuid() == 0)
        arguments.append(QStringLiteral("--user=root"));
    installer.start(QStringLiteral("mariadb-install-db"), arguments);
    if (installer.waitForFinished(kStartMs) && installer.exitCode() == 0)
        return true;
    std::fprintf(stderr, "mariadb-install-db failed: %s\n", installer.readAllStandardError().constData());
    return false;
}

QStringList MariaDbServer::arguments() const
{
    QStringList list{QStringLiteral("--no-defaults"),
                     QStringLiteral("--datadir=") + m_folder.filePath(QStringLiteral("data")),
                     QStringLiteral("--socket=") + socketPath(),
                     QStringLiteral("--pid-file=") + m_folder.filePath(QStringLiteral("pid")),
                     QStringLiteral("--tmpdir=") + m_folder.path(),
                     QStringLiteral("--innodb-buffer-pool-size=32M"),
                     QStringLiteral("--innodb-log-file-size=4M"),
                     QStringLiteral("--innodb-flush-log-at-trx-commit=2"),
                     QStringLiteral("--skip-log-bin"),
                     QStringLiteral("--skip-name-resolve"),
                     QStringLiteral("--character-set-server=utf8mb4")};
    if (geteuid() == 0)
        list.append(QStringLiteral("--user=root"));
    if (m_port > 0)
        list << QStringLiteral("--port=%1").arg(m_port) << QStringLiteral("--bind-address=127.0.0.1");
    else
        list << QStringLiteral("--skip-networking");
    return list + m_options;
}

bool MariaDbServer::start()
{
    if (!install())
        return false;
    closeConnection();
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("log")));
    shiftClock(*m_process, m_clock);
    const pid_t parent = getpid();
    m_process->setChildProcessModifier([parent] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1); // the parent was gone before that took effect
    });
    const QString program = QFile::exists(QStringLiteral("/usr/sbin/mariadbd"))
                                ? QStringLiteral("/usr/sbin/mariadbd")
                                : QStringLiteral("mariadbd");
    m_process->start(program, arguments());
    return m_process->waitForStarted() && waitUntilReady();
}

bool MariaDbServer::waitUntilReady()
{
    QDeadlineTimer deadline(kStartMs);
    while (!deadline.hasExpired() && m_process->state() == QProcess::Running) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), m_connection);
            database.setUserName(QStringLiteral("root"));
            database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + socketPath());
            if (database.open())
                return true;
        }
        closeConnection();
        m_process->waitForFinished(50); // returns early only if the server has ended
    }
    QFile log(m_folder.filePath(QStringLiteral("log")));
    if (log.open(QIODevice::ReadOnly))
        std::fprintf(stderr, "mariadbd did not start:\n%s\n", log.readAll().right(2000).constData());
    return false;
}

void MariaDbServer::stop()
{
    closeConnection();
    if (!m_process)
        return;
    m_process->terminate();
    if (!m_process->waitForFinished(kStartMs))
        kill();
}

void MariaDbServer::kill()
{
    if (!m_process)
        return;
    m_process->kill();
    m_process->waitForFinished(kStartMs);
}

bool MariaDbServer::keep()
{
    stop();
    return copyFolder(m_folder.filePath(QStringLiteral("data")), m_folder.filePath(QStringLiteral("kept")));
}

bool MariaDbServer::restore()
{
    stop();
    return copyFolder(m_folder.filePath(QStringLiteral("kept")), m_folder.filePath(QStringLiteral("data"))) &&
           start();
}

void MariaDbServer::freeze()
{
    tests::freeze(m_process->processId());
}

void MariaDbServer::thaw()
{
    ::kill(pid_t(m_process->processId()), SIGCONT);
}

bool MariaDbServer::isRunning() const
{
    return m_process && m_process->state() == QProcess::Running;
}

qint64 MariaDbServer::processorUs() const
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(m_process ? m_process->processId() : 0));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = stat.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' '); // from the third on
    return (fields.value(11).toLongLong() + fields.value(12).toLongLong()) * 1'000'000 / sysconf(_SC_CLK_TCK);
}

void MariaDbServer::closeConnection()
{
    if (QSqlDatabase::contains(m_connection))
        QSqlDatabase::removeDatabase(m_connection);
}

QList<Row> MariaDbServer::exec(const QString &sql, const QString &database)
{
    QSqlQuery query(QSqlDatabase::database(m_connection));
    if (!database.isEmpty() && !query.exec(QStringLiteral("USE `%1`").arg(database)))
        qFatal("USE %s: %s", qPrintable(database), qPrintable(query.lastError().text()));
    QList<Row> rows;
    const QStringList statements = sql.split(QStringLiteral(";\n"), Qt::SkipEmptyParts);
    for (const QString &statement : statements) {
        if (statement.trimmed().isEmpty())
            continue;
        if (!query.exec(statement))
            qFatal("%s: %s", qPrintable(statement), qPrintable(query.lastError().text()));
        while (query.next()) {
            Row row;
            for (int i = 0; query.isSelect() && i < query.record().count(); ++i)
                row.append(textOrNull(query.value(i)));
            rows.append(row);
        }
    }
    return rows;
}

void MariaDbServer::execAside(const QString &sql) const
{
    const QString name = QStringLiteral("aside-") + QUuid::createUuid().toString(QUuid::WithoutBraces);
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), name);
        database.setUserName(QStringLiteral("root"));
        database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + socketPath());
        QSqlQuery query(database.open() ? database : QSqlDatabase());
        const QStringList statements =
            (QStringLiteral("SET time_zone = '+00:00';\n") + sql).split(QStringLiteral(";\n"));
        for (const QString &statement : statements) {
            if (!query.exec(statement))
                qFatal("%s: %s", qPrintable(statement), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

} // namespace lockkeeper::tests
