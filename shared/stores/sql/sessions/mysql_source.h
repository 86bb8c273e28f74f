// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/process_list.h"
#include "shared/stores/sql/sessions/transaction_events.h"

namespace lockkeeper::stores::sql {

/** A transaction with more locked rows than this isn't read row by row: the server counts its rows. */
inline constexpr qint64 kManyRows = 200;
inline constexpr int kMostLocks = 20'000;
inline constexpr int kMostTransactions = 10'000;
/** InnoDB writes these times in the system's zone, whatever the session's. */
inline constexpr char kTransactionColumns[] =
    "trx_id, trx_mysql_thread_id, UNIX_TIMESTAMP(CONVERT_TZ(trx_started, 'SYSTEM', '+00:00')), "
    "UNIX_TIMESTAMP(CONVERT_TZ(trx_wait_started, 'SYSTEM', '+00:00')), trx_rows_locked, trx_rows_modified";

/** The common part of MySQL and MariaDB: advisory locks, sessions and the guarded kill. */
class MySqlFamilySource : public SessionSource
{
public:
    MySqlFamilySource(SqlConnection &connection, const ServerFacts &facts);

    base::Result<SessionRights> check(const SessionWants &wants) override;
    base::Result<Picture> read(const SessionWants &wants, const QSet<QByteArray> &keep) override;

protected:
    /** Adds the row locks' claims and wholeTables (whose claims follow), and the sessions with InnoDB's facts
     * about their transactions. */
    virtual base::Result<void> readRows(const SessionWants &wants, Picture &picture) = 0;
    /** The process list's rows of these connections, by id. */
    virtual base::Result<QHash<QByteArray, ServerProcess>> readProcesses(const QSet<QByteArray> &ids,
                                                                         qint64 nowUs) = 0;
    /** Adds the session of one transaction, from a row of INNODB_TRX with kTransactionColumns, and returns
     * its id: the connection's, or "trx:ID" for a transaction without a connection. */
    QByteArray addTransaction(const QSqlQuery &row, Picture &picture);
    /** Called last, when every session is described. */
    virtual void complete(Picture &picture) { Q_UNUSED(picture) }

    SqlConnection &m_connection;
    ServerFacts m_facts;
    MySqlRights m_found;
    /** The second in which a session's wait began, as InnoDB dates it: [from, from + 1 s). */
    QHash<QByteArray, qint64> m_waitSecondUs;

private:
    base::Result<void> readAdvisory(const SessionWants &wants, Picture &picture);
    base::Result<void> listUserLocks(const SessionWants &wants, Picture &picture);
    base::Result<void> askForNames(const SessionWants &wants, Picture &picture);
    base::Result<void> describeSessions(Picture &picture, const QSet<QByteArray> &keep);
    void dateWaits(Picture &picture, const QHash<QByteArray, qint64> &statementUs) const;

    ProgramNames m_programs;
    QByteArray m_ownId;
};

/** MySQL 8 and 9: data_locks, uncached, with separate holders and waiters. */
class MySqlSource final : public MySqlFamilySource
{
public:
    using MySqlFamilySource::MySqlFamilySource;

    /** MySQL keeps names of GET_LOCK() in lower case. */
    base::Result<QByteArray> spelled(const QByteArray &name) override;
    bool ignoresCase() const override { return true; }

protected:
    base::Result<void> readRows(const SessionWants &wants, Picture &picture) override;
    base::Result<QHash<QByteArray, ServerProcess>> readProcesses(const QSet<QByteArray> &ids,
                                                                 qint64 nowUs) override;

private:
    base::Result<QSet<QByteArray>> readTransactions(Picture &picture);
    base::Result<void> readLocks(const SessionWants &wants, const QSet<QByteArray> &many, Picture &picture);
    base::Result<void> readWholeTables(const SessionWants &wants, const QSet<QByteArray> &many,
                                       Picture &picture);

    QHash<QByteArray, QByteArray> m_connections; ///< by transaction; empty: prepared, no connection now
};

} // namespace lockkeeper::stores::sql
