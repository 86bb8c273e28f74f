// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/connection.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::sql {

/** The table, beside those of locks, in which those say so who wait (LockSet::waitersRegistered). */
inline constexpr QLatin1String kWaitersTable("lockkeeper_waiters");

/** Creates it where it isn't there. `waiter` is another one for each wait; times are the store's, in
 * microseconds since the epoch. */
QString waitersTableStatement(Dialect dialect);

/**
 * Who waits for the locks of one table, as the lock library registers them. Entries whose time is over are
 * none: their waiters are gone, or the link that renews them.
 */
class RegisteredWaiters
{
public:
    /** `place` of the locks' table. Blocking, on the connection's thread. */
    RegisteredWaiters(Connection &connection, QByteArray place)
        : m_connection(connection), m_place(std::move(place))
    {
    }

    /** Reads them anew; after an error nobody knows who waits. */
    base::Result<void> read();
    /** What was read last, as far as it is of this lock. */
    void addTo(Observation &lock) const;

private:
    Connection &m_connection;
    QByteArray m_place;
    QHash<QByteArray, QList<domain::Waiter>> m_waiters; ///< by lock, in the order of their coming
    bool m_known = false;
};

} // namespace lockkeeper::stores::sql
