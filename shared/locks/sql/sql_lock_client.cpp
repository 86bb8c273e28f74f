// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/sql_lock_client.h"

#include "shared/stores/end_thread.h"
#include "shared/stores/sql/connection/sql_errors.h"

namespace lockkeeper::stores::sql {

void LockWorker::answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease)
{
    AttemptResult result;
    result.request = request;
    result.lease = lease;
    if (attempt) {
        result.attempt = *attempt;
    } else {
        result.error = attempt.error();
        if (isLinkLost(attempt.error().code))
            drop();
    }
    Q_EMIT answered(result);
}

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

void TableWorker::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    Lease lease{name, {}, ttlUs, {}};
    const auto attempt = connected().and_then([&] {
        lease.token = m_table->newToken(m_owner);
        return m_table->acquire(lease);
    });
    answer(request, attempt, lease);
}

void TableWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease renewed = lease;
    renewed.ttlUs = ttlUs;
    answer(request, connected().and_then([&] { return m_table->renew(renewed); }), renewed);
}

void TableWorker::release(quint64 request, const Lease &lease)
{
    answer(request, connected().and_then([&] { return m_table->release(lease); }), lease);
}

SqlLockClient::SqlLockClient(std::unique_ptr<LockWorker> worker)
    : m_thread(new QThread), m_worker(worker.release())
{
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &LockWorker::answered, this, &LockClient::answered);
    m_thread->start();
}

SqlLockClient::~SqlLockClient()
{
    m_worker->disconnect(this);
    endThread(m_thread);
}

void SqlLockClient::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, name, ttlUs] { worker->tryAcquire(request, name, ttlUs); },
        Qt::QueuedConnection);
}

void SqlLockClient::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, lease, ttlUs] { worker->renew(request, lease, ttlUs); },
        Qt::QueuedConnection);
}

void SqlLockClient::release(quint64 request, const Lease &lease)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, request, lease] { worker->release(request, lease); },
        Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::sql
