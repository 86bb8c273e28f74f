// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/locks/sql/mapped_client.h"

#include <QThread>

namespace lockkeeper::stores::sql {

/** The blocking half of a SqlLockClient: what LockClient does, in a worker thread, with one connection. */
class LockWorker : public QObject
{
    Q_OBJECT

public:
    virtual void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) = 0;
    virtual void renew(quint64 request, const Lease &lease, qint64 ttlUs) = 0;
    virtual void release(quint64 request, const Lease &lease) = 0;

Q_SIGNALS:
    void answered(const lockkeeper::stores::AttemptResult &result);

protected:
    void answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease);
    /** Closes a connection that is of no use any more. */
    virtual void drop() = 0;
};

/**
 * Takes, renews and releases rows by the store's clock, as the scheme's own clients do. Connects when first
 * asked and after a failure.
 */
class TableWorker final : public LockWorker
{
    Q_OBJECT

public:
    TableWorker(SourceSpec spec, QByteArray owner);

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    base::Result<void> connected();
    void drop() override;

    SourceSpec m_spec; ///< with exactly one lock set
    QByteArray m_owner;
    Connection m_connection;
    ServerFacts m_facts;
    ReleaseSeams m_seams;
    std::unique_ptr<MappedClient> m_table; ///< destroyed before m_connection
};

/** A worker in a thread of its own. */
class SqlLockClient final : public LockClient
{
    Q_OBJECT

public:
    explicit SqlLockClient(std::unique_ptr<LockWorker> worker);
    ~SqlLockClient() override;

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    QThread *m_thread; ///< deletes itself and the worker when it has ended
    LockWorker *m_worker;
};

} // namespace lockkeeper::stores::sql
