// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class EventFinder;
class PageLimit;

/** Questions about events; a page holds what the time allowed, with `more`. See QueryContext. */
class EventQueries
{
public:
    explicit EventQueries(QueryContext &context) : m_context(context) {}

    base::Result<protocol::EventPage> history(const protocol::HistoryQuery &query);
    /** Events after `afterSeq` with their `after` states, at most `limit`. */
    base::Result<protocol::EventPage> replay(quint64 afterSeq, int limit);

private:
    base::Result<SeqRange> eventRange(const protocol::HistoryQuery &query, protocol::EventPage &page);
    base::Result<QList<SeqRange>> partsOf(SeqRange range, const protocol::HistoryQuery &query);
    base::Result<std::optional<events::LockEvent>> wanted(qint64 seq, const EventFinder &finder,
                                                          const protocol::HistoryQuery &query);
    base::Result<void> addEvents(const protocol::HistoryQuery &query, EventFinder &finder, PageLimit &room,
                                 protocol::EventPage &page);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
