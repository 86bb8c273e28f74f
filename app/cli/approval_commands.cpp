// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/approval_commands.h"

#include "app/cli/lock_name.h"
#include "app/cli/release_command.h"
#include "app/cli/table.h"
#include "app/cli/times.h"
#include "app/findings/error_words.h"
#include "app/records/records.h"

#include <QJsonArray>

namespace lockkeeper::app::cli {

using namespace records;

using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr quint64 kList = 1;
constexpr quint64 kInspection = 2;
constexpr quint64 kDecide = 3;
constexpr quint64 kStatus = 4;

QString listText(const QStringList &globs)
{
    QStringList shown;
    for (const QString &glob : globs)
        shown.append(base::displayText(glob));
    return shown.isEmpty() ? tr("all") : shown.join(QStringLiteral(", "));
}

QStringList lockGlobs(const domain::Grant &grant)
{
    QStringList globs;
    for (const QByteArray &glob : grant.locks)
        globs.append(base::textOf(glob));
    return globs;
}

QJsonObject grantObject(const domain::Grant &grant)
{
    return {{QStringLiteral("role"), domain::roleName(grant.role)},
            {QStringLiteral("sources"), QJsonArray::fromStringList(grant.sources)},
            {QStringLiteral("locks"), QJsonArray::fromStringList(lockGlobs(grant))}};
}

QString stateText(const domain::ApprovalRequest &request, qint64 nowUs)
{
    if (request.isOpen())
        return QStringLiteral("open %1").arg(durationText(std::max<qint64>(0, request.endsUs - nowUs)));
    const QString state = latin(domain::approvalStateName(request.state));
    return request.state == domain::ApprovalRequest::State::Approved
               ? QStringLiteral("%1: %2").arg(state, latin(domain::outcomeName(request.outcome)))
               : state;
}

} // namespace

WhoAmICommand::WhoAmICommand(Context &context) : Command(context) {}

void WhoAmICommand::connected(const protocol::Welcome &)
{
    send(protocol::WhoAmI{kList});
}

void WhoAmICommand::received(const protocol::Message &message)
{
    const auto *who = std::get_if<protocol::Identified>(&message);
    if (!who || who->id != kList)
        return;
    if (context().json) {
        QJsonArray grants;
        for (const domain::Grant &grant : who->grants.list)
            grants.append(grantObject(grant));
        context().out.write(
            jsonLine(QJsonObject{{QStringLiteral("agent"), agent()},
                                 {QStringLiteral("user"), who->user},
                                 {QStringLiteral("way"), who->way},
                                 {QStringLiteral("role"), domain::roleName(who->grants.role())},
                                 {QStringLiteral("sees_all"), who->grants.looksEverywhere()},
                                 {QStringLiteral("grants"), grants}}));
    } else {
        QStringList lines{
            tr("%1 at %2, proven by: %3")
                .arg(base::displayText(who->user), base::displayText(agent()), base::displayText(who->way))};
        for (const domain::Grant &grant : who->grants.list)
            lines.append(tr("%1  sources: %2  locks: %3")
                             .arg(domain::roleName(grant.role), -8)
                             .arg(listText(grant.sources), listText(lockGlobs(grant))));
        if (!who->grants.looksEverywhere())
            lines.append(tr("sees nothing else"));
        context().out.text(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    }
    finish(Exit::Done);
}

ApprovalsCommand::ApprovalsCommand(Context &context) : Command(context) {}

void ApprovalsCommand::connected(const protocol::Welcome &)
{
    send(protocol::StatusQuery{kStatus}); // requests end by the agent's clock, not by this computer's
}

void ApprovalsCommand::received(const protocol::Message &message)
{
    if (const auto *status = std::get_if<protocol::Status>(&message)) {
        context().part->status = *status;
        send(protocol::ApprovalsQuery{kList});
        return;
    }
    const auto *page = std::get_if<protocol::ApprovalsPage>(&message);
    if (!page)
        return;
    context().part->approvals = page->requests;
    finish(Exit::Done);
}

Table approvalsTable(const QList<domain::ApprovalRequest> &requests, qint64 agentWallUs)
{
    Table table({{QStringLiteral("ID"), Table::Align::Right, false, 3, 0},
                 {QStringLiteral("STATE"), Table::Align::Left, false, 8, 0},
                 {QStringLiteral("WHO"), Table::Align::Left, false, 6, 0},
                 {QStringLiteral("LOCK"), Table::Align::Left, true, 16, 0},
                 {QStringLiteral("HOLDER"), Table::Align::Left, true, 10, 1},
                 {QStringLiteral("SOURCE"), Table::Align::Left, false, 8, 2},
                 {QStringLiteral("DECIDED_BY"), Table::Align::Left, false, 6, 0},
                 {QStringLiteral("REASON"), Table::Align::Left, true, 12, 0}});
    for (const domain::ApprovalRequest &request : requests)
        table.add({QString::number(request.id), stateText(request, agentWallUs),
                   base::displayText(request.who), lockName(request.key),
                   request.holder.isEmpty() ? dash() : base::displayText(request.holder),
                   base::displayText(request.key.source),
                   request.decidedBy.isEmpty() ? dash() : base::displayText(request.decidedBy),
                   base::displayText(request.reason)});
    return table;
}

DecideCommand::DecideCommand(DecideOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void DecideCommand::start()
{
    if (m_options.approve && !m_options.yes && !context().prompt)
        fail({ErrorCode::Usage, tr("standard input isn't a terminal, so the release can't be confirmed"),
              tr("Add --yes to approve without being asked")});
    else
        Command::start();
}

void DecideCommand::connected(const protocol::Welcome &)
{
    send(protocol::ApprovalsQuery{kList});
}

void DecideCommand::received(const protocol::Message &message)
{
    if (const auto *page = std::get_if<protocol::ApprovalsPage>(&message))
        found(page->requests);
    else if (const auto *seen = std::get_if<protocol::Inspected>(&message))
        ask(*seen);
    else if (const auto *result = std::get_if<protocol::ReleaseResult>(&message))
        conclude(*result);
}

/** A request that isn't in the list is sent anyway: the agent rejects it and records the attempt. */
void DecideCommand::found(const QList<domain::ApprovalRequest> &requests)
{
    for (const domain::ApprovalRequest &request : requests) {
        if (request.id == m_options.request)
            m_request = request;
    }
    if (m_options.approve && !m_options.yes && m_request.id != 0 && m_request.isOpen())
        send(protocol::Inspect{kInspection, m_request.key});
    else
        decide();
}

void DecideCommand::ask(const protocol::Inspected &seen)
{
    const bool same = !seen.error && seen.present && seen.state.guard == m_request.guard;
    const QString now = seen.error      ? findings::ErrorWords::line(*seen.error)
                        : !seen.present ? tr("free")
                        : same          ? tr("as it was asked for")
                               : tr("renewed since, or another acquisition than the one that was asked for");
    const QString holder =
        seen.present && seen.state.ownerKnown ? base::displayText(seen.state.owner) : dash();
    const QStringList lines{
        tr("Lock        %1 in %2").arg(lockName(m_request.key), base::displayText(m_request.key.source)),
        tr("Asked by    %1: %2").arg(base::displayText(m_request.who), base::displayText(m_request.reason)),
        tr("Now         %1; its holder is %2").arg(now, holder),
        tr("Will run    %1").arg(base::displayText(seen.willRun)),
        QString(),
        residueText(seen.state)};
    context().out.note(lines.join(QLatin1Char('\n')));
    context().out.note(tr("type 'yes' to approve and release lock %1").arg(lockName(m_request.key)));
    context().prompt([this](const QString &answer) {
        if (answer.trimmed() == QLatin1String("yes"))
            decide();
        else
            fail({ErrorCode::Cancelled, tr("not confirmed, nothing was done"), {}});
    });
}

void DecideCommand::decide()
{
    m_sent = true;
    send(protocol::Decision{kDecide, m_options.request, m_options.approve, m_options.reason});
}

void DecideCommand::conclude(const protocol::ReleaseResult &result)
{
    const bool done = result.outcome == (m_options.approve ? Outcome::Released : Outcome::Rejected);
    const Exit status = done ? Exit::Done : exitOf(result);
    context().out.done(int(status));
    domain::LockState lock;
    lock.key = m_request.key;
    lock.owner = m_request.holder;
    lock.guard = m_request.guard;
    if (context().json) {
        QJsonObject object = releaseObject(result, lock, {});
        if (context().part)
            object.insert(QStringLiteral("agent"), agent());
        context().out.write(jsonLine(object));
    }
    const QString text =
        result.outcome == Outcome::Rejected ? tr("Rejected: request %1.").arg(m_options.request)
        : done                              ? tr("Approved and released: %1.").arg(lockName(m_request.key))
               : tr("request %1: %2").arg(m_options.request).arg(latin(domain::outcomeName(result.outcome)));
    const QString cause = findings::ErrorWords::line(result.error).trimmed();
    if (!done)
        context().out.note(cause.isEmpty() ? text : text + QStringLiteral(": ") + cause);
    else if (!context().json) // a caveat about a successful release: "not replicated"
        context().out.text(text + QLatin1Char('\n') + (cause.isEmpty() ? cause : cause + QLatin1Char('\n')));
    finish(status);
}

void DecideCommand::lost(const base::Error &error)
{
    protocol::ReleaseResult result;
    result.outcome = Outcome::Unknown;
    result.error = error;
    if (m_sent)
        conclude(result);
    else
        fail(error);
}

} // namespace lockkeeper::app::cli
