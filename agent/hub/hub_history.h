// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/domain/grants.h"
#include "shared/protocol/messages.h"

#include <functional>
#include <stop_token>

namespace lockkeeper::agent::hub {

/** The current journal of an agent, as far as the hub's database has it. */
struct ForwardedAgent
{
    QString name;
    QByteArray journal;   ///< its id
    quint64 firstSeq = 0; ///< oldest event in the database; 0: none
    quint64 lastSeq = 0;
    qint64 heardUs = 0;       ///< when the agent last wrote, by the database's clock
    bool isReceiving = false; ///< it wrote lately: less than three minutes ago
    bool operator==(const ForwardedAgent &) const = default;
};

/**
 * The past of the agents in the hub's database. Lives in the main thread and never blocks it; callbacks come
 * later, in the main thread, unless the question was cancelled.
 */
class HubHistory
{
public:
    using Reply = std::function<void(const protocol::Message &)>;

    HubHistory() = default;
    HubHistory(const HubHistory &) = delete;
    HubHistory &operator=(const HubHistory &) = delete;
    virtual ~HubHistory() = default;

    /** All agents that have ever forwarded, by name. */
    virtual void agents(std::function<void(const base::Result<QList<ForwardedAgent>> &)> done) = 0;
    /**
     * Answers a HistoryQuery, HoldsQuery, AuditQuery, ContentionQuery, TimelineQuery, WaitingQuery or
     * LocksQuery about the agent's current journal. The answer is the one that the agent itself would give: it
     * has the agent's event numbers and source names, and ends where `grants` end the user's sight. `reply`
     * gets one message: the page, or Failed. A LocksQuery gets its SnapshotPages, the last one marked; without
     * `atUs` they are the last known states, and every source is Down since the database last heard from the
     * agent. Time after that is a gap.
     */
    virtual void ask(const QString &agent, const protocol::Message &question, const domain::Grants &grants,
                     Reply reply, std::stop_token takenBack = {}) = 0;
};

} // namespace lockkeeper::agent::hub
