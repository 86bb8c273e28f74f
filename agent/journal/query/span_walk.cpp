// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/span_walk.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::journal {

namespace {

constexpr qsizetype kReadEachByItself = 200; ///< locks; each is read by the row numbers in its roll-ups

} // namespace

SpanWalk::SpanWalk(QueryContext &context, RollupReader &rollups, bool withWho,
                   const QueryContext::LockIds &locks, What what)
    : m_context(context),
      m_rollups(rollups),
      m_withWho(withWho),
      m_all(!locks),
      m_ofWaits(what == What::Waits ? QList{true} : QList{false, true})
{
    if (!locks)
        return;
    m_wanted = QSet<qint64>(locks->cbegin(), locks->cend());
    if (locks->size() <= kSeekedLocks)
        m_only = QStringLiteral(" AND lock_id IN (%1)").arg(sqlList(*locks));
}

std::unique_ptr<SqliteStatement> SpanWalk::prepared(const char *name, bool filtered) const
{
    QString sql = statementText(name).trimmed();
    if (!m_withWho) { // nobody asks for these columns, which the index lacks
        static const QRegularExpression who(QStringLiteral("(owner|waiter|\\(SELECT .*\\)) FROM"));
        sql.replace(who, QStringLiteral("NULL FROM"));
    }
    return m_context.connection().prepare(filtered ? sql + m_only : sql);
}

base::Result<void> SpanWalk::visitAll(SqliteStatement &rows, bool ofWait, const Visit &visit, bool isCounted)
{
    return m_context.each(rows, [&]() -> base::Result<void> {
        if (!m_all && !m_wanted.contains(rows.integer(1)))
            return {};
        return visit({ofWait, rows.integer(0), rows.integer(1), rows.integer(2),
                      rows.optionalInteger(3).value_or(MeasuredSpan::kOpen), HoldEnd(rows.integer(4)),
                      rows.optionalBytes(5), isCounted});
    });
}

base::Result<void> SpanWalk::visitEnded(bool ofWait, Interval range, const Visit &visit)
{
    const qint64 untilUs = std::min(ceilTo(range.toUs, kHourUs), m_rollups.untilUs());
    if (m_all || m_wanted.size() > kReadEachByItself) {
        const auto ended = prepared(ofWait ? "span_waits_ended" : "span_holds_ended");
        return visitAll(ended->bind(range.fromUs).bind(untilUs).bind(range.toUs), ofWait, visit);
    }
    const auto ended = prepared(ofWait ? "span_waits_of_lock" : "span_holds_of_lock", false);
    for (const qint64 lockId : std::as_const(m_wanted)) {
        const auto sum = m_rollups.sumOf(lockId, range);
        if (!sum)
            return tl::unexpected(sum.error());
        const Interval ids = ofWait ? sum->waitIds : sum->holdIds;
        if (ids.fromUs == 0)
            continue;
        ended->bind(lockId).bind(ids.fromUs).bind(ids.toUs).bind(range.fromUs).bind(untilUs).bind(range.toUs);
        if (auto done = visitAll(*ended, ofWait, visit); !done)
            return done;
    }
    return {};
}

base::Result<void> SpanWalk::visitCrossing(bool ofWait, bool isLong, Interval ends, qint64 toUs,
                                           const Visit &visit)
{
    const auto crossing = prepared(ofWait ? "span_waits_crossing" : "span_holds_crossing");
    crossing->bind((isLong ? 2 : 0) + (ofWait ? 1 : 0)).bind(ends.fromUs).bind(ends.toUs).bind(toUs);
    return visitAll(*crossing, ofWait, visit, true);
}

base::Result<void> SpanWalk::visitUnseen(bool ofWait, Interval range, const Visit &visit)
{
    const auto ended = prepared(ofWait ? "span_waits_ended" : "span_holds_ended");
    ended->bind(std::max(range.fromUs, m_rollups.untilUs())).bind(MeasuredSpan::kOpen).bind(range.toUs);
    return visitAll(*ended, ofWait, visit).and_then([&] {
        const auto open = prepared(ofWait ? "span_waits_open" : "span_holds_open");
        return visitAll(open->bind(range.toUs), ofWait, visit);
    });
}

base::Result<void> SpanWalk::walk(Interval range, const Visit &visit)
{
    const qint64 laterUs = ceilTo(range.toUs, kHourUs);
    for (const bool ofWait : std::as_const(m_ofWaits)) {
        auto done =
            visitEnded(ofWait, range, visit)
                .and_then([&] {
                    return visitCrossing(ofWait, false, {laterUs, range.toUs + kDayUs}, range.toUs, visit);
                })
                .and_then([&] {
                    return visitCrossing(ofWait, true, {laterUs, MeasuredSpan::kOpen}, range.toUs, visit);
                })
                .and_then([&] { return visitUnseen(ofWait, range, visit); });
        if (!done)
            return done;
    }
    return {};
}

base::Result<void> SpanWalk::walkApart(Interval range, const Visit &visit)
{
    for (const bool ofWait : std::as_const(m_ofWaits)) {
        auto done =
            visitCrossing(ofWait, true, {range.fromUs, MeasuredSpan::kOpen}, range.toUs, visit).and_then([&] {
                return visitUnseen(ofWait, range, visit);
            });
        if (!done)
            return done;
    }
    return {};
}

} // namespace lockkeeper::agent::journal
