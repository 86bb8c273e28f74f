// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/lock_table.h"
#include "shared/stores/sql/table_client.h"

namespace lockkeeper::stores::sql {

/** Speaks ShedLock. */
class ShedlockClient final : public TableClient
{
public:
    static base::Result<std::unique_ptr<TableClient>> openTable(const SetContext &context);

    QByteArray newToken(const QByteArray &owner) const override { return holderText(owner); }
    base::Result<Attempt> acquire(Lease &lease) override;
    base::Result<Attempt> renew(Lease &lease) override;
    base::Result<Attempt> release(const Lease &lease) override;

private:
    explicit ShedlockClient(std::unique_ptr<LockTable> table) : m_table(std::move(table)) {}
    base::Result<Values> values(const Lease &lease);

    std::unique_ptr<LockTable> m_table;
};

} // namespace lockkeeper::stores::sql
