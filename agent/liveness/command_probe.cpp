// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/liveness/command_probe.h"

#include <QCoreApplication>

#include <csignal>
#include <unistd.h>

namespace lockkeeper::agent::liveness {

using base::ErrorCode;
using domain::HolderEvidence;
using domain::HolderVerdict;

namespace {

/** Runs in the child: the agent's threads block signals, and a program inherits that. */
void prepareProbeChild()
{
    ::setsid();
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/** Kills the process with its session. QProcess waits for its end in its destructor, so the event loop
 * destroys it only afterwards. If the program ends before, the application's destructor does. */
void killLater(std::unique_ptr<QProcess> process)
{
    if (process->state() == QProcess::NotRunning) {
        process.release()->deleteLater();
        return;
    }
    QProcess *left = process.release();
    left->setParent(QCoreApplication::instance());
    QObject::connect(left, &QProcess::finished, left, &QObject::deleteLater);
    if (left->processId() > 0)
        ::kill(-pid_t(left->processId()), SIGKILL);
    left->kill();
}

} // namespace

CommandProbe::CommandProbe(ProbeTarget target, Done done) : HolderProbe(std::move(target), std::move(done)) {}

CommandProbe::~CommandProbe()
{
    abort();
}

void CommandProbe::begin()
{
    m_process = std::make_unique<QProcess>();
    const QString system = qEnvironmentVariable("PATH");
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"),
                       system.isEmpty() ? QStringLiteral("/usr/local/bin:/usr/bin:/bin") : system);
    m_process->setProcessEnvironment(environment);
    m_process->setProgram(target().command.value(0));
    m_process->setArguments(target().command.mid(1));
    m_process->setWorkingDirectory(QStringLiteral("/"));
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardOutputFile(QProcess::nullDevice());
    m_process->setStandardErrorFile(QProcess::nullDevice());
    m_process->setChildProcessModifier(&prepareProbeChild);
    connect(m_process.get(), &QProcess::finished, this, &CommandProbe::ended);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(ErrorCode::NotFound,
                 QStringLiteral("the liveness command can't be started: %1").arg(m_process->errorString()));
    });
    m_process->start();
}

void CommandProbe::abort()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    killLater(std::move(m_process));
}

void CommandProbe::ended(int exitCode, QProcess::ExitStatus status)
{
    if (status != QProcess::NormalExit) {
        fail(ErrorCode::Unknown, QStringLiteral("the liveness command was ended by a signal"));
        return;
    }
    const HolderVerdict verdict = exitCode == 0   ? HolderVerdict::Alive
                                  : exitCode == 1 ? HolderVerdict::Dead
                                                  : HolderVerdict::Unknown;
    finish({verdict, HolderEvidence::ExitCode, exitCode});
}

} // namespace lockkeeper::agent::liveness
