// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_session.h"
#include "app/session/page_merge.h"
#include "app/session/same_stores.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::app::session {

/**
 * The agents that the console is connected to, queried as if they were one. With several agents, sources are
 * named AGENT/SOURCE in all questions and in all data from here (see SourceName). A question about everything
 * goes to all agents, and their answers are merged. A question about one source goes only to its agent. An
 * agent that doesn't answer is left out, and leftOut() reports that: the result is an Error only if no agent
 * answered. Owns the sessions. Lives in the GUI thread; never blocks.
 */
class AgentGroup : public QObject
{
    Q_OBJECT

public:
    explicit AgentGroup(QString program, QObject *parent = nullptr);
    ~AgentGroup() override;

    void setTiming(const AgentSession::Timing &timing);
    /** Like AgentSession::setReconnects(), for all of them. */
    void setReconnects(bool on);
    /**
     * Connects to these agents instead of the previous ones. If the set differs, all data of the previous
     * agents is void.
     */
    void open(const QList<transport::Address> &addresses);
    void open(const transport::Address &address) { open(QList{address}); }
    void close();
    void retryNow();

    /** One for each address, in its order; at least one. */
    QList<AgentSession *> sessions() const;
    bool several() const;
    QList<transport::Address> addresses() const;
    /**
     * The agent's configured name, made unique if several agents have it. Empty until the agent has reported
     * it.
     */
    QString nameOf(const AgentSession *session) const;
    /** The agent that watches a source; with a single agent, that agent. */
    QString agentOf(const QString &source) const;
    /** The agent's key in Numbers and its prefix in source names; empty with a single agent. */
    QString labelOf(const QString &source) const;
    bool isLive(const QString &source) const;
    /** The sources that belong to the same store. Empty with a single agent. */
    const SameStores &sameStores() const;
    /** Agents that have owed an answer for at least a second to a question that several agents were asked. */
    QStringList slowAgents() const;

    /** Live if any agent is live; otherwise the most promising state. */
    LinkState link() const;
    base::Error lastError() const;     ///< of the first waiting agent
    qint64 retryInMs() const;          ///< of the first attempt; 0 without automatic retries
    protocol::Welcome welcome() const; ///< with several agents: their names, the highest role
    /** The Welcome of the agent that watches a source. */
    protocol::Welcome welcome(const QString &source) const;
    /** The labels of all agents that have reported their names; with a single agent, one empty label. */
    QStringList labels() const;
    /** The user's permission there; `source` is qualified. False until the agent has reported grants. */
    bool may(domain::Permission permission, const QString &source, const QByteArray &lock) const;
    bool mayOnAll(domain::Permission permission, const QString &source) const;
    domain::Grants grants() const; ///< with several agents all their grants: for display, not for checks
    bool hasGrants(const QString &source) const;
    /** Like AgentSession::untilUs(), by the clock of the agent that watches a source. */
    qint64 untilUs(const QString &source, qint64 agentWallUs, const base::Clock &own) const;
    /** Like AgentSession::aheadUs(), for that agent's clock. */
    qint64 aheadUs(const QString &source) const;
    /** For the live agent with the most advanced clock: no reported time of any agent is later. */
    qint64 aheadUs() const;
    qint64 lagUs() const; ///< the longest; −1 unknown

    /**
     * Reads events. For each agent, `from` has the exclusive start: numbers before it with `descending`,
     * otherwise after it. An agent without an entry begins at `startUs` (inclusive), if set.
     */
    quint64 history(const protocol::HistoryQuery &query, QObject *context, Answer<EventsRead> answer,
                    const Numbers &from = {}, std::optional<qint64> startUs = std::nullopt);
    /** `before`: holds' ids, exclusive. */
    quint64 holds(const protocol::HoldsQuery &query, QObject *context, Answer<protocol::HoldPage> answer,
                  const Numbers &before = {});
    /**
     * Reads the audit, of a single agent if `source` names it. `verify` requires that, because each agent has
     * a separate chain. `before`: ids of entries, exclusive.
     */
    quint64 audit(const protocol::AuditQuery &query, QObject *context, Answer<protocol::AuditPage> answer,
                  const Numbers &before = {}, const QString &source = {});
    quint64 waiting(const protocol::WaitingQuery &query, QObject *context, Answer<WaitingRead> answer);
    quint64 timeline(const protocol::TimelineQuery &query, QObject *context,
                     Answer<protocol::TimelinePage> answer);
    /**
     * Any other request. It goes to the agent of the source that it names. If it names none, it goes to all
     * agents, and their answers are merged. Inspect, ProbeRequest and ForceRelease need a single agent and
     * fail otherwise.
     */
    template <typename Request>
    quint64 ask(const Request &request, QObject *context, Answer<Reply<Request>> answer);
    /** Sends a request that names no source to the agent that watches `source`. */
    template <typename Request>
    quint64 askAgentOf(const QString &source, const Request &request, QObject *context,
                       Answer<Reply<Request>> answer);
    void cancel(quint64 id);

Q_SIGNALS:
    /** The sessions exist and are opened next: now is the time to set their credentials. */
    void aboutToOpen();
    /** The agents differ from before: the earlier data doesn't apply to them. */
    void agentChanged();
    /** An agent has a new name: the data of its sources is void. */
    void agentGone(const QString &agent);
    void linkChanged();
    void lagChanged(qint64 us);
    void grantsChanged();
    void approvalChanged(const lockkeeper::domain::ApprovalRequest &request);
    void alertChanged(const lockkeeper::domain::Alert &alert);
    /** An agent didn't answer a question that others answered. */
    void leftOut(const QString &agent, const lockkeeper::base::Error &error);
    /** For some store, a different agent has the best view now. */
    void sameStoresChanged();

    /** The stream of one agent: see AgentSession. `agent` is its label. */
    void tableReset(const QString &agent, quint64 atSeq);
    void tablePage(const QString &agent, const QList<lockkeeper::domain::LockState> &locks,
                   const QList<lockkeeper::domain::SourceState> &sources);
    void tableComplete(const QString &agent, quint64 atSeq);
    void eventsCame(const QString &agent, const QList<lockkeeper::events::LockEvent> &events);
    void statesCame(const QString &agent, const QList<lockkeeper::domain::LockState> &locks,
                    const QList<lockkeeper::domain::SourceState> &sources);
    void unjournalledCame(const QString &agent, const QList<lockkeeper::domain::LockState> &locks,
                          const QList<lockkeeper::domain::LockKey> &removed);

private:
    struct GroupMember;
    struct GroupRequest;

    void listen(GroupMember *agent);
    void welcomed(GroupMember *agent);
    void noteSources(const QList<domain::SourceState> &sources);
    QString freeLabel(const GroupMember &agent) const;
    GroupMember *agentFor(const QString &source) const;
    std::vector<GroupMember *> membersFor(const QString &source) const;
    template <typename Request>
    Request partFor(const GroupMember &agent, Request request, const Numbers &before = {}) const;
    template <typename Out, typename Part, typename Merge>
    quint64 askAll(const std::vector<GroupMember *> &agents, QObject *context, Answer<Out> answer, Part part,
                   Merge merge, quint64 id = 0);
    quint64 askTimeline(const protocol::TimelineQuery &query, QObject *context,
                        Answer<protocol::TimelinePage> answer, int rounds, quint64 id);

    QString m_program;
    AgentSession::Timing m_timing;
    bool m_reconnects = true;
    std::vector<std::unique_ptr<GroupMember>> m_agents;
    QHash<QString, const GroupMember *> m_labels; ///< the agent that has or had each label
    SameStores m_stores;
    QHash<quint64, std::shared_ptr<GroupRequest>> m_asked;
    quint64 m_lastId = 0;
};

} // namespace lockkeeper::app::session
