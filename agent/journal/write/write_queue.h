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

/** What is committed at a time, and filed in one transaction. */
struct Work
{
    QList<events::LockEvent> events;
    QList<Progress> progress;
    RenewalNotes notes; ///< the renewals before it, of holds that it may end
    qint64 cost = 0;    ///< bytes that filing it sets free in the queue
    bool flushRenewals = false;

    bool isEmpty() const { return events.isEmpty() && progress.isEmpty() && !flushRenewals; }
};

/**
 * What waits to be committed, in the order of the calls. Any thread may push; one takes. Renewals and
 * progress alone are conflated and wait for company, 10 s and 1 s at most, and for a disk that fails.
 *
 * The memory is bounded, also of what is taken and isn't filed yet: what comes after the limit is dropped and
 * counted by source, and once everything before it was taken and most of it is filed, a gap of each such
 * source takes its place. From the first event that is dropped until then all are, for an order with holes in
 * the middle would be worse than a gap. Within the gap the last event is told after all that began or ended a
 * hold of a lock, and what ended waits that had begun before it, in their order; behind it that of a gap of
 * the source or a part of it; for as many of them as a sixteenth of the memory holds: so the history ends
 * what has ended. Of a lock `dropped` in its detail counts those before it, if there were any, and its window
 * reaches back to the first of them.
 */
class WriteQueue
{
public:
    using Clock = std::chrono::steady_clock;
    static constexpr int kRows = 1000; ///< of one transaction

    /** `limit`: bytes, while the disk is merely slow; a quarter of that while it fails. */
    explicit WriteQueue(qint64 limit = Options{}.queueBytes) : m_limit(limit) {}

    /** False: dropped. */
    bool pushEvents(const QList<events::LockEvent> &events, const QList<Progress> &progress);
    void pushRenewal(const domain::LockState &state);
    void stop();
    void setFailing(bool failing);

    /** Waits until there is work, at most until `until`, and takes it. */
    Work take(Clock::time_point until);
    /** So many events that were taken are committed. */
    void committed(qint64 events);
    /** Work of this cost is in the database: its memory is free. */
    void release(qint64 cost);
    /** Waits for the next try; ends early for stop(). */
    void waitForRetry(std::chrono::milliseconds pause);

    bool isStopping() const;
    qint64 queuedEvents() const; ///< not yet committed
    qint64 cost() const;         ///< bytes

private:
    struct Item
    {
        QList<events::LockEvent> events;
        QList<Progress> progress;
        qint64 cost = 0;
        qsizetype taken = 0; ///< events of it that are in earlier work
    };
    using Subject = std::pair<domain::LockKey, QByteArray>; ///< a lock or source, and what of it
    struct Last
    {
        events::LockEvent event;
        qint64 place = 0;   ///< among all that were dropped
        qint64 fromUs = 0;  ///< the first that was dropped happened then, or later
        qint64 dropped = 0; ///< so many before this one
    };
    struct Loss
    {
        QByteArray store;
        qint64 openedUs = 0;
        qint64 closedUs = 0;
        qint64 events = 0;
        QHash<Subject, Last> last = {};
    };
    struct Seen
    {
        QByteArray store;
        qint64 us = 0;
    };

    void lose(const QList<events::LockEvent> &events, const QList<Progress> &progress);
    /** What the event begins or ends: a lock's hold, a gap of its source or of a part of it, or a wait that
     * had begun before the loss. */
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
    std::deque<Item> m_items;
    qint64 m_cost = 0;
    qint64 m_queued = 0;
    QHash<QString, Progress> m_progress;
    std::optional<Clock::time_point> m_progressSince;
    RenewalNotes m_notes;
    std::optional<Clock::time_point> m_notesSince;
    QHash<QString, Loss> m_lost;
    qint64 m_lostCost = 0; ///< of what is kept of it
    QHash<QString, Seen> m_seen;
    bool m_failing = false;
    bool m_stop = false;
};

} // namespace lockkeeper::agent::journal
