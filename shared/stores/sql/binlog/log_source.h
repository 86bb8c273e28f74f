// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/binlog_stream.h"
#include "shared/stores/sql/binlog/clock_bound.h"
#include "shared/stores/sql/binlog/log_reader.h"
#include "shared/stores/sql/binlog/watched_set.h"

namespace lockkeeper::stores::sql::binlog {

/** A server's facts about its log, read before the stream begins. */
struct LogFacts
{
    bool isMariaDb = false;
    QByteArray server; ///< its unique id: the same id means the same log
    LogPlace end;      ///< where the log ended just now
};

/**
 * Connects and checks all that reading the log needs. Each error has a remedy: the GRANT for a right, the
 * statement or the configuration line for a setting. The server must be `instance`, as another connection
 * found it (see ServerFacts; empty: any). A balancer may lead two connections to two servers, and a place in
 * one server's log means nothing in the other's.
 */
base::Result<LogFacts> prepareStream(BinlogStream &stream, const SourceSpec &spec, ClockBound &clock,
                                     const QByteArray &instance = {});

/** The tables of `sets` with all their columns, and where the sets find theirs. */
struct Shapes
{
    QList<TableShape> tables;
    QList<QList<int>> columns; ///< by set: the index of each of its columns
    QList<int> tableOf;        ///< by set
    QByteArray digest;         ///< of everything that decoding and observing depend on
    /** Digest of the definition of the columns that are read; other columns may come and go. */
    QByteArray wantedDigest;
};

/** Asks the catalogue. SchemaMismatch where a table or a column is gone. */
base::Result<Shapes> readShapes(BinlogStream &stream, const QList<WatchedSet> &sets);

/** The statement that returns the end of a server's log. */
QByteArray statusStatement(bool isMariaDb);

} // namespace lockkeeper::stores::sql::binlog
