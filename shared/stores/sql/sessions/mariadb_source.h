// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/mysql_source.h"

#include <QElapsedTimer>

namespace lockkeeper::stores::sql {

/**
 * MariaDB 10.6 and later: INNODB_TRX and INNODB_LOCKS, a cache that the server refills only when no client
 * has read it for 0.1 s (storage/innobase/trx/trx0i_s.cc), and SHOW ENGINE INNODB STATUS, which isn't cached.
 *
 * Each reading proves that it is new. INNODB_TRX shows the statement that each session runs. So the row of
 * this connection shows the number of this very reading only if the server filled the cache for it. An older
 * reading covers the time since the last new one, and reports "innodb_locks_frozen".
 */
class MariaDbSource final : public MySqlFamilySource
{
public:
    using MySqlFamilySource::MySqlFamilySource;

    base::Result<SessionRights> check(const SessionWants &wants) override;
    qint64 leastIntervalMs() const override { return 200; }

protected:
    base::Result<void> readRows(const SessionWants &wants, Picture &picture) override;
    base::Result<QHash<QByteArray, ServerProcess>> readProcesses(const QSet<QByteArray> &ids,
                                                                 qint64 nowUs) override;
    void complete(Picture &picture) override;

private:
    base::Result<void> letTheCacheAge();
    base::Result<bool> readTransactions(Picture &picture);
    base::Result<void> readLocks(const SessionWants &wants, Picture &picture);
    base::Result<void> readStatus(const SessionWants &wants, Picture &picture);
    base::Result<void> readTableSizes(const SessionWants &wants, Picture &picture);

    QElapsedTimer m_sinceTouched; ///< since this connection last read one of the cached tables
    quint64 m_reading = 0;
    qint64 m_lastNewUs = 0;                      ///< when the last new reading began
    QHash<QByteArray, QByteArray> m_connections; ///< of this reading, by transaction
    QHash<QByteArray, QByteArray> m_requested;   ///< the lock that a transaction waits for, by transaction
};

} // namespace lockkeeper::stores::sql
