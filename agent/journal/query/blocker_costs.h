// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "agent/journal/storage/records.h"
#include "shared/domain/contention.h"

#include <QHash>
#include <QSet>

#include <utility>
#include <vector>

namespace lockkeeper::agent::journal {

/**
 * Adds up the waiting that each holder or statement caused in a range. Each part of a wait counts for the
 * hold that certainly lasted then: from the moment at which the hold was seen until the earliest moment at
 * which it may have ended. A hold that is still open lasts until the source's last observation.
 *
 * All other waiting is unattributed: nobody was seen to hold the lock, or its holder isn't known. Several
 * holders may share the lock, or the waiter is the holder itself. The hold's beginning is no longer kept.
 * For statements also: the hold began without a statement, or this user may not see the source's statements.
 *
 * For one question. See QueryContext.
 */
class BlockerCosts
{
public:
    static constexpr qsizetype kMostWaits = 200'000;

    /** `ranking`: Holder or Statement. The range includes its end. */
    BlockerCosts(QueryContext &context, domain::ContentionRanking ranking, Interval range,
                 const SeenUntil &seenUntil);

    /** Reads the waits of `wanted` in `source` (empty: all), and the holds beside them. Returns TooLarge if
     * the range has more than kMostWaits. */
    base::Result<void> add(const QString &source, const QueryContext::LockIds &wanted);
    QList<domain::BlockerCost> costs() const; ///< the costliest first
    qint64 unattributedUs() const { return m_unattributedUs; }

private:
    struct BlockedWait
    {
        Interval span; ///< its part in the range
        QByteArray waiter;
    };
    using BlockedWaits = std::vector<BlockedWait>;
    struct BlockingHold
    {
        Interval span; ///< when it certainly lasted
        QByteArray owner;
        QByteArray name; ///< the owner or the statement, which is ranked
    };
    struct BlockerSum
    {
        domain::BlockerCost figures;
        QSet<qint64> locks;
        QSet<QByteArray> waiters;
    };

    base::Result<void> readWaits(const QString &source, const QueryContext::LockIds &wanted);
    base::Result<void> addLock(qint64 lockId, BlockedWaits &waits);
    base::Result<std::vector<BlockingHold>> holdsDuring(qint64 lockId, const domain::LockKey &key,
                                                        const BlockedWaits &waits);
    std::optional<Interval> certainPart(const HoldRow &row, const QList<Interval> &observed) const;
    base::Result<std::optional<QByteArray>> nameOf(const SqliteStatement &rows, const HoldRow &row,
                                                   const domain::LockKey &key) const;
    void charge(qint64 lockId, const QString &source, const BlockedWait &wait,
                const std::vector<BlockingHold> &holds);
    base::Result<QList<Interval>> observedOf(const QString &source);

    QueryContext &m_context;
    domain::ContentionRanking m_ranking;
    Interval m_range;
    const SeenUntil &m_seenUntil;
    QHash<qint64, BlockedWaits> m_waits; ///< by lock
    QHash<QString, QList<Interval>> m_observed;
    QHash<std::pair<QString, QByteArray>, BlockerSum> m_sums; ///< by source and name
    qint64 m_unattributedUs = 0;
};

} // namespace lockkeeper::agent::journal
