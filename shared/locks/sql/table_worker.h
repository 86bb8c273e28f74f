// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/sql/mapped_client.h"
#include "shared/locks/sql/waiter_register.h"
#include "shared/locks/threaded_lock_client.h"

namespace lockkeeper::locks::sql {

/**
 * Acquires, renews and releases rows by the store's clock, as the scheme's own clients do. Connects on first
 * use and after a failure.
 */
class TableWorker final : public LockWorker
{
    Q_OBJECT

public:
    TableWorker(stores::SourceSpec spec, QByteArray owner);

    void tryAcquire(quint64 request, const Lease &wanted) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;
    void announce(quint64 request, const QByteArray &name, const QList<AnnouncedWaiter> &waiters,
                  qint64 forUs) override;
    void forget(const QByteArray &name, const QByteArray &id) override;

private:
    base::Result<void> connected();
    void drop() override;

    stores::SourceSpec m_spec; ///< with exactly one lock set
    QByteArray m_owner;
    stores::sql::SqlConnection m_connection{stores::sql::Purpose::TakeLocks};
    WaiterRegister m_register{m_connection};
    stores::sql::ServerFacts m_facts;
    stores::sql::ReleaseSeams m_seams;
    std::unique_ptr<MappedClient> m_table; ///< destroyed before m_connection
};

} // namespace lockkeeper::locks::sql
