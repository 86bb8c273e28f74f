// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/journal.h"
#include "agent/journal/query/advice_queries.h"
#include "agent/release/approvals.h"
#include "agent/release/releaser.h"
#include "agent/requests/alert_center.h"
#include "agent/requests/discovery_runner.h"
#include "agent/requests/liveness_center.h"
#include "agent/requests/prober.h"

#include <QObject>

#include <functional>
#include <stop_token>

namespace lockkeeper::agent::requests {

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

    Dispatcher(release::SourceDirectory &sources, journal::Journal &journal, release::Releaser &releaser,
               Prober &prober, release::Approvals &approvals, AlertCenter &alerts, LivenessCenter &liveness,
               DiscoveryRunner &discoveries, Barrier barrier, StatusOf status, StandbyOf standby);

    /** Whether `asker` may send `message`. If not, the refusal has been sent; the refusal of an act has also
     * been audited, within Releaser::refusals(). */
    bool allowed(const protocol::Message &message, const release::Asker &asker, const Reply &reply);
    /**
     * Handles an allowed request. Returns false if this class doesn't handle such messages. `takenBack`
     * cancels questions to the journal; acts are never cancelled.
     */
    bool dispatch(const protocol::Message &message, const release::Asker &asker, const Reply &reply,
                  const std::stop_token &takenBack = {});
    release::Approvals &approvals() { return m_approvals; }
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
    std::optional<QList<release::SourcePort *>>
    portsFor(quint64 id, const QString &source, const domain::Sight &sight, const Reply &reply) const;
    void chains(const protocol::ChainsQuery &query, const domain::Sight &sight, const Reply &reply);
    QList<release::SourcePort *> seenPorts(const domain::Sight &sight) const;
    QStringList sourceNames(const domain::Sight &sight) const;
    journal::SeenUntil seenUntil() const;
    journal::AdviceQueries::Sources adviceSources(const domain::Sight &sight) const;
    void readNow(const protocol::ReadNow &request, const release::Asker &asker, const domain::Sight &sight,
                 const Reply &reply);

    release::SourceDirectory &m_sources;
    journal::Journal &m_journal;
    release::Releaser &m_releaser;
    Prober &m_prober;
    release::Approvals &m_approvals;
    AlertCenter &m_alerts;
    LivenessCenter &m_liveness;
    DiscoveryRunner &m_discoveries;
    Barrier m_barrier;
    StatusOf m_status;
    StandbyOf m_standby;
};

} // namespace lockkeeper::agent::requests
