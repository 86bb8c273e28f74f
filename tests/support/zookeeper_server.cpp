// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/zookeeper_server.h"

#include "tests/support/copied_folder.h"
#include "tests/support/foreign_client.h"
#include "tests/support/free_port.h"
#include "tests/support/freeze.h"

#include <QDir>
#include <QElapsedTimer>
#include <QHostAddress>
#include <QStandardPaths>
#include <QTcpSocket>

#include <csignal>
#include <sys/prctl.h>

namespace lockkeeper::tests {

namespace {

#ifdef LOCKKEEPER_WITHOUT_ZOOKEEPER
constexpr bool kInBuild = false;
#else
constexpr bool kInBuild = true;
#endif
constexpr int kStartMs = 60'000;

QString jars()
{
    return librariesFolder() + QStringLiteral("/java");
}

/** Lines of zoo.cfg. */
QByteArray membersOf(int servers)
{
    QByteArray lines;
    for (int id = 1; id <= servers; ++id)
        lines += "server." + QByteArray::number(id) + "=127.0.0.1:" + QByteArray::number(freePort()) + ':' +
                 QByteArray::number(freePort()) + '\n';
    return lines;
}

bool writeLines(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace

ZookeeperServer::~ZookeeperServer()
{
    kill();
}

bool ZookeeperServer::isInstalled()
{
    return kInBuild && !QStandardPaths::findExecutable(QStringLiteral("java")).isEmpty() &&
           !QDir(jars()).entryList({QStringLiteral("zookeeper-3*.jar")}).isEmpty();
}

const char *ZookeeperServer::absent()
{
    return kInBuild ? "ZooKeeper's jars or java aren't here (./run test fetches them with Maven)"
                    : "this build can't talk to ZooKeeper";
}

bool ZookeeperServer::configure(const QByteArray &lines)
{
    m_port = freePort();
    const QByteArray data = m_folder.filePath(QStringLiteral("data")).toUtf8();
    return m_folder.isValid() && QDir(m_folder.path()).mkpath(QStringLiteral("data")) &&
           writeLines(m_folder.filePath(QStringLiteral("zoo.cfg")),
                      "tickTime=500\nminSessionTimeout=1000\nmaxClientCnxns=0\nadmin.enableServer=false\n"
                      "4lw.commands.whitelist=*\nclientPortAddress=127.0.0.1\ninitLimit=20\nsyncLimit=4\n"
                      "dataDir=" +
                          data + "\nclientPort=" + QByteArray::number(m_port) + '\n' + lines);
}

bool ZookeeperServer::start(const QByteArray &lines)
{
    if (!configure(lines))
        return false;
    launch();
    return waitUntilServing();
}

bool ZookeeperServer::configureMember(int id, const QByteArray &members)
{
    return configure(members) &&
           writeLines(m_folder.filePath(QStringLiteral("data/myid")), QByteArray::number(id));
}

bool ZookeeperServer::startReadOnly()
{
    m_readOnly = true;
    if (!configureMember(1, membersOf(2)))
        return false;
    launch();
    return waitUntilServing();
}

std::vector<std::unique_ptr<ZookeeperServer>> ZookeeperServer::ensemble(int servers)
{
    const QByteArray members = membersOf(servers);
    std::vector<std::unique_ptr<ZookeeperServer>> all;
    for (int id = 1; id <= servers; ++id) {
        all.push_back(std::make_unique<ZookeeperServer>());
        if (!all.back()->configureMember(id, members))
            return {};
        all.back()->launch();
    }
    for (const auto &server : all) {
        if (!server->waitUntilServing())
            return {};
    }
    return all;
}

void ZookeeperServer::launch()
{
    m_process = std::make_unique<QProcess>();
    m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardOutputFile(m_folder.filePath(QStringLiteral("log")), QIODevice::Append);
    m_process->start(QStringLiteral("java"),
                     {QStringLiteral("-Xmx192m"), QStringLiteral("-XX:+UseSerialGC"),
                      QStringLiteral("-XX:TieredStopAtLevel=1"),
                      QStringLiteral("-Dreadonlymode.enabled=") +
                          (m_readOnly ? QStringLiteral("true") : QStringLiteral("false")),
                      QStringLiteral("-cp"), jars() + QStringLiteral("/*"),
                      QStringLiteral("org.apache.zookeeper.server.quorum.QuorumPeerMain"),
                      m_folder.filePath(QStringLiteral("zoo.cfg"))});
}

QByteArray ZookeeperServer::word(const char *word) const
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
    if (!socket.waitForConnected(1'000))
        return {};
    socket.write(word);
    QByteArray answer;
    while (socket.waitForReadyRead(1'000))
        answer += socket.readAll();
    return answer;
}

bool ZookeeperServer::waitUntilServing()
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < kStartMs && m_process->state() != QProcess::NotRunning) {
        if (word("srvr").contains("Mode: "))
            return true;
        m_process->waitForFinished(50); // not yet: come back in a moment
    }
    return false;
}

void ZookeeperServer::kill()
{
    if (!m_process || m_process->state() == QProcess::NotRunning)
        return;
    m_process->kill();
    m_process->waitForFinished();
}

void ZookeeperServer::pause() const
{
    freeze(m_process->processId());
}

void ZookeeperServer::resume() const
{
    ::kill(pid_t(m_process->processId()), SIGCONT);
}

bool ZookeeperServer::restart()
{
    kill();
    launch();
    return waitUntilServing();
}

bool ZookeeperServer::keep() const
{
    return copyFolder(m_folder.filePath(QStringLiteral("data")), m_folder.filePath(QStringLiteral("kept")));
}

bool ZookeeperServer::restore()
{
    kill();
    return copyFolder(m_folder.filePath(QStringLiteral("kept")), m_folder.filePath(QStringLiteral("data"))) &&
           restart();
}

QUrl ZookeeperServer::url(const QString &user) const
{
    QUrl url(QStringLiteral("zookeeper://127.0.0.1:%1").arg(m_port));
    url.setUserName(user);
    return url;
}

} // namespace lockkeeper::tests
