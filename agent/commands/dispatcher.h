// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/alert_center.h"
#include "agent/commands/approvals.h"
#include "agent/commands/discovery_runner.h"
#include "agent/commands/liveness_center.h"
#include "agent/commands/prober.h"
#include "agent/commands/releaser.h"
#include "agent/journal/journal.h"
#include "agent/journal/query/advice_queries.h"

#include <QObject>

#include <functional>
#include <stop_token>

namespace lockkeeper::agent::commands {

/**
 * Answers clients' requests other than those that belong to a session's stream (Subscribe, LocksQuery,
 * Cancel). The permission that a request needs is checked here, once, before its handler; `reply` is called
 * exactly once and may come later.
 */
class Dispatcher : public QObject
{
    Q_OBJECT

public:
    using Reply = std::function<void(const protocol::Message &)>;
    /** Calls back once everything observed until now has been published. */
    using Barrier = std::function<void(std::function<void()>)>;
    using StatusOf = std::function<protocol::Status()>;
    /** Returns why this agent observes and releases nothing now; empty: it is active. */
    using StandbyOf = std::function<std::optional<base::Error>()>;

    Dispatcher(SourceDirectory &sources, journal::Journal &journal, Releaser &releaser, Prober &prober,
               Approvals &approvals, AlertCenter &alerts, LivenessCenter &liveness,
               DiscoveryRunner &discoveries, Barrier barrier, StatusOf status, StandbyOf standby);

    /** Whether `asker` may send `message`. If not, the refusal has been sent; the refusal of an act has also
     * been audited, within Releaser::refusals(). */
    bool allowed(const protocol::Message &message, const Asker &asker, const Reply &reply);
    /**
     * Handles an allowed request. Returns false if this class doesn't handle such messages. `takenBack`
     * cancels questions to the journal; acts are never cancelled.
     */
    bool dispatch(const protocol::Message &message, const Asker &asker, const Reply &reply,
                  const std::stop_token &takenBack = {});
    Approvals &approvals() { return m_approvals; }
    AlertCenter &alerts() { return m_alerts; }
    /** The part of the currently observed sources that these grants let a user see. */
    domain::Sight sightOf(const domain::Grants &grants) const;
    /** The table of a past moment, see PastQueries. `each` is called in the journal's reader thread, and
     * never after `done`. */
    void locksAt(const protocol::LocksQuery &query, std::function<void(const domain::LockState &)> each,
                 std::function<void(base::Result<journal::PastTable>)> done, const domain::Sight &sight,
                 const std::stop_token &takenBack = {});

private:
    struct Handler;
    /** The visible source with that name, or all visible sources if the name is empty. nullopt: the refusal
     * has been sent. */
    std::optional<QList<SourcePort *>> portsFor(quint64 id, const QString &source, const domain::Sight &sight,
                                                const Reply &reply) const;
    void chains(const protocol::ChainsQuery &query, const domain::Sight &sight, const Reply &reply);
    QList<SourcePort *> seenPorts(const domain::Sight &sight) const;
    QStringList sourceNames(const domain::Sight &sight) const;
    journal::SeenUntil seenUntil() const;
    journal::AdviceQueries::Sources adviceSources(const domain::Sight &sight) const;
    void readNow(const protocol::ReadNow &request, const Asker &asker, const domain::Sight &sight,
                 const Reply &reply);

    SourceDirectory &m_sources;
    journal::Journal &m_journal;
    Releaser &m_releaser;
    Prober &m_prober;
    Approvals &m_approvals;
    AlertCenter &m_alerts;
    LivenessCenter &m_liveness;
    DiscoveryRunner &m_discoveries;
    Barrier m_barrier;
    StatusOf m_status;
    StandbyOf m_standby;
};

} // namespace lockkeeper::agent::commands
