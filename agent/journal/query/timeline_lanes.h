// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/lane_tally.h"
#include "agent/journal/query/page_limit.h"

namespace lockkeeper::agent::journal {

/** The lanes of one timeline: which they are, and what each holds. For one question. See QueryContext. */
class TimelineLanes
{
public:
    TimelineLanes(QueryContext &context, const protocol::TimelineQuery &query, Interval range, qint64 nowUs);

    /** Fills in the page's lanes, `more` and `sliceUs`. */
    base::Result<void> addTo(protocol::TimelinePage &page);

private:
    /** Of a lock its number; of a source where its name stands in m_sources, and of a holder its name too. */
    struct LaneId
    {
        qint64 number = 0;
        QByteArray who;
        bool operator==(const LaneId &) const = default;
        friend size_t qHash(const LaneId &id, size_t seed = 0) { return qHashMulti(seed, id.number, id.who); }
    };
    /** What ranks a lane. */
    struct Rank
    {
        qint64 waitUs = 0;
        qint64 heldUs = 0;
        qint64 holds = 0;
        qint64 waits = 0;
    };
    struct Lane
    {
        protocol::TimelineLane out;
        LaneTally tally;
    };

    base::Result<std::optional<LaneId>> laneOf(const Span &span);
    bool isHolderWanted(const Span &span) const;
    base::Result<void> rank();
    base::Result<void> takeAsked(protocol::TimelinePage &page);
    base::Result<void> takeRanked(protocol::TimelinePage &page);
    base::Result<bool> take(const LaneId &id, protocol::TimelinePage &page);
    void makeTallies(protocol::TimelinePage &page);
    base::Result<void> tally();
    base::Result<void> fill(protocol::TimelinePage &page);
    base::Result<void> addBars(Lane &lane, PageLimit &room);
    base::Result<void> addHold(qint64 id, Lane &lane, PageLimit &room);
    base::Result<void> addWait(qint64 id, Lane &lane, PageLimit &room);
    base::Result<domain::LockKey> keyOf(qint64 lockId, const Lane &lane);

    QueryContext &m_context;
    const protocol::TimelineQuery &m_query;
    Interval m_range;
    qint64 m_nowUs;
    protocol::TimelineLanes m_by;
    QStringList m_sources; ///< names
    QHash<LaneId, Rank> m_ranks;
    QueryContext::LockIds m_locks; ///< of the lanes that were taken, where they are locks
    QHash<LaneId, qsizetype> m_laneOf;
    std::vector<protocol::TimelineLane> m_taken;
    std::vector<Lane> m_lanes;
};

} // namespace lockkeeper::agent::journal
