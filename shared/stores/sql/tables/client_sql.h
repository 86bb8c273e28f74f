// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/dialect_sql.h"

namespace lockkeeper::stores::sql {

/**
 * The placeholders of the statements by which a lock client takes, renews and gives back rows of a mapped
 * table:
 *
 * - `{columns}`, `{values}`: of a new row that is held; `{take}`: the same as assignments;
 * - `{is_free}`: what makes a row that stays free: its flag, its count, no owner, a deadline that is past, or
 * a time that is older than the value `lease_us` (negative);
 * - `{renewal}`: assignments that put the deadline off; `{own_row}`: the columns that prove the acquisition;
 * - `{returning}`: makes PostgreSQL answer an insert with the generated id, and `{fence}` with the next one
 *   as well, which is drawn only when the row is there; `{for_update}` where there is such;
 * - `{release_later}`: the clock, or the acquisition and `least_us` where that is ahead.
 *
 * A version that is a number grows with every acquisition. The values are `token`, `ttl_us`, `timeout`,
 * `held_value`, `own_id`, `own_time`, `new_time` and `least_us`, and the name.
 */
class ClientSql
{
public:
    ClientSql(const Table &table, DialectSql &sql) : m_table(table), m_sql(sql) {}

    /** False for what is none of its placeholders. */
    bool placeholder(const QByteArray &kind);

private:
    void columns();
    void values();
    void take();
    void renewal();
    void isFree();
    void ownRow();
    void fence();
    void nextVersion();
    void value(const QByteArray &key);
    QByteArrayList written() const;
    void assignments(const QByteArrayList &keys);

    const Table &m_table;
    DialectSql &m_sql;
};

/** The columns that a renewal moves; none: the lease has no length in the table. */
QByteArrayList renewedKeys(const Table &table);

/** True where each acquisition counts the version up. */
bool countsAcquisitions(const Table &table);

/** True where only the time of acquisition proves whose row it is. */
bool provesByTime(const Table &table);

} // namespace lockkeeper::stores::sql
