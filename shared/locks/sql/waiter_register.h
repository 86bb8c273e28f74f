// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/sql/connection/sql_connection.h"

#include <QDeadlineTimer>

namespace lockkeeper::locks::sql {

/** Writes waiters into the table that RegisteredWaiters reads. Blocking, in the connection's thread. */
class WaiterRegister
{
public:
    explicit WaiterRegister(stores::sql::SqlConnection &connection) : m_connection(connection) {}

    base::Result<void> announce(const QByteArray &place, const QByteArray &name,
                                const QList<AnnouncedWaiter> &waiters, qint64 forUs);
    void withdraw(const QByteArray &id);

private:
    stores::sql::SqlConnection &m_connection;
    QDeadlineTimer m_tidy; ///< if expired, entries of dead waiters are to be removed
};

} // namespace lockkeeper::locks::sql
