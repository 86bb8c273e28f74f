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
 * Push for a Redlock source: a notification of any node marks the lock as changed, and a point read asks all
 * nodes and merges what they show, as a scan does. What no reading has shown is not claimed.
 *
 * - A lock waits for its reading once, however many nodes notify of it. One that is notified of while it is
 *   read is read again, so that the last state always comes.
 * - Since when: the watermark at the lock's first notification after its last reading, which is the earliest
 *   time up to which all nodes have notified of everything. What that reading showed was so until then.
 * - While a node that is up can't notify, the source is polled, and what the others notify of is read at once
 *   all the same. A node that is away notifies of nothing: when it goes and when it is back a scan shows what
 *   hinges on it.
 *
 * In the thread that made it, with the store; store, nodes and memory outlive it.
 */
class RedlockPush : public QObject
{
    Q_OBJECT

public:
    /** `store` says whether it is pushed to, and up to when all nodes have notified. */
    RedlockPush(CompositeStore &store, NodeSet &nodes, Memory &memory, qint64 commandsASecond);

    /** The link is up. */
    void begin();
    /** It is down: no more signals; whoever waits is called. */
    void end();
    /** Calls `then` once all that the nodes have notified of up to now was read; at once while nothing waits.
     */
    void whenTold(std::function<void()> then);
    /** The store's watermark, of what was read. */
    qint64 toldUs() { return m_changed.openSinceUs(m_store.watermarkUs()); }
    /** What changed after `sinceUs` can't be notified of, or not be read: a scan shows what there is. */
    void everything(qint64 sinceUs);

Q_SIGNALS:
    void pushed(const lockkeeper::stores::Push &push);
    /** Not pushed to: what was read because a node notified of it. */
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
