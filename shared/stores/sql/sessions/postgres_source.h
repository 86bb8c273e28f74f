// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/session_source.h"

namespace lockkeeper::stores::sql {

/**
 * PostgreSQL 12 and later: pg_locks and pg_stat_activity. A row lock lies in the row itself. The server's
 * lock table shows a row lock only while somebody waits for it, as a wait for the holder's transaction. It
 * names the row by its place in the table ("(0,1)"). The source reads the primary key there, once for each
 * place: the waiter keeps another row from replacing that version of the row. A row without a key that this
 * account may read is named by its place, at "database.table/ctid". A wait without a row shows only the
 * transaction that it waits for. The transaction is then the lock's name, at "database.table/xid".
 */
class PostgresSource final : public SessionSource
{
public:
    PostgresSource(SqlConnection &connection, const ServerFacts &facts);

    base::Result<SessionRights> check(const SessionWants &wants) override;
    base::Result<Picture> read(const SessionWants &wants, const QSet<QByteArray> &keep) override;
    /** A number, a pair of signed numbers, or a text, which clients hash by hashtextextended(text, 0). */
    base::Result<QByteArray> spelled(const QByteArray &name) override;

private:
    struct Entries;

    base::Result<Entries> readEntries(const SessionWants &wants);
    /** Returns the tables that have a primary key but that this account may not read. */
    base::Result<QStringList> readPrimaryKeys(const SessionWants &wants);
    /** Finds the names of the rows with waiters; forgets the others. */
    base::Result<void> nameRows(const Entries &entries);
    base::Result<void> readNames(const QByteArray &table, const QByteArrayList &tuples);
    base::Result<void> readSessions(Picture &picture);
    void addRowClaims(const SessionWants &wants, const Entries &entries, Picture &picture) const;
    void addAdvisoryClaims(const SessionWants &wants, const Entries &entries, Picture &picture) const;
    void dateClaims(Picture &picture) const;

    SqlConnection &m_connection;
    ServerFacts m_facts;
    /** A table's primary key, in SQL. */
    struct PrimaryKey
    {
        QByteArray index; ///< its name
        QString table;
        QString columns;
        int count = 0;
    };
    QHash<QByteArray, PrimaryKey> m_keys;  ///< by "app.jobs"
    QHash<QByteArray, QByteArray> m_names; ///< by "app.jobs(0,1)"
    QByteArray m_own;
    bool m_hasWaitStart = false;             ///< from PostgreSQL 14 on
    QHash<QByteArray, qint64> m_statementUs; ///< by session: when its statement began
};

} // namespace lockkeeper::stores::sql
