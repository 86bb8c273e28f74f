// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QHash>
#include <QMap>
#include <QSet>

namespace lockkeeper::app::session {

class AgentSession;

/** A number of each agent's own, by agentLabel(); "" stands for the agent where there is one alone. */
using Numbers = QHash<QString, quint64>;

/** Events of one journal or of several. */
struct EventsRead
{
    /** What one agent's journal reaches back to, and its newest number. */
    struct Journal
    {
        quint64 firstSeq = 0;
        quint64 lastSeq = 0;
        /** What was read of it, and taken; empty: nothing, so that it is asked from the same number on. */
        std::optional<quint64> readTo = {};
        bool operator==(const Journal &) const = default;
    };

    quint64 id = 0;
    QList<events::LockEvent> events; ///< each agent's in its own order, the agents' by time
    bool more = false;
    QHash<QString, Journal> journals;     ///< by agentLabel()
    QSet<const AgentSession *> away = {}; ///< who were asked and weren't connected when the answer was made
    /** Without events: what lies between the question's beginning and this time was looked at. */
    std::optional<qint64> reachedUs;

    /** Where to ask on. */
    void goOn(Numbers &from) const
    {
        for (auto it = journals.cbegin(); it != journals.cend(); ++it) {
            if (it->readTo)
                from.insert(it.key(), *it->readTo);
        }
    }
};

/**
 * Answers of several agents to the same question made one. Pure. Names are qualified already. Each agent's
 * own order stays; between agents the times decide. What comes after the last of a page of which there is
 * more isn't taken: the agent may have something in between.
 */
EventsRead mergedEvents(const QMap<QString, protocol::EventPage> &pages, int limit, bool descending);
protocol::HoldPage mergedHolds(const QList<protocol::HoldPage> &pages, int limit);
protocol::AuditPage mergedAudit(const QList<protocol::AuditPage> &pages, int limit);
protocol::SnapshotPage mergedLocks(const QList<protocol::SnapshotPage> &pages);
protocol::ChainsPage mergedChains(const QList<protocol::ChainsPage> &pages);
protocol::ContentionPage mergedContention(const QList<protocol::ContentionPage> &pages, int limit);
protocol::WaitingPage mergedWaiting(const QList<protocol::WaitingPage> &pages);
protocol::ApprovalsPage mergedApprovals(const QList<protocol::ApprovalsPage> &pages);
/** All with the same `sliceUs`, but for those without slices. `keys`: the order of the lanes, if any. */
protocol::TimelinePage mergedTimeline(const QList<protocol::TimelinePage> &pages, int lanes,
                                      const QList<domain::LockKey> &keys);

} // namespace lockkeeper::app::session
