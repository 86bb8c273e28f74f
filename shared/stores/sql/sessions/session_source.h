// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/server_facts.h"
#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/sql/sessions/lock_data.h"
#include "shared/stores/sql/sessions/picture.h"

#include <memory>

namespace lockkeeper::stores::sql {

/** The facts about its sessions that the lock sets of a source need. */
struct SessionWants
{
    bool rows = false;
    bool advisory = false;
    QSet<QByteArray> tables;  ///< "app.jobs"
    IndexShapes indexes;      ///< of these tables
    QByteArray advisoryPlace; ///< Claim::place of advisory locks
    QSet<QByteArray> names;   ///< advisory locks to ask for where the server can't list them
};

/** The rights of this user and the limits of this server, found once when the link opens. */
struct SessionRights
{
    QList<domain::Access> access; ///< needs "observe:SCHEME", "break:SCHEME", "instrument:SCHEME"
    base::Error warning;          ///< limit of the view; without a cause: none
    QString listing; ///< how to have advisory locks listed, where only SessionWants::names are asked for
};

/**
 * The sessions of one kind of server: the holders and the waiters. Blocking, used in the thread of
 * its connection, which outlives it. Sources of the tables read: the server's manuals, "performance_schema
 * data_locks", "INFORMATION_SCHEMA INNODB_LOCKS", "pg_locks".
 */
class SessionSource
{
public:
    SessionSource() = default;
    virtual ~SessionSource() = default;
    Q_DISABLE_COPY_MOVE(SessionSource)

    /** Checks rights and instruments; read() relies on the result. */
    virtual base::Result<SessionRights> check(const SessionWants &wants) = 0;
    /** The name of an advisory lock as read() shows it; clients may spell the name in several ways. */
    virtual base::Result<QByteArray> spelled(const QByteArray &name) { return name; }
    /** True where names that differ only in case mean the same lock. */
    virtual bool ignoresCase() const { return false; }
    /** Reads the holders and waiters. Describes the sessions in `keep` even where no claim names them. */
    virtual base::Result<Picture> read(const SessionWants &wants, const QSet<QByteArray> &keep) = 0;
    /** The least time between two read()s, in milliseconds, after which the second returns a new answer. */
    virtual qint64 leastIntervalMs() const { return 0; }
};

/** The source for the server that `connection` is connected to. */
std::unique_ptr<SessionSource> makeSessionSource(SqlConnection &connection, const ServerFacts &facts);

} // namespace lockkeeper::stores::sql
