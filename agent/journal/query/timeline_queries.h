// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/hold_queries.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

/** Questions about holds and waits in a range of time, no finer than a screen can show. See QueryContext. */
class TimelineQueries
{
public:
    TimelineQueries(QueryContext &context, HoldQueries &holds) : m_context(context), m_holds(holds) {}

    /** Reads everything in one snapshot of the database. */
    base::Result<protocol::TimelinePage> timeline(const protocol::TimelineQuery &query);

private:
    base::Result<protocol::TimelinePage> answer(const protocol::TimelineQuery &query);
    base::Result<void> addGaps(const protocol::TimelineQuery &query, protocol::TimelinePage &page);
    bool countsEvents(const QString &source) const;
    base::Result<void> addStrip(const protocol::TimelineQuery &query, qint64 rolledSeq,
                                protocol::TimelinePage &page);

    QueryContext &m_context;
    HoldQueries &m_holds;
};

} // namespace lockkeeper::agent::journal
