// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/postgres_server.h"

#include "tests/support/free_port.h"
#include "tests/support/install_once.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QThread>
#include <QUrlQuery>
#include <QUuid>

#include <cstdio>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {
constexpr int kClusterStartMs = 30'000;

const passwd *serverUser()
{
    return geteuid() == 0 ? getpwnam("nobody") : nullptr;
}

/** In the child: it ends with its parent, and isn't root. */
void becomeServer()
{
    if (const passwd *user = serverUser()) {
        if (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)
            _exit(126);
    }
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
}
} // namespace

PostgresServer::PostgresServer(QStringList options)
    : m_folder(std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/lockkeeper-pg-XXXXXX"))),
      m_options(std::move(options)),
      m_port(freePort())
{
}

PostgresServer::~PostgresServer()
{
    stop();
}

QString PostgresServer::socketFolder() const
{
    return m_folder->path();
}

QUrl PostgresServer::url(const QString &database, const QString &user) const
{
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("host"), socketFolder());
    query.addQueryItem(QStringLiteral("user"), user);
    QUrl url;
    url.setScheme(QStringLiteral("postgresql"));
    url.setPath(QLatin1Char('/') + database);
    query.addQueryItem(QStringLiteral("port"), QString::number(m_port));
    url.setQuery(query);
    return url;
}

QUrl PostgresServer::tcpUrl(const QString &database, const QString &user) const
{
    QUrl url;
    url.setScheme(QStringLiteral("postgresql"));
    url.setHost(QStringLiteral("127.0.0.1"));
    url.setPort(m_port);
    url.setUserName(user);
    url.setPath(QLatin1Char('/') + database);
    return url;
}

QString PostgresServer::program(const QString &name) const
{
    const QDir versions(QStringLiteral("/usr/lib/postgresql"));
    for (const QString &version :
         versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed)) {
        const QString path = versions.filePath(version + QStringLiteral("/bin/") + name);
        if (QFile::exists(path))
            return path;
    }
    return name;
}

bool PostgresServer::install()
{
    const QString data = m_folder->filePath(QStringLiteral("data"));
    if (QFile::exists(data))
        return true;
    if (const passwd *user = serverUser()) {
        if (chown(qPrintable(m_folder->path()), user->pw_uid, user->pw_gid) != 0)
            return false;
    }
    return installOnce(program(QStringLiteral("postgres")), data, [this, data] { return installAnew(data); });
}

bool PostgresServer::installAnew(const QString &data) const
{
    QProcess installer;
    installer.setChildProcessModifier(becomeServer);
    installer.setWorkingDirectory(QStringLiteral("/"));
    installer.start(program(QStringLiteral("initdb")),
                    {QStringLiteral("-D"), data, QStringLiteral("-U"), QStringLiteral("root"),
                     QStringLiteral("-A"), QStringLiteral("trust"), QStringLiteral("-E"),
                     QStringLiteral("UTF8"), QStringLiteral("--locale=C.UTF-8"),
                     QStringLiteral("--no-sync")});
    if (installer.waitForFinished(kClusterStartMs) && installer.exitCode() == 0)
        return true;
    std::fprintf(stderr, "initdb failed: %s\n", installer.readAllStandardError().constData());
    return false;
}

bool PostgresServer::start()
{
    if (!install())
        return false;
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder->filePath(QStringLiteral("log")));
    m_process->setChildProcessModifier(becomeServer);
    m_process->setWorkingDirectory(QStringLiteral("/"));
    m_process->start(program(QStringLiteral("postgres")),
                     QStringList{QStringLiteral("-D"), m_folder->filePath(QStringLiteral("data")),
                                 QStringLiteral("-k"), socketFolder(), QStringLiteral("-p"),
                                 QString::number(m_port), QStringLiteral("-c"),
                                 QStringLiteral("listen_addresses=127.0.0.1"), QStringLiteral("-c"),
                                 QStringLiteral("fsync=off"), QStringLiteral("-c"),
                                 QStringLiteral("shared_buffers=32MB")} +
                         m_options);
    if (m_process->waitForStarted(kClusterStartMs) && waitUntilReady())
        return true;
    QFile log(m_folder->filePath(QStringLiteral("log")));
    std::fprintf(stderr, "postgres didn't start: %s\n",
                 log.open(QIODevice::ReadOnly) ? log.readAll().constData() : "no log");
    return false;
}

bool PostgresServer::startCopyOf(const PostgresServer &primary, bool follows)
{
    if (const passwd *user = serverUser()) {
        if (chown(qPrintable(m_folder->path()), user->pw_uid, user->pw_gid) != 0)
            return false;
    }
    m_port = primary.m_port;
    m_options += {QStringLiteral("-c"), QStringLiteral("listen_addresses=")};
    const QString data = m_folder->filePath(QStringLiteral("data"));
    QProcess copier;
    copier.setChildProcessModifier(becomeServer);
    copier.setWorkingDirectory(QStringLiteral("/"));
    copier.start(program(QStringLiteral("pg_basebackup")),
                 QStringList{QStringLiteral("-h"), primary.socketFolder(), QStringLiteral("-p"),
                             QString::number(m_port), QStringLiteral("-U"), QStringLiteral("root"),
                             QStringLiteral("-D"), data, QStringLiteral("-X"), QStringLiteral("stream"),
                             QStringLiteral("-c"), QStringLiteral("fast"), QStringLiteral("--no-sync")} +
                     (follows ? QStringList{QStringLiteral("-R")} : QStringList()));
    if (!copier.waitForFinished(kClusterStartMs) || copier.exitCode() != 0) {
        std::fprintf(stderr, "pg_basebackup failed: %s\n", copier.readAllStandardError().constData());
        return false;
    }
    QFile signal(data + QStringLiteral("/standby.signal"));
    return (follows || signal.open(QIODevice::WriteOnly)) && start();
}

QString PostgresServer::exec(const QString &sql) const
{
    const QString name = QStringLiteral("exec-") + QUuid::createUuid().toString(QUuid::WithoutBraces);
    QString value;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
        database.setHostName(socketFolder());
        database.setPort(m_port);
        database.setDatabaseName(QStringLiteral("postgres"));
        database.setUserName(QStringLiteral("root"));
        QSqlQuery query(database);
        if (!database.open() || !query.exec(sql))
            std::fprintf(stderr, "%s: %s\n", qPrintable(sql), qPrintable(query.lastError().text()));
        else if (query.next())
            value = query.value(0).toString();
    }
    QSqlDatabase::removeDatabase(name);
    return value;
}

bool PostgresServer::waitUntilReady() const
{
    const QDeadlineTimer limit(kClusterStartMs);
    const QString name = QStringLiteral("ready-") + QUuid::createUuid().toString(QUuid::WithoutBraces);
    bool ready = false;
    while (!ready && !limit.hasExpired() && m_process->state() == QProcess::Running) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), name);
            database.setHostName(socketFolder());
            database.setPort(m_port);
            database.setDatabaseName(QStringLiteral("postgres"));
            database.setUserName(QStringLiteral("root"));
            ready = database.open();
        }
        QSqlDatabase::removeDatabase(name);
        if (!ready)
            QThread::msleep(20);
        m_process->waitForFinished(0);
    }
    return ready;
}

void PostgresServer::stop()
{
    if (!isRunning())
        return;
    ::kill(pid_t(m_process->processId()), SIGINT); // "fast": ends the sessions
    if (!m_process->waitForFinished(kClusterStartMs))
        m_process->kill();
    m_process->waitForFinished(kClusterStartMs);
}

bool PostgresServer::isRunning() const
{
    return m_process && m_process->state() == QProcess::Running;
}

} // namespace lockkeeper::tests
