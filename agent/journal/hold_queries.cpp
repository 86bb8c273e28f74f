// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/page_limit.h"
#include "agent/journal/queries.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

bool overlaps(const protocol::Hold &hold, const protocol::HoldsQuery &query)
{
    if (query.toUs && hold.fromUs - hold.fromWindowUs > *query.toUs)
        return false;
    return !query.fromUs || !hold.toUs || *hold.toUs >= *query.fromUs;
}

} // namespace

base::Result<bool> Queries::holdSlice(Statement &statement, Range slice, const protocol::HoldsQuery &query,
                                      const LockIds &locks, PageLimit &room, protocol::HoldPage &page)
{
    const QSet<qint64> wanted = locks ? QSet<qint64>(locks->cbegin(), locks->cend()) : QSet<qint64>();
    if (!m_connection.run(statement.bind(slice.low).bind(slice.high)))
        return tl::unexpected(m_connection.error());
    while (statement.next()) {
        if (locks && !wanted.contains(statement.integer(1)))
            continue;
        auto row = readHold(statement);
        if (!row)
            return tl::unexpected(row.error());
        if (!overlaps(row->hold, query))
            continue;
        auto key = keyOf(row->lockId);
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            continue;
        if (room.isFull()) {
            page.more = true;
            return false;
        }
        row->hold.key = std::move(*key);
        room.take(row->hold);
        page.holds.append(std::move(row->hold));
    }
    return true;
}

base::Result<protocol::HoldPage> Queries::holds(const protocol::HoldsQuery &query)
{
    startTimer();
    protocol::HoldPage page;
    page.id = query.id;
    if (auto sources = readSources(); !sources)
        return tl::unexpected(sources.error());
    const auto locks = query.key ? exactLock(*query.key) : matchingLocks(query.source, query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    Statement &last = m_connection.statement("hold_last_id");
    if (!m_connection.run(last) || !last.next())
        return tl::unexpected(m_connection.error());
    Range range{0, last.integer(0)};
    last.finish();
    QString sql = statementText("hold_slice");
    if (*locks && (*locks)->size() <= kSeekedLocks) {
        QStringList ids{QStringLiteral("-1")};
        for (const qint64 id : **locks)
            ids.append(QString::number(id));
        sql.replace(QLatin1String("FROM holds WHERE"),
                    QStringLiteral("FROM holds INDEXED BY holds_by_lock WHERE lock_id IN (%1) AND")
                        .arg(ids.join(QLatin1Char(','))));
    }
    const auto statement = m_connection.prepare(sql);
    PageLimit room(std::min(query.limit, kMaxRows));
    while (range.low < range.high) {
        if (auto time = checkTime(); !time) {
            if (page.holds.isEmpty() || time.error().code == base::ErrorCode::Cancelled)
                return tl::unexpected(time.error());
            page.more = true;
            break;
        }
        const Range slice{std::max(range.low, range.high - kSlice), range.high};
        range.high = slice.low;
        const auto goOn = holdSlice(*statement, slice, query, *locks, room, page);
        statement->finish();
        if (!goOn)
            return tl::unexpected(goOn.error());
        if (!*goOn)
            break;
    }
    return page;
}

} // namespace lockkeeper::agent::journal
