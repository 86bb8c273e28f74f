// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::filter {

/**
 * The part of a history filter that the agent can evaluate by itself. It is never narrower than the filter,
 * so that only matches() has to be applied to the answer. `exact` is true if even that isn't needed.
 */
struct HistoryFilter
{
    protocol::HistoryQuery query;
    bool exact = false;
};

HistoryFilter historyFilter(const Query &query);
/** The query without the terms that `asked` took as its times. */
Query withoutTimes(Query query, const protocol::HistoryQuery &asked);

/** The same for holds: `rest` is the query for matches(). */
struct HoldsFilter
{
    protocol::HoldsQuery query;
    Query rest{QueryScope::History, {}};
    bool leftOut = false; ///< terms about facts that a hold lacks, such as `event:`, were omitted
};

HoldsFilter holdsFilter(const Query &query);

} // namespace lockkeeper::app::filter
