// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/probe_command.h"

#include "app/cli/commands/act_command.h"
#include "app/cli/commands/status_command.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "shared/base/random_id.h"

#include <CLI/CLI.hpp>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

bool isSet(const base::Error &error)
{
    return error.code != base::ErrorCode::Unknown || !error.cause.isEmpty();
}

QString endText(domain::ProbeEnd end)
{
    switch (end) {
    case domain::ProbeEnd::Time:
        break;
    case domain::ProbeEnd::Commands:
        return tr("it ended early: the command limit was reached");
    case domain::ProbeEnd::Bytes:
        return tr("it ended early: the commands were too long");
    case domain::ProbeEnd::Behind:
        return tr("it ended early: the agent couldn't keep up");
    }
    return {};
}

struct ProbeOptions
{
    QString source;
    qint64 forUs = 2'000'000;
    qint64 commands = 100'000;
    QString reason;
    bool yes = false;
};

/**
 * Counts the attempts of a store's clients for a short time; announces the cost beforehand and asks for
 * confirmation.
 */
class ProbeCommand final : public Command
{
    Q_OBJECT

public:
    ProbeCommand(ProbeOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();
    void request();
    void print(const protocol::ProbeResult &result);

    ProbeOptions m_options;
};

ProbeCommand::ProbeCommand(ProbeOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void ProbeCommand::start()
{
    if (!m_options.yes && !context().prompt) {
        fail({base::ErrorCode::Usage, tr("standard input isn't a terminal, so the probe can't be confirmed"),
              tr("Add --yes to probe without being asked")});
        return;
    }
    Command::start();
}

void ProbeCommand::connected(const protocol::Welcome &)
{
    if (m_options.yes)
        request();
    else
        ask();
}

void ProbeCommand::ask()
{
    context().out.note(tr("For %1 the server copies every command of every client to the agent, at most %2 "
                          "of them, and is slower during the probe: a fully loaded server lost two thirds of "
                          "its throughput in a measurement. The probe is "
                          "audited. Type 'yes' to begin")
                           .arg(durationInSentence(m_options.forUs))
                           .arg(m_options.commands));
    context().prompt([this](const QString &typed) {
        if (typed.trimmed() == QLatin1String("yes"))
            request();
        else
            fail({base::ErrorCode::Cancelled, tr("not confirmed: nothing was done"), {}});
    });
}

void ProbeCommand::request()
{
    protocol::ProbeRequest request;
    request.id = 1;
    request.command = base::randomId();
    request.source = m_options.source;
    request.forUs = m_options.forUs;
    request.mostCommands = m_options.commands;
    request.reason = m_options.reason;
    send(request);
}

void ProbeCommand::received(const protocol::Message &message)
{
    const auto *result = std::get_if<protocol::ProbeResult>(&message);
    if (!result)
        return;
    if (isSet(result->error)) {
        fail(result->error);
        return;
    }
    print(*result);
    finish(Exit::Done);
}

void ProbeCommand::print(const protocol::ProbeResult &result)
{
    if (context().json) {
        QList<QJsonObject> objects;
        for (const domain::ProbeCount &count : result.counts)
            objects.append(probeObject(count, m_options.source));
        objects.append(probeSummary(result, m_options.source));
        QByteArray lines;
        for (QJsonObject &object : objects) {
            if (context().part)
                object.insert(QStringLiteral("agent"), agent());
            lines += jsonLine(object);
        }
        context().out.write(lines);
        return;
    }
    if (!result.counts.isEmpty())
        context().out.text(probeTable(result).render(context().terminal.width, context().terminal.colours));
    context().out.note(tr("%1 commands in %2")
                           .arg(result.commands)
                           .arg(durationInSentence(result.endedUs - result.beganUs)));
    if (result.end != domain::ProbeEnd::Time)
        context().out.note(endText(result.end));
    if (result.leftOut > 0)
        context().out.note(tr("%1 more were left out").arg(result.leftOut));
    if (result.counts.isEmpty())
        context().out.note(tr("no client attempted to acquire a lock in this time"));
    else
        context().out.note(tr("The server doesn't report results, so failed attempts can't be identified"));
}

class ProbeSpec final : public ActSpec, public WithOptions<ProbeOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"probe", tr("count clients' attempts for a moment, by MONITOR"), "probe orders-redis",
                "probe orders-redis --for 5s --reason 'who asks for job:42?'"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.text("SOURCE", options.source, help("the source whose clients to observe"))->required();
        arguments.duration("--for", options.forUs, help("how long: 500ms, 2s (default), at most 10s"));
        arguments.number("--commands", options.commands,
                         help("end after this number of commands (default 100000)"));
        arguments.text("--reason", options.reason, help("the reason, for the audit"));
        arguments.yes(options.yes);
    }
    void check(Arguments &arguments) override
    {
        if (options.forUs < 1'000 || options.forUs > 10'000'000)
            arguments.blame("--for", tr("a probe lasts at most 10 s"));
        else if (options.commands < 1 || options.commands > 10'000'000)
            arguments.blame("--commands", tr("a probe reads 1 to 10000000 commands"));
    }

    QString target() const override { return options.source; }
    std::unique_ptr<CommandSpec> question() const override { return statusCommand(); }
    Choice choose(const FanOut &agents) const override;
    std::unique_ptr<Command> makeAt(Context &context, const QString &source) const override
    {
        ProbeOptions there = options;
        there.source = source;
        return std::make_unique<ProbeCommand>(there, context);
    }
};

ActSpec::Choice ProbeSpec::choose(const FanOut &agents) const
{
    QList<qsizetype> having;
    QStringList candidates;
    QStringList sources;
    for (qsizetype i = 0; i < agents.count(); ++i) {
        const auto status = agents.part(i).status.value_or(protocol::Status());
        for (const domain::SourceState &source : status.sources) {
            sources.append(pathTo(agents, i, source.name));
            if (source.name == options.source) {
                having.append(i);
                candidates.append(sources.constLast());
            }
        }
    }
    if (having.size() == 1)
        return {having.constFirst(), {}, {}};
    if (having.isEmpty())
        return noSource(options.source, sources);
    return {{},
            tr("several agents watch a source named '%1'").arg(base::displayText(options.source)),
            oneOf(candidates)};
}

} // namespace

std::unique_ptr<CommandSpec> probeCommand()
{
    return std::make_unique<ProbeSpec>();
}

QJsonObject probeObject(const domain::ProbeCount &count, const QString &source)
{
    return {{QStringLiteral("source"), source},
            {QStringLiteral("lock"), base::textOf(count.lock)},
            {QStringLiteral("client"), base::textOf(count.client)},
            {QStringLiteral("attempts"), count.attempts},
            // MONITOR shows no answers; older agents guessed them.
            {QStringLiteral("failed"), QJsonValue()},
            {QStringLiteral("uncertain"), count.attempts}};
}

QJsonObject probeSummary(const protocol::ProbeResult &result, const QString &source)
{
    const bool any = result.beganUs != 0;
    return {{QStringLiteral("source"), source},
            {QStringLiteral("probed"), true},
            {QStringLiteral("from_us"), any ? QJsonValue(result.beganUs) : QJsonValue()},
            {QStringLiteral("to_us"), any ? QJsonValue(result.endedUs) : QJsonValue()},
            {QStringLiteral("commands"), result.commands},
            {QStringLiteral("unreadable"), result.unreadable},
            {QStringLiteral("end"), latin(domain::probeEndName(result.end))},
            {QStringLiteral("left_out"), result.leftOut},
            {QStringLiteral("command"), base::textOf(result.command)},
            {QStringLiteral("audit_id"), result.auditId}};
}

Table probeTable(const protocol::ProbeResult &result)
{
    using Align = Table::Align;
    Table table({{QStringLiteral("LOCK"), Align::Left, true, 16, 0},
                 {QStringLiteral("CLIENT"), Align::Left, true, 12, 0},
                 {QStringLiteral("ATTEMPTS"), Align::Right, false, 8, 0}});
    for (const domain::ProbeCount &count : result.counts)
        table.add({base::displayText(count.lock), base::displayText(count.client),
                   QString::number(count.attempts)});
    return table;
}

} // namespace lockkeeper::app::cli

#include "probe_command.moc"
