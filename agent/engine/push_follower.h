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

/** How to treat a reading that differs from the pushed changes. */
enum class Doubt : quint8 {
    None,   ///< apply it unchanged
    Wait,   ///< the change that explains it may be on its way: read again a little later
    Missed, ///< it is true, and no pushed change reported it
};

/** Follows the changes that a store pushes, beside the scans that verify them: see the .cpp. */
class PushFollower
{
public:
    PushFollower(EngineContext &context, ScanScheduler &scheduler, PendingReleases &releases,
                 GapTracker &gaps, LockObserver &observer)
        : m_context(context), m_scheduler(scheduler), m_releases(releases), m_gaps(gaps), m_observer(observer)
    {
    }

    void pushed(const stores::Push &push, Instant now, EngineStep &step);
    void stateChanged(const stores::PushState &state, Instant now, EngineStep &step);
    /** An observation of a scan or of a point read. */
    void takeReading(const stores::Observation &seen, const Frame &frame, Instant now, EngineStep &step);
    /** A page was read: while every change is pushed, the source counts as seen with such a page, not only
     * when a scan ends. */
    void noteContinuous(const stores::Page &page, bool unasked, Instant now, EngineStep &step);
    /** Reads the locks again that differed from the pushed changes a second ago. */
    void askDoubts(Instant now, EngineStep &step);
    /** A whole scan has ended. */
    void scanFinished(const stores::ScanEnd &end, EngineStep &step);
    /** Sets the scans' interval: for polling, or only for verifying. */
    void setPace();
    void linkMade();
    /**
     * The store was asked to resume, and hasn't answered yet whether it does. A reading would now be ahead of
     * the changes that follow, so nothing is read for a while.
     */
    bool awaitsState() const { return m_whole && m_placed && !m_stateSeen && !m_pageSeen; }
    /** The store hasn't answered in time. */
    void giveUpWaiting(EngineStep &step);
    /** Makes a scan due soon. A gap ends only with a scan that begins from now on. */
    void scanAnew(Instant now);
    /** `lastUs`: the last known time of the store's clock. */
    void linkFailed(qint64 lastUs, EngineStep &step);
    /** For a restarted agent: there is a gap unless the store resumes. */
    void resume(events::EventCause gapCause)
    {
        m_gapCause = gapCause;
        m_gapUnsaid = m_whole = m_placed = true;
    }

    Frame frameOf(const Bracket &bracket) const;
    /** Every change since the table was true has arrived, or will arrive. */
    bool isWhole() const { return m_whole; }
    /** Changes also come now, so the source counts as seen. */
    bool isFollowing() const { return m_on && m_whole; }
    quint64 missed() const { return m_missed; }
    quint64 unread() const { return m_unread; }
    /** When askDoubts() is due, by the store's clock. */
    qint64 askAtUs() const { return m_askAtUs; }

private:
    struct Doubtful
    {
        qint64 sinceUs = 0;       ///< the store's time of the first reading that differed
        qint64 absentSinceUs = 0; ///< for a lock that wasn't known then
        bool asked = false;
    };

    void take(const stores::Change &change, Instant now, EngineStep &step);
    void takeEverything(qint64 sinceUs, Instant now, EngineStep &step);
    bool isFollowed(quint32 index, const stores::Subject &lock) const;
    void tellUnseen(const stores::Change &change, const Frame &frame, EngineStep &step);
    void rememberGone(const stores::Change &change, const Frame &frame);
    void endRunOut(quint32 index, const Frame &frame, Instant now, EngineStep &step);
    static void reopen(LockRecord &record, const Frame &frame);
    Doubt doubtOf(const stores::Observation &seen, const Frame &frame);
    void noteMissed(qsizetype from, EngineStep &step);
    void sayGap(EngineStep &step);
    void goOn(EngineStep &step);
    void breakOff(const stores::PushState &state, bool wasOn, bool lost, EngineStep &step);
    void beginAfresh(const stores::PushState &state, Instant now, EngineStep &step);
    void endPush(const stores::PushState &state, Instant now, EngineStep &step);
    qint64 lostSinceUs(const stores::PushState &state) const;

    EngineContext &m_context;
    ScanScheduler &m_scheduler;
    PendingReleases &m_releases;
    GapTracker &m_gaps;
    LockObserver &m_observer;
    bool m_on = false;
    /** Every change since the table was true has arrived, or will arrive: a scan has proved it, or the last
     * process did. */
    bool m_whole = false;
    /** After a restart: it is unknown whether there is a gap until the store has resumed or not. */
    bool m_gapUnsaid = false;
    events::EventCause m_gapCause = events::EventCause::SourceDown;
    bool m_placed = false;    ///< the last pushed changes had their position
    bool m_pageSeen = false;  ///< a page was read since the connection was made
    bool m_stateSeen = false; ///< the store has reported since then whether it pushes
    /** The first scan that began after missed changes: its end makes the table whole, and ends a gap. */
    quint32 m_wholeAt = 0;
    /** All locks may have changed at once, but none before this time; 0: that didn't happen. */
    qint64 m_trueUntilUs = 0;
    quint64 m_missed = 0;
    quint64 m_unread = 0; ///< notifications of locks that were free before and after: no hold is reported
    QHash<stores::Subject, Doubtful> m_doubts;
    qint64 m_askAtUs = kNever; ///< when the next doubt is to be read again; the store's time
};

} // namespace lockkeeper::agent::engine
