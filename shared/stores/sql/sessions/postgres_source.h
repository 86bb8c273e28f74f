// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/session_source.h"

namespace lockkeeper::stores::sql {

/**
 * PostgreSQL 12 and later: pg_locks and pg_stat_activity. A row lock lies in the row itself: the server's
 * lock table shows one only while somebody waits for it, as a wait for the holder's transaction, and names
 * the row by its place in the table ("(0,1)"), never by its key. What is known of a wait without a row is the
 * transaction that it waits for: that is then the lock's name, at "database.table/xid".
 */
class PostgresSource final : public SessionSource
{
public:
    PostgresSource(Connection &connection, const ServerFacts &facts);

    base::Result<SessionRights> check(const SessionWants &wants) override;
    base::Result<Picture> read(const SessionWants &wants, const QSet<QByteArray> &keep) override;
    KillReply kill(const KillTarget &target) override;
    base::Result<bool> wouldKill(const KillTarget &target) override;
    base::Result<bool> isThere(const KillTarget &target) override;

private:
    struct Entries;

    base::Result<Entries> readEntries(const SessionWants &wants);
    base::Result<void> readSessions(Picture &picture);
    void addRowClaims(const SessionWants &wants, const Entries &entries, Picture &picture) const;
    void addAdvisoryClaims(const SessionWants &wants, const Entries &entries, Picture &picture) const;
    void dateClaims(Picture &picture) const;

    Connection &m_connection;
    ServerFacts m_facts;
    QByteArray m_own;
    bool m_hasWaitStart = false;             ///< from PostgreSQL 14 on
    QHash<QByteArray, qint64> m_statementUs; ///< by session: when its statement began
};

} // namespace lockkeeper::stores::sql
