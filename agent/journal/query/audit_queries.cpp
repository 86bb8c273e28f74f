// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/audit_queries.h"

#include "agent/journal/audit/audit_signer.h"
#include "agent/journal/query/page_limit.h"
#include "shared/domain/sighting.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::agent::journal {

namespace {

/** Entries that concern no lock, such as logins, are only for users who see everything. */
bool isSeen(const domain::AuditEntry &entry, const domain::Sight &sight)
{
    if (sight.isWhole() || entry.key.source.isEmpty() || !(entry.isRelease() || entry.isProbe()))
        return sight.isWhole();
    return entry.isProbe() ? sight.seesAllOf(entry.key.source) : sight.sees(entry.key);
}

} // namespace

base::Result<void> AuditQueries::open()
{
    if (m_isOpen)
        return {};
    m_connection.close();
    m_isOpen = m_connection.open(m_files.database, SqliteConnection::Mode::Read);
    return m_isOpen ? base::Result<void>() : tl::unexpected(m_connection.error());
}

base::Result<void> AuditQueries::end()
{
    return m_connection.endReading() ? base::Result<void>() : tl::unexpected(m_connection.error());
}

base::Result<protocol::AuditPage> AuditQueries::audit(const protocol::AuditQuery &query)
{
    if (const auto ready = open(); !ready)
        return tl::unexpected(ready.error());
    protocol::AuditPage page;
    page.id = query.id;
    const auto before = query.beforeId.value_or(std::numeric_limits<qint64>::max());
    const auto done =
        query.command.isEmpty() ? auditEntries(before, query.limit, page) : auditEntryOf(query.command, page);
    if (!done)
        return tl::unexpected(done.error());
    if (!query.verify)
        return page;
    const auto verified = m_connection.inSnapshot([&] { return verify(query, page); });
    if (!verified)
        return tl::unexpected(verified.error());
    page.checkedUs = m_context.nowUs();
    return page;
}

base::Result<bool> AuditQueries::provesSighting(const domain::LockKey &key)
{
    if (const auto ready = open(); !ready)
        return tl::unexpected(ready.error());
    bool proven = false;
    SqliteStatement &outcomes = m_connection.statement("audit_outcomes_of_lock");
    outcomes.bindBytes(key.name).bindBytes(key.place).bindBytes(key.scheme).bindBytes(key.source.toUtf8());
    if (!m_connection.run(outcomes))
        return tl::unexpected(m_connection.error());
    while (!proven && outcomes.next())
        proven = domain::provesSighting(domain::Outcome(outcomes.integer(0)));
    outcomes.finish();
    return proven;
}

base::Result<QList<AuditRecord>> AuditQueries::recordsAfter(qint64 record, int limit)
{
    if (const auto ready = open(); !ready)
        return tl::unexpected(ready.error());
    QList<AuditRecord> records;
    SqliteStatement &walk = m_connection.statement("audit_walk");
    if (!m_connection.run(walk.bind(record)))
        return tl::unexpected(m_connection.error());
    while (records.size() < limit && walk.next())
        records.append(readAuditRecord(walk));
    walk.finish();
    return records;
}

base::Result<QList<domain::AuditSignature>> AuditQueries::signaturesOf(qint64 from, qint64 to)
{
    if (const auto ready = open(); !ready)
        return tl::unexpected(ready.error());
    QList<domain::AuditSignature> found;
    SqliteStatement &rows = m_connection.statement("audit_signatures_from");
    if (!m_connection.run(rows.bind(from).bind(to)))
        return tl::unexpected(m_connection.error());
    while (rows.next())
        found.append(readAuditSignature(rows));
    rows.finish();
    return found;
}

base::Result<void> AuditQueries::verify(const protocol::AuditQuery &query, protocol::AuditPage &page)
{
    const auto verdict = verifyAudit(m_connection, {m_files, query.soughtHash}, m_context.mayGoOn());
    if (!verdict)
        return tl::unexpected(verdict.error());
    page.verified = verdict->isIntact();
    page.records = verdict->head.count;
    page.hash = verdict->head.hash;
    page.anchor = verdict->anchor;
    page.accepted = verdict->accepted;
    page.soughtRecord = verdict->soughtRecord;
    if (!verdict->isIntact()) {
        page.firstBadId = verdict->firstBadId;
        page.fault = *verdict->fault;
        return {};
    }
    const auto signature = newestSignature(m_connection, query.keyId);
    if (!signature)
        return tl::unexpected(signature.error());
    if (!*signature)
        return {};
    const auto same = isOfChain(m_connection, **signature);
    if (!same)
        return tl::unexpected(same.error());
    page.signature = *signature;
    page.verified = *same;
    if (!*same) {
        page.firstBadId = 1; // any entry up to the signed record may have been changed
        page.fault = {
            base::ErrorCode::Corrupt,
            QStringLiteral("record %1 of the audit isn't the one that was signed").arg((*signature)->records),
            {}};
    }
    return {};
}

base::Result<void> AuditQueries::auditEntries(qint64 beforeId, int limit, protocol::AuditPage &page)
{
    limit = std::clamp(limit, 1, kMaxRows);
    PageLimit room(limit);
    for (QList<qint64> ids;; beforeId = ids.constLast()) { // repeats if this user may not see some entries
        if (auto time = m_context.checkTime(); !time)
            return time;
        ids.clear();
        SqliteStatement &list = m_connection.statement("audit_page");
        if (!m_connection.run(list.bind(beforeId).bind(qint64(limit) + 1)))
            return tl::unexpected(m_connection.error());
        while (list.next())
            ids.append(list.integer(0));
        if (auto added = addEntries(ids, room, page); !added || page.more || ids.size() <= limit)
            return added;
    }
}

base::Result<void> AuditQueries::auditEntryOf(const QByteArray &command, protocol::AuditPage &page)
{
    SqliteStatement &known = m_connection.statement("audit_by_command");
    const auto id = m_connection.firstNumber(known.bindBytes(command));
    if (!id)
        return tl::unexpected(id.error());
    PageLimit room(1);
    return *id ? addEntries({**id}, room, page) : base::Result<void>();
}

base::Result<void> AuditQueries::addEntries(const QList<qint64> &ids, PageLimit &room,
                                            protocol::AuditPage &page)
{
    for (const qint64 id : ids) {
        SqliteStatement &of = m_connection.statement("audit_of");
        if (!m_connection.run(of.bind(id)))
            return tl::unexpected(m_connection.error());
        QList<AuditRecord> records;
        while (of.next())
            records.append(readAuditRecord(of));
        domain::AuditEntry entry = mergedEntry(records);
        for (const AuditRecord &record : std::as_const(records)) {
            SqliteStatement &before = m_connection.statement("audit_hash_of");
            const bool linked = m_connection.run(before.bind(record.record - 1)) &&
                                (before.next() ? before.bytes(0) == record.previous : record.record == 1);
            before.finish();
            entry.intact = entry.intact && linked;
        }
        if (!isSeen(entry, m_context.sight()))
            continue;
        page.more = room.isFull();
        if (page.more)
            break;
        room.take(entry);
        page.entries.append(std::move(entry));
    }
    return {};
}

} // namespace lockkeeper::agent::journal
