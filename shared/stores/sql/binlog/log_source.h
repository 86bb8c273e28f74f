// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/clock_bound.h"
#include "shared/stores/sql/binlog/log_reader.h"
#include "shared/stores/sql/binlog/stream.h"
#include "shared/stores/sql/binlog/watched_set.h"

namespace lockkeeper::stores::sql::binlog {

/** What a server says of its log before the stream begins. */
struct LogFacts
{
    bool isMariaDb = false;
    QByteArray server; ///< its unique id: the same log behind it
    LogPlace end;      ///< where the log ended just now
};

/**
 * Connects and asks for all that reading the log needs. Each error says what to do: a right with the GRANT, a
 * setting with the statement or the line of the server's configuration. The server has to be the one that
 * another connection found to be `instance` (see ServerFacts; empty: any): a balancer may lead two
 * connections to two servers, whose logs have places of their own.
 */
base::Result<LogFacts> prepareStream(Stream &stream, const SourceSpec &spec, ClockBound &clock,
                                     const QByteArray &instance = {});

/** The tables of `sets` with all their columns, and where the sets find theirs. */
struct Shapes
{
    QList<TableShape> tables;
    QList<QList<int>> columns; ///< by set: the index of each of its columns
    QList<int> tableOf;        ///< by set
    QByteArray digest;         ///< of all that decoding and observing depend on
    /** The definition of the columns that are read; other ones may come and go. */
    QByteArray wantedDigest;
};

/** Asks the catalogue. SchemaMismatch where a table or a column is gone. */
base::Result<Shapes> readShapes(Stream &stream, const QList<WatchedSet> &sets);

/** The statement that tells where a server's log ends. */
QByteArray statusStatement(bool isMariaDb);

} // namespace lockkeeper::stores::sql::binlog
