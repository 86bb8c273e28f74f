// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace lockkeeper::stores::sql {

/** One record that a transaction has locked, from `SHOW ENGINE INNODB STATUS`. */
struct StatusLock
{
    QByteArray transaction;
    QByteArray connection; ///< empty: a transaction without a connection
    QByteArray table;      ///< "app.jobs"
    QByteArray index;
    quint8 mode = 0;          ///< see ClaimMode
    bool supremum = false;    ///< past the last record
    QList<QByteArray> fields; ///< of the record, as stored: integers big-endian with the sign bit turned
    int cutAt = -1;           ///< the first field that is longer than the 30 bytes shown of it; −1: none

    bool operator==(const StatusLock &) const = default;
};

/** The granted record locks in the status text. */
struct InnodbStatus
{
    QList<StatusLock> locks;
    bool truncated = false; ///< the server cut its text at a megabyte, or has more locks than are read
};

/**
 * Reads the section TRANSACTIONS of the text that MariaDB 10.11 prints with innodb_status_output_locks
 * (storage/innobase/lock/lock0lock.cc, lock_rec_print()). It skips unknown lines. It
 * leaves out locks that a transaction still waits for, and the records past `most`.
 */
InnodbStatus parseInnodbStatus(const QByteArray &text, qsizetype most);

/** How a column's bytes read as a part of a lock's name. */
enum class KeyPart : char { Text = 't', Signed = 'i', Unsigned = 'u', Other = 'x' };

/** A field as INNODB_LOCKS would write it into lock_data, unquoted. */
QByteArray fieldText(const QByteArray &stored, KeyPart part);

} // namespace lockkeeper::stores::sql
