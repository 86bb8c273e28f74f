// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/timeline/question.h"

#include <QStringList>

namespace lockkeeper::app::timeline {

/**
 * A filter of scope History as the timeline uses it: the part that the agent ranks by, and the rest for
 * fits().
 */
struct LaneFilter
{
    Lanes lanes;                                         ///< only its names
    std::optional<TimeRange> range;                      ///< from `from:` to `to:`, or to now without `to:`
    filter::Query rest{filter::QueryScope::History, {}}; ///< the part that the agent can't evaluate
    bool leftOut = false;                                ///< terms about facts that bars lack were omitted

    bool operator==(const LaneFilter &) const = default;
};

/** `sources` are the known sources: if only one of them matches a term, only that source is queried. Pure. */
LaneFilter laneFilter(const filter::Query &query, const QStringList &sources, qint64 nowUs);

/** True if a bar of the lane matches, or the lane itself if it has only sums. Pure. */
bool fits(const filter::Query &rest, const protocol::TimelineLane &lane, const QString &agent);

} // namespace lockkeeper::app::timeline
