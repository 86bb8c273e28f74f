// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ssh_server.h"

#include "tests/support/free_port.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTest>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {

const QStringList kSystemFolders{QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin"),
                                 QStringLiteral("/bin")};

bool write(const QString &path, const QByteArray &text, QFile::Permissions more = {})
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() &&
           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | more);
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

QString find(const char *program)
{
    return QStandardPaths::findExecutable(QLatin1String(program), kSystemFolders);
}

} // namespace

SshServer::SshServer()
{
    m_sshd.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_sshd.setProcessChannelMode(QProcess::MergedChannels);
}

SshServer::~SshServer()
{
    stop();
}

QString SshServer::missing()
{
    for (const char *program : {"sshd", "ssh", "ssh-keygen"}) {
        if (find(program).isEmpty())
            return QStringLiteral("there is no %1 here").arg(QLatin1String(program));
    }
    return {};
}

bool SshServer::start(const QString &programs)
{
    m_programs = programs;
    if (::geteuid() == 0)
        QDir().mkpath(QStringLiteral("/run/sshd")); // sshd of root insists on it
    m_port = freePort();
    return makeKey(QStringLiteral("host")) && makeKey(QStringLiteral("user")) && writeClient() && listen();
}

void SshServer::stop()
{
    m_sshd.kill();
    m_sshd.waitForFinished();
}

bool SshServer::changeHostKey()
{
    stop();
    return QFile::remove(m_folder.filePath(QStringLiteral("host"))) && makeKey(QStringLiteral("host")) &&
           listen();
}

QString SshServer::clientPath() const
{
    return m_folder.filePath(QStringLiteral("bin")) + QStringLiteral(":/usr/bin:/bin");
}

bool SshServer::makeKey(const QString &name)
{
    QFile::remove(m_folder.filePath(name));
    return QProcess::execute(find("ssh-keygen"), {QStringLiteral("-q"), QStringLiteral("-t"),
                                                  QStringLiteral("ed25519"), QStringLiteral("-N"), QString(),
                                                  QStringLiteral("-f"), m_folder.filePath(name)}) == 0;
}

/**
 * The client uses this configuration alone, and ignores the files in the home of the user who runs the tests.
 */
bool SshServer::writeClient()
{
    const QByteArray folder = m_folder.path().toUtf8();
    const QByteArray port = QByteArray::number(m_port);
    const QByteArray known =
        "[" + m_address + "]:" + port + ' ' + contentOf(m_folder.filePath(QStringLiteral("host.pub"))) + '\n';
    return QDir(m_folder.path()).mkpath(QStringLiteral("bin")) &&
           write(m_folder.filePath(QStringLiteral("known_hosts")), known) &&
           write(
               m_folder.filePath(QStringLiteral("ssh_config")),
               "Host far\n  HostName " + m_address + "\n  Port " + port +
                   "\nHost *\n  BatchMode yes\n  IdentitiesOnly yes\n  IdentityAgent none\n  IdentityFile " +
                   folder + "/user\n  UserKnownHostsFile " + folder +
                   "/known_hosts\n  GlobalKnownHostsFile /dev/null\n") &&
           write(m_folder.filePath(QStringLiteral("bin/ssh")),
                 "#!/bin/sh\nexec " + find("ssh").toUtf8() + " -F " + folder + "/ssh_config \"$@\"\n",
                 QFile::ExeOwner);
}

bool SshServer::listen()
{
    const QByteArray folder = m_folder.path().toUtf8();
    if (!write(m_folder.filePath(QStringLiteral("sshd_config")),
               "Port " + QByteArray::number(m_port) + "\nListenAddress " + m_address + "\nHostKey " + folder +
                   "/host\nAuthorizedKeysFile " + folder +
                   "/user.pub\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n"
                   "KbdInteractiveAuthentication no\nPermitRootLogin yes\nSetEnv PATH=" +
                   m_programs.toUtf8() + ":/usr/bin:/bin\n"))
        return false;
    m_sshd.start(find("sshd"), {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"),
                                m_folder.filePath(QStringLiteral("sshd_config"))});
    return QTest::qWaitFor([this] {
        QTcpSocket probe;
        probe.connectToHost(QString::fromLatin1(m_address), m_port);
        return probe.waitForConnected(100);
    });
}

} // namespace lockkeeper::tests
