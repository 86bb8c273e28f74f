// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QHash>
#include <QMap>
#include <QSet>

namespace lockkeeper::app::session {

class AgentSession;

/** A separate number for each agent, by agentLabel(); "" stands for a single agent. */
using Numbers = QHash<QString, quint64>;

/** The waiting in several agents' sources. Where agents observe the same store, `sources` has its best
 * answer. */
struct WaitingRead : protocol::WaitingPage
{
    QList<protocol::SourceWaiting> copies; ///< the other answers for the same stores
};

/** Events of one journal or of several. */
struct EventsRead
{
    /** One agent's oldest and newest number, and the read position. */
    struct JournalRange
    {
        quint64 firstSeq = 0;
        quint64 lastSeq = 0;
        /**
         * The last number that was read and taken; empty: none, so the next question starts at the same
         * number.
         */
        std::optional<quint64> readTo = {};
        bool operator==(const JournalRange &) const = default;
    };

    quint64 id = 0;
    QList<events::LockEvent> events; ///< each agent's in its order, the agents' by time
    bool more = false;
    QHash<QString, JournalRange> journals; ///< by agentLabel()
    QSet<const AgentSession *> away = {};  ///< queried, but not connected at the time of the answer
    /** Without events: the search covered the time from the question's start to this time. */
    std::optional<qint64> reachedUs;

    /** Moves the read positions to the end of these events. */
    void goOn(Numbers &from) const
    {
        for (auto it = journals.cbegin(); it != journals.cend(); ++it) {
            if (it->readTo)
                from.insert(it.key(), *it->readTo);
        }
    }
};

/**
 * Merges the answers of several agents to the same question. Pure. Names are already qualified. Each agent's
 * order is kept; between agents, time decides. After the last event of an incomplete page no later event is
 * taken, because that agent may have more in between.
 */
EventsRead mergedEvents(const QMap<QString, protocol::EventPage> &pages, int limit, bool descending);
protocol::HoldPage mergedHolds(const QList<protocol::HoldPage> &pages, int limit);
protocol::AuditPage mergedAudit(const QList<protocol::AuditPage> &pages, int limit);
protocol::SnapshotPage mergedLocks(const QList<protocol::SnapshotPage> &pages);
protocol::ChainsPage mergedChains(const QList<protocol::ChainsPage> &pages);
protocol::ContentionPage mergedContention(const QList<protocol::ContentionPage> &pages, int limit);
protocol::WaitingPage mergedWaiting(const QList<protocol::WaitingPage> &pages);
protocol::ApprovalsPage mergedApprovals(const QList<protocol::ApprovalsPage> &pages);
protocol::AdvicePage mergedAdvice(const QList<protocol::AdvicePage> &pages);
/** All pages have the same `sliceUs`, except those without slices. `keys`: the order of the lanes, if any. */
protocol::TimelinePage mergedTimeline(const QList<protocol::TimelinePage> &pages, int lanes,
                                      const QList<domain::LockKey> &keys);

} // namespace lockkeeper::app::session
