// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/two_machines.h"

#include <QProcess>
#include <QStandardPaths>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {

QString ipProgram()
{
    return QStandardPaths::findExecutable(
        QStringLiteral("ip"),
        {QStringLiteral("/usr/sbin"), QStringLiteral("/sbin"), QStringLiteral("/usr/bin")});
}

bool ip(const QString &words)
{
    return QProcess::execute(ipProgram(), words.split(QLatin1Char(' '))) == 0;
}

int present()
{
    return ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
}

/** The new namespace, or -1; the thread stands in it. */
int makeNamespace()
{
    return ::unshare(CLONE_NEWNET) == 0 && ip(QStringLiteral("link set lo up")) ? present() : -1;
}

} // namespace

TwoMachines::~TwoMachines()
{
    goHome();
    for (const int fd : {m_home, m_far, m_near}) {
        if (fd >= 0)
            ::close(fd);
    }
}

QString TwoMachines::missing()
{
    if (::geteuid() != 0)
        return QStringLiteral("only root makes network namespaces that reach each other");
    if (ipProgram().isEmpty())
        return QStringLiteral("there is no ip here");
    const int home = present();
    const bool made = ::unshare(CLONE_NEWNET) == 0;
    const bool joined = made && ip(QStringLiteral("link add here type veth peer name there"));
    go(home);
    ::close(home);
    return joined ? QString() : QStringLiteral("the system makes no network namespace with a cable here");
}

bool TwoMachines::start()
{
    m_home = present();
    m_near = makeNamespace();
    m_far = makeNamespace();
    if (m_home < 0 || m_near < 0 || m_far < 0)
        return false;
    const QString cable = QStringLiteral("link add cable type veth peer name cable netns /proc/%1/fd/%2");
    const auto plug = [](const QString &address) {
        return ip(QStringLiteral("addr add %1/24 dev cable").arg(address)) &&
               ip(QStringLiteral("link set cable up"));
    };
    if (!ip(cable.arg(::getpid()).arg(m_near)) || !plug(farAddress()))
        return false;
    goNear();
    const bool plugged = plug(nearAddress());
    goFar();
    return plugged;
}

void TwoMachines::go(int fd)
{
    if (fd >= 0 && ::setns(fd, CLONE_NEWNET) != 0)
        qFatal("can't change the network namespace");
}

} // namespace lockkeeper::tests
