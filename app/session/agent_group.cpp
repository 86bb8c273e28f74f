// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_group.h"

#include "app/session/agent_group_p.h"
#include "app/session/qualify.h"
#include "app/session/source_names.h"
#include "shared/base/clock.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app::session {

AgentGroup::AgentGroup(QString program, QObject *parent) : QObject(parent), m_program(std::move(program))
{
    auto first = std::make_unique<GroupMember>();
    first->session = std::make_unique<AgentSession>(m_program);
    listen(first.get());
    m_agents.push_back(std::move(first));
}

/** The sessions' last answers still find their handlers. */
AgentGroup::~AgentGroup()
{
    m_agents.clear();
}

void AgentGroup::setTiming(const AgentSession::Timing &timing)
{
    m_timing = timing;
    for (const auto &agent : m_agents)
        agent->session->setTiming(timing);
}

void AgentGroup::setReconnects(bool on)
{
    m_reconnects = on;
    for (const auto &agent : m_agents)
        agent->session->setReconnects(on);
}

void AgentGroup::open(const QList<transport::Address> &addresses)
{
    const bool another = addresses != this->addresses();
    if (another) {
        const auto count = std::size_t(std::max<qsizetype>(1, addresses.size()));
        while (m_agents.size() > count) {
            // The pending questions there end first.
            m_agents.back()->session->disconnect(this);
            m_agents.back()->session->close();
            m_agents.back()->session.release()->deleteLater();
            m_agents.pop_back();
        }
        while (m_agents.size() < count) {
            auto added = std::make_unique<GroupMember>();
            added->session = std::make_unique<AgentSession>(m_program);
            added->session->setTiming(m_timing);
            added->session->setReconnects(m_reconnects);
            listen(added.get());
            m_agents.push_back(std::move(added));
        }
        for (const auto &agent : m_agents) {
            agent->label.clear();
            agent->isSame = false;
            agent->session->forget();
        }
        m_stores.clear();
        m_labels.clear();
        Q_EMIT agentChanged();
    }
    Q_EMIT aboutToOpen();
    for (qsizetype i = 0; i < addresses.size(); ++i) {
        m_agents[std::size_t(i)]->address = addresses.at(i);
        m_agents[std::size_t(i)]->session->open(addresses.at(i));
    }
}

void AgentGroup::close()
{
    for (const auto &agent : m_agents)
        agent->session->close();
}

void AgentGroup::retryNow()
{
    for (const auto &agent : m_agents)
        agent->session->retryNow();
}

void AgentGroup::listen(GroupMember *agent)
{
    AgentSession *session = agent->session.get();
    using S = AgentSession;
    connect(session, &S::linkChanged, this, [this, agent] {
        if (several() && !agent->label.isEmpty() &&
            m_stores.setLive(agent->label, agent->session->link() == LinkState::Live))
            Q_EMIT sameStoresChanged();
        Q_EMIT linkChanged();
    });
    connect(session, &S::lagChanged, this, [this] { Q_EMIT lagChanged(lagUs()); });
    connect(session, &S::grantsChanged, this, [this, agent] {
        welcomed(agent);
        Q_EMIT grantsChanged();
    });
    connect(session, &S::approvalChanged, this, [this, agent](domain::ApprovalRequest request) {
        qualify(request, agent->label);
        Q_EMIT approvalChanged(request);
    });
    connect(session, &S::alertChanged, this, [this, agent](domain::Alert alert) {
        qualify(alert, agent->label);
        Q_EMIT alertChanged(alert);
    });
    connect(session, &S::tableReset, this,
            [this, agent](quint64 seq) { Q_EMIT tableReset(agent->label, seq); });
    connect(session, &S::tableComplete, this,
            [this, agent](quint64 seq) { Q_EMIT tableComplete(agent->label, seq); });
    connect(session, &S::tablePage, this,
            [this, agent](QList<domain::LockState> locks, QList<domain::SourceState> sources) {
                qualify(locks, agent->label);
                qualify(sources, agent->label);
                noteSources(sources);
                Q_EMIT tablePage(agent->label, locks, sources);
            });
    connect(session, &S::eventsCame, this, [this, agent](QList<events::LockEvent> events) {
        qualify(events, agent->label);
        Q_EMIT eventsCame(agent->label, events);
    });
    connect(session, &S::statesCame, this,
            [this, agent](QList<domain::LockState> locks, QList<domain::SourceState> sources) {
                qualify(locks, agent->label);
                qualify(sources, agent->label);
                noteSources(sources);
                Q_EMIT statesCame(agent->label, locks, sources);
            });
    connect(session, &S::unjournalledCame, this,
            [this, agent](QList<domain::LockState> locks, QList<domain::LockKey> removed) {
                qualify(locks, agent->label);
                qualify(removed, agent->label);
                Q_EMIT unjournalledCame(agent->label, locks, removed);
            });
}

/**
 * Handles a reported name: chooses the label, and finds out if another address already leads to this agent.
 */
void AgentGroup::welcomed(GroupMember *agent)
{
    if (!several())
        return;
    const protocol::Welcome welcome = agent->session->welcome();
    agent->isSame =
        !welcome.journal.isEmpty() && std::any_of(m_agents.cbegin(), m_agents.cend(), [&](const auto &other) {
            const protocol::Welcome known = other->session->welcome();
            return other.get() != agent && !other->isSame && !other->label.isEmpty() &&
                   known.journal == welcome.journal && known.agent == welcome.agent;
        });
    const QString label = agent->isSame ? QString() : freeLabel(*agent);
    const QString before = std::exchange(agent->label, label);
    if (!label.isEmpty())
        m_labels.insert(label, agent);
    if (!before.isEmpty() && before != label) {
        const bool otherwise = m_stores.forget(before);
        Q_EMIT agentGone(before);
        if (otherwise)
            Q_EMIT sameStoresChanged();
        if (!agent->isSame) { // the whole table, by the new name
            agent->session->forget();
            agent->session->open(agent->address);
        }
    }
    if (agent->isSame)
        agent->session->close();
}

/** A label that no other agent has or had: it identifies a lock that the user is about to release. */
QString AgentGroup::freeLabel(const GroupMember &agent) const
{
    const auto isTaken = [&](const QString &label) {
        return label.isEmpty() || m_labels.value(label, &agent) != &agent;
    };
    QString label = agentLabel(agent.session->welcome().agent);
    if (isTaken(label))
        label += agentLabel(QLatin1Char('@') + agent.address.text());
    while (isTaken(label)) // another agent has that name
        label += QLatin1Char('\'');
    return label;
}

void AgentGroup::noteSources(const QList<domain::SourceState> &sources)
{
    if (!several())
        return;
    bool otherwise = false;
    for (const domain::SourceState &source : sources)
        otherwise = m_stores.take(source) || otherwise;
    if (otherwise)
        Q_EMIT sameStoresChanged();
}

QList<AgentSession *> AgentGroup::sessions() const
{
    QList<AgentSession *> list;
    for (const auto &agent : m_agents)
        list.append(agent->session.get());
    return list;
}

bool AgentGroup::several() const
{
    return m_agents.size() > 1;
}

QList<transport::Address> AgentGroup::addresses() const
{
    QList<transport::Address> list;
    for (const auto &agent : m_agents)
        list.append(agent->session->address());
    return list;
}

QString AgentGroup::nameOf(const AgentSession *session) const
{
    for (const auto &agent : m_agents) {
        if (agent->session.get() == session)
            return several() ? agent->label : session->welcome().agent;
    }
    return {};
}

AgentGroup::GroupMember *AgentGroup::agentFor(const QString &source) const
{
    if (!several())
        return m_agents.front().get();
    const QString label = splitName(source).agent;
    const auto found = std::find_if(m_agents.cbegin(), m_agents.cend(), [&](const auto &agent) {
        return !label.isEmpty() && agent->label == label;
    });
    return found == m_agents.cend() ? nullptr : found->get();
}

/** Empty if the source's agent is unknown: another agent may watch a source with the same name. */
std::vector<AgentGroup::GroupMember *> AgentGroup::membersFor(const QString &source) const
{
    if (GroupMember *one = agentFor(source))
        return {one};
    if (!splitName(source).agent.isEmpty())
        return {};
    std::vector<GroupMember *> all;
    for (const auto &agent : m_agents) {
        if (!agent->isSame)
            all.push_back(agent.get());
    }
    return all;
}

QString AgentGroup::agentOf(const QString &source) const
{
    const GroupMember *agent = agentFor(source);
    return agent ? nameOf(agent->session.get()) : QString();
}

QString AgentGroup::labelOf(const QString &source) const
{
    return several() ? splitName(source).agent : QString();
}

QStringList AgentGroup::labels() const
{
    QStringList all;
    for (const auto &agent : m_agents) {
        if (!agent->isSame && (!several() || !agent->label.isEmpty()))
            all.append(agent->label);
    }
    return all;
}

bool AgentGroup::isLive(const QString &source) const
{
    const GroupMember *agent = agentFor(source);
    return agent && agent->session->link() == LinkState::Live;
}

const SameStores &AgentGroup::sameStores() const
{
    return m_stores;
}

LinkState AgentGroup::link() const
{
    const auto any = [this](LinkState state) {
        return std::any_of(m_agents.cbegin(), m_agents.cend(),
                           [state](const auto &agent) { return agent->session->link() == state; });
    };
    for (const LinkState state : {LinkState::Live, LinkState::Connecting, LinkState::Waiting}) {
        if (any(state))
            return state;
    }
    return LinkState::Offline;
}

base::Error AgentGroup::lastError() const
{
    for (const auto &agent : m_agents) {
        if (agent->session->link() == LinkState::Waiting)
            return agent->session->lastError();
    }
    return m_agents.front()->session->lastError();
}

qint64 AgentGroup::retryInMs() const
{
    qint64 first = 0;
    for (const auto &agent : m_agents) {
        const qint64 inMs = agent->session->retryInMs();
        if (inMs > 0)
            first = first > 0 ? std::min(first, inMs) : inMs;
    }
    return first;
}

qint64 AgentGroup::untilUs(const QString &source, qint64 agentWallUs, const base::Clock &own) const
{
    const GroupMember *agent = agentFor(source);
    return agent ? agent->session->untilUs(agentWallUs, own) : agentWallUs - own.wallUs();
}

qint64 AgentGroup::aheadUs(const QString &source) const
{
    const GroupMember *agent = agentFor(source);
    return agent ? agent->session->aheadUs() : 0;
}

qint64 AgentGroup::aheadUs() const
{
    std::optional<qint64> least;
    for (const auto &agent : m_agents) {
        if (agent->session->link() == LinkState::Live)
            least = std::min(least.value_or(agent->session->aheadUs()), agent->session->aheadUs());
    }
    return least.value_or(0);
}

qint64 AgentGroup::lagUs() const
{
    qint64 longest = -1;
    for (const auto &agent : m_agents)
        longest = std::max(longest, agent->session->lagUs());
    return longest;
}

protocol::Welcome AgentGroup::welcome() const
{
    if (!several())
        return m_agents.front()->session->welcome();
    protocol::Welcome all;
    QStringList names;
    for (const auto &agent : m_agents) {
        if (agent->label.isEmpty())
            continue;
        const protocol::Welcome one = agent->session->welcome();
        names.append(agent->label);
        all.grants.list += one.grants.list;
        all.user = all.user.isEmpty() ? one.user : all.user;
        all.program = one.program;
    }
    all.agent = names.join(QLatin1String(", "));
    if (!all.grants.list.isEmpty())
        all.role = domain::roleName(all.grants.role());
    return all;
}

protocol::Welcome AgentGroup::welcome(const QString &source) const
{
    const GroupMember *agent = agentFor(source);
    return agent ? agent->session->welcome() : protocol::Welcome();
}

domain::Grants AgentGroup::grants() const
{
    return welcome().grants;
}

bool AgentGroup::hasGrants(const QString &source) const
{
    return !welcome(source).grants.list.isEmpty();
}

bool AgentGroup::may(domain::Permission permission, const QString &source, const QByteArray &lock) const
{
    const QString plain = several() ? splitName(source).source : source;
    return welcome(source).grants.may(permission, plain, lock);
}

bool AgentGroup::mayOnAll(domain::Permission permission, const QString &source) const
{
    const QString plain = several() ? splitName(source).source : source;
    return welcome(source).grants.mayOnAll(permission, plain);
}

QStringList AgentGroup::slowAgents() const
{
    constexpr qint64 kSlowMs = 1000;
    QStringList slow;
    for (const auto &asked : m_asked) {
        if (asked->parts.size() < 2 || !asked->context || asked->since.elapsed() < kSlowMs)
            continue;
        for (const GroupRequest::AgentAnswer &part : std::as_const(asked->parts)) {
            if (!part.answered && !part.agent.isEmpty() && !slow.contains(part.agent))
                slow.append(part.agent);
        }
    }
    return slow;
}

} // namespace lockkeeper::app::session
