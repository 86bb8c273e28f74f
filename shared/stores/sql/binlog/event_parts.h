// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/log_reader.h"

namespace lockkeeper::stores::sql::binlog {

/** The event types that LogReader handles, of MySQL and (from 160 on) of MariaDB. */
enum EventType : quint8 {
    Query = 2,
    Rotate = 4,
    FormatDescription = 15,
    Xid = 16,
    TableMap = 19,
    WriteRows1 = 23,
    UpdateRows1 = 24,
    DeleteRows1 = 25,
    Incident = 26,
    Heartbeat = 27,
    WriteRows2 = 30,
    UpdateRows2 = 31,
    DeleteRows2 = 32,
    Gtid = 33,
    AnonymousGtid = 34,
    XaPrepare = 38,
    PartialUpdateRows = 39,
    TransactionPayload = 40,
    Heartbeat2 = 41,
    TaggedGtid = 42,
    MariaGtid = 162,
    StartEncryption = 164,
    QueryCompressed = 165,
    WriteRowsCompressed1 = 166,
    UpdateRowsCompressed1 = 167,
    DeleteRowsCompressed1 = 168,
    WriteRowsCompressed2 = 169,
    UpdateRowsCompressed2 = 170,
    DeleteRowsCompressed2 = 171,
};

bool isRows(quint8 type);
bool isWrite(quint8 type);
bool isUpdate(quint8 type);
bool isSecondVersion(quint8 type);
bool isCompressedRows(quint8 type);
/** True for types that may come within a compressed transaction: no events of the file itself, and no
 * beginning of a transaction. */
bool isOfATransaction(quint8 type);

/** CRC-32 as in the log. */
quint32 checksum(QByteArrayView bytes);

/** MariaDB's compressed part of an event; empty where it isn't one, or would be larger than 64 MiB. */
std::optional<QByteArray> uncompressed(QByteArrayView part);

/** The time of the commit, from MySQL's event of the transaction's number; 0 where that has no time. */
qint64 commitTimeUs(QByteArrayView body);

/** For XaPrepare: true where the event also committed the transaction. */
bool isOnePhase(QByteArrayView body);
/** The name of a prepared transaction as XA COMMIT writes it: X'…',X'…',format. */
QByteArray preparedXid(QByteArrayView body);

/** Begin, Commit, Rollback, PartUndone, Nothing (savepoints, XA START and END), or Statement. */
LogItem::LogEvent kindOfStatement(const QByteArray &text);

} // namespace lockkeeper::stores::sql::binlog
