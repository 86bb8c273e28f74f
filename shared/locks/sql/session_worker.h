// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/threaded_lock_client.h"
#include "shared/stores/source_spec.h"
#include "shared/stores/sql/connection/connection.h"

#include <QSocketNotifier>

#include <atomic>
#include <memory>

namespace lockkeeper::locks::sql {

using namespace stores;
using namespace stores::sql;

/** How long a statement waits for a lock before it begins again. */
constexpr qint64 kWaitRoundMs = 300'000;

/** What the thread that waits in the server shares with who may end that. */
struct ServerWait
{
    std::atomic<bool> left = false; ///< nobody waits for the lock any more
    std::atomic<qint64> id = 0;     ///< of the session, while a statement of it may wait
};

/**
 * What makes `FOR UPDATE` not wait on a server of that VERSION(): " SKIP LOCKED" where it is known, which
 * fails no transaction, else " NOWAIT"; empty: it waits as long as the session may, two seconds.
 */
QByteArray noWaitClause(Dialect dialect, const QString &version);

/**
 * One connection of a SessionClient, which takes locks as other clients of those do: a row `FOR UPDATE` in a
 * transaction that stays open, `GET_LOCK(name, timeout)`, or `pg_advisory_lock(key)`; with `wait` waiting for
 * it in the server, else not at all (noWaitClause(), a timeout of 0, `pg_try_advisory_lock`). One lock at a
 * time: it belongs to the connection, which is never closed while one is held, and when it is lost so is the
 * lock. There is no time to live: the server frees the lock when the connection ends. Where that reaches this
 * machine lost() tells it at once; where it doesn't, renew() finds out. PostgreSQL's keys are numbers: a name
 * that isn't one, nor a pair of them, is hashed by hashtextextended(name, 0).
 */
class SessionWorker final : public LockWorker
{
    Q_OBJECT

public:
    SessionWorker(SourceSpec spec, std::shared_ptr<ServerWait> wait);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    base::Result<void> setUp();
    base::Result<QByteArray> keyColumn();
    /** Where the table is missing, the error says what creates it. */
    base::Error withCreation(base::Error error) const;
    base::Result<Attempt> acquire(const Lease &lease);
    base::Result<Attempt> acquireRow(const QByteArray &name);
    /** Whether it finds the row of that name. */
    base::Result<bool> selectRow(const QByteArray &name, const QByteArray &locking);
    base::Result<Attempt> acquireAdvisory(const QByteArray &name);
    base::Result<Attempt> giveBack(const Lease &lease);
    bool isMine(const Lease &lease) const;
    /** False: it isn't there any more, or its server has become read-only and may have a successor, which has
     * none of its locks; it was closed. An error of the statement alone is none of these. */
    base::Result<bool> isAlive();
    void hold(const Lease &lease);
    void onReadable();
    void letGo();
    void drop() override;

    SourceSpec m_spec; ///< with exactly one lock set
    Connection m_connection;
    QByteArray m_keyColumn;
    std::shared_ptr<ServerWait> m_wait;     ///< null: it never waits
    qint64 m_id = 0;                        ///< of this session in the server, where it waits
    bool m_readOnly = false;                ///< the server was when the connection was made
    Lease m_held;                           ///< what the connection holds; without a token: nothing
    std::unique_ptr<QSocketNotifier> m_end; ///< of the connection, while it holds
};

} // namespace lockkeeper::locks::sql
