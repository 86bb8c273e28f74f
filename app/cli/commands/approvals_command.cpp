// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/commands/act_command.h"
#include "app/cli/commands/release_command.h"
#include "app/cli/lock_name.h"
#include "app/cli/table.h"
#include "app/cli/times.h"
#include "app/records/records.h"
#include "app/words/error_words.h"

#include <CLI/CLI.hpp>

namespace lockkeeper::app::cli {

using namespace records;

using base::ErrorCode;
using domain::Outcome;

namespace {

constexpr quint64 kList = 1;
constexpr quint64 kInspection = 2;
constexpr quint64 kDecide = 3;
constexpr quint64 kStatus = 4;

struct DecideOptions
{
    QString agent; ///< one of several agents; empty: the agent with the request
    qint64 request = 0;
    bool approve = false;
    QString reason; ///< of a rejection
    bool yes = false;
};

QString stateText(const domain::ApprovalRequest &request, qint64 nowUs)
{
    if (request.isOpen())
        return QStringLiteral("open %1").arg(durationText(std::max<qint64>(0, request.endsUs - nowUs)));
    const QString state = latin(domain::approvalStateName(request.state));
    return request.state == domain::ApprovalRequest::ApprovalState::Approved
               ? QStringLiteral("%1: %2").arg(state, latin(domain::outcomeName(request.outcome)))
               : state;
}

/** Lists the force-releases that wait for a second person, and the outcome of those of the last minutes. */
class ApprovalsCommand final : public Command
{
    Q_OBJECT

public:
    explicit ApprovalsCommand(Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

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

class ApprovalsSpec final : public LookSpec
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"approvals", tr("force-releases that await approval by a second person"), "approvals",
                "approvals --json | jq 'select(.state == \"open\").id'"};
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<ApprovalsCommand>(context);
    }
    void print(Listing &listing) const override;
};

void ApprovalsSpec::print(Listing &listing) const
{
    for (const qsizetype i : listing.answered()) {
        const AgentPart &part = listing.part(i);
        if (!listing.isJson())
            listing.add(approvalsTable(part.approvals, part.status->wallUs), listing.label(i));
        for (const domain::ApprovalRequest &request : part.approvals) {
            if (listing.isJson())
                listing.context().out.write(jsonLine(approvalObject(request, listing.label(i))));
        }
    }
    if (!listing.isJson())
        listing.show(tr("no force-release waits for approval"));
}

/**
 * Approves or rejects another person's request. Before an approval it shows the lock's current state and asks
 * for confirmation.
 */
class DecideCommand final : public Command
{
    Q_OBJECT

public:
    DecideCommand(DecideOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void found(const QList<domain::ApprovalRequest> &requests);
    void ask(const protocol::Inspected &seen);
    void decide();
    void conclude(const protocol::ReleaseResult &result);

    DecideOptions m_options;
    domain::ApprovalRequest m_request;
    bool m_sent = false;
};

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
    const QString now = seen.error      ? words::ErrorWords::line(*seen.error)
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
    const QString cause = words::ErrorWords::line(result.error).trimmed();
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

class DecideSpec final : public ActSpec, public WithOptions<DecideOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    explicit DecideSpec(bool approve) { options.approve = approve; }

    Summary summary() const override
    {
        return options.approve
                   ? Summary{"approve", tr("approve another person's request, and release the lock"),
                             "approve 17", "approve 17 --yes"}
                   : Summary{"reject", tr("reject a request, or withdraw your own"), "reject 17",
                             "reject 17 --reason 'it is the nightly run'"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;

    QString target() const override
    {
        return options.agent.isEmpty() ? QString() : options.agent + QStringLiteral("/ID");
    }
    bool namesAgent() const override { return !options.agent.isEmpty(); }
    std::unique_ptr<CommandSpec> question() const override { return std::make_unique<ApprovalsSpec>(); }
    Choice choose(const FanOut &agents) const override;
    std::unique_ptr<Command> makeAt(Context &context, const QString &) const override
    {
        return std::make_unique<DecideCommand>(options, context);
    }

private:
    QString m_typed; ///< ID or AGENT/ID
};

void DecideSpec::declare(Arguments &arguments)
{
    arguments.text("ID", m_typed, help("the request, as 'approvals' lists it"))->required();
    if (options.approve)
        arguments.yes(options.yes);
    else
        arguments.text("--reason", options.reason, help("the reason, for the requester and the audit"));
}

void DecideSpec::check(Arguments &arguments)
{
    const qsizetype slash = m_typed.lastIndexOf(QLatin1Char('/'));
    options.agent = m_typed.left(std::max<qsizetype>(0, slash));
    const QString id = m_typed.mid(slash + 1);
    if (slash == 0 || id.isEmpty())
        arguments.blame("ID", tr("a request is ID or AGENT/ID"));
    else
        options.request = arguments.toNumber("ID", id.toUtf8()).value_or(0);
}

ActSpec::Choice DecideSpec::choose(const FanOut &agents) const
{
    if (!options.agent.isEmpty())
        return {{},
                tr("no agent is called '%1'").arg(base::displayText(options.agent)),
                tr("'lockkeeperctl approvals' names the agents")};
    QList<qsizetype> having;
    QStringList candidates;
    for (qsizetype i = 0; i < agents.count(); ++i) {
        for (const domain::ApprovalRequest &request : agents.part(i).approvals) {
            if (request.id != options.request || !request.isOpen() || !agents.hasAnswered(i))
                continue;
            having.append(i);
            candidates.append(pathTo(agents, i, QString::number(request.id)));
        }
    }
    if (having.size() == 1)
        return {having.constFirst(), {}, {}};
    if (having.isEmpty())
        return {{},
                tr("no agent has an open request %1").arg(options.request),
                tr("'lockkeeperctl approvals' lists them")};
    return {{}, tr("several agents have a request %1").arg(options.request), oneOf(candidates)};
}

} // namespace

std::unique_ptr<CommandSpec> approvalsCommand()
{
    return std::make_unique<ApprovalsSpec>();
}

std::unique_ptr<CommandSpec> approveCommand()
{
    return std::make_unique<DecideSpec>(true);
}

std::unique_ptr<CommandSpec> rejectCommand()
{
    return std::make_unique<DecideSpec>(false);
}

} // namespace lockkeeper::app::cli

#include "approvals_command.moc"
