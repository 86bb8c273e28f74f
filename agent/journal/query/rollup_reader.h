// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/rollup_store.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** The sums of one lock, or of all locks of a source, over an hour or a day: the holds and waits that ended
 * in it, and the time that lay in it. */
struct Rollup
{
    qint64 fromUs = 0; ///< beginning of the hour or the day
    qint64 lockId = 0; ///< negative: a source's number
    qint64 holds = 0;
    qint64 heldUs = 0;
    qint64 waits = 0;
    qint64 waitedUs = 0;
    qint64 forced = 0;
    Interval holdIds{0, 0}; ///< numbers of the holds that ended in it, both inclusive; 0: none
    Interval waitIds{0, 0};

    void add(const Rollup &other);
};

/** Extends `ids`, both inclusive, to include `other`; a range from 0 is empty. */
void addIds(Interval &ids, Interval other);

/** Reads the roll-ups. Their extent is read once, when the question begins. See QueryContext. */
class RollupReader
{
public:
    using Visit = std::function<base::Result<void>(const Rollup &)>;

    explicit RollupReader(QueryContext &context);

    qint64 untilUs() const { return m_untilUs; }                ///< everything that ended before is in them
    qint64 eventSeq() const { return m_seq; }                   ///< and so are the events up to this one
    qint64 keptUs() const { return m_keptUs; }                  ///< some rows that ended before are deleted
    std::optional<qint64> firstUs() const { return m_firstUs; } ///< beginning of the oldest roll-up

    Interval hours() const { return m_hours; } ///< from the first row's hour to the last row's

    /** Visits the sums of all locks in whole hours, by days where they fit. Leaves out `forced` and the
     * numbers of rows, which are needed for few of so many sums. */
    base::Result<void> visit(Interval hours, const Visit &visit);
    /** Visits the whole rows of these locks; `unitUs` is an hour or a day. */
    base::Result<void> visitLocks(const QList<qint64> &locks, Interval units, qint64 unitUs,
                                  const Visit &visit);
    /** The sum of one lock over the hours that the range touches, or over a little more. */
    base::Result<Rollup> sumOf(qint64 lockId, Interval range);
    /** The same for each of these locks that has a sum, by lock number. */
    base::Result<QHash<qint64, Rollup>> sumsOf(const QList<qint64> &locks, Interval range);

private:
    base::Result<void> visitRows(const char *statement, Interval range, qint64 unitUs, const Visit &visit);

    QueryContext &m_context;
    qint64 m_untilUs;
    qint64 m_seq;
    qint64 m_keptUs;
    Interval m_hours;
    std::optional<qint64> m_firstUs;
};

} // namespace lockkeeper::agent::journal
