// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/invalidation/changed_keys.h"
#include "shared/stores/redis/invalidation/command_budget.h"
#include "shared/stores/redis/redlock/gather.h"

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>

namespace lockkeeper::stores::redis {

/**
 * Push for a Redlock source. A notification of any node marks the lock as changed. A point read then asks all
 * nodes and merges the readings, as a scan does. Push claims nothing that no reading has shown.
 *
 * - A lock waits for its reading once, however many nodes notify of it. A notification during the reading
 *   leads to another one, so the last state always comes.
 * - A change's window begins at the watermark that held at the lock's first notification after its last
 *   reading. All nodes have notified of everything up to the watermark, so the state of that reading held
 *   until then.
 * - While a node that is up can't notify, the source is polled. Locks that the other nodes notify of are read
 *   at once all the same. A node that is away notifies of nothing: when it goes and when it is back, a scan
 *   shows the locks that hinge on it.
 *
 * In the thread that made it, with the store; store, nodes and memory outlive it.
 */
class RedlockPush : public QObject
{
    Q_OBJECT

public:
    /** `store` knows whether it is pushed to, and up to when all nodes have notified. */
    RedlockPush(CompositeStore &store, NodeSet &nodes, Memory &memory, qint64 commandsASecond);

    /** The link is up. */
    void begin();
    /** The link is down: no more signals; all waiting callbacks are called. */
    void end();
    /** Calls `then` once all locks that the nodes have notified of up to now were read; at once while nothing
     * waits. */
    void whenTold(std::function<void()> then);
    /** The store's watermark, limited to changes that were read. */
    qint64 toldUs() { return m_changed.openSinceUs(m_store.watermarkUs()); }
    /** Changes after `sinceUs` can't be notified of, or not be read: a scan shows the current locks. */
    void everything(qint64 sinceUs);

Q_SIGNALS:
    void pushed(const lockkeeper::stores::Push &push);
    /** While the source isn't pushed to: locks that were read because a node notified of them. */
    void pageTold(const lockkeeper::stores::Page &page);

private:
    void mark(const QList<Subject> &locks);
    void pump();
    void read(const QList<push::ChangedKey> &keys);
    void takePage(QHash<Subject, qint64> &unread, const Page &page);
    void endReading(const QList<push::ChangedKey> &keys, bool whole);

    CompositeStore &m_store;
    NodeSet &m_nodes;
    Memory &m_memory;
    push::CommandBudget m_budget; ///< for each node
    push::ChangedKeys m_changed;  ///< the marked locks, by set and name; times by the source's clock
    QElapsedTimer m_clock;
    QTimer m_pump;
    quint64 m_link = 0; ///< counts begin() and end()
    bool m_begun = false;
    bool m_reading = false; ///< a point read is under way
};

} // namespace lockkeeper::stores::redis
