// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/command_run.h"

#include "shared/base/text.h"

#include <QDeadlineTimer>
#include <QProcess>

#include <csignal>
#include <unistd.h>

namespace lockkeeper::agent::alerts {

using base::ErrorCode;

namespace {

constexpr int kSliceMs = 100; ///< between two looks at the interrupt
constexpr qsizetype kShownOutput = 200;

/** Runs in the child: the agent's threads block signals, and a program inherits that. */
void prepareChild()
{
    ::setsid();
    ::signal(SIGXFSZ, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/** Waits for the program's end. Empty: it ended by itself. */
std::optional<base::Error> waitForEnd(QProcess &process, QByteArray &output, const base::Interrupt &interrupt,
                                      CommandLimits limits)
{
    const QDeadlineTimer deadline(limits.timeMs);
    while (process.state() != QProcess::NotRunning) {
        process.waitForReadyRead(kSliceMs);
        output += process.read(limits.outputBytes + 1 - output.size());
        if (output.size() > limits.outputBytes)
            return base::Error{
                ErrorCode::TooLarge,
                QStringLiteral("the command printed more than %1 KiB").arg(limits.outputBytes / 1'024),
                {}};
        if (interrupt.isRaised())
            return base::Error{ErrorCode::Shutdown, QStringLiteral("the command was interrupted"), {}};
        if (deadline.hasExpired())
            return base::Error{
                ErrorCode::Timeout,
                QStringLiteral("the command didn't end within %1 s").arg(limits.timeMs / 1'000),
                {}};
    }
    return std::nullopt;
}

} // namespace

QProcessEnvironment commandEnvironment(const DueNotice &notice, const SendContext &context)
{
    const domain::Alert &alert = notice.alert;
    const QString system = qEnvironmentVariable("PATH");
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"),
                       system.isEmpty() ? QStringLiteral("/usr/local/bin:/usr/bin:/bin") : system);
    const auto set = [&environment](const char *name, const QString &value) {
        environment.insert(QLatin1String("LOCKKEEPER_ALERT_") + QLatin1String(name), value);
    };
    const auto name = [](QByteArrayView text) { return QString::fromLatin1(text); };
    set("ID", base::displayText(alert.id));
    set("AGENT", base::displayText(context.agent));
    set("RULE", base::displayText(alert.rule));
    set("CONDITION", name(domain::alertConditionName(alert.condition)));
    set("SEVERITY", name(domain::alertSeverityName(alert.severity)));
    set("PHASE", name(domain::alertPhaseName(domain::alertPhase(alert, context.nowUs))));
    set("SOURCE", base::displayText(alert.source));
    set("LOCK", shownName(alert.lock.name));
    set("HOLDER", shownName(alert.holder));
    set("TEXT", alertText(notice, context, TextStyle::Plain).headline);
    return environment;
}

base::Result<void> runCommand(const QStringList &command, const QProcessEnvironment &environment,
                              const QByteArray &input, const base::Interrupt &interrupt, CommandLimits limits)
{
    QProcess process;
    process.setProgram(command.value(0));
    process.setArguments(command.mid(1));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(QStringLiteral("/"));
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setChildProcessModifier(&prepareChild);
    process.start();
    if (!process.waitForStarted(limits.timeMs))
        return base::failure(
            ErrorCode::NotFound,
            QStringLiteral("%1 can't be started: %2").arg(command.value(0), process.errorString()),
            QStringLiteral("Correct \"command\" of the receiver"));
    const auto session = pid_t(process.processId());
    process.write(input);
    process.closeWriteChannel();
    QByteArray output;
    if (const auto stopped = waitForEnd(process, output, interrupt, limits)) {
        ::kill(-session, SIGKILL);
        process.waitForFinished(1'000);
        return tl::unexpected(*stopped);
    }
    output += process.read(limits.outputBytes);
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return {};
    const QString end = base::displayText(output.trimmed().right(kShownOutput));
    const QString how = process.exitStatus() == QProcess::NormalExit
                            ? QStringLiteral("the command ended with status %1").arg(process.exitCode())
                            : QStringLiteral("the command was ended by a signal");
    return base::failure(ErrorCode::Unknown, end.isEmpty() ? how : how + QLatin1String(": ") + end);
}

} // namespace lockkeeper::agent::alerts
