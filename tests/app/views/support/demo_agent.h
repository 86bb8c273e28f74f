// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/session/alert_fixture.h"
#include "tests/app/session/replay_agent.h"
#include "tests/app/views/support/demo_feed.h"

namespace lockkeeper::tests {

/** Three pieces of advice about the first locks, in answer to `query`. */
protocol::AdvicePage demoAdvice(QList<domain::LockState> locks, qint64 nowUs,
                                const protocol::AdviceQuery &query);
/** Alerts of each severity and phase about these locks, and three receivers, one of which fails. */
AlertBook demoAlerts(const QList<domain::LockState> &locks, qint64 nowUs);

/**
 * An agent with data for every view. It has the feed's locks, a chain of five, a whole table, a deadlock and
 * a source in danger. It has an hour's events with a gap, and holds with their waits, ends and timeline. It
 * also has a past moment, contention and an audit. It reports its sources when it is asked for its status or
 * its chains.
 */
class DemoAgent : public ReplayAgent
{
public:
    DemoAgent(const DemoFeed &feed, const base::Clock &clock);

    domain::WaitGraph graph;

private:
    void addChains();
    void addEvents(const QList<domain::LockState> &locks);
    void addHolds(const QList<domain::LockState> &locks);
    void addAudit(const QList<domain::LockState> &locks);
    void addContention(const QList<domain::LockState> &locks);
    protocol::TimelinePage timelineOf(const protocol::TimelineQuery &query) const;
    protocol::SnapshotPage pastAt(quint64 id, qint64 atUs) const;
    std::optional<protocol::Message> reply(const protocol::Message &message);

    const base::Clock &m_clock;
    qint64 m_nowUs; ///< the clock's time when the agent was made
    QList<domain::SourceState> m_sources;
    QList<protocol::Hold> m_holds;
    QList<domain::AuditEntry> m_audit;
    protocol::ContentionPage m_contention;
    AlertBook m_alerts;
};

} // namespace lockkeeper::tests
