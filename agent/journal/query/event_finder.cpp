// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_finder.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

namespace {

constexpr qsizetype kMostLists = 2'000;
constexpr qint64 kFew = 5'000; ///< events of rare kinds; a lock may have more
constexpr int kMostAtOnce = 256;

bool isRare(events::EventKind kind)
{
    switch (kind) { // as the index events_rare
    case events::EventKind::Acquired:
    case events::EventKind::Renewed:
    case events::EventKind::Released:
    case events::EventKind::WaitStart:
    case events::EventKind::WaitEnd:
        return false;
    default:
        return true;
    }
}

} // namespace

base::Result<void> EventFinder::begin(const QueryContext::LockIds &locks)
{
    QList<qint64> kinds;
    for (const events::EventKind kind : m_query.kinds) {
        if (!kinds.contains(qint64(kind)))
            kinds.append(qint64(kind));
    }
    const bool areRare =
        !kinds.isEmpty() && std::all_of(m_query.kinds.cbegin(), m_query.kinds.cend(), isRare);
    const base::Result<QueryContext::LockIds> ofSource =
        locks || m_query.source.isEmpty() ? locks : locksOfSource();
    if (!ofSource)
        return tl::unexpected(ofSource.error());
    const bool isListed = *ofSource && (*ofSource)->size() <= kMostLists;
    const QList<qint64> besides =
        locks && isAboutAll(m_query) ? m_context.seenSourceIds(m_query.source) : QList<qint64>();
    m_withSources = !besides.isEmpty();
    const auto few = areRare && isListed ? areFew(kinds) : base::Result<bool>(areRare);
    if (!few)
        return tl::unexpected(few.error());
    const bool isByLock = m_query.command.isEmpty() && !*few && isListed;
    m_isAny = !locks || isByLock;
    if (!m_isAny)
        m_wanted = QSet<qint64>(locks->cbegin(), locks->cend());
    if (!m_query.command.isEmpty())
        return startReading("events_of_command", 0);
    if (*few && kinds.size() == 1)
        return startReading("events_of_kind", kinds.constFirst());
    if (isByLock && locks && locks->size() == 1 && besides.isEmpty())
        return startReading("events_of_lock", locks->constFirst());
    if (!*few && !isListed) {
        m_walk = m_context.connection().prepare(walkSql());
        return {};
    }
    if (*few)
        addLists("events_of_kind", kinds);
    else
        addLists("events_of_lock", **ofSource);
    if (isByLock)
        addLists("events_of_source", locks ? besides : m_context.seenSourceIds(m_query.source));
    return startMerging();
}

QString EventFinder::ordered(QString sql) const
{
    return m_query.descending ? sql.replace(QLatin1String("ORDER BY seq"), QLatin1String("ORDER BY seq DESC"))
                              : sql;
}

void EventFinder::addLists(const char *name, const QList<qint64> &values)
{
    m_statements.push_back(m_context.connection().prepare(ordered(statementText(name))));
    for (const qint64 value : values)
        m_lists.push_back({m_statements.size() - 1, value, {}, 1});
}

/** A kind may be frequent after all; then a rarely used lock has fewer events. */
base::Result<bool> EventFinder::areFew(const QList<qint64> &kinds)
{
    SqliteStatement &rows = m_context.connection().statement("events_of_kind");
    qint64 found = 0;
    for (const qint64 kind : kinds) {
        if (!m_context.connection().run(rows.bind(kind).bind(m_range.low).bind(m_range.high).bind(kFew)))
            return tl::unexpected(m_context.connection().error());
        while (rows.next())
            ++found;
        rows.finish();
    }
    return found < kFew;
}

/** Empty: too many locks to list the events of each. */
base::Result<QueryContext::LockIds> EventFinder::locksOfSource()
{
    const auto rows = m_context.connection().prepare(
        statementText("locks_of_sources").arg(sqlList(m_context.seenSourceIds(m_query.source))));
    if (!m_context.connection().run(rows->bind(kMostLists + 1)))
        return tl::unexpected(m_context.connection().error());
    QList<qint64> ids;
    while (rows->next())
        ids.append(rows->integer(0));
    return ids.size() > kMostLists ? QueryContext::LockIds() : QueryContext::LockIds(std::move(ids));
}

QString EventFinder::walkSql() const
{
    QString only;
    if (m_query.fromUs || m_query.toUs)
        only += QLatin1String(" AND t_us >= ? AND t_us <= ?");
    if (!m_query.source.isEmpty())
        only +=
            QStringLiteral(" AND source_id IN (%1)").arg(sqlList(m_context.seenSourceIds(m_query.source)));
    if (!m_query.kinds.isEmpty()) {
        QList<qint64> kinds;
        for (const events::EventKind kind : m_query.kinds)
            kinds.append(qint64(kind));
        only += QStringLiteral(" AND kind IN (%1)").arg(sqlList(kinds));
    }
    return ordered(statementText("events_walk").arg(only));
}

base::Result<bool> EventFinder::fill(List &list)
{
    SqliteStatement &rows = *m_statements[list.statement];
    rows.bind(list.value).bind(m_range.low).bind(m_range.high).bind(list.atOnce);
    if (!m_context.connection().run(rows))
        return tl::unexpected(m_context.connection().error());
    while (rows.next())
        list.read.push_back(rows.integer(0));
    rows.finish();
    std::reverse(list.read.begin(), list.read.end());
    list.atOnce = std::min(kMostAtOnce, 4 * list.atOnce);
    return !list.read.empty();
}

bool EventFinder::isLater(size_t a, size_t b) const
{
    const qint64 x = m_lists[a].read.back();
    const qint64 y = m_lists[b].read.back();
    return m_query.descending ? x < y : x > y;
}

/** One list needs no merging: its rows are read as they come. */
base::Result<void> EventFinder::startReading(const char *name, qint64 value)
{
    const QString whole = statementText("event_at").section(QLatin1String(" FROM events "), 0, 0);
    m_rows = m_context.connection().prepare(
        ordered(statementText(name)).replace(QLatin1String("SELECT seq"), whole));
    if (m_query.command.isEmpty())
        m_rows->bind(value);
    else
        m_rows->bindBytes(m_query.command);
    if (!m_context.connection().run(m_rows->bind(m_range.low).bind(m_range.high).bind(-1)))
        return tl::unexpected(m_context.connection().error());
    return {};
}

base::Result<void> EventFinder::startMerging()
{
    for (size_t i = 0; i < m_lists.size(); ++i) {
        const auto any = fill(m_lists[i]);
        if (!any)
            return tl::unexpected(any.error());
        if (*any)
            m_heap.push_back(i);
    }
    std::make_heap(m_heap.begin(), m_heap.end(), [this](size_t a, size_t b) { return isLater(a, b); });
    return m_context.checkTime();
}

void EventFinder::leaveBehind(qint64 seq)
{
    if (m_query.descending)
        m_range.high = seq - 1;
    else
        m_range.low = seq;
}

base::Result<qint64> EventFinder::nextMerged()
{
    if (m_heap.empty()) {
        m_range.low = m_range.high;
        return kNone;
    }
    const auto later = [this](size_t a, size_t b) { return isLater(a, b); };
    std::pop_heap(m_heap.begin(), m_heap.end(), later);
    List &list = m_lists[m_heap.back()];
    const qint64 seq = list.read.back();
    list.read.pop_back();
    leaveBehind(seq);
    if (list.read.empty()) {
        const auto any = fill(list);
        if (!any)
            return tl::unexpected(any.error());
        if (!*any) {
            m_heap.pop_back();
            return seq;
        }
    }
    std::push_heap(m_heap.begin(), m_heap.end(), later);
    return seq;
}

base::Result<void> EventFinder::startSlice()
{
    m_slice = m_range;
    if (m_query.descending)
        m_slice.low = std::max(m_slice.low, m_slice.high - kSlice);
    else
        m_slice.high = std::min(m_slice.high, m_slice.low + kSlice);
    m_walk->bind(m_slice.low).bind(m_slice.high);
    if (m_query.fromUs || m_query.toUs) {
        m_walk->bind(m_query.fromUs.value_or(std::numeric_limits<qint64>::min()));
        m_walk->bind(m_query.toUs.value_or(std::numeric_limits<qint64>::max()));
    }
    if (!m_context.connection().run(*m_walk))
        return tl::unexpected(m_context.connection().error());
    m_isInSlice = true;
    m_holders.clear();
    return m_query.holderGlob.isEmpty() ? base::Result<void>() : readHolders(m_slice);
}

/** Most events name their hold, and most holds begin near their events. */
base::Result<void> EventFinder::readHolders(SeqRange holds)
{
    SqliteStatement &rows = m_context.connection().statement("owners_between");
    return m_context.each(rows.bind(holds.low).bind(holds.high), [&] {
        const auto owner = rows.optionalBytes(1);
        m_holders.insert(rows.integer(0), owner && base::globMatches(m_query.holderGlob, *owner));
    });
}

base::Result<bool> EventFinder::isHolderWanted()
{
    if (m_query.holderGlob.isEmpty())
        return true;
    const auto hold = m_walk->optionalInteger(3);
    if (!hold) {
        const auto owner = m_walk->optionalBytes(2);
        return owner && base::globMatches(m_query.holderGlob, *owner);
    }
    if (!m_holders.contains(*hold)) {
        if (auto read = readHolders({*hold - 1, *hold}); !read)
            return tl::unexpected(read.error());
    }
    return m_holders.value(*hold, false);
}

base::Result<qint64> EventFinder::nextWalked()
{
    if (!m_isInSlice) {
        if (m_range.low >= m_range.high)
            return kNone;
        if (auto started = startSlice(); !started)
            return tl::unexpected(started.error());
    }
    while (m_walk->next()) {
        if (!isLockWanted(m_walk->optionalInteger(1)))
            continue;
        const auto holder = isHolderWanted();
        if (!holder)
            return tl::unexpected(holder.error());
        if (!*holder)
            continue;
        leaveBehind(m_walk->integer(0));
        return m_walk->integer(0);
    }
    m_walk->finish();
    m_isInSlice = false;
    (m_query.descending ? m_range.high : m_range.low) = m_query.descending ? m_slice.low : m_slice.high;
    return kNotYet;
}

base::Result<qint64> EventFinder::next()
{
    if (m_rows) {
        if (!m_rows->next())
            return kNone;
        leaveBehind(m_rows->integer(0));
        return m_rows->integer(0);
    }
    return m_walk ? nextWalked() : nextMerged();
}

} // namespace lockkeeper::agent::journal
