// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/act_command.h"

#include "shared/base/text.h"

namespace lockkeeper::app::cli {

std::unique_ptr<Task> ActSpec::task(std::vector<NamedAgent> &agents) const
{
    if (agents.size() == 1 && !namesAgent())
        return make(agents.front().context);
    return std::make_unique<ActCommand>(*this, agents);
}

QString ActSpec::pathTo(const FanOut &agents, qsizetype agent, const QString &rest)
{
    return base::displayText(agents.part(agent).label) + QLatin1Char('/') + base::displayText(rest);
}

QString ActSpec::oneOf(const QStringList &candidates)
{
    return tr("Use one of: %1").arg(candidates.join(QStringLiteral(" | ")));
}

ActSpec::Choice ActSpec::noSource(const QString &source, const QStringList &known)
{
    return {{},
            tr("no agent watches a source named '%1'").arg(base::displayText(source)),
            tr("Their sources are: %1").arg(known.join(QStringLiteral(", ")))};
}

ActCommand::ActCommand(const ActSpec &spec, const std::vector<NamedAgent> &agents)
    : m_spec(spec),
      m_named(agents),
      m_question(spec.question()),
      m_context(agents.front().context),
      m_agents(agents, m_context.out, false)
{
    connect(&m_agents, &FanOut::finished, this, &ActCommand::choose);
}

QList<Addressed> ActCommand::named(const QList<QString> &names) const
{
    const QString target = m_spec.target();
    return target.isEmpty() ? QList<Addressed>() : addressedTo(target, names);
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
        m_agents.ask(*m_question);
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
    const ActSpec::Choice choice = m_spec.choose(m_agents);
    if (!choice.agent)
        return refuse(Exit::Usage, choice.cause, choice.remedy);
    m_context.out.note(tr("via agent %1").arg(base::displayText(m_agents.part(*choice.agent).label)));
    runAt(*choice.agent, m_spec.target());
}

void ActCommand::runAt(qsizetype agent, const QString &rest)
{
    if (m_agents.hasAnswered(agent))
        m_part.label = m_agents.part(agent).label;
    m_chosen.emplace(m_agents.contextOf(agent, &m_part));
    m_command = m_spec.makeAt(*m_chosen, rest);
    connect(m_command.get(), &Command::finished, this, &ActCommand::finished);
    m_command->start();
}

void ActCommand::refuse(Exit status, const QString &cause, const QString &remedy)
{
    m_context.out.note(base::Error{base::ErrorCode::Ambiguous, cause, remedy}.line());
    Q_EMIT finished(int(status));
}

} // namespace lockkeeper::app::cli
