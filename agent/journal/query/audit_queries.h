// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_anchor.h"
#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/query/query_context.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class PageLimit;

/** Questions about the audit, over its own connection. See QueryContext. */
class AuditQueries
{
public:
    AuditQueries(QueryContext &context, AuditFiles files) : m_context(context), m_files(std::move(files)) {}

    /** Begins a question. Called beside QueryContext::begin(). */
    void begin() { (void)m_connection.endReading(); }
    /** Fails if a row of the audit couldn't be read. */
    base::Result<void> end();

    /** `verify` walks the whole chain, in one snapshot of the database. */
    base::Result<protocol::AuditPage> audit(const protocol::AuditQuery &query);
    /** True if an entry proves that the agent once read exactly this lock. Reads the whole audit. */
    base::Result<bool> provesSighting(const domain::LockKey &key);
    /** The records after number `record`, unchecked, at most `limit`. */
    base::Result<QList<AuditRecord>> recordsAfter(qint64 record, int limit);
    /** The signed heads with [from, to] records, the lowest number first. */
    base::Result<QList<domain::AuditSignature>> signaturesOf(qint64 from, qint64 to);

private:
    base::Result<void> open();
    base::Result<void> verify(const protocol::AuditQuery &query, protocol::AuditPage &page);
    base::Result<void> auditEntries(qint64 beforeId, int limit, protocol::AuditPage &page);
    base::Result<void> auditEntryOf(const QByteArray &command, protocol::AuditPage &page);
    base::Result<void> addEntries(const QList<qint64> &ids, PageLimit &room, protocol::AuditPage &page);

    QueryContext &m_context;
    AuditFiles m_files;
    SqliteConnection m_connection; ///< to the audit's database, opened for the first question
    bool m_isOpen = false;
};

} // namespace lockkeeper::agent::journal
