// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/sql/session_worker.h"

#include <memory>
#include <optional>

namespace lockkeeper::locks::sql {

class WaitBreaker;

/**
 * The client for sql.row and sql.advisory on MySQL, MariaDB and PostgreSQL. Such a lock belongs to its
 * connection. So each lease, and each wait for one, uses a separate connection and thread, which serve
 * another lease afterwards.
 *
 * enqueue() waits in the server, in the server's order and visible to everybody. After kWaitRoundMs it starts
 * again at the end of the queue, so that a dead link is noticed. To end the wait, leave() cancels the
 * statement from another connection (KILL QUERY, pg_cancel_backend); an account may do that to its own
 * sessions.
 */
class SessionClient final : public LockClient
{
    Q_OBJECT

public:
    SessionClient(stores::SourceSpec spec, const Traits &traits);
    ~SessionClient() override;

    Traits traits() const override { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;

private:
    /** One connection. */
    struct SessionSlot
    {
        std::unique_ptr<ThreadedLockClient> client;
        std::shared_ptr<ServerWait> wait;    ///< null: it never waits
        Done done;                           ///< completion of an attempt or wait in progress
        bool breaking = false;               ///< a break of its wait is in progress …
        std::optional<AttemptResult> result; ///< … and the wait has already ended with this
    };

    static QByteArray keyOf(const Lease &lease) { return lease.token + '\0' + lease.name; }
    void later(Done done, const AttemptResult &result);
    void take(Lease wanted, bool waits, Done done);
    void onTaken(const QByteArray &key, const AttemptResult &result);
    void onLost(const Lease &lease);
    void breakWait(const QByteArray &key);
    std::shared_ptr<SessionSlot> session(bool waits);
    /** Ends the lease of that key; its connection may serve another. */
    void retire(const QByteArray &key);

    stores::SourceSpec m_spec; ///< with exactly one lock set
    Traits m_traits;
    QHash<QByteArray, std::shared_ptr<SessionSlot>> m_sessions; ///< by the lease that they hold or wait for
    QList<std::shared_ptr<SessionSlot>> m_idle;
    std::unique_ptr<WaitBreaker> m_breaker;
};

} // namespace lockkeeper::locks::sql
