// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/overview.h"
#include "app/replica/replica.h"

#include <QSet>

namespace lockkeeper::app::overview {

/**
 * The overview of a replica at any moment. Follows its batches and remembers the locks that may need
 * attention. The cost of a query depends on the number of these locks, not on the number of all locks. GUI
 * thread.
 */
class LiveOverview : public QObject
{
    Q_OBJECT

public:
    explicit LiveOverview(replica::Replica &replica, QObject *parent = nullptr);

    Overview now() const;
    /** The current state of a lock; empty: it needs no attention any more, no longer exists, or isn't
     * observed. */
    std::optional<Attention> find(const domain::LockKey &key) const;
    /** The agent's current wall clock, derived from an observed source; empty without such a source. */
    std::optional<qint64> agentWallUs() const;

private:
    void take(const replica::PackedLockTable &changed, const QSet<domain::LockKey> &removed);
    void count(const replica::PackedLock &lock);

    replica::Replica &m_replica;
    QSet<domain::LockKey> m_noteworthy;
    replica::PackedLockTable m_held; ///< shares the replica's blocks
    QHash<QString, qint64> m_heldOf; ///< their number by source
};

} // namespace lockkeeper::app::overview
