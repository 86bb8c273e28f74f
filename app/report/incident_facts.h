// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/incident_evidence.h"
#include "shared/events/observed.h"

namespace lockkeeper::app::report {

/** The moment at which most clients waited; of several, the beginning of the longest such time. */
struct WaitPeak
{
    qint64 us = 0;
    int waiters = 0; ///< 0: nobody was seen waiting
    bool operator==(const WaitPeak &) const = default;
};

/** The chain of sessions that led to the lock's waiters at the peak. */
struct RootBlocker
{
    QByteArray holder;       ///< the holder, or the id of the connection that doesn't wait
    domain::Session session; ///< of a chain of connections; otherwise without an id
    int length = 0;          ///< sessions from the root to the last waiter, both included
    int behind = 0;          ///< sessions that waited behind it
    bool deadlock = false;
};

/** The figures that the evidence shows. Everything is within the range, unless a name says otherwise. */
struct IncidentFacts
{
    QList<protocol::Hold> holds; ///< oldest first
    QList<protocol::Wait> waits; ///< oldest first
    bool waitsSummed = false; ///< too many waits to list: `waits` is empty, `waitCount` and `waitedUs` count
    int holders = 0;          ///< distinct and known
    int waiters = 0;          ///< distinct
    qint64 waitCount = 0;
    qint64 waitedUs = 0; ///< summed over all waiters
    qint64 longestWaitUs = 0;
    WaitPeak peak;
    qsizetype mainHold = -1; ///< index in `holds`: the hold behind which clients waited longest
    qint64 waitedBehindUs = 0;
    std::optional<RootBlocker> root;

    qint64 seenUntilUs = 0;             ///< the source's last observation, at most the end of the range
    QList<events::Interval> unobserved; ///< ascending and disjoint
    bool onlyPartly = false;            ///< at some of these times only a part of the source wasn't observed
    bool knowsObserved = false;         ///< false: which times were observed couldn't be read
    std::optional<qint64> firstSeenUs;  ///< the first and the last trace of the lock
    std::optional<qint64> lastSeenUs;

    qint64 unobservedUs() const;
};

/** Pure. */
IncidentFacts factsOf(const IncidentEvidence &evidence);

/** The part of a hold or a wait that lies within the range; an open one ends at `seenUntilUs`. */
events::Interval within(const timeline::TimeRange &range, qint64 fromUs, std::optional<qint64> toUs,
                        qint64 seenUntilUs);

} // namespace lockkeeper::app::report
