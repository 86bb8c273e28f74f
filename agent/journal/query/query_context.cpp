// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/query_context.h"

#include "shared/base/java_text.h"

#include <QCborMap>
#include <QCborValue>
#include <QJsonObject>

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::seconds kTimeLimit(5);
constexpr qsizetype kRememberedKeys = 65'536;
constexpr qsizetype kRememberedSights = 8;

bool isPlain(const QByteArray &glob)
{
    return std::none_of(glob.cbegin(), glob.cend(),
                        [](char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; });
}

} // namespace

QString sqlList(const QList<qint64> &numbers)
{
    QStringList texts;
    for (const qint64 number : numbers)
        texts.append(QString::number(number));
    return texts.isEmpty() ? QStringLiteral("NULL") : texts.join(QLatin1Char(','));
}

base::Result<void> QueryContext::begin(const domain::Sight &sight, qint64 nowUs)
{
    m_begun = std::chrono::steady_clock::now();
    m_sight = sight;
    m_nowUs = nowUs;
    (void)m_connection.endReading();
    SqliteStatement &all = m_connection.statement("source_all");
    return each(all, [&] {
        m_sources.insert(all.integer(0), {QString::fromUtf8(all.bytes(1)), all.bytes(2), all.integer(3),
                                          all.integer(4) != 0});
    });
}

base::Result<void> QueryContext::end() const
{
    if (m_connection.endReading())
        return {};
    return tl::unexpected(m_connection.error());
}

base::Result<void> QueryContext::checkTime() const
{
    if (!m_mayGoOn())
        return base::failure(base::ErrorCode::Cancelled,
                             QStringLiteral("the query was cancelled or the journal is closing"));
    if (elapsed() >= kTimeLimit) {
        return base::failure(base::ErrorCode::Timeout, QStringLiteral("the query took longer than 5 s"),
                             QStringLiteral("Choose a shorter time range, a lock or a source"));
    }
    return {};
}

base::Result<std::optional<EventRow>> QueryContext::eventAt(qint64 seq, bool withAfter) const
{
    SqliteStatement &at = m_connection.statement("event_at");
    return first(at.bind(seq), [&] { return readEvent(at, withAfter); });
}

base::Result<QList<events::SourceMark>> QueryContext::marksOf(qint64 sourceId, bool withParts) const
{
    QList<events::SourceMark> marks;
    SqliteStatement &rows = m_connection.statement("source_marks");
    const auto take = [&] {
        const auto detail =
            events::EventDetail::fromJson(QCborValue::fromCbor(rows.bytes(2)).toMap().toJsonObject());
        const auto mark = events::SourceMark::of(events::EventKind(rows.integer(0)), rows.integer(1), detail);
        if (withParts || mark.gap != events::SourceMark::Part)
            marks.append(mark);
    };
    return each(rows.bind(sourceId), take).map([&marks] { return std::move(marks); });
}

base::Result<QList<Interval>> QueryContext::observedOf(const QString &source, Interval range,
                                                       qint64 seenUntilUs) const
{
    QList<events::SourceMark> marks;
    for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
        if (it->name != source)
            continue;
        seenUntilUs = std::max(seenUntilUs, it->lastSeenUs);
        const auto told = marksOf(it.key(), true);
        if (!told)
            return tl::unexpected(told.error());
        marks += *told;
    }
    return oldestEventUs().map([&](std::optional<qint64> oldestUs) {
        const qint64 fromUs = oldestUs.value_or(std::numeric_limits<qint64>::max());
        return events::observedIn(range, marks, fromUs, seenUntilUs);
    });
}

base::Result<QList<SnapshotRow>> QueryContext::snapshots() const
{
    SqliteStatement &all = m_connection.statement("snapshot_all");
    QList<SnapshotRow> found;
    return each(all,
                [&] {
                    found.append({all.integer(0), all.integer(1), all.integer(2)});
                })
        .map([&found] { return std::move(found); });
}

base::Result<domain::LockKey> QueryContext::keyOf(qint64 lockId)
{
    if (const auto it = m_keys.constFind(lockId); it != m_keys.cend())
        return *it;
    SqliteStatement &get = m_connection.statement("lock_get");
    auto row = first(get.bind(lockId), [&get] { return readLock(get); });
    if (!row)
        return tl::unexpected(row.error());
    if (!*row) {
        return base::failure(base::ErrorCode::Corrupt,
                             QStringLiteral("row %1 of the journal's table locks is missing").arg(lockId),
                             QStringLiteral("Check the disk, and restore the journal from a backup"));
    }
    domain::LockKey key = (*row)->key;
    key.source = m_sources.value((*row)->sourceId).name;
    if (m_keys.size() >= kRememberedKeys)
        m_keys.clear();
    m_keys.insert(lockId, key);
    return key;
}

QList<qint64> QueryContext::seenSourceIds(const QString &name) const
{
    QList<qint64> ids;
    for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
        if ((name.isEmpty() || it->name == name) && m_sight.sees(it->name))
            ids.append(it.key());
    }
    return ids;
}

base::Result<QueryContext::LockIds> QueryContext::seenLocks()
{
    const auto known = std::find_if(m_seen.cbegin(), m_seen.cend(),
                                    [this](const LocksInSight &seen) { return seen.sight == m_sight; });
    LocksInSight seen = known == m_seen.cend() ? LocksInSight{m_sight, 0, {}} : *known;
    if (known != m_seen.cend())
        m_seen.erase(known);
    const auto last = m_connection.firstNumber(m_connection.statement("lock_last"));
    if (!last)
        return tl::unexpected(last.error());
    const qint64 lastLock = last->value_or(0);
    SqliteStatement &rows = m_connection.statement("lock_between");
    const auto added = addMatching(rows.bind(seen.lastLock).bind(lastLock), {}, "*", seen.ids);
    if (!added)
        return tl::unexpected(added.error());
    seen.lastLock = std::max(seen.lastLock, lastLock);
    m_seen.prepend(seen);
    m_seen.resize(std::min(m_seen.size(), kRememberedSights));
    return LockIds(std::move(seen.ids));
}

base::Result<QueryContext::LockIds> QueryContext::matchingLocks(const QString &source, const QByteArray &glob)
{
    if (glob.isEmpty() || glob == "*")
        return m_sight.isWhole() ? LockIds() : seenLocks();
    QList<qint64> ids;
    const bool plain = isPlain(glob);
    SqliteStatement &rows = m_connection.statement(plain ? "lock_by_name" : "lock_all");
    if (plain)
        rows.bind(nameHash(glob)).bindBytes(glob);
    auto added = addMatching(rows, source, glob, ids);
    if (added && plain) { // the same text as Java's serialisation wraps it
        const QByteArray java = base::javaName(glob);
        SqliteStatement &wrapped = m_connection.statement("lock_by_name");
        added = addMatching(wrapped.bind(nameHash(java)).bindBytes(java), source, glob, ids);
    }
    if (!added)
        return tl::unexpected(added.error());
    return LockIds(std::move(ids));
}

base::Result<void> QueryContext::addMatching(SqliteStatement &rows, const QString &source,
                                             const QByteArray &glob, QList<qint64> &ids)
{
    return each(rows, [&]() -> base::Result<void> {
        auto row = readLock(rows);
        if (!row)
            return tl::unexpected(row.error());
        row->key.source = m_sources.value(row->sourceId).name;
        if ((source.isEmpty() || row->key.source == source) && base::nameFits(glob, row->key.name) &&
            m_sight.sees(row->key))
            ids.append(row->lockId);
        return {};
    });
}

base::Result<QueryContext::LockIds> QueryContext::exactLock(const domain::LockKey &key)
{
    SqliteStatement &rows = m_connection.statement("lock_by_name");
    QList<qint64> ids;
    const auto add = [&](StoredLockRow row) {
        row.key.source = m_sources.value(row.sourceId).name;
        if (row.key == key && m_sight.sees(key))
            ids.append(row.lockId);
    };
    return each(rows.bind(nameHash(key.name)).bindBytes(key.name), [&] { return readLock(rows).map(add); })
        .map([&ids] { return LockIds(std::move(ids)); });
}

base::Result<events::LockEvent> QueryContext::complete(EventRow row)
{
    const QueriedSource source = m_sources.value(row.sourceId);
    events::LockEvent event = std::move(row.event);
    if (row.lockId) {
        auto key = keyOf(*row.lockId);
        if (!key)
            return tl::unexpected(key.error());
        event.key = std::move(*key);
    }
    event.key.source = source.name;
    event.store = source.store;
    if (event.after && event.after->key == domain::LockKey())
        event.after->key = event.key;
    return event;
}

} // namespace lockkeeper::agent::journal
