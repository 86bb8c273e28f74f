// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/sql/lock_table.h"

#include <QThread>

namespace lockkeeper::stores::sql {

/** The blocking half of a SqlLockClient, in its worker thread. Connects when first asked and after a failure.
 */
class ClientWorker final : public QObject
{
    Q_OBJECT

public:
    ClientWorker(SourceSpec spec, QByteArray owner);

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs);
    void renew(quint64 request, const Lease &lease, qint64 ttlUs);
    void release(quint64 request, const Lease &lease);

Q_SIGNALS:
    void answered(const lockkeeper::stores::AttemptResult &result);

private:
    base::Result<void> connected();
    /** Runs a statement of the scheme; the number of rows that it wrote or, for a query, found. */
    base::Result<qint64> run(const QByteArray &statement, const Values &values);
    base::Result<Attempt> acquire(const Lease &lease);
    void answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease);

    SourceSpec m_spec; ///< with exactly one lock set
    QByteArray m_owner;
    Connection m_connection;
    ServerFacts m_facts;
    ReleaseSeams m_seams;
    std::unique_ptr<LockTable> m_table; ///< destroyed before m_connection
};

/** Speaks ShedLock: takes, renews and releases rows by the store's clock. */
class SqlLockClient final : public LockClient
{
    Q_OBJECT

public:
    SqlLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner);
    ~SqlLockClient() override;

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    QThread *m_thread; ///< deletes itself and the worker when it has ended
    ClientWorker *m_worker;
};

/** `owner`, shortened to fit a column of 255 bytes with its random part, ':' and 32 hexadecimal digits. */
QByteArray holderText(const QByteArray &owner);

} // namespace lockkeeper::stores::sql
