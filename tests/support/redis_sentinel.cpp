// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_sentinel.h"

#include "shared/stores/host_list.h"
#include "tests/support/free_port.h"

#include <QElapsedTimer>
#include <QFile>

#include <csignal>
#include <sys/prctl.h>

namespace lockkeeper::tests {

namespace {
constexpr int kSentinelPatienceMs = 15'000;
}

bool SentinelTrio::start(const QByteArray &sentinelPassword)
{
    m_password = sentinelPassword;
    // Starts replication quickly: doesn't wait for more replicas.
    const QStringList quick = QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")} +
                              RedisServer::slowLoading();
    if (!m_one.start(quick, true))
        return false;
    if (!m_two.start(quick + QStringList{QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                                         QString::number(m_one.port())},
                     true))
        return false;
    if (!m_one.waitForReplica())
        return false;
    m_port = freePort();
    return startSentinel();
}

bool SentinelTrio::startSentinel()
{
    const QString path = m_folder.filePath(QStringLiteral("sentinel.conf"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        return false;
    QByteArray text = "port " + QByteArray::number(m_port) + "\nbind 127.0.0.1\ndir " +
                      m_folder.path().toUtf8() + "\nunixsocket " +
                      m_folder.filePath(QStringLiteral("s.sock")).toUtf8() +
                      "\nsentinel monitor main 127.0.0.1 " + QByteArray::number(m_one.port()) +
                      " 1\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 3000\n";
    if (!m_password.isEmpty())
        text += "requirepass " + m_password + '\n';
    file.write(text);
    file.close();
    m_sentinel.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_sentinel.setStandardOutputFile(m_folder.filePath(QStringLiteral("sentinel.log")));
    const QStringList command = RedisServer::program();
    m_sentinel.start(command.constFirst(), command.mid(1) + QStringList{path, QStringLiteral("--sentinel")});
    if (!m_sentinel.waitForStarted())
        return false;
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kSentinelPatienceMs) {
        RedisPlain plain(m_folder.filePath(QStringLiteral("s.sock")));
        if (plain.isOpen() && plain.command({"PING"}).type != 0)
            return true;
        m_sentinel.waitForFinished(20);
    }
    return false;
}

void SentinelTrio::stopSentinel()
{
    m_sentinel.kill();
    m_sentinel.waitForFinished();
}

QUrl SentinelTrio::url(const QString &name, const QString &query) const
{
    return stores::urlOf(
        QStringLiteral("redis+sentinel://127.0.0.1:1,127.0.0.1:%1/%2%3").arg(m_port).arg(name, query));
}

QByteArray SentinelTrio::ask(const QByteArrayList &command) const
{
    RedisPlain plain(m_folder.filePath(QStringLiteral("s.sock")));
    if (!m_password.isEmpty())
        plain.command({"AUTH", m_password});
    return plain.command(command).bytes;
}

bool SentinelTrio::failOver()
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kSentinelPatienceMs) {
        if (ask({"SENTINEL", "FAILOVER", "main"}) == "OK")
            return true;
        m_sentinel.waitForFinished(100);
    }
    return false;
}

} // namespace lockkeeper::tests
