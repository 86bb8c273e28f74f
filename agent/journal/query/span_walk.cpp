// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/span_walk.h"

namespace lockkeeper::agent::journal {

namespace {

constexpr int kSpansBetweenLooks = 4096; ///< at the clock

} // namespace

SpanWalk::SpanWalk(QueryContext &context, bool withWho, const QueryContext::LockIds &locks)
    : m_context(context), m_withWho(withWho), m_all(!locks)
{
    if (!locks)
        return;
    m_wanted = QSet<qint64>(locks->cbegin(), locks->cend());
    if (locks->size() > kSeekedLocks)
        return;
    QStringList ids{QStringLiteral("-1")};
    for (const qint64 id : *locks)
        ids.append(QString::number(id));
    m_only = QStringLiteral(" AND lock_id IN (%1)").arg(ids.join(QLatin1Char(',')));
}

std::unique_ptr<Statement> SpanWalk::prepared(const char *name) const
{
    QString sql = statementText(name).trimmed();
    if (!m_withWho) // what the index hasn't is read for nobody
        sql.replace(QLatin1String("owner FROM"), QLatin1String("NULL FROM"))
            .replace(QLatin1String("waiter FROM"), QLatin1String("NULL FROM"));
    return m_context.connection().prepare(sql + m_only);
}

base::Result<void> SpanWalk::visitAll(Statement &rows, bool ofWait, const Visit &visit)
{
    if (!m_context.connection().run(rows))
        return tl::unexpected(m_context.connection().error());
    base::Result<void> done;
    for (int looked = 1; done && rows.next(); ++looked) {
        if (m_all || m_wanted.contains(rows.integer(1))) {
            done = visit({ofWait, rows.integer(0), rows.integer(1), rows.integer(2),
                          rows.optionalInteger(3).value_or(Span::kOpen), HoldEnd(rows.integer(4)),
                          rows.optionalBytes(5)});
        }
        if (done && looked % kSpansBetweenLooks == 0)
            done = m_context.checkTime();
    }
    rows.finish();
    return done;
}

base::Result<void> SpanWalk::walk(Interval range, const Visit &visit)
{
    for (const bool ofWait : {false, true}) {
        const auto ended = prepared(ofWait ? "span_waits_ended" : "span_holds_ended");
        ended->bind(range.fromUs).bind(Span::kOpen).bind(range.toUs);
        if (auto done = visitAll(*ended, ofWait, visit); !done)
            return done;
        const auto open = prepared(ofWait ? "span_waits_open" : "span_holds_open");
        open->bind(range.toUs);
        if (auto done = visitAll(*open, ofWait, visit); !done)
            return done;
    }
    return {};
}

} // namespace lockkeeper::agent::journal
