// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/sessions/session_source.h"

namespace lockkeeper::stores::sql {

/** The parts of MySQL's and MariaDB's performance schema that are on, and that this user may read. */
struct Instruments
{
    bool schemaOn = false;      ///< @@performance_schema
    bool readable = false;      ///< this user may read it
    bool transactions = false;  ///< the transaction instrument and its consumers
    bool statements = false;    ///< statement events are counted: distinguish a session's GET_LOCK calls
    bool metadataLocks = false; ///< user level locks are listed
    base::Error missing;        ///< why it isn't readable; without a cause: a missing right
};

base::Result<Instruments> readInstruments(SqlConnection &connection);

/** A session as the performance schema knows it; its numbers are never reused while the server runs. */
struct TransactionEvent
{
    QByteArray thread;
    QByteArray event;      ///< of the open transaction; empty: none
    QByteArray timerStart; ///< picoseconds since the server's start
    QByteArray xaState;
    QByteArray statement;       ///< running, or the last one
    qint64 statementAgeUs = -1; ///< since it began; −1: unknown
};

/** By connection. */
base::Result<QHash<QByteArray, TransactionEvent>> readTransactionEvents(SqlConnection &connection,
                                                                        const QSet<QByteArray> &connections);

/** "connection/thread/event/start": pins one transaction. */
QByteArray transactionIdentity(const QByteArray &connection, const TransactionEvent &event);

/** Rights and instruments for both schemes, with the statement to run for each that is missing. */
struct MySqlRights
{
    SessionRights rights;
    Instruments instruments;
    bool outputLocks = false; ///< MariaDB: innodb_status_output_locks
};
base::Result<MySqlRights> readMySqlRights(SqlConnection &connection, const ServerFacts &facts,
                                          const SessionWants &wants);

} // namespace lockkeeper::stores::sql
