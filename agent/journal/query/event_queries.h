// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class EventFinder;
class PageLimit;

/** Questions about events. A page contains as many as the time allowed, and `more` says if it isn't complete.
 * See QueryContext. */
class EventQueries
{
public:
    /** `soon`: after this time the page is returned as it is. */
    explicit EventQueries(QueryContext &context, std::chrono::milliseconds soon = kSoon)
        : m_context(context), m_soon(soon)
    {
    }

    base::Result<protocol::EventPage> history(const protocol::HistoryQuery &query);
    /** Events after `afterSeq` with their `after` states, at most `limit`. */
    base::Result<protocol::EventPage> replay(quint64 afterSeq, int limit);

    /** The parts of the range that may contain events of that time. */
    base::Result<QList<SeqRange>> partsOf(SeqRange range, std::optional<qint64> fromUs,
                                          std::optional<qint64> toUs);

private:
    base::Result<SeqRange> eventRange(const protocol::HistoryQuery &query, protocol::EventPage &page);
    base::Result<std::optional<events::LockEvent>> wanted(qint64 seq, const EventFinder &finder,
                                                          const protocol::HistoryQuery &query);
    bool isDue(const protocol::HistoryQuery &query, const protocol::EventPage &page, bool hasLooked) const;
    base::Result<void> tellReached(const EventFinder &finder, protocol::EventPage &page);
    base::Result<void> addEvents(const protocol::HistoryQuery &query, EventFinder &finder, PageLimit &room,
                                 protocol::EventPage &page);

    QueryContext &m_context;
    std::chrono::milliseconds m_soon;
    std::chrono::steady_clock::duration m_prepared{}; ///< time that a question took until its first event
};

} // namespace lockkeeper::agent::journal
