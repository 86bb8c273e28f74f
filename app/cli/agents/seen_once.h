// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/live_table.h"

namespace lockkeeper::app::cli {

/**
 * Which agent's row stands for a lock that several see: that of the one whose source sees it best
 * (session::betterSource), the earlier agent's of equals. Locks are the same where their stores are provably
 * one (session::storeIdentity) and scheme, place and name agree.
 */
class SeenOnce
{
public:
    /** One table an agent, in the order in which the user named the agents; they outlive this. */
    explicit SeenOnce(const QList<const LiveTable *> &agents);

    /** Whether another agent's row stands for this lock. */
    bool isShownByAnother(qsizetype agent, const domain::LockKey &key) const;
    /** Who else sees a lock that this agent's row stands for, in the order of the agents. */
    QList<qsizetype> alsoSeenBy(qsizetype agent, const domain::LockKey &key) const;

private:
    struct Seen
    {
        QSet<domain::LockKey> byAnother;
        QHash<domain::LockKey, QList<qsizetype>> also;
    };
    QList<Seen> m_agents;
};

} // namespace lockkeeper::app::cli
