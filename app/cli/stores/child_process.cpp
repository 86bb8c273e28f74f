// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stores/child_process.h"

#include "app/cli/command.h"
#include "shared/base/text.h"

#ifdef Q_OS_UNIX
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#endif
#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace lockkeeper::app::cli {

using base::ErrorCode;
using base::failure;
using base::Result;

#ifdef Q_OS_UNIX

namespace {

/** Signals sent to us but meant for the command; SIGCONT and SIGCHLD are for us. */
constexpr std::array kSignals{SIGINT,  SIGTERM,  SIGHUP,  SIGQUIT, SIGUSR1,
                              SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD};
constexpr int kHighestInherited = 256; ///< inherited from our parent; shells use small numbers
constexpr int kHighestOwn = 1'024;     ///< none of our connections has a higher descriptor
constexpr int kStatusOfSignal = 128;

std::array<struct sigaction, kSignals.size()> former;
struct sigaction formerPipe; ///< of SIGPIPE, which the network code ignores

/** Changing the terminal's foreground group from the background would stop us. */
void setForeground(int terminal, pid_t group)
{
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    ::sigprocmask(SIG_BLOCK, &blocked, &before);
    ::tcsetpgrp(terminal, group);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

std::vector<char *> pointersTo(const QByteArrayList &words)
{
    std::vector<char *> pointers;
    for (const QByteArray &word : words)
        pointers.push_back(const_cast<char *>(word.constData()));
    pointers.push_back(nullptr);
    return pointers;
}

QByteArrayList environmentWith(const QList<Variable> &changes)
{
    QByteArrayList lines;
    for (char **line = environ; *line != nullptr; ++line) {
        const QByteArray text(*line);
        const bool changed = std::any_of(changes.cbegin(), changes.cend(), [&text](const Variable &one) {
            return text.startsWith(one.name + '=');
        });
        if (!changed)
            lines.append(text);
    }
    for (const Variable &one : changes) {
        if (!one.value.isNull())
            lines.append(one.name + '=' + one.value);
    }
    return lines;
}

/** All data that the child needs, prepared before the fork: after it only system calls are safe. */
struct Launch
{
    std::vector<char *> words;
    std::vector<char *> environment;
    pid_t parent;
    int terminal; ///< to be passed on; -1: none
    int deathSignal;
    int failures; ///< the pipe for errno
};

[[noreturn]] void becomeCommand(const Launch &launch)
{
    ::setpgid(0, 0);
    if (launch.terminal >= 0)
        setForeground(launch.terminal, ::getpid());
    for (size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals.at(i), &former.at(i), nullptr);
    ::sigaction(SIGPIPE, &formerPipe, nullptr);
#ifdef Q_OS_LINUX
    if (launch.deathSignal != 0) {
        ::prctl(PR_SET_PDEATHSIG, launch.deathSignal);
        if (::getppid() != launch.parent) // the parent was gone before we could set the signal
            ::raise(launch.deathSignal);
    }
#endif
    environ = const_cast<char **>(launch.environment.data());
    ::execvp(launch.words.front(), launch.words.data());
    const int why = errno;
    const ssize_t told = ::write(launch.failures, &why, sizeof why);
    ::_exit(told < 0 ? 125 : 127);
}

} // namespace

ChildProcess::ChildProcess()
{
    for (int fd = STDERR_FILENO + 1; fd < kHighestInherited; ++fd) {
        const int flags = ::fcntl(fd, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0)
            m_inherited.append(fd);
    }
    m_terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    ::sigaction(SIGPIPE, nullptr, &formerPipe);
    connect(&m_signals, &SystemSignals::arrived, this, &ChildProcess::onSignal);
    for (size_t i = 0; i < kSignals.size(); ++i) {
        const int number = kSignals.at(i);
        ::sigaction(number, nullptr, &former.at(i));
        // Signals that nohup or a shell's & made us ignore stay ignored. Before the command starts, Ctrl-Z
        // stops us without our help.
        if ((former.at(i).sa_handler != SIG_IGN || number == SIGCHLD) && number != SIGTSTP)
            m_signals.take(number);
    }
}

ChildProcess::~ChildProcess()
{
    takeTerminal();
    if (m_terminal >= 0)
        ::close(m_terminal);
}

Result<void> ChildProcess::start(const QByteArrayList &command, const QList<Variable> &environment,
                                 Orphan orphan)
{
    const QByteArrayList variables = environmentWith(environment);
    std::array<int, 2> failures{};
    if (::pipe(failures.data()) != 0)
        return failure(ErrorCode::Unknown, QString::fromLocal8Bit(std::strerror(errno)));
    ::fcntl(failures[1], F_SETFD, FD_CLOEXEC);
    for (int fd = STDERR_FILENO + 1; fd < kHighestOwn; ++fd) {
        const int flags = ::fcntl(fd, F_GETFD);
        if (flags >= 0 && (flags & FD_CLOEXEC) == 0 && !m_inherited.contains(fd))
            ::fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
    }
    // In a pipeline our neighbours keep the terminal until the command requests it (SIGTTIN).
    const bool ours = m_terminal >= 0 && ::tcgetpgrp(m_terminal) == ::getpgrp() &&
                      ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    const Launch launch{pointersTo(command),
                        pointersTo(variables),
                        ::getpid(),
                        ours ? m_terminal : -1,
                        orphan == Orphan::Stays    ? 0
                        : orphan == Orphan::Killed ? SIGKILL
                                                   : SIGTERM,
                        failures[1]};
    const pid_t pid = ::fork();
    if (pid == 0)
        becomeCommand(launch);
    const int forked = errno;
    ::close(failures[1]);
    int why = pid < 0 ? forked : 0;
    while (pid > 0 && ::read(failures[0], &why, sizeof why) < 0 && errno == EINTR) {
    }
    ::close(failures[0]);
    if (why != 0) {
        while (pid > 0 && ::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        m_group = pid > 0 ? pid : 0;
        takeTerminal();
        m_group = 0;
        const QString name = base::displayText(command.value(0));
        const QString cause =
            tr("%1 can't be executed: %2").arg(name, QString::fromLocal8Bit(std::strerror(why)));
        return failure(why == ENOENT || why == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Unknown, cause);
    }
    ::setpgid(pid, pid); // parent or child, whichever runs first
    m_group = pid;
    for (size_t i = 0; i < kSignals.size(); ++i) {
        if (kSignals.at(i) == SIGTSTP && former.at(i).sa_handler != SIG_IGN)
            m_signals.take(SIGTSTP);
    }
    return {};
}

void ChildProcess::onSignal(int number)
{
    if (number == SIGCHLD)
        reap();
    else if (number == SIGCONT)
        goOn();
    else if (isRunning())
        signalGroup(number);
    else if (number != SIGWINCH)
        Q_EMIT interrupted(kStatusOfSignal + number);
}

void ChildProcess::reap()
{
    int status = 0;
    while (isRunning() && ::waitpid(pid_t(m_group), &status, WNOHANG | WUNTRACED) == m_group) {
        if (WIFSTOPPED(status)) {
            onStopped(WSTOPSIG(status));
            continue;
        }
        m_ended = true;
        const bool had = m_terminal >= 0 && ::tcgetpgrp(m_terminal) == m_group;
        takeTerminal();
        m_byInterrupt = had && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
        Q_EMIT ended(WIFSIGNALED(status) ? kStatusOfSignal + WTERMSIG(status) : WEXITSTATUS(status));
    }
}

/**
 * If the command was stopped by SIGSTOP, or without a terminal, the person who stopped it also has to
 * continue it.
 */
void ChildProcess::onStopped(int number)
{
    if (m_terminal < 0 || number == SIGSTOP)
        return;
    if (number != SIGTSTP &&
        ::tcgetpgrp(m_terminal) == ::getpgrp()) { // it requests the terminal, which we own
        giveTerminal();
        signalGroup(SIGCONT);
        return;
    }
    takeTerminal();
    struct sigaction caught = {};
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    ::sigaction(SIGTSTP, &standard, &caught);
    ::raise(SIGTSTP); // has no effect if no shell could continue us
    ::sigaction(SIGTSTP, &caught, nullptr);
    goOn();
}

void ChildProcess::goOn()
{
    Q_EMIT continued();
    if (!isRunning())
        return;
    if (m_terminal >= 0 && ::tcgetpgrp(m_terminal) == ::getpgrp() && ::isatty(STDIN_FILENO) == 1 &&
        ::isatty(STDOUT_FILENO) == 1)
        giveTerminal();
    signalGroup(SIGCONT);
}

void ChildProcess::giveTerminal()
{
    setForeground(m_terminal, pid_t(m_group));
}

void ChildProcess::takeTerminal()
{
    if (m_terminal >= 0 && m_group > 0 && ::tcgetpgrp(m_terminal) == m_group)
        setForeground(m_terminal, ::getpgrp());
}

void ChildProcess::signalGroup(int number) const
{
    ::kill(-pid_t(m_group), number);
}

void ChildProcess::terminate()
{
    if (m_group <= 0)
        return;
    signalGroup(SIGTERM);
    signalGroup(SIGCONT);
}

void ChildProcess::kill()
{
    if (m_group > 0)
        signalGroup(SIGKILL);
}

bool ChildProcess::isGroupGone() const
{
    return m_group <= 0 || (m_ended && ::kill(-pid_t(m_group), 0) != 0 && errno == ESRCH);
}

void ChildProcess::passInterruptOn()
{
    if (!m_byInterrupt)
        return;
    ::signal(SIGINT, SIG_DFL);
    ::kill(0, SIGINT);
}

#else

ChildProcess::ChildProcess() = default;
ChildProcess::~ChildProcess() = default;

Result<void> ChildProcess::start(const QByteArrayList &, const QList<Variable> &, Orphan)
{
    return failure(ErrorCode::Unsupported,
                   tr("run needs a POSIX system: it has to end a whole process group"));
}

void ChildProcess::terminate() {}
void ChildProcess::kill() {}
bool ChildProcess::isGroupGone() const
{
    return true;
}
void ChildProcess::passInterruptOn() {}

#endif

} // namespace lockkeeper::app::cli
