// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sql_lock_client.h"

#include "shared/stores/sql/sql_errors.h"

#include <QUuid>

namespace lockkeeper::stores::sql {

using base::Error;
using base::ErrorCode;

namespace {
constexpr qsizetype kLongestOwner = 255 - 33;
constexpr unsigned long kPatienceMs = 500;

constexpr QLatin1String kDuplicateKey("(error 1062)");
} // namespace

QByteArray holderText(const QByteArray &owner)
{
    qsizetype length = std::min(owner.size(), kLongestOwner);
    while (length > 0 && length < owner.size() && (uchar(owner.at(length)) & 0xc0) == 0x80)
        --length; // never half a character
    return owner.first(length) + ':' + QUuid::createUuid().toRfc4122().toHex();
}

ClientWorker::ClientWorker(SourceSpec spec, QByteArray owner)
    : m_spec(std::move(spec)), m_owner(std::move(owner))
{
}

base::Result<void> ClientWorker::connected()
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
    auto table = LockTable::open({m_connection, m_spec, m_facts, m_seams, 0});
    if (!table)
        return tl::unexpected(table.error());
    m_table = *std::move(table);
    return {};
}

base::Result<qint64> ClientWorker::run(const QByteArray &name, const Values &values)
{
    const auto statement = m_table->statement(name);
    if (!statement)
        return tl::unexpected(statement.error());
    if (const auto failed = (*statement)->run(values))
        return tl::unexpected(failed->error);
    QSqlQuery &rows = (*statement)->rows();
    const qint64 count = rows.isSelect() ? (rows.next() ? 1 : 0) : rows.numRowsAffected();
    (*statement)->finish();
    return count;
}

base::Result<Attempt> ClientWorker::acquire(const Lease &lease)
{
    const auto now = m_table->storeTimeUs();
    if (!now)
        return tl::unexpected(now.error());
    const Values values{{"name", lease.name},
                        {"holder", lease.token},
                        {"ttl_us", lease.ttlUs},
                        {"offset_us", m_table->reader().expiresAt().writeOffsetUs(*now)}};
    const auto taken = run("client_take", values);
    if (!taken)
        return tl::unexpected(taken.error());
    if (*taken == 1)
        return Attempt::Done;
    // Asking first spares the insert's lock on the key where the row is there, as it nearly always is.
    const auto exists = run("client_exists", values);
    if (!exists)
        return tl::unexpected(exists.error());
    if (*exists == 1)
        return Attempt::Held;
    const auto inserted = run("client_insert", values);
    if (inserted)
        return Attempt::Done;
    if (inserted.error().cause.endsWith(kDuplicateKey))
        return Attempt::Held;
    return tl::unexpected(inserted.error());
}

void ClientWorker::answer(quint64 request, const base::Result<Attempt> &attempt, const Lease &lease)
{
    AttemptResult result;
    result.request = request;
    result.lease = lease;
    if (attempt) {
        result.attempt = *attempt;
    } else {
        result.error = attempt.error();
        if (isLinkLost(attempt.error().code)) {
            m_table.reset();
            m_connection.close();
        }
    }
    Q_EMIT answered(result);
}

void ClientWorker::tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs)
{
    const Lease lease{name, holderText(m_owner), ttlUs, {}};
    answer(request, connected().and_then([&] { return acquire(lease); }), lease);
}

void ClientWorker::renew(quint64 request, const Lease &lease, qint64 ttlUs)
{
    Lease renewed = lease;
    renewed.ttlUs = ttlUs;
    const auto attempt = connected().and_then([&]() -> base::Result<Attempt> {
        const auto now = m_table->storeTimeUs();
        if (!now)
            return tl::unexpected(now.error());
        const Values values{{"name", lease.name},
                            {"holder", lease.token},
                            {"ttl_us", ttlUs},
                            {"offset_us", m_table->reader().expiresAt().writeOffsetUs(*now)}};
        // Two renewals within the column's precision change nothing: see whether the lease is ours all the
        // same.
        return run("client_renew", values).and_then([&](qint64 rows) -> base::Result<Attempt> {
            if (rows == 1)
                return Attempt::Done;
            return run("client_still_held", values).map([](qint64 held) {
                return held == 1 ? Attempt::Done : Attempt::Lost;
            });
        });
    });
    answer(request, attempt, renewed);
}

void ClientWorker::release(quint64 request, const Lease &lease)
{
    const auto attempt = connected().and_then([&]() -> base::Result<Attempt> {
        const auto now = m_table->storeTimeUs();
        if (!now)
            return tl::unexpected(now.error());
        const Values values{{"name", lease.name},
                            {"holder", lease.token},
                            {"offset_us", m_table->reader().expiresAt().writeOffsetUs(*now)}};
        return run("client_release", values).map([](qint64 rows) {
            return rows == 1 ? Attempt::Done : Attempt::Lost;
        });
    });
    answer(request, attempt, lease);
}

SqlLockClient::SqlLockClient(const SourceSpec &spec, const LockSet &set, const QByteArray &owner)
    : m_thread(new QThread)
{
    SourceSpec own = spec;
    own.locks = {set};
    m_worker = new ClientWorker(own, owner);
    m_worker->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &ClientWorker::answered, this, &LockClient::answered);
    m_thread->start();
}

SqlLockClient::~SqlLockClient()
{
    m_worker->disconnect(this);
    m_thread->quit();
    if (m_thread->wait(kPatienceMs))
        delete m_thread;
    else
        connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
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
