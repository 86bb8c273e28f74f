// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/events/observed.h"

#include <functional>
#include <limits>

namespace lockkeeper::agent::journal {

using events::Interval;

/** A hold or a wait, as far as it adds up. */
struct Span
{
    static constexpr qint64 kOpen = std::numeric_limits<qint64>::max();

    bool ofWait = false;
    qint64 id = 0;
    qint64 lockId = 0;
    qint64 fromUs = 0;
    qint64 toUs = kOpen; ///< kOpen: it goes on
    HoldEnd end = HoldEnd::Open;
    std::optional<QByteArray> who; ///< the holder, or the waiter; only where it was asked for
};

/** Reads the holds and waits that have a moment in common with a range of time. See QueryContext. */
class SpanWalk
{
public:
    using Visit = std::function<base::Result<void>(const Span &)>;

    /** `withWho` costs a row for each wait; `locks`: of these alone. */
    SpanWalk(QueryContext &context, bool withWho, const QueryContext::LockIds &locks);

    /** Each of them once, whatever the stores' clocks did; no order. */
    base::Result<void> walk(Interval range, const Visit &visit);

private:
    std::unique_ptr<Statement> prepared(const char *name) const;
    base::Result<void> visitAll(Statement &rows, bool ofWait, const Visit &visit);

    QueryContext &m_context;
    bool m_withWho;
    QString m_only; ///< SQL
    QSet<qint64> m_wanted;
    bool m_all;
};

} // namespace lockkeeper::agent::journal
