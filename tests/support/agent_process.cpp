// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/agent_process.h"

#include "tests/support/free_port.h"
#include "tests/support/shifted_clock.h"

#include <QDir>
#include <QFile>
#include <QHostAddress>
#include <QLocalSocket>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>

#include <csignal>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace lockkeeper::tests {

namespace {

void limit(std::optional<quint64> bytes, pid_t pid)
{
    const rlimit value{bytes ? rlim_t(*bytes) : RLIM_INFINITY, RLIM_INFINITY};
    ::prlimit(pid, RLIMIT_FSIZE, &value, nullptr);
}

} // namespace

int killsOr(int otherwise)
{
    bool set = false;
    const int kills = qEnvironmentVariableIntValue("LOCKKEEPER_KILLS", &set);
    return set ? kills : otherwise;
}

AgentProcess::AgentProcess() : m_metricsPort(freePort()) {}

AgentProcess::~AgentProcess()
{
    kill();
}

void AgentProcess::configure(const QByteArray &sources, const QByteArray &address, const QByteArray &name)
{
    m_address = address;
    QFile file(configFile());
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        qFatal("can't write the configuration");
    file.write("[agent]\nname = \"" + name + "\"\ndata_dir = \"" + QFile::encodeName(folder()) +
               "/data\"\nlisten = [\"local:lockkeeper.sock\"" +
               (address.isEmpty() ? QByteArray() : ", \"" + address + "\"") +
               "]\nmetrics = \"127.0.0.1:" + QByteArray::number(m_metricsPort) + "\"\n" + sources);
}

std::unique_ptr<QProcess> AgentProcess::make() const
{
    auto process = std::make_unique<QProcess>();
    process->setProgram(qEnvironmentVariable("LOCKKEEPER_BIN", QStringLiteral("bin")) +
                        QStringLiteral("/lockkeeper-agent"));
    process->setProcessChannelMode(QProcess::MergedChannels);
    process->setChildProcessModifier([fileLimit = m_fileLimit] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        limit(fileLimit, 0);
    });
    tests::shiftClock(*process, m_shift);
    return process;
}

bool AgentProcess::servesAddress() const
{
    if (m_address.isEmpty())
        return true;
    const QUrl url(QString::fromLatin1(m_address));
    QTcpSocket socket;
    socket.connectToHost(url.host(), quint16(url.port()));
    return socket.waitForConnected(500);
}

bool AgentProcess::start(const QStringList &options)
{
    kill();
    m_process = make();
    m_process->setArguments(QStringList{QStringLiteral("--config"), configFile()} + options);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("log")));
    m_process->start();
    m_process->waitForStarted(); // otherwise it may serve before this process has noticed that it runs
    const bool serving = QTest::qWaitFor(
        [this] {
            QLocalSocket socket;
            socket.connectToServer(this->socket());
            return (socket.waitForConnected(50) && servesAddress()) ||
                   m_process->state() == QProcess::NotRunning;
        },
        20'000);
    if (!serving || !isRunning())
        qWarning("%s", log().constData());
    return serving && isRunning();
}

int AgentProcess::run(const QStringList &options, QByteArray *output, const QByteArray &input)
{
    const auto process = make();
    process->setArguments(QStringList{QStringLiteral("--config"), configFile()} + options);
    process->start();
    process->write(input);
    process->closeWriteChannel();
    const bool ended = process->waitForFinished(30'000);
    if (output)
        *output = process->readAll();
    return ended && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
}

void AgentProcess::kill()
{
    if (!m_process)
        return;
    m_process->kill();
    m_process->waitForFinished();
}

int AgentProcess::terminate()
{
    if (isRunning())
        m_process->terminate();
    if (m_process->state() != QProcess::NotRunning && !m_process->waitForFinished(10'000))
        return -1;
    return m_process->exitStatus() == QProcess::NormalExit ? m_process->exitCode() : -1;
}

void AgentProcess::signal(int number)
{
    ::kill(pid_t(pid()), number);
}

void AgentProcess::limitFileSize(std::optional<quint64> bytes)
{
    m_fileLimit = bytes;
    if (isRunning())
        limit(bytes, pid_t(pid()));
}

bool AgentProcess::isRunning() const
{
    return m_process && m_process->state() == QProcess::Running;
}

qint64 AgentProcess::pid() const
{
    return m_process ? m_process->processId() : 0;
}

QByteArray AgentProcess::log() const
{
    QFile file(m_folder.filePath(QStringLiteral("log")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

qint64 AgentProcess::residentKib() const
{
    QFile file(QStringLiteral("/proc/%1/status").arg(pid()));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).trimmed().split(' ').constFirst().toLongLong();
    }
    return 0;
}

int AgentProcess::openFiles() const
{
    return int(QDir(QStringLiteral("/proc/%1/fd").arg(pid()))
                   .entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System)
                   .size());
}

QByteArray AgentProcess::httpGet(const QByteArray &path) const
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, m_metricsPort);
    socket.write("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const bool ended =
        QTest::qWaitFor([&socket] { return socket.state() == QAbstractSocket::UnconnectedState; });
    return ended ? socket.readAll() : QByteArray();
}

} // namespace lockkeeper::tests
