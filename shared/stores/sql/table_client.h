// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/lock_client.h"
#include "shared/stores/sql/set_reader.h"
#include "shared/stores/sql/table_set.h"

namespace lockkeeper::stores::sql {

/**
 * The side of a table scheme that takes locks, on an open connection. Blocking, in the connection's thread.
 * Everything is judged by the store's clock. An error means that nothing is known of the attempt.
 */
class TableClient
{
public:
    TableClient() = default;
    virtual ~TableClient() = default;
    Q_DISABLE_COPY_MOVE(TableClient)

    static base::Result<std::unique_ptr<TableClient>> open(const SetContext &context);

    /** A new holder's text for one acquisition, as long as the table's column takes it. */
    virtual QByteArray newToken(const QByteArray &owner) const = 0;
    /** May put into `lease.proof` what else release and renewal need. */
    virtual base::Result<Attempt> acquire(Lease &lease) = 0;
    virtual base::Result<Attempt> renew(Lease &lease) = 0;
    virtual base::Result<Attempt> release(const Lease &lease) = 0;
};

/** `owner`, shortened to fit a column of `length` bytes with ':' and 32 random hexadecimal digits. */
QByteArray holderText(const QByteArray &owner, qsizetype length = 255);

/** Runs a statement of a table; the number of rows that it wrote or, for a query, found. */
base::Result<qint64> runClient(TableSet &table, const QByteArray &statement, const Values &values);

} // namespace lockkeeper::stores::sql
