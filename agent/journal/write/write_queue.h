// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/event_store.h"
#include "shared/base/result.h"
#include "shared/events/lock_event.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace lockkeeper::agent::journal {

/** Events and progress that are committed together and filed in one transaction. */
struct Work
{
    QList<events::LockEvent> events;
    QList<Progress> progress;
    RenewalNotes notes; ///< earlier renewals of holds that the work may end
    qint64 cost = 0;    ///< bytes of the queue that are free once it is filed
    bool flushRenewals = false;

    bool isEmpty() const { return events.isEmpty() && progress.isEmpty() && !flushRenewals; }
};

/**
 * Events and progress that wait to be committed, in the order of the calls. Any thread may push; one thread
 * takes. Renewals, and progress without events, are conflated. They wait for other work, 10 s and 1 s at
 * most, and longer while the disk fails.
 *
 * The memory is bounded; work that is taken but not filed yet counts too. At the limit the queue drops events
 * and counts them by source. Once everything before them was taken and most of it is filed, a gap of each
 * such source takes their place. Until then the queue drops every event, because an order with holes would be
 * worse than a gap.
 *
 * To end what has ended, the history keeps some of the dropped events. Within the gap come, in their order,
 * the last event of each lock that began or ended a hold, and the ends of waits that had begun before the
 * gap. The last event of a gap of the source, or of a part of it, comes after the journal's gap. All these
 * events take at most a sixteenth of the memory. In the event of a lock, `dropped` in the detail counts the
 * dropped events before it, if there were any, and its window reaches back to the first of them.
 */
class WriteQueue
{
public:
    using Clock = std::chrono::steady_clock;
    static constexpr int kRows = 1000; ///< of one transaction

    /** `limit`: bytes, while the disk is merely slow; a quarter of that while it fails. */
    explicit WriteQueue(qint64 limit = JournalOptions{}.queueBytes) : m_limit(limit) {}

    /** False: the events were dropped. */
    bool pushEvents(const QList<events::LockEvent> &events, const QList<Progress> &progress);
    void pushRenewal(const domain::LockState &state);
    void stop();
    void setFailing(bool failing);

    /** Waits for work, at most until `until`, and takes it. */
    Work take(Clock::time_point until);
    /** This number of taken events is committed. */
    void committed(qint64 events);
    /** Frees the memory of work of this cost, which is in the database now. */
    void release(qint64 cost);
    /** Waits for the next retry; returns early on stop(). */
    void waitForRetry(std::chrono::milliseconds pause);

    bool isStopping() const;
    qint64 queuedEvents() const; ///< not yet committed
    qint64 cost() const;         ///< bytes

private:
    struct QueuedWrite
    {
        QList<events::LockEvent> events;
        QList<Progress> progress;
        qint64 cost = 0;
        qsizetype taken = 0; ///< number of its events that are in earlier work
    };
    using Subject = std::pair<domain::LockKey, QByteArray>; ///< a lock or a source, and its part or waiter
    struct Last
    {
        events::LockEvent event;
        qint64 place = 0;   ///< among the dropped events of the source
        qint64 fromUs = 0;  ///< the first dropped event happened then, or later
        qint64 dropped = 0; ///< number of dropped events before this one
    };
    struct Loss
    {
        QByteArray store;
        qint64 openedUs = 0;
        qint64 closedUs = 0;
        qint64 events = 0;
        QHash<Subject, Last> last = {};
    };
    struct StoreTime
    {
        QByteArray store;
        qint64 us = 0;
    };

    void lose(const QList<events::LockEvent> &events, const QList<Progress> &progress);
    /** The subject that the event begins or ends: a lock's hold, a gap of its source or of a part of it, or a
     * wait that had begun before the loss. Empty for other events. */
    static std::optional<Subject> subjectOf(const events::LockEvent &event, qint64 lostSinceUs);
    void keepLast(const Subject &subject, const events::LockEvent &event, Loss &loss);
    void noteSeen(const QList<events::LockEvent> &events, const QList<Progress> &progress);
    bool isLossDue() const;
    Clock::time_point dueAt() const;
    void takeEvents(Work &work);
    void takeLosses(Work &work);
    void takeLazy(Work &work);

    const qint64 m_limit;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<QueuedWrite> m_items;
    qint64 m_cost = 0;
    qint64 m_queued = 0;
    QHash<QString, Progress> m_progress;
    std::optional<Clock::time_point> m_progressSince;
    RenewalNotes m_notes;
    std::optional<Clock::time_point> m_notesSince;
    QHash<QString, Loss> m_lost;
    qint64 m_lostCost = 0; ///< bytes of the dropped events that are kept
    QHash<QString, StoreTime> m_seen;
    bool m_failing = false;
    bool m_stop = false;
};

} // namespace lockkeeper::agent::journal
