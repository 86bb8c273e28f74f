// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/shedlock_client.h"

namespace lockkeeper::stores::sql {

base::Result<std::unique_ptr<TableClient>> ShedlockClient::openTable(const SetContext &context)
{
    auto table = LockTable::open(context);
    if (!table)
        return tl::unexpected(table.error());
    return std::unique_ptr<TableClient>(new ShedlockClient(*std::move(table)));
}

base::Result<Values> ShedlockClient::values(const Lease &lease)
{
    return m_table->storeTimeUs().map([&](qint64 now) {
        return Values{{"name", notNull(lease.name)},
                      {"holder", lease.token},
                      {"ttl_us", lease.ttlUs},
                      {"offset_us", m_table->reader().expiresAt().writeOffsetUs(now)}};
    });
}

base::Result<Attempt> ShedlockClient::acquire(Lease &lease)
{
    const auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    const auto taken = runClient(*m_table, "client_take", *values);
    if (!taken)
        return tl::unexpected(taken.error());
    if (*taken == 1)
        return Attempt::Done;
    // Asking first spares the insert's lock on the key where the row is there, as it nearly always is.
    const auto exists = runClient(*m_table, "client_exists", *values);
    if (!exists)
        return tl::unexpected(exists.error());
    if (*exists == 1)
        return Attempt::Held;
    const auto insert = m_table->statement("client_insert");
    if (!insert)
        return tl::unexpected(insert.error());
    const auto failed = (*insert)->run(*values);
    (*insert)->finish();
    if (!failed)
        return Attempt::Done;
    if (failed->duplicate)
        return Attempt::Held;
    return tl::unexpected(failed->error);
}

base::Result<Attempt> ShedlockClient::renew(Lease &lease)
{
    const auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    // Two renewals within the column's precision change nothing: see whether the lease is ours all the same.
    return runClient(*m_table, "client_renew", *values).and_then([&](qint64 rows) -> base::Result<Attempt> {
        if (rows == 1)
            return Attempt::Done;
        return runClient(*m_table, "client_still_held", *values).map([](qint64 held) {
            return held == 1 ? Attempt::Done : Attempt::Lost;
        });
    });
}

base::Result<Attempt> ShedlockClient::release(const Lease &lease)
{
    const auto values = this->values(lease);
    if (!values)
        return tl::unexpected(values.error());
    return runClient(*m_table, "client_release", *values).map([](qint64 rows) {
        return rows == 1 ? Attempt::Done : Attempt::Lost;
    });
}

} // namespace lockkeeper::stores::sql
