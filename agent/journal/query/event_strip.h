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
    struct Minute
    {
        qint64 fromUs = 0;
        qint64 events = 0;
    };

    qint64 partOf(qint64 timeUs) const;
    std::unique_ptr<Statement> prepared(const char *name) const;
    /** Events numbered in (low, high], one by one; how many. */
    base::Result<qint64> countEvents(events::Interval range, qint64 lowSeq, qint64 highSeq);
    base::Result<void> countMinutes(events::Interval minutes);

    QueryContext &m_context;
    events::Interval m_range;
    qint64 m_rolledSeq;
    QString m_only; ///< SQL
    QList<qint64> m_parts;
    std::unique_ptr<Statement> m_events;
};

} // namespace lockkeeper::agent::journal
