// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/query/advice_queries.h"
#include "agent/journal/query/audit_queries.h"
#include "agent/journal/query/contention_queries.h"
#include "agent/journal/query/event_queries.h"
#include "agent/journal/query/hold_queries.h"
#include "agent/journal/query/outbox_queries.h"
#include "agent/journal/query/past_queries.h"
#include "agent/journal/query/timeline_queries.h"
#include "agent/journal/query/waiting_queries.h"

namespace lockkeeper::agent::journal {

/** All questions to a journal over one reading connection, one at a time. Belongs to the reader's thread. */
struct Queries
{
    Queries(SqliteConnection &connection, const AuditFiles &auditFiles, std::function<bool()> mayGoOn)
        : context(connection, std::move(mayGoOn)),
          events(context),
          audit(context, auditFiles),
          holds(context, audit),
          contention(context),
          timeline(context, holds),
          waiting(context),
          advice(context),
          past(context),
          outbox(context)
    {
    }
    Q_DISABLE_COPY_MOVE(Queries)

    /** True if an event is about exactly this lock, or if the audit proves that the agent once read it. */
    base::Result<bool> wasSeen(const domain::LockKey &key)
    {
        return context.exactLock(key).and_then([&](const QueryContext::LockIds &ids) {
            return ids && !ids->isEmpty() ? base::Result<bool>(true) : audit.provesSighting(key);
        });
    }

    QueryContext context;
    EventQueries events;
    AuditQueries audit;
    HoldQueries holds; ///< uses `audit`
    ContentionQueries contention;
    TimelineQueries timeline; ///< uses `holds`
    WaitingQueries waiting;
    AdviceQueries advice;
    PastQueries past;
    OutboxQueries outbox;
};

} // namespace lockkeeper::agent::journal
