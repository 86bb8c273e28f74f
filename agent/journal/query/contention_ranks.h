// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/span_walk.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::agent::journal {

/** The figures that decide a lock's place in a ranking, and the numbers of its rows, as far as they are
 * known. */
struct ContentionRank
{
    qint64 waitUs = 0;
    qint64 waits = 0;       ///< that reach into the range
    qint64 ended = 0;       ///< holds
    Interval holdIds{0, 0}; ///< numbers of these holds, both inclusive; 0: none
    Interval waitIds{0, 0};
};

/** Adds up the cost of each lock in a range: whole hours from the roll-ups, and rows at the edges of the
 * range and where nothing is rolled up yet. For one question. See QueryContext. */
class ContentionRanks
{
public:
    /** Covers only `wanted`. The range includes its end. */
    ContentionRanks(QueryContext &context, const QueryContext::LockIds &wanted, Interval range);

    base::Result<void> add();
    const QHash<qint64, ContentionRank> &byLock() const { return m_ranks; }
    QList<qint64> order() const; ///< the locks, the costliest first
    /** Adds the row numbers of these locks that only the roll-ups have covered so far. */
    base::Result<void> findRows(const QList<qint64> &locks);

private:
    bool isWanted(qint64 lockId) const { return lockId > 0 && (m_all || m_wanted.contains(lockId)); }
    base::Result<void> addHolds(Interval within);
    base::Result<void> addWaits(Interval within);
    base::Result<void> addRolled();

    QueryContext &m_context;
    RollupReader m_rollups;
    SpanWalk m_waits;
    bool m_all;
    QSet<qint64> m_wanted;
    Interval m_range;
    Interval m_rolled; ///< whole hours: everything that ended in them is in the roll-ups, and in the rows too
    QHash<qint64, ContentionRank> m_ranks;
};

} // namespace lockkeeper::agent::journal
