// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/sql/table_worker.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/connection.h"

namespace lockkeeper::locks::sql {

using namespace stores;
using namespace stores::sql;

/**
 * Speaks sql.row and sql.advisory on MySQL, MariaDB and PostgreSQL, as clients of those do: a row `FOR UPDATE
 * NOWAIT` in a transaction that stays open, or `GET_LOCK(name, 0)` and `pg_try_advisory_lock(key)`. One
 * lock at a time: it belongs to the connection, which is never closed while one is held, and when it is lost
 * so is the lock. There is no time to live: the server frees the lock when the connection ends, renew() asks
 * whether it still is there. PostgreSQL's keys are numbers: a name that isn't one, nor a pair of them, is
 * hashed by hashtextextended(name, 0).
 */
class SessionWorker final : public LockWorker
{
    Q_OBJECT

public:
    explicit SessionWorker(SourceSpec spec);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    base::Result<QByteArray> keyColumn();
    base::Result<Attempt> acquire(const Lease &lease);
    base::Result<Attempt> acquireRow(const QByteArray &name);
    base::Result<Attempt> acquireAdvisory(const QByteArray &name);
    base::Result<Attempt> giveBack(const Lease &lease);
    bool isMine(const Lease &lease) const;
    void drop() override;

    SourceSpec m_spec; ///< with exactly one lock set
    Connection m_connection;
    QByteArray m_keyColumn;
    QByteArray m_held;  ///< the token of the lease that the connection holds; empty: none
    QByteArray m_token; ///< begins every token of this connection
    quint64 m_count = 0;
};

} // namespace lockkeeper::locks::sql
