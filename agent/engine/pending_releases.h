// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/differ.h"
#include "agent/engine/engine_context.h"

#include <QHash>

#include <functional>
#include <vector>

namespace lockkeeper::agent::engine {

class PassScheduler;

/** A force-release that succeeded and whose effect hasn't been observed yet. */
struct Forced
{
    QByteArray identity;
    QByteArray command;
    qint64 untilUs = 0; ///< monotonic
};

/** What was seen of a lock and waits to be taken. */
using Deferred = std::function<void(Instant now, Step &step)>;

/** Keeps back what is seen of locks whose force-release is under way: see the .cpp. */
class PendingReleases
{
public:
    PendingReleases(EngineContext &context, PassScheduler &scheduler)
        : m_context(context), m_scheduler(scheduler)
    {
    }

    void sent(const stores::Subject &lock, const QByteArray &identity);
    void succeeded(const stores::Subject &lock, const QByteArray &identity, const QByteArray &command,
                   Instant now);
    /** The outcome of one of the lock's orders is known; with the last what was kept back is taken. */
    void answered(const stores::Subject &lock, Instant now, Step &step);

    /** True where `seen` ends the acquisition that an order in flight is about, or came after such an end. */
    bool awaitsOutcome(const stores::Observation &seen, const Frame &frame) const;
    void defer(const stores::Observation &seen, Deferred take, Instant now, Step &step);
    bool hasDeferred() const;
    /** What was seen over another link isn't told: the next pass shows what became of it. True where there
     * was anything. */
    bool dropDeferred();
    /** The force-release that ended the record's acquisition. */
    std::optional<Forced> takeForced(const Record &record, Instant now);
    /** Forgets those whose effect has not been observed for half a minute. */
    void expire(Instant now);

private:
    /** Force-releases of a lock that were sent and whose outcome isn't known. */
    struct SentRelease
    {
        QByteArray identity;
        int orders = 0;
        std::vector<Deferred> seen; ///< from the first that shows the end of `identity` on
    };

    void takeDeferred(const stores::Subject &subject, Instant now, Step &step);

    EngineContext &m_context;
    PassScheduler &m_scheduler;
    QHash<stores::Subject, Forced> m_forced;
    QHash<stores::Subject, SentRelease> m_sent;
};

} // namespace lockkeeper::agent::engine
