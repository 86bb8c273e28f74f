// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/act_command.h"

#include "app/cli/agents/look_command.h"
#include "app/cli/agents/release_choice.h"
#include "app/cli/release_command.h"
#include "shared/base/text.h"

namespace lockkeeper::app::cli {

namespace {

/** The query whose answer shows which agent is meant. */
CommandOptions questionOf(const CommandOptions &options)
{
    if (const auto *release = std::get_if<ReleaseOptions>(&options))
        return LocksOptions{{}, {}, globFor(release->lock)};
    if (std::holds_alternative<DecideOptions>(options))
        return ApprovalsOptions{};
    return StatusOptions{};
}

} // namespace

ActCommand::ActCommand(CommandOptions options, std::vector<NamedAgent> agents)
    : m_options(std::move(options)),
      m_named(std::move(agents)),
      m_agents(m_named, m_named.front().context.out, false)
{
    connect(&m_agents, &Agents::finished, this, &ActCommand::choose);
}

QList<Addressed> ActCommand::named(const QList<QString> &names) const
{
    if (const auto *release = std::get_if<ReleaseOptions>(&m_options))
        return addressedTo(release->source, names);
    if (const auto *probe = std::get_if<ProbeOptions>(&m_options))
        return addressedTo(probe->source, names);
    const auto &decision = std::get<DecideOptions>(m_options);
    return decision.agent.isEmpty() ? QList<Addressed>()
                                    : addressedTo(decision.agent + QStringLiteral("/ID"), names);
}

void ActCommand::start()
{
    QList<QString> names;
    for (const NamedAgent &agent : m_named)
        names.append(agent.name);
    const QList<Addressed> typed = named(names);
    if (typed.size() == 1)
        runAt(typed.constFirst().agent, typed.constFirst().rest); // the other agents may be unreachable
    else
        m_agents.ask(questionOf(m_options));
}

void ActCommand::choose()
{
    QList<QString> labels;
    for (qsizetype i = 0; i < m_agents.count(); ++i)
        labels.append(m_agents.hasAnswered(i) ? m_agents.part(i).label : QString());
    const QList<Addressed> labelled = named(labels);
    if (labelled.size() == 1)
        return runAt(labelled.constFirst().agent, labelled.constFirst().rest);
    if (m_agents.status() != Exit::Done)
        return refuse(m_agents.status(),
                      tr("not every agent has answered, so the name may also exist at another one"),
                      tr("Name the agent: AGENT/SOURCE, or AGENT/ID"));
    if (const auto *release = std::get_if<ReleaseOptions>(&m_options))
        chooseForRelease(*release);
    else if (const auto *decision = std::get_if<DecideOptions>(&m_options))
        chooseForDecision(*decision);
    else
        chooseForProbe(std::get<ProbeOptions>(m_options));
}

void ActCommand::chooseForRelease(const ReleaseOptions &options)
{
    QList<const LiveTable *> tables;
    QList<qsizetype> agents;
    QStringList sources;
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        if (!m_agents.hasAnswered(i))
            continue;
        agents.append(i);
        tables.append(&m_agents.part(i).locks);
        for (const domain::SourceState &source : m_agents.part(i).locks.sources())
            sources.append(pathTo(i, source.name));
    }
    const ReleaseChoice choice = cli::chooseForRelease(tables, options);
    if (choice.agent)
        return runVia(agents.at(*choice.agent), options.source);
    if (choice.candidates.isEmpty())
        return refuse(Exit::Usage,
                      tr("no agent watches a source named '%1'").arg(base::displayText(options.source)),
                      tr("Their sources are: %1").arg(sources.join(QStringLiteral(", "))));
    QStringList candidates;
    for (const ReleaseChoice::Candidate &one : choice.candidates) {
        const QString path = pathTo(agents.at(one.agent), options.source);
        candidates.append(one.lock ? path + QLatin1Char(' ') + candidateText(*one.lock) : path);
    }
    refuse(Exit::Usage,
           tr("'%1' in '%2' may be another lock at each agent")
               .arg(base::displayText(options.lock), base::displayText(options.source)),
           tr("Use one of: %1").arg(candidates.join(QStringLiteral(" | "))));
}

void ActCommand::chooseForDecision(const DecideOptions &options)
{
    QList<qsizetype> having;
    QStringList candidates;
    for (qsizetype i = 0; i < m_agents.count() && options.agent.isEmpty(); ++i) {
        for (const domain::ApprovalRequest &request : m_agents.part(i).approvals) {
            if (request.id != options.request || !request.isOpen() || !m_agents.hasAnswered(i))
                continue;
            having.append(i);
            candidates.append(pathTo(i, QString::number(request.id)));
        }
    }
    if (having.size() == 1)
        return runVia(having.constFirst(), {});
    if (!options.agent.isEmpty())
        refuse(Exit::Usage, tr("no agent is called '%1'").arg(base::displayText(options.agent)),
               tr("'lockkeeperctl approvals' names the agents"));
    else if (having.isEmpty())
        refuse(Exit::Usage, tr("no agent has an open request %1").arg(options.request),
               tr("'lockkeeperctl approvals' lists them"));
    else
        refuse(Exit::Usage, tr("several agents have a request %1").arg(options.request),
               tr("Use one of: %1").arg(candidates.join(QStringLiteral(" | "))));
}

void ActCommand::chooseForProbe(const ProbeOptions &options)
{
    QList<qsizetype> having;
    QStringList candidates;
    QStringList sources;
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        const auto status = m_agents.part(i).status.value_or(protocol::Status());
        for (const domain::SourceState &source : status.sources) {
            sources.append(pathTo(i, source.name));
            if (source.name == options.source) {
                having.append(i);
                candidates.append(sources.constLast());
            }
        }
    }
    if (having.size() == 1)
        runVia(having.constFirst(), options.source);
    else if (having.isEmpty())
        refuse(Exit::Usage, tr("no agent watches a source named '%1'").arg(base::displayText(options.source)),
               tr("Their sources are: %1").arg(sources.join(QStringLiteral(", "))));
    else
        refuse(Exit::Usage,
               tr("several agents watch a source named '%1'").arg(base::displayText(options.source)),
               tr("Use one of: %1").arg(candidates.join(QStringLiteral(" | "))));
}

void ActCommand::runVia(qsizetype agent, const QString &rest)
{
    context().out.note(tr("via agent %1").arg(base::displayText(m_agents.part(agent).label)));
    runAt(agent, rest);
}

void ActCommand::runAt(qsizetype agent, const QString &rest)
{
    CommandOptions options = m_options;
    if (auto *release = std::get_if<ReleaseOptions>(&options))
        release->source = rest;
    else if (auto *probe = std::get_if<ProbeOptions>(&options))
        probe->source = rest;
    if (m_agents.hasAnswered(agent))
        m_part.label = m_agents.part(agent).label;
    m_chosen.emplace(m_agents.contextOf(agent, &m_part));
    m_command = makeCommand(options, *m_chosen);
    connect(m_command.get(), &Command::finished, this, &ActCommand::finished);
    m_command->start();
}

void ActCommand::refuse(Exit status, const QString &cause, const QString &remedy)
{
    context().out.note(base::Error{base::ErrorCode::Ambiguous, cause, remedy}.line());
    Q_EMIT finished(int(status));
}

QString ActCommand::pathTo(qsizetype agent, const QString &rest) const
{
    return base::displayText(m_agents.part(agent).label) + QLatin1Char('/') + base::displayText(rest);
}

std::unique_ptr<Task> makeTask(const CommandOptions &options, std::vector<NamedAgent> &agents)
{
    const bool acts = std::holds_alternative<ReleaseOptions>(options) ||
                      std::holds_alternative<DecideOptions>(options) ||
                      std::holds_alternative<ProbeOptions>(options);
    const auto *decision = std::get_if<DecideOptions>(&options);
    const bool namesAgent = decision && !decision->agent.isEmpty(); // which has to be that one
    // One agent's rows are printed as several agents' are.
    const bool json = agents.front().context.json;
    const auto *locks = std::get_if<LocksOptions>(&options); // in no order, millions are written as they come
    const bool lists =
        (locks && (!json || locks->order || locks->atUs)) || std::holds_alternative<StatusOptions>(options) ||
        std::holds_alternative<ExportOptions>(options) || std::holds_alternative<HoldsOptions>(options) ||
        std::holds_alternative<ContentionOptions>(options) ||
        std::holds_alternative<ApprovalsOptions>(options);
    if (agents.size() == 1 && !namesAgent && !lists)
        return makeCommand(options, agents.front().context);
    if (acts)
        return std::make_unique<ActCommand>(options, agents);
    return std::make_unique<LookCommand>(options, agents);
}

} // namespace lockkeeper::app::cli
