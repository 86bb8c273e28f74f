// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/sql/sets/mapped_table.h"

namespace lockkeeper::locks::sql {

using namespace stores;
using namespace stores::sql;

/**
 * Takes the locks of mapped tables, on an open connection. Blocking, in the connection's thread. Everything
 * is judged by the store's clock; an error means that nothing is known of the attempt. A lease's proof is the
 * generated id (sql.insert), or the exact time that was written, where no column tells the holder. A renewal
 * that wasn't answered may have moved that time: the proof is then each of the times that the row may have,
 * oldest first, so that a renewal that is still on its way finds no row once an older one has found it.
 * sql.version has no holder: acquire() reads the version, release() compares and increments it, and says Lost
 * where somebody else was faster; BlockingLockManager::compareAndIncrement()
 * tries again.
 *
 * A time in whole seconds proves nothing where the answer was lost: others may have the same. What may have
 * been taken isn't given back by it, and whoever gives back within the second of the acquisition, and isn't
 * answered, may not try again.
 *
 * No lease lasts longer than the store keeps it. A deadline is written later by what its column can't tell;
 * where others count from the time of acquisition, the lease is shorter by that, and never longer than the
 * configuration's. Others who judge by their own TTL instead have to use the same.
 *
 * Fencing tokens: a version that is an integer, in a row that stays, which each acquisition counts up; of
 * rows that are deleted the counter of their ids, drawn while the lock is ours already. MySQL draws an id
 * before it looks whether the name is free, so that a later acquisition could have the lower one: none there.
 */
class MappedClient final
{
public:
    static base::Result<std::unique_ptr<MappedClient>> open(const SetContext &context);

    /**
     * An empty token becomes a new holder's text, of `owner`; one that was chosen and holds in sql.reentrant
     * enters once more. May put into `lease.proof` what else release and renewal need.
     */
    base::Result<Attempt> acquire(Lease &lease, const QByteArray &owner);
    base::Result<Attempt> renew(Lease &lease);
    QByteArray place() const { return m_table->place(); }
    /** Of sql.version: puts the new version into `lease.fencing`. */
    base::Result<Attempt> release(Lease &lease);

private:
    MappedClient(const SetContext &context, std::unique_ptr<MappedTable> table);

    /** A holder's text for one acquisition, as long as the table's column takes it. */
    QByteArray newToken(const QByteArray &owner) const;
    /** Refuses what the columns wouldn't keep exactly. */
    base::Result<void> check(const Lease &lease) const;
    base::Result<Values> values(const Lease &lease);
    /** How long a lease of `ttlUs` lasts at least, as others see it. */
    qint64 grantedUs(qint64 ttlUs) const;
    /** Finds out what counts acquisitions. */
    base::Result<void> findFence();
    /** Runs a statement of the table; the number of rows that it wrote or, for a query, found. */
    base::Result<qint64> run(const QByteArray &statement, const Values &values);
    base::Result<Attempt> tryToTake(Lease &lease, const QByteArray &owner);
    base::Result<Attempt> take(Lease &lease, const Values &values);
    /** What becomes of the attempt when the version is read that it has counted up. */
    base::Result<Attempt> readFence(Lease &lease, const Values &values);
    base::Result<Attempt> insert(Lease &lease, const Values &values);
    base::Result<Attempt> insertBehindSlot(Lease &lease, const Values &values);
    base::Result<Attempt> readVersion(Lease &lease, const Values &values);
    /** ReadOnly where the server takes no writes: a renewal that writes nothing doesn't notice. */
    base::Result<void> checkWritable();
    void noteTime(Lease &lease, const Values &values) const;
    /** Now, as the column of the acquisition takes it as a value and as its guard tells it. */
    std::pair<QByteArray, QByteArray> timeTexts(qint64 nowUs) const;

    Connection &m_connection;
    std::unique_ptr<MappedTable> m_table;
    std::optional<qint64> m_leaseUs;
    qint64 m_atLeastUs;
    bool m_asksTime = false;       ///< values() needs the store's clock
    bool m_isCoarse = false;       ///< only a time in whole seconds proves whose a row is
    bool m_countsVersions = false; ///< fencing tokens: a version …
    bool m_countsIds = false;      ///< … or ids
    bool m_unsure = false;         ///< a statement was sent, and whether it was carried out isn't known
    QByteArray m_slots;            ///< the beginning of the slot rows' names; empty: none
};

/** Whether the server takes no writes: a standby, a former primary. */
base::Result<bool> isReadOnly(Connection &connection);

/** `owner`, shortened to fit a column of `length` bytes with ':' and 32 random hexadecimal digits. */
QByteArray holderText(const QByteArray &owner, qsizetype length = 255);

/** What the name of a lock's slot row ends with: the last two decimal digits of the name's CRC-32. */
QByteArray slotDigits(const QByteArray &name);

} // namespace lockkeeper::locks::sql
