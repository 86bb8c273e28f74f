// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/hold_queries.h"
#include "agent/journal/query/lane_tally.h"
#include "agent/journal/query/page_limit.h"

namespace lockkeeper::agent::journal {

/** Chooses the lanes of one timeline and fills them. For one question. See QueryContext. */
class LaneFiller
{
public:
    LaneFiller(QueryContext &context, RollupReader &rollups, HoldQueries &holds,
               const protocol::TimelineQuery &query);

    /** Fills in the page's range, lanes, `more` and `sliceUs`. */
    base::Result<void> addTo(protocol::TimelinePage &page);

private:
    /** For a lock: its number. For a source: the index of its name in m_sources. For a holder: that index and
     * the holder's name. */
    struct LaneNumber
    {
        qint64 number = 0;
        QByteArray who;
        bool operator==(const LaneNumber &) const = default;
        friend size_t qHash(const LaneNumber &id, size_t seed = 0)
        {
            return qHashMulti(seed, id.number, id.who);
        }
    };
    /** The values that rank a lane. */
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
        QList<qint64> ids;   ///< of its locks, or of its source's sums; empty for a holder
        qint64 expected = 0; ///< approximate number of bars
        bool isRolled = false;
    };

    base::Result<std::optional<LaneNumber>> laneOf(const MeasuredSpan &span);
    bool isHolderWanted(const MeasuredSpan &span) const;
    bool areWhole() const;
    void takeRange();
    Interval rolledRange() const
    {
        return {ceilTo(m_range.fromUs, m_unitUs), floorTo(m_range.toUs, m_unitUs)};
    }
    base::Result<void> rank();
    base::Result<void> rankRollups();
    template <typename Visit>
    base::Result<void> visitSpans(Interval within, bool isApart, const QueryContext::LockIds &locks,
                                  const Visit &visit);
    base::Result<void> rankSpans(Interval within, bool isApart);
    LaneNumber laneOf(const Rollup &rollup) const;
    base::Result<void> takeAsked(protocol::TimelinePage &page);
    base::Result<void> takeRanked(protocol::TimelinePage &page);
    base::Result<bool> take(const LaneNumber &id, protocol::TimelinePage &page);
    base::Result<void> expect();
    void makeTallies(protocol::TimelinePage &page);
    base::Result<void> tally();
    base::Result<void> tallyRollups();
    base::Result<void> tallySpans(Interval within, bool isApart, bool ofRolled);
    base::Result<void> fill(protocol::TimelinePage &page);
    base::Result<void> addBars(size_t at, PageLimit &room);
    base::Result<void> addHold(qint64 id, Lane &lane, PageLimit &room);
    base::Result<void> addRenewals(qint64 lockId, protocol::Hold &hold);
    base::Result<void> addWait(qint64 id, Lane &lane, PageLimit &room);
    base::Result<domain::LockKey> keyOf(qint64 lockId, const Lane &lane);

    QueryContext &m_context;
    RollupReader &m_rollups;
    HoldQueries &m_holds;
    const protocol::TimelineQuery &m_query;
    qint64 m_nowUs; ///< open spans count until then
    protocol::TimelineLanes m_by;
    Interval m_range;
    qint64 m_unitUs = kHourUs; ///< unit of the roll-ups
    bool m_mayRoll = false;    ///< the roll-ups have such lanes
    bool m_onlyRolled = false; ///< only roll-ups are left for a part of the range
    QStringList m_sources;     ///< names
    QHash<LaneNumber, Rank> m_ranks;
    QueryContext::LockIds m_wanted; ///< empty: all
    QSet<qint64> m_some;            ///< m_wanted as a set
    QHash<LaneNumber, qsizetype> m_laneOf;
    std::vector<Lane> m_lanes;
    std::vector<LaneTally> m_tallies; ///< of each lane
};

} // namespace lockkeeper::agent::journal
