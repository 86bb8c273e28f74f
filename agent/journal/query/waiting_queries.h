// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/records.h"
#include "shared/protocol/messages.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::agent::journal {

/** Spreads waits over the slices of a range, as far as somebody observed them. Pure. */
class WaitingMeter
{
public:
    /** `observed` ascending and disjoint, within `range`. */
    WaitingMeter(Interval range, int slices, QList<Interval> observed);

    void add(Interval wait);
    const QList<qint64> &waitedUs() const { return m_waitedUs; }

private:
    qint64 boundOf(qint64 slice) const;
    void spread(Interval part);

    Interval m_range;
    QList<Interval> m_observed;
    QList<qint64> m_waitedUs;
};

/** Questions about the number of waiters over a range of time, by source. See QueryContext. */
class WaitingQueries
{
public:
    explicit WaitingQueries(QueryContext &context) : m_context(context) {}

    /** Answers for `sources`. `seenUntil`: the last observations of the sources that have no problem. */
    base::Result<protocol::WaitingPage> waiting(const protocol::WaitingQuery &query,
                                                const QStringList &sources, const SeenUntil &seenUntil);

private:
    using Meters = QHash<QString, WaitingMeter>;
    /** Adds the waits for these locks; empty: for all locks. */
    base::Result<void> feed(SqliteStatement &rows, Interval range, const std::optional<QSet<qint64>> &locks,
                            Meters &meters);
    base::Result<void> feedWaits(Interval range, Meters &meters);

    QueryContext &m_context;
};

} // namespace lockkeeper::agent::journal
