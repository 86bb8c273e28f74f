// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/client_clocks.h"
#include "agent/engine/engine_context.h"

namespace lockkeeper::agent::engine {

class GapTracker;
class ScanScheduler;
class PendingReleases;
struct Forced;

/**
 * Takes observations into the table, and makes events of the changes that they show: acquired, ended,
 * renewed, waited for, stuck. A pure step; locks that must be read again go to the scheduler.
 */
class LockObserver
{
public:
    LockObserver(EngineContext &context, ScanScheduler &scheduler, PendingReleases &releases,
                 GapTracker &gaps)
        : m_context(context), m_scheduler(scheduler), m_releases(releases), m_gaps(gaps)
    {
    }

    void observe(const stores::Observation &seen, const Frame &frame, Instant now, EngineStep &step);
    /** Shows the locks of a part that isn't observed any more as Unknown, each until it is seen again. Makes
     * updates: the part's gap is the event. */
    void hide(const std::function<bool(const stores::Subject &)> &isIn, EngineStep &step);
    /** Takes a probe's verdict on the holder of the acquisition with this guard; `atUs` by the store's clock.
     * Ignores it if another acquisition, or no certain one, is shown. */
    void noteHolder(quint32 index, const QByteArray &guard, bool isGone, qint64 atUs, EngineStep &step);
    /** Adds `record` to the source's counts, or removes it with `sign` −1. */
    void count(const LockRecord &record, int sign);
    /** Makes `record` show an inconclusive observation: the client that may hold the lock, and where. */
    static void showIndeterminate(LockRecord &record, const stores::Observation &seen);
    /** The proven error of the clients' clocks in microseconds, from this connection. */
    qint64 clientsOffUs() const { return m_clients.offUs(); }
    void forgetClients() { m_clients.forget(); }
    /** Held locks that never expire, in sets whose locks should. */
    qint64 withoutExpiry() const { return m_withoutExpiry; }

private:
    /** How a record was shown before it changed. */
    struct Shown
    {
        Shown(const LockRecord &record, const Frame &frame);

        domain::Phase phase;
        domain::ExpiryKind expiry;
        qint64 expiresUs;
        quint16 server;
        bool journalled;
        qint64 sinceUs; ///< the change came after this; 0: not known
    };

    void keep(quint32 index, const stores::Observation &seen, const Frame &frame, EngineStep &step);
    bool keepDetails(LockRecord &record, const stores::Observation &seen, const Frame &frame,
                     EngineStep &step, bool &told);
    void forget(quint32 index, const Waits &waits, bool otherEpoch, const Frame &frame, EngineStep &step);
    bool emitWaits(const LockRecord &record, const Waits &waits, bool otherEpoch, const Frame &frame,
                   EngineStep &step);
    void change(quint32 index, const stores::Observation &seen, const Frame &frame, const Verdict &verdict,
                Instant now, EngineStep &step);
    bool emitChange(const LockRecord &record, const Past &past, const Frame &frame, const Verdict &verdict,
                    const Forced *cause, EngineStep &step);
    struct Sighting
    {
        qint64 knownUs = 0; ///< the state was certain until then
        qint64 observedUs = 0;
        qint64 windowUs = 0; ///< what changed did so within it, before observedUs
    };
    bool judgeStuck(LockRecord &record, const Sighting &sighting, EngineStep &step);
    void emitRenewal(const LockRecord &record, const Frame &frame, EngineStep &step);
    void show(LockRecord &record, const Shown &before, const Frame &frame, EngineStep &step);
    // indeterminate.cpp
    void leaveIndeterminate(quint32 index, const stores::Observation &seen, const Frame &frame, Instant now,
                            EngineStep &step);
    Frame forgetIndeterminate(quint32 index, const stores::Observation &seen, Frame frame, EngineStep &step);

    EngineContext &m_context;
    ScanScheduler &m_scheduler;
    PendingReleases &m_releases;
    GapTracker &m_gaps;
    ClientClocks m_clients;
    qint64 m_withoutExpiry = 0;
};

} // namespace lockkeeper::agent::engine
