// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/audit_queries.h"
#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class PageLimit;

/** Questions about holds. A page contains as many as the time allowed, and `more` says if it isn't complete.
 * See QueryContext. */
class HoldQueries
{
public:
    HoldQueries(QueryContext &context, AuditQueries &audit) : m_context(context), m_audit(audit) {}

    base::Result<protocol::HoldPage> holds(const protocol::HoldsQuery &query);
    /** Ends the open holds of sources that are no longer observed: each ends as a gap, at the source's last
     * observation. */
    base::Result<void> endUnobserved(protocol::HoldPage &page, const QStringList &observed);
    /** Adds facts from other rows: the holder's wait and the cause of the hold's end. */
    base::Result<void> complete(HoldRow &row);

private:
    base::Result<bool> holdSlice(SqliteStatement &statement, SeqRange slice,
                                 const protocol::HoldsQuery &query, const QueryContext::LockIds &locks,
                                 PageLimit &room, protocol::HoldPage &page);
    base::Result<void> addWait(HoldRow &row);
    base::Result<void> addCause(HoldRow &row);

    QueryContext &m_context;
    AuditQueries &m_audit;
};

} // namespace lockkeeper::agent::journal
