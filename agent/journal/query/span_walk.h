// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/rollup_reader.h"
#include "agent/journal/storage/hold_rows.h"

#include <functional>
#include <limits>

namespace lockkeeper::agent::journal {

/** A hold or a wait, with the values that are added up. */
struct MeasuredSpan
{
    static constexpr qint64 kOpen = std::numeric_limits<qint64>::max();

    bool ofWait = false;
    qint64 id = 0;
    qint64 lockId = 0;
    qint64 fromUs = 0;
    qint64 toUs = kOpen; ///< kOpen: it continues
    HoldEnd end = HoldEnd::Open;
    std::optional<QByteArray> who; ///< the holder, or the waiter; only if requested
    bool isCounted = false;        ///< its end is counted in the roll-ups
};

/** Reads the holds and waits that overlap a range of time. See QueryContext. */
class SpanWalk
{
public:
    using Visit = std::function<base::Result<void>(const MeasuredSpan &)>;

    enum class What : quint8 { All, Waits };

    /** `withWho` reads the row of each wait, not only an index; `locks`: only these locks. */
    SpanWalk(QueryContext &context, RollupReader &rollups, bool withWho, const QueryContext::LockIds &locks,
             What what = What::All);

    /**
     * Visits each of them once, in no order, whatever the stores' clocks did. Spans that ended in the hours
     * of the range are found by their end. Spans that ended later are found because they crossed the border
     * of an hour. Open spans, and spans that aren't in the roll-ups yet, are all walked.
     */
    base::Result<void> walk(Interval range, const Visit &visit);
    /** Visits those whose time is in no sum of the roll-ups: spans longer than a day, and spans that aren't
     * in the roll-ups yet. */
    base::Result<void> walkApart(Interval range, const Visit &visit);

private:
    std::unique_ptr<SqliteStatement> prepared(const char *name, bool filtered = true) const;
    base::Result<void> visitAll(SqliteStatement &rows, bool ofWait, const Visit &visit,
                                bool isCounted = false);
    base::Result<void> visitEnded(bool ofWait, Interval range, const Visit &visit);
    base::Result<void> visitCrossing(bool ofWait, bool isLong, Interval ends, qint64 toUs,
                                     const Visit &visit);
    base::Result<void> visitUnseen(bool ofWait, Interval range, const Visit &visit);

    QueryContext &m_context;
    RollupReader &m_rollups;
    bool m_withWho;
    QString m_only; ///< SQL
    QSet<qint64> m_wanted;
    bool m_all;
    QList<bool> m_ofWaits; ///< false: walk holds, true: walk waits
};

} // namespace lockkeeper::agent::journal
