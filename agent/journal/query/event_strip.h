// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/rollup_store.h"
#include "shared/events/observed.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** Counts the events in each of several equal parts of a range: whole minutes from the roll-ups, and single
 * events in minutes that a border cuts. For one question. See QueryContext. */
class EventStrip
{
public:
    /** `rolledSeq`: the last event that is in the roll-ups. */
    EventStrip(QueryContext &context, const protocol::TimelineQuery &query, qint64 parts, qint64 rolledSeq);

    base::Result<void> count();
    QList<qint64> result() const { return m_parts; }

private:
    /** A time whose events are counted one by one: a minute that a border cuts, or the rest of a minute at an
     * end. */
    struct StripCut
    {
        qint64 fromUs = 0;
        qint64 toUs = 0;
        std::optional<qint64> rolled; ///< its number of events in the roll-ups
        qint64 found = 0;
    };

    qint64 partOf(qint64 timeUs) const;
    std::unique_ptr<SqliteStatement> prepared(const char *name) const;
    base::Result<void> addMinutes(events::Interval minutes);
    void addCut(StripCut cut);
    /** The cut that contains the time, or the next one after it. */
    QList<StripCut>::iterator cutAfter(qint64 timeUs);
    base::Result<void> countCuts();
    /** Counts the events numbered in (lowSeq, highSeq] whose time satisfies `fits`. */
    template <typename Fits> base::Result<void> countEvents(qint64 lowSeq, qint64 highSeq, const Fits &fits);

    QueryContext &m_context;
    events::Interval m_range;
    qint64 m_rolledSeq;
    QString m_only; ///< SQL
    QList<qint64> m_parts;
    std::unique_ptr<SqliteStatement> m_events;
    QList<StripCut> m_cuts; ///< in the order of their times
};

} // namespace lockkeeper::agent::journal
