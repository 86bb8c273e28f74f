// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pg_bouncer.h"

#include "tests/support/free_port.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QStandardPaths>
#include <QUrlQuery>

#include <cstdio>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {
constexpr int kPoolStartMs = 10'000;

QString poolerProgram()
{
    return QStandardPaths::findExecutable(QStringLiteral("pgbouncer"),
                                          {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin")});
}

/** It refuses to run as root. */
const passwd *poolUser()
{
    return geteuid() == 0 ? getpwnam("nobody") : nullptr;
}
} // namespace

PgBouncer::~PgBouncer()
{
    m_process.terminate();
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(3'000))
        m_process.kill();
    m_process.waitForFinished();
}

bool PgBouncer::isThere()
{
    return !poolerProgram().isEmpty();
}

bool PgBouncer::start(const PostgresServer &server)
{
    m_port = freePort();
    const QString path = m_folder.filePath(QStringLiteral("pool.ini"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write(QStringLiteral("[databases]\n* = host=%1 port=%2 user=root\n[pgbouncer]\nlisten_addr =\n"
                              "listen_port = %3\nunix_socket_dir = %4\nauth_type = any\n"
                              "pool_mode = transaction\ndefault_pool_size = 2\n")
                   .arg(server.socketFolder())
                   .arg(server.port())
                   .arg(m_port)
                   .arg(m_folder.path())
                   .toUtf8());
    file.close();
    if (const passwd *user = poolUser()) {
        if (chown(QFile::encodeName(m_folder.path()).constData(), user->pw_uid, user->pw_gid) != 0 ||
            chown(QFile::encodeName(path).constData(), user->pw_uid, user->pw_gid) != 0)
            return false;
    }
    m_process.setChildProcessModifier([] {
        if (const passwd *user = poolUser()) {
            if (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)
                _exit(126);
        }
        prctl(PR_SET_PDEATHSIG, SIGQUIT);
    });
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(poolerProgram(), {QStringLiteral("-q"), path});
    const QString socket = m_folder.filePath(QStringLiteral(".s.PGSQL.%1").arg(m_port));
    const QDeadlineTimer limit(kPoolStartMs);
    while (!QFile::exists(socket)) {
        if (limit.hasExpired() || m_process.state() == QProcess::NotRunning) {
            std::fprintf(stderr, "pgbouncer: %s\n", m_process.readAll().constData());
            return false;
        }
        m_process.waitForReadyRead(20);
    }
    return true;
}

QUrl PgBouncer::url() const
{
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("host"), m_folder.path());
    query.addQueryItem(QStringLiteral("user"), QStringLiteral("root"));
    query.addQueryItem(QStringLiteral("port"), QString::number(m_port));
    QUrl url;
    url.setScheme(QStringLiteral("postgresql"));
    url.setPath(QStringLiteral("/postgres"));
    url.setQuery(query);
    return url;
}

} // namespace lockkeeper::tests
