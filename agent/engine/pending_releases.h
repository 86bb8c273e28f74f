// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"
#include "agent/engine/engine_context.h"

#include <QHash>

#include <functional>
#include <vector>

namespace lockkeeper::agent::engine {

class ScanScheduler;

/** A force-release that succeeded, or may have succeeded, and whose effect hasn't been observed yet. */
struct Forced
{
    QByteArray identity;
    QByteArray command;
    qint64 untilUs = 0; ///< monotonic
    qint64 sentUs = 0;  ///< by the store's clock
    bool proven = true; ///< the store confirmed it; false: answer lost, may still be carried out
    qint64 doneUs = 0;  ///< by the store's clock, at the latest; 0: not known
};

/** An observation of a lock that waits to be applied. */
using Deferred = std::function<void(Instant now, EngineStep &step)>;

/** Defers the observations of locks whose force-release is under way: see the .cpp. */
class PendingReleases
{
public:
    PendingReleases(EngineContext &context, ScanScheduler &scheduler)
        : m_context(context), m_scheduler(scheduler)
    {
    }

    void sent(const domain::LockKey &key, const stores::Subject &lock, const QByteArray &identity,
              Instant now);
    void succeeded(const stores::Subject &lock, const QByteArray &identity, const QByteArray &command,
                   Instant now);
    /** The answer was lost. The order may take effect until some time after the lock is seen still held. */
    void unanswered(const stores::Subject &lock, const QByteArray &identity, const QByteArray &command);
    /** The answer came after the agent had stopped waiting for it. */
    void answeredLate(const stores::Subject &lock, const QByteArray &identity, bool released, Instant now);
    void stillHeld(const LockRecord &record, Instant now);
    /** On reconnect, assume that a session killed just before the link broke still holds its locks. */
    void linkMade(Instant now);
    /** The outcome of one of the lock's orders is known. After the last one, applies the deferred
     * observations. */
    void answered(const domain::LockKey &key, qint64 storeUs, Instant now, EngineStep &step);

    /** True if `seen` ends the acquisition that an order in flight targets, or came after such an end. */
    bool awaitsOutcome(const stores::Observation &seen, const Frame &frame) const;
    void defer(const stores::Observation &seen, Deferred take, Instant now, EngineStep &step);
    bool hasDeferred() const;
    /** Drops observations from an earlier link: the next scan shows the result. True if any existed. */
    bool dropDeferred();
    /** Takes the force-release that ended the record's acquisition, or probably did; `seen` shows the end. */
    std::optional<Forced> takeForced(const LockRecord &record, const stores::Observation &seen,
                                     const HoldEnding &end, Instant now);
    /** The latest time at which the record's acquisition was broken, if the next one may look the same; 0:
     * not known, or not broken. */
    qint64 brokenUs(const LockRecord &record) const;
    /** Forgets releases whose effect hasn't been observed for half a minute. */
    void expire(Instant now);

private:
    /** Force-releases of a lock that were sent and whose outcome isn't known. */
    struct SentRelease
    {
        domain::LockKey key;
        QByteArray identity;
        int orders = 0;
        qint64 sentUs = 0;          ///< time of the first order, by the store's clock
        std::vector<Deferred> seen; ///< from the first one that shows the end of `identity`
    };

    void takeDeferred(const stores::Subject &subject, Instant now, EngineStep &step);

    EngineContext &m_context;
    ScanScheduler &m_scheduler;
    QHash<stores::Subject, Forced> m_forced;
    QHash<stores::Subject, SentRelease> m_sent;
};

} // namespace lockkeeper::agent::engine
