// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/queries.h"

#include "agent/journal/audit_chain.h"
#include "agent/journal/page_limit.h"
#include "shared/base/text.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr std::chrono::seconds kTimeLimit(5);
constexpr qsizetype kRememberedKeys = 65'536;

bool isPlain(const QByteArray &glob)
{
    return std::none_of(glob.cbegin(), glob.cend(),
                        [](char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; });
}

} // namespace

void Queries::startTimer()
{
    m_deadline = std::chrono::steady_clock::now() + kTimeLimit;
}

base::Result<void> Queries::checkTime() const
{
    if (!m_mayGoOn())
        return base::failure(base::ErrorCode::Cancelled, QStringLiteral("the journal is closing"));
    if (std::chrono::steady_clock::now() >= m_deadline) {
        return base::failure(base::ErrorCode::Timeout,
                             QStringLiteral("the journal needs longer than 5 s for this question"),
                             QStringLiteral("Ask for a shorter time, a lock or a source"));
    }
    return {};
}

base::Result<void> Queries::readSources()
{
    Statement &all = m_connection.statement("source_all");
    if (!m_connection.run(all))
        return tl::unexpected(m_connection.error());
    while (all.next())
        m_sources.insert(all.integer(0), {QString::fromUtf8(all.bytes(1)), all.bytes(2), all.integer(3)});
    return {};
}

QString Queries::sourceList(const QString &name) const
{
    QStringList ids{QStringLiteral("-1")};
    for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
        if (it->name == name)
            ids.append(QString::number(it.key()));
    }
    return ids.join(QLatin1Char(','));
}

base::Result<domain::LockKey> Queries::keyOf(qint64 lockId)
{
    if (const auto it = m_keys.constFind(lockId); it != m_keys.cend())
        return *it;
    Statement &get = m_connection.statement("lock_get");
    if (!m_connection.run(get.bind(lockId)))
        return tl::unexpected(m_connection.error());
    if (!get.next()) {
        return base::failure(base::ErrorCode::Corrupt,
                             QStringLiteral("row %1 of the journal's table locks is missing").arg(lockId),
                             QStringLiteral("Check the disk, and restore the journal from a backup"));
    }
    auto row = readLock(get);
    get.finish();
    if (!row)
        return tl::unexpected(row.error());
    row->key.source = m_sources.value(row->sourceId).name;
    if (m_keys.size() >= kRememberedKeys)
        m_keys.clear();
    m_keys.insert(lockId, row->key);
    return row->key;
}

base::Result<Queries::LockIds> Queries::matchingLocks(const QString &source, const QByteArray &glob)
{
    if (glob.isEmpty() || glob == "*")
        return LockIds();
    QList<qint64> ids;
    const bool plain = isPlain(glob);
    Statement &rows = m_connection.statement(plain ? "lock_by_name" : "lock_all");
    if (plain)
        rows.bindBytes(glob);
    if (!m_connection.run(rows))
        return tl::unexpected(m_connection.error());
    const auto added = addMatching(rows, source, glob, ids);
    rows.finish();
    if (!added)
        return tl::unexpected(added.error());
    return LockIds(std::move(ids));
}

base::Result<void> Queries::addMatching(Statement &rows, const QString &source, const QByteArray &glob,
                                        QList<qint64> &ids)
{
    for (int looked = 0; rows.next(); ++looked) {
        if (looked % 1024 == 1023) {
            if (auto time = checkTime(); !time)
                return time;
        }
        const auto row = readLock(rows);
        if (!row)
            return tl::unexpected(row.error());
        if (!source.isEmpty() && m_sources.value(row->sourceId).name != source)
            continue;
        if (base::globMatches(glob, row->key.name))
            ids.append(row->lockId);
    }
    return {};
}

base::Result<Queries::LockIds> Queries::exactLock(const domain::LockKey &key)
{
    Statement &rows = m_connection.statement("lock_by_name");
    if (!m_connection.run(rows.bindBytes(key.name)))
        return tl::unexpected(m_connection.error());
    QList<qint64> ids;
    while (rows.next()) {
        auto row = readLock(rows);
        if (!row) {
            rows.finish();
            return tl::unexpected(row.error());
        }
        row->key.source = m_sources.value(row->sourceId).name;
        if (row->key == key)
            ids.append(row->lockId);
    }
    return LockIds(std::move(ids));
}

base::Result<events::LockEvent> Queries::complete(EventRow row)
{
    const Source source = m_sources.value(row.sourceId);
    events::LockEvent event = std::move(row.event);
    if (row.lockId) {
        auto key = keyOf(*row.lockId);
        if (!key)
            return tl::unexpected(key.error());
        event.key = std::move(*key);
    }
    event.key.source = source.name;
    event.store = source.store;
    return event;
}

base::Result<protocol::AuditPage> Queries::audit(const protocol::AuditQuery &query, qint64 nowUs)
{
    protocol::AuditPage page;
    page.id = query.id;
    const auto before = query.beforeId.value_or(std::numeric_limits<qint64>::max());
    if (const auto done = auditEntries(before, query.limit, page); !done)
        return tl::unexpected(done.error());
    if (!query.verify)
        return page;
    // One snapshot for the walk and the head in the database: a record that comes meanwhile is not half seen.
    if (!m_connection.run(QStringLiteral("BEGIN")))
        return tl::unexpected(m_connection.error());
    const auto verdict = verifyAudit(m_connection, m_headFile, m_mayGoOn);
    m_connection.rollback();
    if (!verdict)
        return tl::unexpected(verdict.error());
    page.verified = verdict->intact;
    page.checkedUs = nowUs;
    if (!verdict->intact)
        page.firstBadId = verdict->firstBadId;
    return page;
}

base::Result<void> Queries::auditEntries(qint64 beforeId, int limit, protocol::AuditPage &page)
{
    QList<qint64> ids;
    limit = std::clamp(limit, 1, kMaxRows);
    PageLimit room(limit);
    Statement &list = m_connection.statement("audit_page");
    if (!m_connection.run(list.bind(beforeId).bind(qint64(limit) + 1)))
        return tl::unexpected(m_connection.error());
    while (list.next())
        ids.append(list.integer(0));
    for (const qint64 id : std::as_const(ids)) {
        if (room.isFull()) {
            page.more = true;
            break;
        }
        Statement &of = m_connection.statement("audit_of");
        if (!m_connection.run(of.bind(id)))
            return tl::unexpected(m_connection.error());
        QList<AuditRecord> records;
        while (of.next())
            records.append(readAuditRecord(of));
        domain::AuditEntry entry = mergedEntry(records);
        for (const AuditRecord &record : std::as_const(records)) {
            Statement &before = m_connection.statement("audit_hash_of");
            const bool linked = m_connection.run(before.bind(record.record - 1)) &&
                                (before.next() ? before.bytes(0) == record.previous : record.record == 1);
            before.finish();
            entry.intact = entry.intact && linked;
        }
        room.take(entry);
        page.entries.append(std::move(entry));
    }
    return {};
}

} // namespace lockkeeper::agent::journal
