// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/fan_out.h"

#include "shared/base/text.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::cli {

namespace {

Context contextWith(const Context &context, Output &out)
{
    return {
        out,         context.clock, context.terminal, context.json,        context.agent,   context.prompt,
        context.tls, context.user,  context.password, context.askPassword, context.remember};
}

} // namespace

class FanOut::Leg final : public Output
{
public:
    Leg(const NamedAgent &agent, Output &to, bool asTheyCome, bool alone)
        : typed(agent.name),
          context(contextWith(agent.context, *this)),
          m_to(to),
          m_asTheyCome(asTheyCome),
          m_alone(alone)
    {
        part.label = typed;
        context.part = &part;
    }

    void write(const QByteArray &bytes) override
    {
        if (m_asTheyCome)
            m_to.write(bytes);
        else
            written += bytes;
    }
    void note(const QString &line) override
    {
        m_to.note(m_alone ? line : base::displayText(part.label) + QStringLiteral(": ") + line);
    }

    /** ssh itself prompts at the terminal, so with a terminal the agents connect one after the other. */
    bool mayAskByItself() const { return context.prompt && !context.agent.isLocal() && !context.agent.isTls; }
    bool isSettled() const { return status.has_value() || goOn; }

    QString typed;
    AgentPart part;
    Context context;
    std::unique_ptr<Command> command;
    protocol::Welcome welcome;
    std::function<void()> goOn; ///< set while it waits for the others to connect
    bool isWaiting = false;
    bool isDouble = false;
    std::optional<int> status;
    QByteArray written;

private:
    Output &m_to;
    bool m_asTheyCome;
    bool m_alone; ///< the only agent: notes needn't name it
};

FanOut::FanOut(const std::vector<NamedAgent> &agents, Output &out, bool asTheyCome) : m_out(out)
{
    for (const NamedAgent &agent : agents)
        m_legs.push_back(std::make_unique<Leg>(agent, out, asTheyCome, agents.size() == 1));
}

FanOut::~FanOut() = default;

void FanOut::ask(const CommandSpec &command)
{
    for (std::size_t i = 0; i < m_legs.size(); ++i) {
        Leg &leg = *m_legs.at(i);
        leg.part.admit = [this, &leg](const protocol::Welcome &welcome, std::function<void()> goOn) {
            if (m_admitted)
                return goOn(); // it has reconnected
            leg.welcome = welcome;
            leg.goOn = std::move(goOn);
            connectNext();
        };
        leg.command = command.make(leg.context);
        connect(leg.command.get(), &Command::finished, this, [this, i, &leg](int status) {
            leg.status = status;
            leg.goOn = {};
            Q_EMIT ended(qsizetype(i));
            connectNext();
            if (std::all_of(m_legs.begin(), m_legs.end(), [](const auto &one) { return one->status; }))
                Q_EMIT finished();
        });
    }
    for (const auto &leg : m_legs) {
        leg->isWaiting = leg->mayAskByItself();
        if (!leg->isWaiting)
            leg->command->start();
    }
    connectNext();
}

/** Connects the next waiting agent; sends the requests once all agents have connected or failed. */
void FanOut::connectNext()
{
    const auto isConnecting = [](const auto &leg) { return !leg->isWaiting && !leg->isSettled(); };
    for (const auto &leg : m_legs) {
        const bool busy = std::any_of(m_legs.begin(), m_legs.end(), [&](const auto &other) {
            return other->mayAskByItself() && isConnecting(other);
        });
        if (leg->isWaiting && !busy) {
            leg->isWaiting = false;
            leg->command->start();
        }
    }
    const auto isSettled = [](const auto &leg) { return leg->isSettled(); };
    if (!m_admitted && std::all_of(m_legs.begin(), m_legs.end(), isSettled))
        admit();
}

void FanOut::admit()
{
    m_admitted = true;
    QList<AgentIdentity> identities;
    for (const auto &leg : m_legs)
        identities.append(leg->status ? AgentIdentity{leg->typed, {}}
                                      : AgentIdentity{leg->typed, leg->welcome.agent, leg->welcome.journal});
    const QList<AgentName> names = nameAgents(identities);
    for (qsizetype i = 0; i < names.size(); ++i) {
        Leg &leg = *m_legs.at(size_t(i));
        const auto goOn = std::exchange(leg.goOn, {});
        leg.isDouble = names.at(i).sameAs >= 0;
        if (!goOn)
            continue;
        if (leg.isDouble) {
            leg.note(tr("this is the same agent as %1; it is queried once")
                         .arg(base::displayText(typed(names.at(i).sameAs))));
            leg.command->end();
        } else {
            leg.part.label = names.at(i).label;
            goOn();
        }
    }
}

void FanOut::end()
{
    for (const auto &leg : m_legs)
        leg->command->end();
}

qsizetype FanOut::count() const
{
    return qsizetype(m_legs.size());
}

AgentPart &FanOut::part(qsizetype agent)
{
    return m_legs.at(size_t(agent))->part;
}

const AgentPart &FanOut::part(qsizetype agent) const
{
    return m_legs.at(size_t(agent))->part;
}

QString FanOut::typed(qsizetype agent) const
{
    return m_legs.at(size_t(agent))->typed;
}

QByteArray FanOut::written(qsizetype agent) const
{
    return m_legs.at(size_t(agent))->written;
}

bool FanOut::hasAnswered(qsizetype agent) const
{
    const Leg &leg = *m_legs.at(size_t(agent));
    return leg.status == int(Exit::Done) && !leg.isDouble;
}

Exit FanOut::status() const
{
    int first = int(Exit::Done);
    for (const auto &leg : m_legs) {
        const int own = leg->status.value_or(int(Exit::Done));
        if (own == int(Exit::Unreachable))
            return Exit::Unreachable;
        first = first == int(Exit::Done) ? own : first;
    }
    return Exit(first);
}

Context FanOut::contextOf(qsizetype agent, AgentPart *part) const
{
    Context context = contextWith(m_legs.at(size_t(agent))->context, m_out);
    context.part = part;
    return context;
}

} // namespace lockkeeper::app::cli
