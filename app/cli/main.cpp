// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/connections/connection.h"
#include "app/connections/known_agents.h"
#include "shared/base/password_prompt.h"
#include "shared/transport/fingerprint.h"

#include <QCoreApplication>
#include <QDir>
#include <QLoggingCategory>

using namespace lockkeeper;
using namespace lockkeeper::app::cli;
namespace connections = lockkeeper::app::connections;

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

/** With --trust the agent is known by that fingerprint, whatever was known before. */
base::Result<connections::Connection> connectionOf(const Options &options)
{
    auto connection =
        connections::resolveConnection(agentAddress(options), QDir::currentPath(), options.credentials);
    if (!connection || options.trust.isEmpty())
        return connection;
    const auto fingerprint = transport::parseFingerprint(options.trust);
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    if (!connection->address.isTls || !connection->tls.ca.isEmpty())
        return base::failure(base::ErrorCode::Usage,
                             tr("--trust is for an agent over TLS that no authority vouches for"),
                             tr("Leave it out"));
    connection->tls.pin = *fingerprint;
    return connection;
}

int run(const Options &options, Output &out, const base::Clock &clock)
{
    const auto connection = connectionOf(options);
    if (!connection) {
        out.note(connection.error().line());
        return int(Exit::Usage);
    }
    LineReader reader;
    Context context{out, clock, probeTerminal(), options.json, connection->address, {}};
    context.tls = connection->tls;
    context.user = connection->user;
    context.password = connection->password;
    if (!options.trust.isEmpty())
        context.remember = [known = *connection] {
            return connections::KnownAgents::trust(known.address, known.tls.pin,
                                                   connections::KnownAgents::defaultFile());
        };
    if (context.terminal.interactive) {
        context.askPassword = &base::readPassword;
        context.prompt = [&reader](auto done) { reader.read(std::move(done)); };
    }
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
