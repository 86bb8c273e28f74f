// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/threaded_lock_client.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/sql_connection.h"

#include <QSocketNotifier>

#include <atomic>
#include <memory>

namespace lockkeeper::locks::sql {

/** How long a statement waits for a lock before it begins again. */
constexpr qint64 kWaitRoundMs = 300'000;

/** Shared by the thread blocked in the server and the thread that may cancel the wait. */
struct ServerWait
{
    std::atomic<bool> left = false; ///< the wait was given up
    std::atomic<qint64> id = 0;     ///< id of the session while one of its statements may wait; otherwise 0
};

/**
 * The clause that keeps `FOR UPDATE` from waiting on a server of that VERSION(): " SKIP LOCKED" if the server
 * knows it, because it doesn't fail the transaction; otherwise " NOWAIT". Empty: the statement waits for the
 * session's limit of two seconds.
 */
QByteArray noWaitClause(stores::sql::Dialect dialect, const QString &version);

/**
 * One connection of a SessionClient. Acquires locks as other clients do: a row `FOR UPDATE` in a transaction
 * that stays open, `GET_LOCK(name, timeout)`, or `pg_advisory_lock(key)`. With `wait` it waits for the lock
 * in the server; without it doesn't wait at all (noWaitClause(), a timeout of 0, `pg_try_advisory_lock`).
 *
 * It holds one lock at a time. The lock belongs to the connection, which is never closed while it holds one.
 * If the connection is lost, so is the lock. There is no time to live: the server frees the lock when the
 * connection ends. If the end of the connection reaches this machine, lost() reports it at once; otherwise
 * renew() detects it. PostgreSQL's keys are numbers: a name that isn't a number or a pair of numbers is
 * hashed by hashtextextended(name, 0).
 */
class SessionWorker final : public LockWorker
{
    Q_OBJECT

public:
    SessionWorker(stores::SourceSpec spec, std::shared_ptr<ServerWait> wait);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    base::Result<void> setUp();
    base::Result<QByteArray> keyColumn();
    /** If the table is missing, adds the statement that creates it to the error. */
    base::Error withCreation(base::Error error) const;
    base::Result<Attempt> acquire(const Lease &lease);
    base::Result<Attempt> acquireRow(const QByteArray &name);
    /** True if the row of that name was found. */
    base::Result<bool> selectRow(const QByteArray &name, const QByteArray &locking);
    base::Result<Attempt> acquireAdvisory(const QByteArray &name);
    base::Result<Attempt> giveBack(const Lease &lease);
    bool isMine(const Lease &lease) const;
    /** False: the connection is lost, or its server has become read-only and may have a successor without
     * these locks; the connection was closed. An error of the statement alone is returned as an error. */
    base::Result<bool> isAlive();
    void hold(const Lease &lease);
    void onReadable();
    void letGo();
    void drop() override;

    stores::SourceSpec m_spec; ///< with exactly one lock set
    stores::sql::SqlConnection m_connection;
    QByteArray m_keyColumn;
    std::shared_ptr<ServerWait> m_wait;     ///< null: it never waits
    qint64 m_id = 0;                        ///< id of this session in the server, if it may wait
    bool m_readOnly = false;                ///< the server was read-only when the connection was made
    Lease m_held;                           ///< held lease; without a token: none
    std::unique_ptr<QSocketNotifier> m_end; ///< detects the connection's end while it holds a lock
};

} // namespace lockkeeper::locks::sql
