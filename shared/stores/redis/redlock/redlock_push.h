// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/command_budget.h"
#include "shared/stores/redis/redlock/gather.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <deque>

namespace lockkeeper::stores::redis {

/**
 * Push for a Redlock source: a notification of any node marks the lock as changed, and a point read asks all
 * nodes and merges what they show, as a pass does. What no reading has shown is not claimed.
 *
 * - A lock waits for its reading once, however many nodes notify of it. One that is notified of while it is
 *   read is read again, so that the last state always comes.
 * - Since when: the watermark at the lock's first notification after its last reading, which is the earliest
 *   time up to which all nodes have notified of everything. What that reading showed was so until then.
 * - The source is pushed to while every node that is up notifies. With one that can't it is polled, and what
 *   the others notify of is read at once all the same. A node that is away notifies of nothing: when it goes
 *   and when it is back a pass shows what hinges on it.
 *
 * In the thread that made it, with the store; nodes and memory outlive it.
 */
class RedlockPush : public QObject
{
    Q_OBJECT

public:
    RedlockPush(NodeSet &nodes, Memory &memory, const SourceSpec &spec, QObject *parent = nullptr);

    /** The link is up. Answers stateChanged(), at once. Nothing where the source hasn't asked for push. */
    void begin();
    /** It is down: no more signals; whoever waits is called. */
    void end();
    /** After nodes went or came, and this was told. */
    void nodesChanged();
    /** Calls `then` once all that the nodes have notified of up to now was read; at once while nothing waits.
     */
    void whenTold(std::function<void()> then);

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** Not pushed to: what was read because a node notified of it. Without locks: all up to then was told. */
    void pageRead(const lockkeeper::stores::Page &page);

private:
    void mark(const QList<Subject> &locks);
    void takeState(qsizetype node);
    void tellState(bool first = false);
    void tellWatermark();
    QSet<qsizetype> upNodes() const;
    qint64 watermarkUs();
    qint64 toldUs();
    void everything(qint64 sinceUs);
    void pump();
    void takePage(const Page &page);
    void endReading();
    void callTold();

    NodeSet &m_nodes;
    Memory &m_memory;
    const SourceSpec &m_spec;
    push::CommandBudget m_budget;       ///< for each node
    QHash<Subject, qint64> m_waiting;   ///< marked locks: changed after this time, by the source's clock
    QHash<Subject, qint64> m_reading;   ///< those of the point read that no page has shown yet
    std::deque<Subject> m_queue;        ///< m_waiting, in the order of their marks
    QSet<qsizetype> m_up;               ///< nodes, as the store told last
    QHash<qsizetype, PushState> m_lost; ///< nodes that have stopped, until it is known whether they are away
    std::deque<std::pair<quint64, std::function<void()>>> m_told; ///< by the mark that has to be read
    QElapsedTimer m_clock;
    QTimer m_pump;
    QTimer m_loss;
    qint64 m_watermarkUs = 0; ///< see watermarkUs()
    quint64 m_marks = 0;      ///< made
    quint64 m_batch = 0;      ///< of these, in the point read that is under way
    quint64 m_link = 0;       ///< counts begin() and end()
    bool m_begun = false;
    bool m_on = false;
};

} // namespace lockkeeper::stores::redis
