// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/language/language.h"
#include "app/connections/connection.h"
#include "app/connections/known_agents.h"
#include "app/words/error_words.h"
#include "shared/base/log_level.h"
#include "shared/base/password_prompt.h"
#include "shared/transport/fingerprint.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

namespace lockkeeper::app::cli {

namespace {

/** With --trust that fingerprint identifies the agent and replaces the known one. */
base::Result<connections::Connection> connectionOf(const QString &agent, const CommandLine &line)
{
    auto connection = connections::resolveConnection(agent, QDir::currentPath(), line.credentials);
    if (!connection || line.trust.isEmpty())
        return connection;
    const auto fingerprint = transport::parseFingerprint(line.trust);
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    if (!connection->address.isTls || !connection->tls.ca.isEmpty())
        return base::failure(
            base::ErrorCode::Usage,
            tr("--trust is for an agent over TLS whose certificate no trusted authority has signed"),
            tr("Remove it"));
    connection->tls.pin = *fingerprint;
    connection->tls.exactly = true;
    return connection;
}

/** The context for commands at this connection. */
Context contextOf(const connections::Connection &connection, const CommandLine &line, Output &out,
                  const base::Clock &clock, LineReader &reader)
{
    Context context{out, clock,          probeTerminal(), line.json,          connection.address,
                    {},  connection.tls, connection.user, connection.password};
    if (!line.trust.isEmpty())
        context.remember = [known = connection] {
            return connections::KnownAgents::trust(known.address, known.tls.pin,
                                                   connections::KnownAgents::defaultFile());
        };
    if (context.terminal.interactive) {
        context.askPassword = &base::readPassword;
        context.prompt = [&reader](auto done) { reader.read(std::move(done)); };
    }
    return context;
}

int carryOut(const CommandSpec &command, std::vector<NamedAgent> &agents)
{
    const std::unique_ptr<Task> task = command.task(agents);
    QObject::connect(task.get(), &Task::finished, QCoreApplication::instance(), &QCoreApplication::exit);
    task->start();
    return QCoreApplication::exec();
}

int run(const CommandLine &line, Output &out, const base::Clock &clock)
{
    LineReader reader;
    std::vector<NamedAgent> agents;
    QList<transport::Address> addresses;
    if (!line.command->asksAgent()) {
        agents.push_back({{}, Context{out, clock, probeTerminal(), line.json, {}, {}}});
        return carryOut(*line.command, agents);
    }
    for (const QString &name : agentAddresses(line)) {
        const auto connection = connectionOf(name, line);
        if (!connection) {
            out.note(words::ErrorWords::line(connection.error()));
            return int(Exit::Usage);
        }
        if (addresses.contains(connection->address))
            continue;
        addresses.append(connection->address);
        agents.push_back({name, contextOf(*connection, line, out, clock, reader)});
    }
    return carryOut(*line.command, agents);
}

} // namespace

} // namespace lockkeeper::app::cli

int main(int argc, char **argv)
{
    using namespace lockkeeper;
    using namespace lockkeeper::app::cli;
    // Qt's event loop without GLib needs half the system calls per message. Not for the commands that `run`
    // starts.
    const bool isSet = qEnvironmentVariableIsSet("QT_NO_GLIB");
    qputenv("QT_NO_GLIB", "1");
    const QCoreApplication application(argc, argv);
    if (!isSet)
        qunsetenv("QT_NO_GLIB");
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeperctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    Language language;
    language.speak(Language::wanted(QProcessEnvironment::systemEnvironment()));
    StandardOutput out;
    const base::SystemClock clock;
    const auto parsed = parseCommandLine(commandLine(argc, argv).mid(1), clock.wallUs(), allCommands());
    if (const auto *stop = std::get_if<Stop>(&parsed)) {
        if (stop->status == 0)
            out.text(stop->text);
        else
            out.note(stop->text);
        return stop->status;
    }
    const CommandLine &line = std::get<CommandLine>(parsed);
    // Scripts read the causes within JSON.
    if (line.json || !line.command->speaksToPeople())
        language.speak(QStringLiteral("en"));
    QLoggingCategory::setFilterRules(base::logRules(line.logLevel));
    return run(line, out, clock);
}
