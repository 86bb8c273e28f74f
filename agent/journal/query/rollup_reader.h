// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/rollup_store.h"

#include <functional>

namespace lockkeeper::agent::journal {

/** What of one lock, or of all locks of a source, ended in an hour or a day, or lay in it. */
struct Rollup
{
    qint64 fromUs = 0; ///< where the hour or the day begins
    qint64 lockId = 0; ///< negative: a source's number
    qint64 holds = 0;
    qint64 heldUs = 0;
    qint64 waits = 0;
    qint64 waitedUs = 0;
    qint64 forced = 0;
    Interval holdIds{0, 0}; ///< of those that ended in it, both inclusive; 0: none
    Interval waitIds{0, 0};

    void add(const Rollup &other);
};

/** Makes `ids`, both inclusive, reach over `other` too; from 0: none. */
void addIds(Interval &ids, Interval other);

/** Reads the roll-ups. How far they reach is read once, when the question begins. See QueryContext. */
class RollupReader
{
public:
    using Visit = std::function<base::Result<void>(const Rollup &)>;

    explicit RollupReader(QueryContext &context);

    qint64 untilUs() const { return m_untilUs; } ///< what ended before is in them
    qint64 eventSeq() const { return m_seq; }    ///< and the events up to this one
    qint64 keptUs() const { return m_keptUs; }   ///< some of what ended before is in no other row any more
    std::optional<qint64> firstUs() const { return m_firstUs; } ///< the oldest of all

    Interval hours() const { return m_hours; } ///< of the first row to that of the last

    /** The sums of all locks in whole hours, without forced and ids, which few of so many rows are read for;
     * days where they fit. */
    base::Result<void> visit(Interval hours, const Visit &visit);
    /** Whole rows of these locks; `unitUs` is an hour or a day. */
    base::Result<void> visitLocks(const QList<qint64> &locks, Interval units, qint64 unitUs,
                                  const Visit &visit);
    /** What ended in the hours that the range touches, or in a little more, of one lock, together. */
    base::Result<Rollup> sumOf(qint64 lockId, Interval range);
    /** The same of each of these that has any, by its number. */
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
