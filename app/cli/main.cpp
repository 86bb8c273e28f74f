// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/connections/saved_agents.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

using namespace lockkeeper;
using namespace lockkeeper::app::cli;

namespace {

/** Lets through what is at least as grave as `level`, on standard error. */
void setLogLevel(const QString &level)
{
    const QStringList levels{QStringLiteral("debug"), QStringLiteral("info"), QStringLiteral("warning")};
    QString rules;
    for (const QString &quieter : levels) {
        if (quieter == level)
            break;
        rules += QStringLiteral("*.%1=false\n").arg(quieter);
    }
    QLoggingCategory::setFilterRules(rules);
}

int run(const Options &options, Output &out, const base::Clock &clock)
{
    const auto address = app::connections::resolveAgent(agentAddress(options), QDir::currentPath());
    if (!address) {
        out.note(address.error().line());
        return int(Exit::Usage);
    }
    LineReader reader;
    Context context{out, clock, probeTerminal(), options.json, *address, {}};
    if (context.terminal.interactive)
        context.prompt = [&reader](auto done) { reader.read(std::move(done)); };
    const std::unique_ptr<Command> command = makeCommand(options.command, context);
    QObject::connect(command.get(), &Command::finished, QCoreApplication::instance(),
                     &QCoreApplication::exit);
    command->start();
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    // Qt's own event loop: half the system calls for each message. Not for the commands that `run` starts.
    const bool isSet = qEnvironmentVariableIsSet("QT_NO_GLIB");
    qputenv("QT_NO_GLIB", "1");
    const QCoreApplication application(argc, argv);
    if (!isSet)
        qunsetenv("QT_NO_GLIB");
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeperctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    StandardOutput out;
    const base::SystemClock clock;
    const auto parsed = parseOptions(QCoreApplication::arguments().mid(1), clock.wallUs());
    if (const auto *stop = std::get_if<Stop>(&parsed)) {
        if (stop->status == 0)
            out.text(stop->text);
        else
            out.note(stop->text);
        return stop->status;
    }
    const Options &options = std::get<Options>(parsed);
    setLogLevel(options.logLevel);
    return run(options, out, clock);
}
