// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/sql/table_client.h"

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
    void answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease);

    SourceSpec m_spec; ///< with exactly one lock set
    QByteArray m_owner;
    Connection m_connection;
    ServerFacts m_facts;
    ReleaseSeams m_seams;
    std::unique_ptr<TableClient> m_table; ///< destroyed before m_connection
};

/** Takes, renews and releases rows by the store's clock, as the scheme's own clients do. */
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

} // namespace lockkeeper::stores::sql
