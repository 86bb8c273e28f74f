// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/time_axis.h"
#include "shared/protocol/messages.h"

#include <QList>

#include <optional>

namespace lockkeeper::app::report {

/** One question to the agent. */
enum class EvidencePart : quint8 {
    Status = 0,
    Timeline,
    Holds,
    Events,
    Audit,
    Alerts,
    Advice,
    Chains,
};

/** A question that failed: the report names it, because its silence proves nothing. */
struct Unread
{
    EvidencePart part = EvidencePart::Status;
    base::Error error;
    bool operator==(const Unread &) const = default;
};

/**
 * Everything that was read for a report on one lock and one range of time. Plain values, made by
 * IncidentReader. Times are microseconds since the epoch, by the store's clock unless a name says otherwise.
 */
struct IncidentEvidence
{
    domain::LockKey key;
    timeline::TimeRange range;
    QString agent;
    QString agentVersion;
    QString program;   ///< that makes the report, with its version
    qint64 madeUs = 0; ///< by the clock of the program that makes the report

    std::optional<domain::SourceState> source; ///< as of now
    protocol::TimelinePage timeline;           ///< the lane of the lock, and the gaps of its source
    QList<protocol::Hold> holds;               ///< newest first
    bool holdsCut = false;                     ///< older holds exist in the range
    QList<events::LockEvent> events;           ///< of the lock, oldest first
    bool eventsCut = false;                    ///< older events exist in the range
    QList<domain::AuditEntry> audit;           ///< about the lock, newest first; by the agent's wall clock
    bool auditCut = false;                     ///< older entries weren't read
    QList<domain::Alert> alerts;               ///< about the lock, and true at some time in the range
    protocol::AdvicePage advice;               ///< about the lock
    QList<domain::WaitGraph> graphs;           ///< at `graphsAtUs`
    std::optional<qint64> graphsAtUs;          ///< empty: not asked for

    QList<Unread> unread;
    QStringList leftOutAgents; ///< agents that didn't answer: they may know the lock too

    bool hasRead(EvidencePart part) const
    {
        for (const Unread &one : unread) {
            if (one.part == part)
                return false;
        }
        return true;
    }
};

} // namespace lockkeeper::app::report
