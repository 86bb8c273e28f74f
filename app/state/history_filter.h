// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/query.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::app::state {

/**
 * The part of a history filter that the agent can answer by itself; never narrower than the filter, so that
 * what comes back only needs matches() on top. `exact` is true where nothing is left for that.
 */
struct HistoryFilter
{
    protocol::HistoryQuery query;
    bool exact = false;
};

HistoryFilter historyFilter(const Query &query);

/** The same for holds: `rest` is what matches() is to be asked with. */
struct HoldsFilter
{
    protocol::HoldsQuery query;
    Query rest{QueryScope::History, {}};
    bool leftOut = false; ///< terms about what a hold doesn't tell, such as `event:`, aren't in it
};

HoldsFilter holdsFilter(const Query &query);

} // namespace lockkeeper::app::state
