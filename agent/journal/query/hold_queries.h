// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/audit_queries.h"
#include "agent/journal/query/query_context.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/protocol/messages.h"

namespace lockkeeper::agent::journal {

class PageLimit;

/** Questions about holds; a page holds what the time allowed, with `more`. See QueryContext. */
class HoldQueries
{
public:
    HoldQueries(QueryContext &context, AuditQueries &audit) : m_context(context), m_audit(audit) {}

    base::Result<protocol::HoldPage> holds(const protocol::HoldsQuery &query);
    /** Ends what is open in a source that nobody observes any more as not observed, when it was seen last. */
    base::Result<void> endUnobserved(protocol::HoldPage &page, const QStringList &observed);
    /** Adds what other rows tell of the hold: its holder's wait, its end's cause. */
    base::Result<void> complete(HoldRow &row);

private:
    base::Result<bool> holdSlice(Statement &statement, SeqRange slice, const protocol::HoldsQuery &query,
                                 const QueryContext::LockIds &locks, PageLimit &room,
                                 protocol::HoldPage &page);
    base::Result<void> addWait(HoldRow &row);
    base::Result<void> addCause(HoldRow &row);

    QueryContext &m_context;
    AuditQueries &m_audit;
};

} // namespace lockkeeper::agent::journal
