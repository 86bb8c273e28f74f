// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"

namespace lockkeeper::app::cli {

/**
 * Chooses the row for a lock that several agents see: the row of the agent whose source sees it best
 * (session::betterSource), among equals the earlier agent's. Locks are the same if their stores are provably
 * the same (session::storeIdentity) and scheme, place and name agree.
 */
class SeenOnce
{
public:
    /**
     * One table for each agent, in the order in which the user named the agents; the tables outlive this
     * object.
     */
    explicit SeenOnce(const QList<const LiveTable *> &agents);

    /** True if another agent's row is shown for this lock. */
    bool isShownByAnother(qsizetype agent, const domain::LockKey &key) const;
    /** The other agents that see this lock, in the order of the agents. */
    QList<qsizetype> alsoSeenBy(qsizetype agent, const domain::LockKey &key) const;

private:
    struct SharedLocks
    {
        QSet<domain::LockKey> byAnother;
        QHash<domain::LockKey, QList<qsizetype>> also;
    };
    QList<SharedLocks> m_agents;
};

} // namespace lockkeeper::app::cli
