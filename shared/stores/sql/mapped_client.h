// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/mapped_table.h"
#include "shared/stores/sql/table_client.h"

namespace lockkeeper::stores::sql {

/**
 * Takes the locks of mapped tables. A lease's proof is the generated id (sql.insert), or the exact time that
 * was written where no column tells the holder. sql.version has no holder: acquire() reads the version,
 * release() compares and increments it, and says Lost where somebody else was faster; a caller that wants to
 * try again does so a bounded number of times.
 */
class MappedClient final : public TableClient
{
public:
    static base::Result<std::unique_ptr<TableClient>> openTable(const SetContext &context);

    QByteArray newToken(const QByteArray &owner) const override;
    base::Result<Attempt> acquire(Lease &lease) override;
    base::Result<Attempt> renew(Lease &lease) override;
    base::Result<Attempt> release(const Lease &lease) override;

private:
    MappedClient(const SetContext &context, std::unique_ptr<MappedTable> table);

    base::Result<Values> values(const Lease &lease);
    base::Result<Attempt> take(Lease &lease, const Values &values);
    /** One more of what this client holds already; false where it doesn't hold it any more. */
    base::Result<bool> enterAgain(Lease &lease, Values values);
    base::Result<Attempt> insert(Lease &lease, const Values &values);
    base::Result<Attempt> insertBehindSlot(Lease &lease, const Values &values);
    base::Result<Attempt> readVersion(Lease &lease, const Values &values);
    void noteTime(Lease &lease, const Values &values) const;
    /** Now, as the column of the acquisition takes it as a value and as its guard tells it. */
    std::pair<QByteArray, QByteArray> timeTexts(qint64 nowUs) const;

    Connection &m_connection;
    std::unique_ptr<MappedTable> m_table;
    std::optional<qint64> m_leaseUs;
    QHash<QByteArray, QByteArray> m_entered; ///< sql.reentrant: the token of each lock that was taken
    QByteArray m_slots;                      ///< the beginning of the slot rows' names; empty: none
};

/** The CRC-32 of ISO 3309, as zlib has it: slot rows are named by its last two decimal digits. */
quint32 crc32(const QByteArray &bytes);

} // namespace lockkeeper::stores::sql
