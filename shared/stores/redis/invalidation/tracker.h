// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/invalidation/barrier.h"
#include "shared/stores/redis/invalidation/command_budget.h"
#include "shared/stores/redis/invalidation/read_back.h"
#include "shared/stores/redis/invalidation/subscriber.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>

namespace lockkeeper::stores::redis::push {

/** How long to wait for the next proof while no notification comes: a tenth of the quiet time so far, 0.1 s
 * at least and 2 s at most. A change that breaks the silence has a window of that length. */
std::chrono::milliseconds proofPauseMs(qint64 quietMs);

/**
 * Push for a source whose connection is up. The rule:
 *
 * 1. The server sends a notification for each key that was changed (CLIENT TRACKING in broadcasting mode,
 *    redirected to a second, subscribed connection; the server's configuration isn't touched). It names the
 *    key, and neither what happened, nor when, nor in which database.
 * 2. The tracker does a point read of the key over the first connection. A key waits for one read however
 *    many notifications name it, and it is in one read at a time. A notification that comes during a read
 *    leads to another read: the last state is always read. Reads and looks keep to the source's commands a
 *    second.
 * 3. The change happened after the watermark (see Barrier) that held when the first of these notifications
 *    came, and before the read ended: that is its window. `coalesced` counts the other notifications.
 * 4. A key that is absent, as it was before the first of these notifications, existed in between: one
 *    `unseen` hold. It was absent before where the last read of it, if any, ended before the watermark: what
 *    that read has shown hasn't changed until then. A write to this key is certain in two cases: a keyspace
 *    event of this database says that it was set, or nobody has used another database of the server. In the
 *    second case the notification can be of no other database. Otherwise nothing is claimed, and the engine
 *    counts it.
 * 5. The tracker reports changes that notifications can't express as `everything` (a database was emptied or
 *    swapped, too many keys wait): a scan comes at once, and nothing was missed. A subscription that is lost,
 *    or that the server has dropped silently, is renewed. Changes until then are a gap (`blind`), and a
 *    scan follows. A scan now and then proves that nothing was missed.
 *
 * Lives in the thread that made it, with the store. `data` outlives it.
 */
class Tracker : public QObject
{
    Q_OBJECT

public:
    Tracker(RedisConnection &data, const SourceSpec &spec, QObject *parent = nullptr);
    ~Tracker() override;

    /** Answers stateChanged(), perhaps at once. `mode` is how the source's keys are read, `runId` the
     * server's run; empty: it isn't known. */
    void open(const ReadMode &mode, const QByteArray &runId);
    /** No more signals; all waiting callbacks are called. */
    void close();
    /** Before open(): hands over the names of changed locks and reads none of them; null: reads them. */
    void onlyNames(std::function<void(const QList<Subject> &)> names) { m_names = std::move(names); }

    /** Reads locks, but leaves out those with a change on its way, so the answer never contradicts a later
     * push. `done` as in readKeys(); false where the link is down. */
    bool readPoints(QList<Observation> locks, const ReadMode &mode, std::function<void(KeyPage &)> done);
    /** Calls `then` once all changes up to `us` were reported; at once while push is off. */
    void whenTold(qint64 us, std::function<void()> then);
    /** Takes locks that a scan has shown. */
    void shown(const QList<Observation> &locks);
    /** All changes up to this time of the server's clock were reported; 0 while push is off. */
    qint64 toldUntilUs() const { return m_state.on ? m_changed.openSinceUs(m_barrier.provenUs()) : 0; }

Q_SIGNALS:
    void stateChanged(const lockkeeper::stores::PushState &state);
    void pushed(const lockkeeper::stores::Push &push);
    /** All changes up to this time of the store's clock were reported; about once a second. */
    void seen(qint64 storeUs);
    /** Keys that changed, and that another node of the cluster has. */
    void misplaced(const QList<QByteArray> &keys);

private:
    /** A caller's question, until it may be sent. */
    struct TrackedLook
    {
        QList<Observation> locks;
        ReadMode mode;
        std::function<void(KeyPage &)> done;
    };

    // tracker_link.cpp: the subscription, and events without a notification.
    void connectNow();
    void track(qint64 id);
    void tracked(qint64 sinceUs);
    void lose(const base::Error &why);
    void drop();
    void setState(const PushState &state);
    void check();
    void takeDatabases(const QByteArray &info, qint64 sinceUs);
    Barrier::BarrierCalls line();
    bool isCurrent(quint64 link) const { return m_state.on && link == m_links; }
    // tracker.cpp
    void hear(const Notification &what);
    void everything(qint64 sinceUs);
    bool mayRead() const;
    void pump();
    bool readBack(qsizetype most);
    void takePage(const QList<ChangedKey> &keys, KeyPage &page);
    void sendLook();
    QByteArray keyOf(const Observation &lock) const;
    void onProven(qint64 us);

    RedisConnection &m_data;
    const SourceSpec &m_spec;
    Subscriber m_subscriber;
    Barrier m_barrier;
    ChangedKeys m_changed;
    KeyMembers m_members;
    CommandBudget m_budget;
    ReadMode m_mode;
    std::function<void(const QList<Subject> &)> m_names; ///< see onlyNames()
    QByteArray m_runId;
    QList<QByteArray> m_prefixes;
    PushState m_state;
    std::deque<TrackedLook> m_waitingLooks;
    QHash<quint64, QSet<QByteArray>>
        m_changedDuringLook; ///< sent, with the keys that changed in the meantime
    QElapsedTimer m_clock;
    QElapsedTimer m_sincePage; ///< since the last read began
    QElapsedTimer m_sinceTold; ///< since the last notification
    QTimer m_retry;
    QTimer m_idle;
    QTimer m_pump;
    QTimer m_check;
    qint64 m_swaps = -1;    ///< of SWAPDB; negative: not known
    qint64 m_checkedUs = 0; ///< all swaps up to this time are in it
    qint64 m_seenUs = 0;    ///< of the last seen()
    quint64 m_lookId = 0;
    quint64 m_links = 0; ///< subscriptions made
    int m_pages = 0;     ///< in a read
    int m_failures = 0;
    int m_commandsAKey = 2;
    bool m_oneDatabase = false; ///< no other one has been used
    bool m_lookNext = true;     ///< in pump()
    bool m_open = false;
    bool m_answered = false; ///< open() was
};

} // namespace lockkeeper::stores::redis::push
