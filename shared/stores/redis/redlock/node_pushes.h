// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/push/command_budget.h"
#include "shared/stores/redis/redlock/gather.h"
#include "shared/stores/redis/redlock/stir_rests.h"
#include "shared/stores/redis/redlock/telling.h"

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <chrono>
#include <deque>
#include <set>

namespace lockkeeper::stores::redis {

/**
 * Push for a Redlock source: a change that any node tells of has the lock read on all of them, and what they
 * come to then is the change of the lock.
 *
 * - What a client does on N nodes is told N times, within milliseconds: a lock waits once however often it is
 *   told, and is told of when it is held by a majority or by nobody. Anything else is a client on its way:
 *   it is waited for, a tenth of a second after the last change.
 * - A reading is told of once each node has told all that happened before it: nothing that comes later is
 *   about a hold from before, and what nobody could read is counted whole.
 * - A hold that was over before all nodes could be read is told where the nodes' own changes prove that a
 *   majority had its token at one moment.
 * - The source is pushed to while every node that is up tells. With one that can't it is polled, and what
 *   the others tell is read at once all the same. A node that is away tells nothing: when it goes and when it
 * is back a pass shows what hinges on it.
 *
 * In the thread that made it, with the store; nodes and memory outlive it.
 */
class NodePushes : public QObject
{
    Q_OBJECT

public:
    NodePushes(NodeSet &nodes, Memory &memory, const SourceSpec &spec, QObject *parent = nullptr);

    /** The link is up. Answers stateChanged(), at once. Nothing where the source hasn't asked for push. */
    void begin();
    /** It is down: no more signals; whoever waits is called. */
    void end();
    /** After nodes went or came, and this was told. */
    void nodesChanged();
    /** Calls `then` once all that the nodes told up to now was passed on; at once while nothing waits. */
    void whenTold(std::function<void()> then);

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** Not pushed to: what was read because a node told of it. Without locks: all up to then was told. */
    void pageRead(const lockkeeper::stores::Page &page);

private:
    /** A lock that nodes told of. */
    struct Waiting
    {
        Stir stir;
        quint64 mark = 0;
        Before before;       ///< when it was told of first
        int turns = 0;       ///< readings that came to nothing that could be told
        bool waited = false; ///< for the rest of what a client does …
        qint64 untilMs = 0;  ///< … or does until then
        bool queued = false;
    };

    void take(qsizetype node, const Push &push);
    bool noteShown(qsizetype node, const Change &change);
    void takeState(qsizetype node);
    void tellState();
    void takeToldUntil(qsizetype node, qint64 us);
    qint64 toldUs() const;
    void everything(qint64 sinceUs);
    void queue(const Subject &lock);
    void queueLate();
    void pump();
    void takePage(const Page &page);
    void settle(const Page &page, const QList<Standing> &standings);
    void endReading();
    static bool mustWait(const Waiting &lock, Standing now, bool toldAgain);
    void putBack(const Subject &subject, Waiting lock, bool wait);
    void keep(const Subject &subject, const Stir &rest, qint64 readSinceUs);
    void callTold();

    NodeSet &m_nodes;
    Memory &m_memory;
    const SourceSpec &m_spec;
    push::CommandBudget m_budget; ///< for each node
    QHash<Subject, Waiting> m_waiting;
    QHash<Subject, Waiting> m_reading;
    std::deque<Subject> m_queue;
    std::deque<std::pair<qint64, Subject>> m_late;                ///< by Waiting::untilMs
    std::set<quint64> m_marks;                                    ///< of all that wait or are being read
    std::deque<std::pair<quint64, std::function<void()>>> m_told; ///< by the mark that has to be told
    QHash<Subject, quint16> m_shown; ///< bits of the nodes whose last change left something there
    StirRests m_rests;
    QHash<qsizetype, qint64> m_toldUs; ///< by node: all up to then was told; the source's clock
    QSet<qsizetype> m_up;              ///< as told last
    QSet<qsizetype> m_telling;
    QHash<qsizetype, PushState>
        m_lost; ///< nodes that don't tell any more, until it is known whether they are away
    QElapsedTimer m_clock;
    QTimer m_pump;
    QTimer m_lateTimer;
    QTimer m_loss;
    quint64 m_lastMark = 0;
    quint64 m_link = 0; ///< counts begin() and end()
    int m_pages = 0;    ///< read, and not told of yet
    bool m_begun = false;
    bool m_on = false;
    bool m_stated = false;    ///< of this link
    bool m_gathering = false; ///< a reading is under way, or isn't told of yet
    bool m_gathered = false;  ///< all nodes have answered it
};

} // namespace lockkeeper::stores::redis
