// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/etcd_server.h"

#include "tests/support/free_port.h"
#include "tests/support/freeze.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHostAddress>
#include <QStandardPaths>
#include <QTcpSocket>

#include <csignal>
#include <sys/prctl.h>

namespace lockkeeper::tests {

namespace {

#ifdef LOCKKEEPER_WITHOUT_ETCD
constexpr bool kInBuild = false;
#else
constexpr bool kInBuild = true;
#endif
constexpr int kEtcdStartMs = 20'000;

void prepare(QProcess &process)
{
    process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("ETCDCTL_API"), QStringLiteral("3"));
    process.setProcessEnvironment(environment);
}

void endNow(QProcess &process)
{
    if (process.state() == QProcess::NotRunning)
        return;
    process.kill();
    process.waitForFinished();
}

} // namespace

EtcdServer::EtcdServer() = default;

EtcdServer::~EtcdServer()
{
    kill();
}

QString EtcdServer::program(const char *name)
{
    const QString folder = qEnvironmentVariable("LOCKKEEPER_TEST_ETCD");
    return folder.isEmpty() ? QLatin1String(name) : folder + QLatin1Char('/') + QLatin1String(name);
}

bool EtcdServer::isInstalled()
{
    return kInBuild && !QStandardPaths::findExecutable(program("etcd")).isEmpty() &&
           !QStandardPaths::findExecutable(program("etcdctl")).isEmpty();
}

const char *EtcdServer::absent()
{
    return kInBuild ? "etcd and etcdctl aren't installed (packages etcd-server and etcd-client)"
                    : "this build can't talk to etcd";
}

bool EtcdServer::start(const QStringList &tls, const QStringList &files)
{
    m_tls = tls;
    m_files = files;
    takePorts();
    m_cluster = m_name + QLatin1Char('=') + peerUrl();
    if (!m_folder.isValid())
        return false;
    launch();
    return waitUntilHealthy();
}

std::vector<std::unique_ptr<EtcdServer>> EtcdServer::cluster(int members)
{
    std::vector<std::unique_ptr<EtcdServer>> all;
    QStringList urls;
    for (int i = 0; i < members; ++i) {
        all.push_back(std::make_unique<EtcdServer>());
        all.back()->m_name = QStringLiteral("m%1").arg(i);
        all.back()->takePorts();
        urls.append(all.back()->m_name + QLatin1Char('=') + all.back()->peerUrl());
    }
    for (const auto &member : all) {
        member->m_cluster = urls.join(QLatin1Char(','));
        member->launch();
    }
    for (const auto &member : all) {
        if (!member->waitUntilHealthy())
            return {};
    }
    return all;
}

bool EtcdServer::isLeader() const
{
    const QByteArray status =
        ctl({QStringLiteral("endpoint"), QStringLiteral("status"), QStringLiteral("--write-out=json")});
    const auto numberOf = [&status](const char *field) {
        const qsizetype at = status.indexOf(field);
        const qsizetype from = at + qsizetype(qstrlen(field));
        return at < 0 ? QByteArray() : status.sliced(from, status.indexOf(',', from) - from);
    };
    return !numberOf("\"leader\":").isEmpty() && numberOf("\"leader\":") == numberOf("\"member_id\":");
}

void EtcdServer::takePorts()
{
    m_client = freePort();
    m_peer = freePort();
    m_metrics = freePort();
}

/** Asks the metrics port, which answers without TLS. */
bool EtcdServer::isHealthy() const
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_metrics);
    if (!socket.waitForConnected(1'000))
        return false;
    socket.write("GET /health HTTP/1.0\r\n\r\n");
    QByteArray answer;
    while (socket.waitForReadyRead(1'000))
        answer += socket.readAll();
    return answer.contains("\"true\"");
}

void EtcdServer::launch()
{
    m_process = std::make_unique<QProcess>();
    prepare(*m_process);
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("etcd.log")), QIODevice::Append);
    m_process->start(
        program("etcd"),
        QStringList{QStringLiteral("--name"), m_name, QStringLiteral("--data-dir"),
                    m_folder.filePath(QStringLiteral("data")), QStringLiteral("--listen-client-urls"),
                    clientUrl(), QStringLiteral("--advertise-client-urls"), clientUrl(),
                    QStringLiteral("--listen-peer-urls"), peerUrl(),
                    QStringLiteral("--initial-advertise-peer-urls"), peerUrl(),
                    QStringLiteral("--initial-cluster"), m_cluster, QStringLiteral("--listen-metrics-urls"),
                    QStringLiteral("http://127.0.0.1:%1").arg(m_metrics)} +
            m_tls);
}

bool EtcdServer::waitUntilHealthy()
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kEtcdStartMs && m_process->state() != QProcess::NotRunning) {
        if (isHealthy())
            return true;
        m_process->waitForFinished(20); // not yet: come back in a moment
    }
    return false;
}

void EtcdServer::kill()
{
    if (m_process)
        endNow(*m_process);
}

void EtcdServer::pause() const
{
    freeze(m_process->processId());
}

void EtcdServer::resume() const
{
    ::kill(pid_t(m_process->processId()), SIGCONT);
}

bool EtcdServer::restart()
{
    kill();
    launch();
    return waitUntilHealthy();
}

bool EtcdServer::save(const QString &file) const
{
    ctl({QStringLiteral("snapshot"), QStringLiteral("save"), file});
    return QFile::exists(file);
}

bool EtcdServer::restore(const QString &file)
{
    kill();
    const QString data = m_folder.filePath(QStringLiteral("data"));
    if (!QDir(data).removeRecursively())
        return false;
    QProcess restorer;
    prepare(restorer);
    restorer.start(program("etcdctl"),
                   {QStringLiteral("snapshot"), QStringLiteral("restore"), file, QStringLiteral("--name"),
                    m_name, QStringLiteral("--data-dir"), data, QStringLiteral("--initial-cluster"),
                    m_cluster, QStringLiteral("--initial-advertise-peer-urls"), peerUrl()});
    if (!restorer.waitForFinished(kEtcdStartMs) || restorer.exitCode() != 0)
        return false;
    launch();
    return waitUntilHealthy();
}

QString EtcdServer::clientUrl() const
{
    return QStringLiteral("%1://127.0.0.1:%2")
        .arg(m_tls.isEmpty() ? QStringLiteral("http") : QStringLiteral("https"))
        .arg(m_client);
}

QUrl EtcdServer::url(const QString &user) const
{
    QUrl url(QStringLiteral("%1://127.0.0.1:%2")
                 .arg(m_tls.isEmpty() ? QStringLiteral("etcd") : QStringLiteral("etcds"))
                 .arg(m_client));
    url.setUserName(user);
    return url;
}

QByteArray EtcdServer::ctl(const QStringList &arguments, const QString &login) const
{
    QProcess process;
    prepare(process);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QStringList all{QStringLiteral("--endpoints=") + clientUrl()};
    if (!login.isEmpty())
        all += QLatin1String("--user=") + login;
    process.start(program("etcdctl"), all + m_files + arguments);
    process.waitForFinished();
    return process.readAllStandardOutput().trimmed();
}

QByteArray EtcdServer::grant(int seconds) const
{
    // "lease 694d… granted with TTL(60s)"
    return ctl({QStringLiteral("lease"), QStringLiteral("grant"), QString::number(seconds)})
        .split(' ')
        .value(1);
}

EtcdctlLock::EtcdctlLock(const EtcdServer &server, const QString &name, int ttl)
{
    prepare(m_process);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(EtcdServer::program("etcdctl"),
                    {QLatin1String("--endpoints=") + server.clientUrl(), QStringLiteral("lock"),
                     QStringLiteral("--ttl=%1").arg(ttl), name});
    m_process.waitForStarted();
}

EtcdctlLock::~EtcdctlLock()
{
    endNow(m_process);
}

QByteArray EtcdctlLock::key(int timeoutMs)
{
    QElapsedTimer timer;
    timer.start();
    while (m_key.isEmpty() && timer.elapsed() < timeoutMs && m_process.state() != QProcess::NotRunning) {
        if (m_process.canReadLine())
            m_key = m_process.readLine().trimmed();
        else
            m_process.waitForReadyRead(50);
    }
    return m_key;
}

void EtcdctlLock::release()
{
    ::kill(pid_t(m_process.processId()), SIGINT);
    m_process.waitForFinished();
}

void EtcdctlLock::kill()
{
    endNow(m_process);
}

} // namespace lockkeeper::tests
