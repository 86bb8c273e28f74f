// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/table_worker.h"

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;

TableWorker::TableWorker(SourceSpec spec, QByteArray owner)
    : m_spec(std::move(spec)), m_owner(std::move(owner))
{
}

base::Result<void> TableWorker::connected()
{
    if (m_connection.isOpen() && m_table)
        return {};
    m_table.reset();
    if (const auto open = m_connection.open(m_spec); !open)
        return open;
    auto facts = readServerFacts(m_connection);
    if (!facts)
        return tl::unexpected(facts.error());
    m_facts = *std::move(facts);
    auto table = MappedClient::open({m_connection, m_spec, m_facts, m_seams, 0});
    if (!table)
        return tl::unexpected(table.error());
    m_table = *std::move(table);
    return {};
}

void TableWorker::drop()
{
    m_table.reset();
    m_connection.close();
}

void TableWorker::tryAcquire(quint64 request, const Lease &wanted)
{
    Lease lease = wanted;
    const auto ready = connected();
    if (!ready)
        lease.token.clear(); // nothing was taken
    answer(request, ready ? m_table->acquire(lease, m_owner) : tl::unexpected(ready.error()), lease);
}

void TableWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease renewed = lease;
    renewed.ttlUs = ttlUs;
    answer(request, connected().and_then([&] { return m_table->renew(renewed); }), renewed);
}

void TableWorker::release(quint64 request, const Lease &lease)
{
    Lease own = lease;
    const auto attempt = connected().and_then([&] { return m_table->release(own); });
    if (!attempt && attempt.error().code == base::ErrorCode::Unknown)
        drop(); // whatever the cause, the link may be lost
    answer(request, attempt, own);
}

void TableWorker::announce(quint64 request, const QByteArray &name, const QList<AnnouncedWaiter> &waiters,
                           qint64 forUs)
{
    const auto announced =
        connected().and_then([&] { return m_register.announce(m_table->place(), name, waiters, forUs); });
    answer(request, announced.map([] { return Attempt::Done; }), {});
}

void TableWorker::forget(const QByteArray &, const QByteArray &id)
{
    if (m_connection.isOpen()) // otherwise the entry expires by itself
        m_register.withdraw(id);
}

} // namespace lockkeeper::locks::sql
