// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"
#include "agent/engine/engine_context.h"

#include <QHash>

namespace lockkeeper::agent::engine {

class GapTracker;
class LockObserver;
class ScanScheduler;
class PendingReleases;

/** What a reading that differs from the pushed changes is worth. */
enum class Doubt : quint8 {
    None,   ///< it may be taken as it is
    Wait,   ///< the change that explains it may be on its way: it is read again a little later
    Missed, ///< it is so, and no change was pushed that says so
};

/** Follows the changes that a store tells of by itself, beside the scans that prove them: see the .cpp. */
class PushFollower
{
public:
    PushFollower(EngineContext &context, ScanScheduler &scheduler, PendingReleases &releases,
                 GapTracker &gaps, LockObserver &observer)
        : m_context(context), m_scheduler(scheduler), m_releases(releases), m_gaps(gaps), m_observer(observer)
    {
    }

    void pushed(const stores::Push &push, Instant now, Step &step);
    void stateChanged(const stores::PushState &state, Instant now, Step &step);
    /** An observation of a scan or of a point read. */
    void takeReading(const stores::Observation &seen, const Frame &frame, Instant now, Step &step);
    /** A page was read: while every change is pushed the source is being seen, and not only when a scan ends.
     */
    void noteContinuous(const stores::Page &page, bool unasked, Instant now, Step &step);
    /** Reads again what differed from the pushed changes a second ago. */
    void askDoubts(Instant now, Step &step);
    /** A whole scan has ended. */
    void scanFinished(const stores::ScanEnd &end, Step &step);
    /** Polls, or only proves, by what there is now. */
    void setPace();
    void linkMade();
    /**
     * The store was asked to go on, and hasn't said yet whether it does. What is read meanwhile would be
     * ahead of the changes that come then: nothing is, for a while.
     */
    bool awaitsState() const { return m_whole && m_placed && !m_stateSeen && !m_pageSeen; }
    /** It hasn't said so in time. */
    void giveUpWaiting(Step &step);
    /** Soon, and a gap ends only with a scan that begins from now on. */
    void scanAnew(Instant now);
    /** `lastUs`: what the store's clock showed last. */
    void linkFailed(qint64 lastUs, Step &step);
    /** A restarted agent: whether there is a gap is known when the store has gone on, or not. */
    void resume(const QString &gapCause)
    {
        m_gapCause = gapCause;
        m_gapUnsaid = m_whole = m_placed = true;
    }

    Frame frameOf(const Bracket &bracket) const;
    /** Every change since the table was true has come, or will. */
    bool isWhole() const { return m_whole; }
    /** … and comes now: the source is seen by that. */
    bool isFollowing() const { return m_on && m_whole; }
    quint64 missed() const { return m_missed; }
    quint64 unread() const { return m_unread; }
    /** When askDoubts() is due, by the store's clock. */
    qint64 askAtUs() const { return m_askAtUs; }

private:
    struct Doubtful
    {
        qint64 sinceUs = 0;       ///< the store's time of the first reading that differed
        qint64 absentSinceUs = 0; ///< of a lock that wasn't known then
        bool asked = false;
    };

    void take(const stores::Change &change, Instant now, Step &step);
    void takeEverything(qint64 sinceUs, Instant now, Step &step);
    bool isFollowed(quint32 index, const stores::Subject &lock) const;
    void tellUnseen(const stores::Change &change, const Frame &frame, Step &step);
    void rememberGone(const stores::Change &change, const Frame &frame);
    void endRunOut(quint32 index, const Frame &frame, Instant now, Step &step);
    static void reopen(Record &record, const Frame &frame);
    Doubt doubtOf(const stores::Observation &seen, const Frame &frame);
    void noteMissed(qsizetype from, Step &step);
    void sayGap(Step &step);
    void goOn(Step &step);
    void breakOff(const stores::PushState &state, bool wasOn, bool lost, Step &step);
    void beginAfresh(const stores::PushState &state, Instant now, Step &step);
    void endPush(const stores::PushState &state, Instant now, Step &step);
    qint64 lostSinceUs(const stores::PushState &state) const;

    EngineContext &m_context;
    ScanScheduler &m_scheduler;
    PendingReleases &m_releases;
    GapTracker &m_gaps;
    LockObserver &m_observer;
    bool m_on = false;
    /** Every change since the table was true has come, or will: a scan has proved it, or the last process
     * did. */
    bool m_whole = false;
    /** Restarted: whether there is a gap isn't known until the store has gone on or not. */
    bool m_gapUnsaid = false;
    QString m_gapCause;
    bool m_placed = false;    ///< the changes that were pushed last came with their position
    bool m_pageSeen = false;  ///< since the connection was made
    bool m_stateSeen = false; ///< the store has said whether it pushes, since then
    /** The scan that began after what was missed: its end makes the table whole, and ends a gap. */
    quint32 m_wholeAt = 0;
    /** Everything may have changed at once, and no lock did before this time; 0: not so. */
    qint64 m_trueUntilUs = 0;
    quint64 m_missed = 0;
    quint64 m_unread = 0; ///< notifications of locks that were free before and after: no hold is told
    QHash<stores::Subject, Doubtful> m_doubts;
    qint64 m_askAtUs = kNever; ///< when the next doubt is to be read again; the store's time
};

} // namespace lockkeeper::agent::engine
