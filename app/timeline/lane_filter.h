// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/query.h"
#include "app/timeline/question.h"

#include <QStringList>

namespace lockkeeper::app::timeline {

/** A filter of scope History as the timeline takes it: what the agent ranks, and what is left for fits(). */
struct LaneFilter
{
    Lanes lanes;                                       ///< its names alone
    std::optional<Range> range;                        ///< `from:` and `to:` of the filter, the latter or now
    state::Query rest{state::QueryScope::History, {}}; ///< what the agent can't answer
    bool leftOut = false;                              ///< terms about what bars don't tell aren't in it

    bool operator==(const LaneFilter &) const = default;
};

/** `sources` are those that are known: a term that only one of them fits is asked of it alone. Pure. */
LaneFilter laneFilter(const state::Query &query, const QStringList &sources, qint64 nowUs);

/** True where a bar of the lane, or the lane itself where it has sums alone, fits. Pure. */
bool fits(const state::Query &rest, const protocol::TimelineLane &lane, const QString &agent);

} // namespace lockkeeper::app::timeline
