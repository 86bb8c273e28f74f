// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::cli {

/** Asks for events page by page, oldest first, until there are no more or as many as were asked for. */
class HistoryPager
{
public:
    explicit HistoryPager(HistoryOptions options);
    protocol::HistoryQuery query() const;
    /** Notes an answer; false: that was the last page. */
    bool advance(const protocol::EventPage &page);
    /** Since when; empty: from the journal's beginning. */
    const std::optional<qint64> &fromUs() const { return m_options.fromUs; }

private:
    HistoryOptions m_options;
    qint64 m_left; ///< −1: no limit
};

/** Asks for the oldest event: an empty past is only known to be one as far as the journal reaches. */
protocol::HistoryQuery reachQuery();
/** The answer to reachQuery(), and to no other question. */
bool isReach(const protocol::EventPage &page);
/** Names the part since `fromUs` that the journal knows nothing of; empty: it reaches back so far. */
QString reachNote(const protocol::EventPage &oldest, qint64 fromUs);

} // namespace lockkeeper::app::cli
