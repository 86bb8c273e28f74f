// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::sql {

/** The table, beside the lock tables, in which waiting clients register (LockSet::waitersRegistered). */
inline constexpr QLatin1String kWaitersTable("lockkeeper_waiters");

/** Creates the table if it doesn't exist. `waiter` is unique to each wait; times are the store's, in
 * microseconds since the epoch. */
QString waitersTableStatement(Dialect dialect);

/**
 * The clients that wait for the locks of one table, as the lock library registers them. Expired entries don't
 * count: their waiters have ended, or lost the link that renews them.
 */
class RegisteredWaiters
{
public:
    /** `place`: of the locks' table. Blocking, on the connection's thread. */
    RegisteredWaiters(SqlConnection &connection, QByteArray place)
        : m_connection(connection), m_place(std::move(place))
    {
    }

    /** Reads the entries again; after an error the waiters are unknown. */
    base::Result<void> read();
    /** Sets the lock's waiters from the last reading. */
    void addTo(Observation &lock) const;

private:
    SqlConnection &m_connection;
    QByteArray m_place;
    QHash<QByteArray, QList<domain::Waiter>> m_waiters; ///< by lock, in order of arrival
    bool m_known = false;
};

} // namespace lockkeeper::stores::sql
