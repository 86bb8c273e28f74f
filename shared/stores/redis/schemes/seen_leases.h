// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lease_range.h"

#include <QByteArray>
#include <QHash>

#include <optional>

namespace lockkeeper::stores::redis {

/**
 * The lease that the clients of a lock set's semaphores have, judged by their sets. It is no shorter than the
 * configured lease. Where a set may have been given a longer time, that time counts. The readings of a set
 * count as long as the set does, until they contradict each other: its clients have another time-out then.
 * Milliseconds; pure.
 */
class SeenLeases
{
public:
    /** Clocks that are in step differ by no more: a lease that is longer by less counts as the configured. */
    static constexpr qint64 kSlackMs = 2'000;

    explicit SeenLeases(qint64 configuredMs) : m_configuredMs(configuredMs) {}

    /** The lease to go by for the permits of `key`, of which the newest has this score. `endsMs`: when the
     * key runs out, since the epoch; empty: never, or not known. */
    qint64 take(const QByteArray &key, qint64 nowMs, std::optional<qint64> endsMs, qint64 newestMs);

    qint64 configuredMs() const { return m_configuredMs; }
    /** The lease that some set was proven to have been given, where it is longer than the configured. */
    std::optional<qint64> provenMs() const;
    qsizetype size() const { return m_known.size(); }

private:
    struct SeenLease
    {
        LeaseRange range;
        qint64 endsMs = 0;
    };
    void forgetEnded(qint64 nowMs);
    bool isLonger(qint64 leaseMs) const { return leaseMs > m_configuredMs + kSlackMs; }

    qint64 m_configuredMs;
    QHash<QByteArray, SeenLease> m_known;
    qsizetype m_most = 1'024; ///< at this size, sets that have ended are forgotten
    LeaseRange m_proven;      ///< of the set that has proven most
};

} // namespace lockkeeper::stores::redis
