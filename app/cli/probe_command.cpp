// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/probe_command.h"

#include "app/cli/times.h"
#include "app/records/records.h"
#include "shared/base/random_id.h"

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

} // namespace

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
