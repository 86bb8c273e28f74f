// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/lane_filter.h"

#include "app/filter/history_filter.h"
#include "app/filter/query_match.h"

#include <algorithm>

namespace lockkeeper::app::timeline {

using filter::Query;
using filter::QueryField;
using filter::QueryTerm;

namespace {

/** The only source that matches the clause; empty if none or several do. */
QString onlySource(const QList<QueryTerm> &clause, const QStringList &sources)
{
    if (clause.size() != 1 || clause.first().field != QueryField::Source || clause.first().negated)
        return {};
    QStringList fitting;
    for (const QString &source : sources) {
        const auto &values = clause.first().values;
        if (std::any_of(values.cbegin(), values.cend(), [&source](const filter::QueryValue &value) {
                return filter::textFits(value, source.toUtf8());
            }))
            fitting.append(source);
    }
    return fitting.size() == 1 ? fitting.first() : QString();
}

bool isTime(const QList<QueryTerm> &clause)
{
    return clause.size() == 1 &&
           (clause.first().field == QueryField::From || clause.first().field == QueryField::To);
}

} // namespace

LaneFilter laneFilter(const Query &query, const QStringList &sources, qint64 nowUs)
{
    const filter::HoldsFilter holds = filter::holdsFilter(query);
    LaneFilter filter;
    filter.leftOut = holds.leftOut;
    filter.lanes.lockGlob = holds.query.lockGlob;
    filter.lanes.holderGlob = holds.query.holderGlob;
    if (holds.query.fromUs || holds.query.toUs) {
        const qint64 to = holds.query.toUs.value_or(nowUs);
        constexpr qint64 hour = 3'600'000'000;
        filter.range = TimeRange{holds.query.fromUs.value_or(to - hour), to};
    }
    Query asked{filter::QueryScope::History, {}};
    for (const QList<QueryTerm> &clause : holds.rest.clauses) {
        if (const QString source = onlySource(clause, sources);
            !source.isEmpty() && filter.lanes.source.isEmpty()) {
            filter.lanes.source = source;
            continue;
        }
        Query with = asked;
        with.clauses.append(clause);
        if (isTime(clause) || filter::historyFilter(with).exact)
            asked = with;
        else
            filter.rest.clauses.append(clause);
    }
    return filter;
}

bool fits(const Query &rest, const protocol::TimelineLane &lane, const QString &agent)
{
    if (rest.isEmpty())
        return true;
    if (!lane.holds.isEmpty())
        return std::any_of(lane.holds.cbegin(), lane.holds.cend(),
                           [&](const protocol::Hold &hold) { return filter::matches(rest, hold, agent); });
    protocol::Hold stands; // stands for the summed bars
    stands.key = lane.key.value_or(domain::LockKey{lane.source, {}, {}, {}});
    stands.owner = lane.holder;
    return filter::matches(rest, stands, agent);
}

} // namespace lockkeeper::app::timeline
