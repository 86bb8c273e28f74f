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

/** A force-release that succeeded, or may have, and whose effect hasn't been observed yet. */
struct Forced
{
    QByteArray identity;
    QByteArray command;
    qint64 untilUs = 0; ///< monotonic
    qint64 sentUs = 0;  ///< by the store's clock
    bool proven = true; ///< the store said so; false: its answer was lost, and it may still carry it out
    qint64 doneUs = 0;  ///< by the store's clock, at the latest; 0: not known
};

/** What was seen of a lock and waits to be taken. */
using Deferred = std::function<void(Instant now, Step &step)>;

/** Keeps back what is seen of locks whose force-release is under way: see the .cpp. */
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
    /** Its answer was lost: it may be carried out until some time after the lock is seen still held. */
    void unanswered(const stores::Subject &lock, const QByteArray &identity, const QByteArray &command);
    /** The answer came after it had been given up. */
    void answeredLate(const stores::Subject &lock, const QByteArray &identity, bool released, Instant now);
    void stillHeld(const Record &record, Instant now);
    /** What a killed session still had when the link went it may have still. */
    void linkMade(Instant now);
    /** The outcome of one of the lock's orders is known; with the last what was kept back is taken. */
    void answered(const domain::LockKey &key, qint64 storeUs, Instant now, Step &step);

    /** True where `seen` ends the acquisition that an order in flight is about, or came after such an end. */
    bool awaitsOutcome(const stores::Observation &seen, const Frame &frame) const;
    void defer(const stores::Observation &seen, Deferred take, Instant now, Step &step);
    bool hasDeferred() const;
    /** What was seen over another link isn't told: the next scan shows what became of it. True where there
     * was anything. */
    bool dropDeferred();
    /** The force-release that ended the record's acquisition, or probably did; `seen` is what shows the end.
     */
    std::optional<Forced> takeForced(const Record &record, const stores::Observation &seen, const End &end,
                                     Instant now);
    /** When the record's acquisition was broken at the latest, where the next one may look the same; 0: not
     * known, or it wasn't. */
    qint64 brokenUs(const Record &record) const;
    /** Forgets those whose effect has not been observed for half a minute. */
    void expire(Instant now);

private:
    /** Force-releases of a lock that were sent and whose outcome isn't known. */
    struct SentRelease
    {
        domain::LockKey key;
        QByteArray identity;
        int orders = 0;
        qint64 sentUs = 0;          ///< the first of them, by the store's clock
        std::vector<Deferred> seen; ///< from the first that shows the end of `identity` on
    };

    void takeDeferred(const stores::Subject &subject, Instant now, Step &step);

    EngineContext &m_context;
    ScanScheduler &m_scheduler;
    QHash<stores::Subject, Forced> m_forced;
    QHash<stores::Subject, SentRelease> m_sent;
};

} // namespace lockkeeper::agent::engine
