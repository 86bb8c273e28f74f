// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/sql/sets/mapped_table.h"

namespace lockkeeper::locks::sql {

/**
 * Acquires the locks of mapped tables, over an open connection. Blocks; must be used in the connection's
 * thread. Only the store's clock counts. An error means that nothing is known of the attempt.
 *
 * A lease's proof is the generated id (sql.insert), or, if no column names the holder, the exact time that
 * was written. A renewal that wasn't answered may have changed that time. The proof then lists all times that
 * the row may have, the oldest first. Once a request has found the row by an older time, a delayed renewal
 * finds no row.
 *
 * A lock of sql.version has no holder: acquire() reads the version. release() compares and increments it, and
 * returns Lost if another client was faster; BlockingLockManager::compareAndIncrement() tries again.
 *
 * After a lost answer, a time in whole seconds proves nothing, because other clients may have written the
 * same time. So a lock that may have been acquired isn't released by such a time. A release that comes within
 * the second of the acquisition, and isn't answered, must not be retried.
 *
 * No lease lasts longer than the store keeps it. A deadline is rounded up to the precision of its column. If
 * other clients count from the time of acquisition, the lease is shortened by that precision, and is never
 * longer than the configured lease. Other clients that count with their own TTL must use the same TTL.
 *
 * Fencing tokens: in rows that stay, an integer version that each acquisition increments. For rows that are
 * deleted, the counter of their ids, drawn while the lock is already ours. MySQL draws an id before it checks
 * whether the name is free, so that a later acquisition could get the lower id: no fencing tokens there.
 */
class MappedClient final
{
public:
    static base::Result<std::unique_ptr<MappedClient>> open(const stores::sql::SetContext &context);

    /**
     * Replaces an empty token by a new holder text, made from `owner`. In sql.reentrant a given token that
     * already holds the lock acquires it once more. May set `lease.proof` to further data that release and
     * renewal need.
     */
    base::Result<Attempt> acquire(Lease &lease, const QByteArray &owner);
    base::Result<Attempt> renew(Lease &lease);
    QByteArray place() const { return m_table->place(); }
    /** For sql.version: sets `lease.fencing` to the new version. */
    base::Result<Attempt> release(Lease &lease);

private:
    MappedClient(const stores::sql::SetContext &context, std::unique_ptr<stores::sql::MappedTable> table);

    /** A holder text for one acquisition, shortened to the length of the table's column. */
    QByteArray newToken(const QByteArray &owner) const;
    /** Fails if the columns wouldn't keep the values of the lease exactly. */
    base::Result<void> check(const Lease &lease) const;
    base::Result<stores::sql::Values> values(const Lease &lease);
    /** The least time that a lease of `ttlUs` lasts, as other clients see it. */
    qint64 grantedUs(qint64 ttlUs) const;
    /** Finds out whether versions or ids count the acquisitions. */
    base::Result<void> findFence();
    /** Runs a statement of the table. Returns the number of rows that it wrote or, for a query, found. */
    base::Result<qint64> run(const QByteArray &statement, const stores::sql::Values &values);
    base::Result<Attempt> tryToTake(Lease &lease, const QByteArray &owner);
    base::Result<Attempt> take(Lease &lease, const stores::sql::Values &values);
    /** Reads the version that the attempt has incremented, and returns the attempt's result. */
    base::Result<Attempt> readFence(Lease &lease, const stores::sql::Values &values);
    base::Result<Attempt> insert(Lease &lease, const stores::sql::Values &values);
    base::Result<Attempt> insertBehindSlot(Lease &lease, const stores::sql::Values &values);
    base::Result<Attempt> readVersion(Lease &lease, const stores::sql::Values &values);
    /** Fails with ReadOnly if the server accepts no writes: a renewal that writes nothing wouldn't notice. */
    base::Result<void> checkWritable();
    void noteTime(Lease &lease, const stores::sql::Values &values) const;
    /** The time `nowUs` for the column of the acquisition: as a value to write, and as its guard shows it. */
    std::pair<QByteArray, QByteArray> timeTexts(qint64 nowUs) const;

    stores::sql::SqlConnection &m_connection;
    std::unique_ptr<stores::sql::MappedTable> m_table;
    std::optional<qint64> m_leaseUs;
    qint64 m_atLeastUs;
    bool m_asksTime = false;       ///< values() needs the store's clock
    bool m_isCoarse = false;       ///< only a time in whole seconds identifies a row's owner
    bool m_countsVersions = false; ///< fencing tokens are versions …
    bool m_countsIds = false;      ///< … or ids
    bool m_unsure = false;         ///< a statement was sent, but its result isn't known
    QByteArray m_slots;            ///< prefix of the slot rows' names; empty: no slot rows
};

/** True if the server accepts no writes: a standby, a former primary. */
base::Result<bool> isReadOnly(stores::sql::SqlConnection &connection);

/** `owner`, shortened to fit a column of `length` bytes with ':' and 32 random hexadecimal digits. */
QByteArray holderText(const QByteArray &owner, qsizetype length = 255);

/** The end of the name of a lock's slot row: the last two decimal digits of the lock name's CRC-32. */
QByteArray slotDigits(const QByteArray &name);

} // namespace lockkeeper::locks::sql
