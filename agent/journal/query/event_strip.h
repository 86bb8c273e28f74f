// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/rollup_store.h"
#include "shared/events/observed.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** How many events lie in each of some equal parts of a range: minutes as a whole from the roll-ups, those
 * that a border cuts by their events. For one question. See QueryContext. */
class EventStrip
{
public:
    /** `rolledSeq`: the last event that is in the roll-ups. */
    EventStrip(QueryContext &context, const protocol::TimelineQuery &query, qint64 parts, qint64 rolledSeq);

    base::Result<void> count();
    QList<qint64> result() const { return m_parts; }

private:
    /** What is counted by its events: a minute that a border cuts, or what is left of one at an end. */
    struct Cut
    {
        qint64 fromUs = 0;
        qint64 toUs = 0;
        std::optional<qint64> rolled; ///< events of it in the roll-ups
        qint64 found = 0;
    };

    qint64 partOf(qint64 timeUs) const;
    std::unique_ptr<Statement> prepared(const char *name) const;
    base::Result<void> addMinutes(events::Interval minutes);
    void addCut(Cut cut);
    /** The cut that a time lies in or that comes after it. */
    QList<Cut>::iterator cutAfter(qint64 timeUs);
    base::Result<void> countCuts();
    /** Of the events numbered in (low, high] those whose time fits. */
    template <typename Fits> base::Result<void> countEvents(qint64 lowSeq, qint64 highSeq, const Fits &fits);

    QueryContext &m_context;
    events::Interval m_range;
    qint64 m_rolledSeq;
    QString m_only; ///< SQL
    QList<qint64> m_parts;
    std::unique_ptr<Statement> m_events;
    QList<Cut> m_cuts; ///< in the order of their times
};

} // namespace lockkeeper::agent::journal
