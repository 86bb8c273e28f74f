// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_queries.h"

#include "agent/journal/query/page_limit.h"
#include "shared/base/text.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

QString numberList(const QList<qint64> &numbers)
{
    QStringList texts;
    texts.reserve(numbers.size());
    for (const qint64 number : numbers)
        texts.append(QString::number(number));
    return texts.join(QLatin1Char(','));
}

} // namespace

base::Result<protocol::EventPage> EventQueries::replay(quint64 afterSeq, int limit)
{
    if (auto begun = m_context.begin(); !begun)
        return tl::unexpected(begun.error());
    protocol::EventPage page;
    const protocol::HistoryQuery all;
    if (auto range = eventRange(all, page); !range)
        return tl::unexpected(range.error());
    PageLimit room(std::max(limit, 1));
    Statement &rows = m_context.connection().statement("event_replay");
    if (!m_context.connection().run(rows.bind(qint64(afterSeq)).bind(qint64(std::max(limit, 1)) + 1)))
        return tl::unexpected(m_context.connection().error());
    while (rows.next()) {
        if (room.isFull()) {
            page.more = true;
            break;
        }
        auto row = readEvent(rows, true);
        auto event = row ? m_context.complete(std::move(*row))
                         : base::Result<events::LockEvent>(tl::unexpected(row.error()));
        if (!event) {
            rows.finish();
            return tl::unexpected(event.error());
        }
        room.take(*event);
        page.events.append(std::move(*event));
    }
    rows.finish();
    return page;
}

base::Result<SeqRange> EventQueries::eventRange(const protocol::HistoryQuery &query,
                                                protocol::EventPage &page)
{
    Statement &bounds = m_context.connection().statement("event_bounds");
    if (!m_context.connection().run(bounds) || !bounds.next())
        return tl::unexpected(m_context.connection().error());
    page.firstSeq = quint64(bounds.integer(0));
    const quint64 newest = quint64(bounds.integer(1));
    bounds.finish();
    page.lastSeq = std::max(newest, m_context.connection().meta("last_seq").value_or("0").toULongLong());
    SeqRange range{qint64(page.firstSeq) - 1, qint64(newest)};
    const auto narrow = [&](Statement &by) -> bool {
        if (!m_context.connection().run(by) || !by.next())
            return false;
        range.low =
            std::max(range.low, by.optionalInteger(0).value_or(std::numeric_limits<qint64>::max()) - 1);
        range.high = std::min(range.high, by.optionalInteger(1).value_or(0));
        by.finish();
        return true;
    };
    if (query.fromUs || query.toUs) {
        Statement &by = m_context.connection().statement("event_bounds_by_time");
        by.bind(query.fromUs.value_or(std::numeric_limits<qint64>::min()));
        if (!narrow(by.bind(query.toUs.value_or(std::numeric_limits<qint64>::max()))))
            return tl::unexpected(m_context.connection().error());
    }
    if (!query.command.isEmpty() &&
        !narrow(m_context.connection().statement("event_bounds_by_command").bindBytes(query.command)))
        return tl::unexpected(m_context.connection().error());
    constexpr quint64 kMost = quint64(std::numeric_limits<qint64>::max());
    if (query.afterSeq)
        range.low = std::max(range.low, qint64(std::min(*query.afterSeq, kMost)));
    if (query.beforeSeq)
        range.high = std::min(range.high, qint64(std::min(*query.beforeSeq, kMost)) - 1);
    return range;
}

QString EventQueries::historySql(const protocol::HistoryQuery &query,
                                 const QueryContext::LockIds &locks) const
{
    // Numbers of the journal's own making stand in the text; whatever came from outside is bound.
    const bool seek = locks && locks->size() <= kSeekedLocks;
    QString sql =
        QStringLiteral("SELECT *, (SELECT owner FROM holds WHERE hold_id = seq - events.owner) FROM events ");
    sql += seek ? QLatin1String("INDEXED BY events_by_lock WHERE ") : QLatin1String("NOT INDEXED WHERE ");
    sql += QLatin1String("seq > ? AND seq <= ? AND t_us >= ? AND t_us <= ?");
    if (locks)
        sql += QStringLiteral(" AND lock_id IN (%1)").arg(numberList(*locks));
    if (!query.source.isEmpty())
        sql += QStringLiteral(" AND source_id IN (%1)").arg(m_context.sourceList(query.source));
    if (!query.kinds.isEmpty()) {
        QList<qint64> kinds;
        for (const events::Kind kind : query.kinds)
            kinds.append(qint64(kind));
        sql += QStringLiteral(" AND kind IN (%1)").arg(numberList(kinds));
    }
    if (!query.command.isEmpty())
        sql += QLatin1String(" AND command = ?");
    return sql + (query.descending ? QLatin1String(" ORDER BY seq DESC") : QLatin1String(" ORDER BY seq"));
}

base::Result<void> EventQueries::historySlice(Statement &statement, const protocol::HistoryQuery &query,
                                              SeqRange slice, PageLimit &room, protocol::EventPage &page)
{
    statement.bind(slice.low).bind(slice.high);
    statement.bind(query.fromUs.value_or(std::numeric_limits<qint64>::min()));
    statement.bind(query.toUs.value_or(std::numeric_limits<qint64>::max()));
    if (!query.command.isEmpty())
        statement.bindBytes(query.command);
    if (!m_context.connection().run(statement))
        return tl::unexpected(m_context.connection().error());
    while (!page.more && statement.next()) {
        auto row = readEvent(statement, false);
        if (!row)
            return tl::unexpected(row.error());
        if (!query.holderGlob.isEmpty() &&
            (!row->event.ownerKnown || !base::globMatches(query.holderGlob, row->event.owner)))
            continue;
        if (room.isFull()) {
            page.more = true;
            break;
        }
        auto event = m_context.complete(std::move(*row));
        if (!event)
            return tl::unexpected(event.error());
        room.take(*event);
        page.events.append(std::move(*event));
    }
    return {};
}

base::Result<protocol::EventPage> EventQueries::history(const protocol::HistoryQuery &query)
{
    protocol::EventPage page;
    page.id = query.id;
    if (auto begun = m_context.begin(); !begun)
        return tl::unexpected(begun.error());
    const auto locks = m_context.matchingLocks(query.source, query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    auto range = eventRange(query, page);
    if (!range)
        return tl::unexpected(range.error());
    if (*locks && (*locks)->isEmpty())
        return page;
    const auto statement = m_context.connection().prepare(historySql(query, *locks));
    PageLimit room(std::min(query.limit, kMaxRows));
    while (range->low < range->high && !page.more) {
        if (auto time = m_context.checkTime(); !time) {
            if (page.events.isEmpty() || time.error().code == base::ErrorCode::Cancelled)
                return tl::unexpected(time.error());
            page.more = true;
            break;
        }
        SeqRange slice = *range;
        if (query.descending)
            range->high = slice.low = std::max(slice.low, slice.high - kSlice);
        else
            range->low = slice.high = std::min(slice.high, slice.low + kSlice);
        const auto done = historySlice(*statement, query, slice, room, page);
        statement->finish();
        if (!done)
            return tl::unexpected(done.error());
    }
    return page;
}

} // namespace lockkeeper::agent::journal
