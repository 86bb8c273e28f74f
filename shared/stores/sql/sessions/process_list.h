// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/sql/sessions/picture.h"

namespace lockkeeper::stores::sql {

/** A row of the process list of MySQL or MariaDB. */
struct ServerProcess
{
    QByteArray user;
    QByteArray host; ///< with the port
    QByteArray command;
    QByteArray statement;
    qint64 sinceUs = 0; ///< start of the present command, by the store's clock
    bool exact = false; ///< false: `sinceUs` may be up to a second late or early
};

/** Reads rows of (id, user, host, command, statement, time in the command in units of `unitUs`). */
base::Result<QHash<QByteArray, ServerProcess>> processesOf(SqlConnection &connection, const QString &sql,
                                                           qint64 nowUs, qint64 unitUs);

/** Cuts a statement at 1,024 bytes, never within a character. */
void setStatement(domain::Session &session, QByteArray statement);

/** Fills in the facts of the process list. `ownId`: the agent's own connection. */
void describe(domain::Session &session, const ServerProcess &process, const QByteArray &ownId);

/** "1, 2, 3": for IN (…). Ids are checked to be numbers; others are left out. */
QString numberList(const QSet<QByteArray> &ids);

/** Program names by connection. They never change, so each connection's name is queried once. */
class ProgramNames
{
public:
    /** `enabled`: the performance schema may be read. */
    base::Result<void> fill(SqlConnection &connection, const QSet<QByteArray> &ids, bool enabled);
    QByteArray of(const QByteArray &id) const { return m_names.value(id); }

private:
    QHash<QByteArray, QByteArray> m_names;
};

/** Marks connections of Lockkeeper itself, which are never killed. */
void protectOwn(domain::Session &session);

} // namespace lockkeeper::stores::sql
