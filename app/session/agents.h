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
 * The agents that the console is connected to, one or several, asked as one. With several, sources are called
 * AGENT/SOURCE in all that comes from here and in all that is asked (see SourceName); questions about
 * everything go to all and their answers are merged; what concerns one source goes to its agent alone. An
 * agent that doesn't answer is left out, and leftOut() says so: an answer is an Error only where none came.
 * Owns the sessions. Lives in the GUI thread; never blocks.
 */
class Agents : public QObject
{
    Q_OBJECT

public:
    explicit Agents(QString program, QObject *parent = nullptr);
    ~Agents() override;

    void setTiming(const AgentSession::Timing &timing);
    /** As AgentSession::setReconnects(), for all of them. */
    void setReconnects(bool on);
    /** Connects to these instead of those before. What was known of them is void if the set is another one.
     */
    void open(const QList<transport::Address> &addresses);
    void open(const transport::Address &address) { open(QList{address}); }
    void close();
    void retryNow();

    /** One for each address, in its order; at least one. */
    QList<AgentSession *> sessions() const;
    bool several() const;
    QList<transport::Address> addresses() const;
    /** What a session's agent is called: its configured name, told apart from others of the same name. Empty
     * before it has told it. */
    QString nameOf(const AgentSession *session) const;
    /** The agent that watches a source; where there is one alone, that one. */
    QString agentOf(const QString &source) const;
    /** What stands for the agent in Numbers and before its sources; empty where there is one alone. */
    QString labelOf(const QString &source) const;
    bool isLive(const QString &source) const;
    /** Which sources are of the same store. Empty where there is one agent alone. */
    const SameStores &sameStores() const;
    /** Those that keep a question waiting that others have answered for a second. */
    QStringList slowAgents() const;

    /** Live where any is; else what most may come of. */
    LinkState link() const;
    base::Error lastError() const;     ///< of the first that waits: why
    qint64 retryInMs() const;          ///< of the first attempt; 0 where none is made by itself
    protocol::Welcome welcome() const; ///< of one; of several their names, all features, the highest role
    /** Of the agent that watches a source. */
    protocol::Welcome welcome(const QString &source) const;
    /** Of all that have told their names; of one alone an empty one. */
    QStringList labels() const;
    /** Some agent knows the feature. */
    bool knows(const char *feature) const;
    /** What this user may do there; `source` qualified. Nothing before the agent has told. */
    bool may(domain::Permission permission, const QString &source, const QByteArray &lock) const;
    bool mayOnAll(domain::Permission permission, const QString &source) const;
    domain::Grants grants() const; ///< of one; of several those of all together, to be told, not to be asked
    bool hasGrants(const QString &source) const;
    /** As AgentSession::untilUs(), by the clock of the agent that watches a source. */
    qint64 untilUs(const QString &source, qint64 agentWallUs, const base::Clock &own) const;
    /** As AgentSession::aheadUs(), of that agent's clock. */
    qint64 aheadUs(const QString &source) const;
    /** Of the live agent whose clock is furthest on: nothing that any of them tells is of a later time. */
    qint64 aheadUs() const;
    qint64 lagUs() const; ///< the longest; −1 unknown

    /**
     * Events; `from` says for each agent where to go on, exclusively: before those numbers with `descending`,
     * else after them. An agent without one begins at `startUs` (inclusive), where that is set.
     */
    quint64 history(const protocol::HistoryQuery &query, QObject *context, Answer<EventsRead> answer,
                    const Numbers &from = {}, std::optional<qint64> startUs = std::nullopt);
    /** `before`: holds' ids, exclusive. */
    quint64 holds(const protocol::HoldsQuery &query, QObject *context, Answer<protocol::HoldPage> answer,
                  const Numbers &before = {});
    /** Of one agent alone where `source` names it, as it has to with `verify`: each chain is its agent's own.
     * `before`: entries' ids, exclusive. */
    quint64 audit(const protocol::AuditQuery &query, QObject *context, Answer<protocol::AuditPage> answer,
                  const Numbers &before = {}, const QString &source = {});
    quint64 timeline(const protocol::TimelineQuery &query, QObject *context,
                     Answer<protocol::TimelinePage> answer);
    /** Any other request: of the agent of the source that it names; where it names none, of all, and their
     * answers come as one. Inspect, ProbeRequest and ForceRelease are of one agent, or fail. */
    template <typename Request>
    quint64 ask(const Request &request, QObject *context, Answer<Reply<Request>> answer);
    /** A request that names no source, of the agent that watches `source`. */
    template <typename Request>
    quint64 askAgentOf(const QString &source, const Request &request, QObject *context,
                       Answer<Reply<Request>> answer);
    void cancel(quint64 id);

Q_SIGNALS:
    /** The sessions stand, and are opened next: the time to give them their credentials. */
    void aboutToOpen();
    /** Others than before: what was told is no news of these. */
    void agentChanged();
    /** One has another name than before: what was told of its sources is void. */
    void agentGone(const QString &agent);
    void linkChanged();
    void lagChanged(qint64 us);
    void grantsChanged();
    void approvalChanged(const lockkeeper::domain::ApprovalRequest &request);
    /** An agent didn't answer a question that others did. */
    void leftOut(const QString &agent, const lockkeeper::base::Error &error);
    /** Some store is seen best by another agent than before. */
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
    struct Agent;
    struct Asked;

    void listen(Agent *agent);
    void welcomed(Agent *agent);
    void noteSources(const QList<domain::SourceState> &sources);
    QString freeLabel(const Agent &agent) const;
    Agent *agentFor(const QString &source) const;
    std::vector<Agent *> whom(const QString &source) const;
    template <typename Request>
    Request partFor(const Agent &agent, Request request, const Numbers &before = {}) const;
    template <typename Out, typename Part, typename Merge>
    quint64 askAll(const std::vector<Agent *> &agents, QObject *context, Answer<Out> answer, Part part,
                   Merge merge, quint64 id = 0);
    quint64 askTimeline(const protocol::TimelineQuery &query, QObject *context,
                        Answer<protocol::TimelinePage> answer, int rounds, quint64 id);

    QString m_program;
    AgentSession::Timing m_timing;
    bool m_reconnects = true;
    std::vector<std::unique_ptr<Agent>> m_agents;
    QHash<QString, const Agent *> m_labels; ///< whose each is, or was
    SameStores m_stores;
    QHash<quint64, std::shared_ptr<Asked>> m_asked;
    quint64 m_lastId = 0;
};

} // namespace lockkeeper::app::session
