// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/span_walk.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::agent::journal {

/** What decides a lock's place in a ranking, and where its rows lie, as far as rows were read for it. */
struct ContentionRank
{
    qint64 waitUs = 0;
    qint64 waits = 0;       ///< that reach into the range
    qint64 ended = 0;       ///< holds
    Interval holdIds{0, 0}; ///< of those, both inclusive; 0: none
    Interval waitIds{0, 0};
};

/** Adds up what each lock cost in a range: whole hours by the roll-ups, and by the rows what lies at the
 * edges of the range or isn't rolled up. For one question. See QueryContext. */
class ContentionRanks
{
public:
    /** Of `wanted` alone; the range's end is a moment of it. */
    ContentionRanks(QueryContext &context, const QueryContext::LockIds &wanted, Interval range);

    base::Result<void> add();
    const QHash<qint64, ContentionRank> &byLock() const { return m_ranks; }
    QList<qint64> order() const; ///< the locks, the costliest first
    /** Adds where the rows of these lie that the roll-ups have added up. */
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
    Interval m_rolled; ///< whole hours: all that ended in them is in the roll-ups, and in the rows too
    QHash<qint64, ContentionRank> m_ranks;
};

} // namespace lockkeeper::agent::journal
