// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/hold_queries.h"

#include "agent/journal/query/page_limit.h"
#include "agent/journal/storage/wait_store.h"
#include "shared/base/text.h"

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

base::Result<bool> HoldQueries::holdSlice(SqliteStatement &statement, SeqRange slice,
                                          const protocol::HoldsQuery &query,
                                          const QueryContext::LockIds &locks, PageLimit &room,
                                          protocol::HoldPage &page)
{
    const QSet<qint64> wanted = locks ? QSet<qint64>(locks->cbegin(), locks->cend()) : QSet<qint64>();
    if (!m_context.connection().run(statement.bind(slice.low).bind(slice.high)))
        return tl::unexpected(m_context.connection().error());
    while (statement.next()) {
        if (locks && !wanted.contains(statement.integer(1)))
            continue;
        auto row = readHold(statement);
        if (!row)
            return tl::unexpected(row.error());
        if (!overlaps(row->hold, query))
            continue;
        if (!query.holderGlob.isEmpty() &&
            (!row->hold.ownerKnown || !base::globMatches(query.holderGlob, row->hold.owner)))
            continue;
        auto key = m_context.keyOf(row->lockId);
        if (!key)
            return tl::unexpected(key.error());
        if (!query.source.isEmpty() && key->source != query.source)
            continue;
        if (room.isFull()) {
            page.more = true;
            return false;
        }
        row->hold.key = std::move(*key);
        if (auto added = complete(*row); !added)
            return tl::unexpected(added.error());
        room.take(row->hold);
        page.holds.append(std::move(row->hold));
    }
    return true;
}

base::Result<void> HoldQueries::complete(HoldRow &row)
{
    row.hold.renewedUs = row.note.renewedUs;
    row.hold.expiresUs = row.note.expiresUs;
    return addWait(row).and_then([&] { return addCause(row); });
}

/** Adds the holder's wait, if it ended at the moment when the hold began. */
base::Result<void> HoldQueries::addWait(HoldRow &row)
{
    protocol::Hold &hold = row.hold;
    if (!hold.startSeen || !hold.ownerKnown)
        return {};
    SqliteStatement &until = m_context.connection().statement("wait_until");
    const auto wait = m_context.first(until.bind(hold.fromUs).bind(row.lockId).bindBytes(hold.owner),
                                      [&until] { return readWait(until); });
    if (!wait || !*wait)
        return wait ? base::Result<void>() : tl::unexpected(wait.error());
    hold.waitedUs = hold.fromUs - (*wait)->fromUs;
    const auto began = m_context.eventAt((*wait)->waitId, false);
    if (!began)
        return tl::unexpected(began.error());
    hold.waitSeen =
        *began && (*began)->event.kind == events::EventKind::WaitStart && !(*began)->event.detail.firstSeen;
    return {};
}

/** Adds details from the event that ended the hold, and from the audit the person who caused it. An entry
 * that breaks the audit's chain proves nothing and is ignored. */
base::Result<void> HoldQueries::addCause(HoldRow &row)
{
    protocol::Hold &hold = row.hold;
    const bool forced = hold.end == holdEndName(HoldEnd::ForceReleased);
    if (!forced && hold.end != holdEndName(HoldEnd::Expired))
        return {};
    const auto ended = m_context.eventAt(row.endSeq, false);
    if (!ended || !*ended)
        return ended ? base::Result<void>() : tl::unexpected(ended.error());
    if ((*ended)->event.detail.mayBeReleased)
        hold.mayBe = "released";
    hold.command = (*ended)->event.command;
    if (hold.command.isEmpty())
        return {};
    protocol::AuditQuery query;
    query.command = hold.command;
    const auto audit = m_audit.audit(query);
    if (!audit)
        return tl::unexpected(audit.error());
    if (!audit->entries.isEmpty() && audit->entries.constFirst().intact) {
        hold.by = audit->entries.constFirst().who;
        hold.role = audit->entries.constFirst().role;
        hold.reason = audit->entries.constFirst().reason;
    }
    return {};
}

base::Result<void> HoldQueries::endUnobserved(protocol::HoldPage &page, const QStringList &observed)
{
    QHash<QString, qint64> lastSeen;
    SqliteStatement &all = m_context.connection().statement("source_all");
    if (!m_context.connection().run(all))
        return tl::unexpected(m_context.connection().error());
    while (all.next()) { // one name may have had several kinds of store
        qint64 &seen = lastSeen[QString::fromUtf8(all.bytes(1))];
        seen = std::max(seen, all.integer(3));
    }
    all.finish();
    for (protocol::Hold &hold : page.holds) {
        if (hold.toUs || observed.contains(hold.key.source))
            continue;
        hold.toUs = std::max(hold.fromUs, lastSeen.value(hold.key.source));
        hold.end = holdEndName(HoldEnd::Gap);
    }
    return {};
}

base::Result<protocol::HoldPage> HoldQueries::holds(const protocol::HoldsQuery &query)
{
    protocol::HoldPage page;
    page.id = query.id;
    const auto locks =
        query.key ? m_context.exactLock(*query.key) : m_context.matchingLocks(query.source, query.lockGlob);
    if (!locks)
        return tl::unexpected(locks.error());
    const auto last = m_context.connection().firstNumber(m_context.connection().statement("hold_last_id"));
    if (!last)
        return tl::unexpected(last.error());
    SeqRange range{0, last->value_or(0)};
    if (query.beforeId)
        range.high = std::min(range.high, *query.beforeId - 1);
    QString sql = statementText("hold_slice");
    if (*locks && (*locks)->size() <= kSeekedLocks)
        sql.replace(QLatin1String("FROM holds WHERE"),
                    QStringLiteral("FROM holds INDEXED BY holds_by_lock WHERE lock_id IN (%1) AND")
                        .arg(sqlList(**locks)));
    const auto statement = m_context.connection().prepare(sql);
    PageLimit room(std::min(query.limit, kMaxRows));
    while (range.low < range.high) {
        if (auto time = m_context.checkTime(); !time)
            return tl::unexpected(time.error());
        page.more = !page.holds.isEmpty() && m_context.elapsed() >= kSoon;
        if (page.more)
            break;
        const SeqRange slice{std::max(range.low, range.high - kSlice), range.high};
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
