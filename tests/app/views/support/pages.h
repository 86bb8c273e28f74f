// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <algorithm>

namespace lockkeeper::tests {

/** An agent's answer from a journal in a list. Only the filter's numbers and times count. */
inline protocol::EventPage eventPageOf(QList<events::LockEvent> journal, quint64 lastSeq,
                                       const protocol::HistoryQuery &query)
{
    protocol::EventPage page;
    page.id = query.id;
    page.firstSeq = journal.isEmpty() ? 0 : 1;
    page.lastSeq = lastSeq;
    if (query.descending)
        std::reverse(journal.begin(), journal.end());
    for (const events::LockEvent &event : std::as_const(journal)) {
        const bool fits = event.seq > query.afterSeq.value_or(0) &&
                          event.seq < query.beforeSeq.value_or(~quint64(0)) &&
                          event.timeUs <= query.toUs.value_or(event.timeUs) &&
                          event.timeUs >= query.fromUs.value_or(event.timeUs);
        if (!fits)
            continue;
        if (page.events.size() == query.limit) {
            page.more = true;
            break;
        }
        page.events.append(event);
    }
    return page;
}

/** Of `holds`, newest first. */
inline protocol::HoldPage holdPageOf(const QList<protocol::Hold> &holds, const protocol::HoldsQuery &query)
{
    protocol::HoldPage page;
    page.id = query.id;
    for (const protocol::Hold &hold : holds) {
        if (hold.id >= query.beforeId.value_or(hold.id + 1))
            continue;
        page.more = page.holds.size() == query.limit;
        if (page.more)
            break;
        page.holds.append(hold);
    }
    return page;
}

/** Of `audit`, newest first. */
inline protocol::AuditPage auditPageOf(const QList<domain::AuditEntry> &audit,
                                       const protocol::AuditQuery &query)
{
    protocol::AuditPage page;
    page.id = query.id;
    for (const domain::AuditEntry &entry : audit) {
        const bool fits = query.command.isEmpty() || entry.command == query.command;
        if (fits && entry.id < query.beforeId.value_or(entry.id + 1) && page.entries.size() < query.limit)
            page.entries.append(entry);
    }
    page.more = !page.entries.isEmpty() && page.entries.last().id > audit.last().id;
    return page;
}

} // namespace lockkeeper::tests
