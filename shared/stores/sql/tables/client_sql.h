// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/dialect_sql.h"

namespace lockkeeper::stores::sql {

/**
 * The placeholders of the statements by which a lock client acquires, renews and releases rows of a mapped
 * table:
 *
 * - `{columns}`, `{values}`: of a new row that is held. `{take}`: the same as assignments.
 * - `{is_free}`: true for a free row of a table whose rows stay. The row shows it by its flag, its count, a
 *   missing owner, a passed deadline, or a time that is older than the value `lease_us` (negative).
 * - `{renewal}`: assignments that extend the deadline. `{own_row}`: the columns that prove the acquisition.
 * - `{returning}`: makes PostgreSQL return the generated id of an insert.
 * - `{fence}`: makes PostgreSQL return the next id as well, which it draws only when the row exists.
 * - `{for_update}`: FOR UPDATE, in dialects that have it.
 * - `{release_later}`: the clock, or the acquisition plus `least_us` where that is ahead.
 *
 * A version that is a number grows with every acquisition. The values are `token`, `ttl_us`, `timeout`,
 * `held_value`, `own_id`, `own_time`, `new_time` and `least_us`, and the name.
 */
class ClientSql
{
public:
    ClientSql(const ResolvedTable &table, DialectSql &sql) : m_table(table), m_sql(sql) {}

    /** Writes a placeholder; false for an unknown one. */
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

    const ResolvedTable &m_table;
    DialectSql &m_sql;
};

/** The columns that a renewal changes; none: the table doesn't have the length of a lease. */
QByteArrayList renewedKeys(const ResolvedTable &table);

/** True where each acquisition increments the version. */
bool countsAcquisitions(const ResolvedTable &table);

/** True where only the time of acquisition proves whose row it is. */
bool provesByTime(const ResolvedTable &table);

} // namespace lockkeeper::stores::sql
