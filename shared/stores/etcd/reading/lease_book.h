// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QHash>
#include <QJsonObject>
#include <QSet>

namespace lockkeeper::stores::etcd {

/**
 * The known state of the holders' leases. etcd returns a lease's remaining time in whole seconds, and needs
 * one request per lease. A lease with much time left isn't requested again, so a thousand locks cost few
 * requests. A renewal is seen when its lease is requested the next time.
 */
class LeaseBook
{
public:
    /** The members of `leases` that must be requested. */
    QList<qint64> due(const QSet<qint64> &leases, qint64 nowUs) const;
    /** The same for all known leases. */
    QList<qint64> due(qint64 nowUs) const;
    /** An answer to "lease/timetolive" that was read in [beganUs, endedUs]. */
    void take(qint64 lease, const QJsonObject &answer, qint64 beganUs, qint64 endedUs);
    /** Forgets all others. */
    void keep(const QSet<qint64> &leases);
    /** Forgets these. */
    void drop(const QSet<qint64> &leases);
    void clear() { m_leases.clear(); }
    /** How long it lasts without a renewal; 0: not known. */
    qint64 grantedUs(qint64 lease) const { return m_leases.value(lease).grantedUs; }
    /** It is known to be alive at this time: a key that was missing by then was deleted. */
    bool lasts(qint64 lease, qint64 us) const
    {
        const BookedLease known = m_leases.value(lease);
        return known.alive && known.fromUs > us;
    }
    /** The deadline of a lock that its holder's lease carries. */
    void date(Observation &lock, qint64 lease) const;

private:
    struct BookedLease
    {
        qint64 grantedUs = 0;
        qint64 fromUs = 0; ///< it ends in [fromUs, fromUs + slackUs]
        qint64 slackUs = 0;
        bool alive = false; ///< it had a second left at least: less may be a lease that has run out
    };
    static bool isDue(const BookedLease &entry, qint64 nowUs);

    QHash<qint64, BookedLease> m_leases;
};

} // namespace lockkeeper::stores::etcd
