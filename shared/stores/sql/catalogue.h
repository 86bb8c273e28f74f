// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/preset.h"

namespace lockkeeper::stores::sql {

/** How a column is read and written. */
enum class ColumnKind : quint8 {
    Other = 0,
    Text,      ///< with a character set and collation
    Bytes,     ///< binary, varbinary, blob
    Timestamp, ///< counts from the epoch, shown in the session's zone
    DateTime,  ///< a calendar time without a zone
    Epoch,     ///< an integer in some unit
};

/** One column as the catalogue has it. */
struct Column
{
    QString name;
    ColumnKind kind = ColumnKind::Other;
    QString typeText;     ///< "varchar(64)", for messages
    int precision = 0;    ///< digits of a second, 0 to 6
    bool unique = false;  ///< has a unique index of its own, over its whole length
    QByteArray charset;   ///< kind Text
    QByteArray collation; ///< kind Text
    qint64 unitUs = 1;    ///< kind Epoch: microseconds a unit
};

/** A table of locks, resolved: every name in it comes from the catalogue, byte for byte. */
struct Table
{
    QString database;
    QString name;
    QStringList names;                 ///< the columns of the lock's name, joined by '/'; empty: one row
    QHash<QByteArray, Column> columns; ///< by the mapping's key
    QStringList written;               ///< columns that a break writes

    QByteArray place() const { return (database + QLatin1Char('.') + name).toUtf8(); }
    Column column(QByteArrayView key) const { return columns.value(key.toByteArray()); }
};

/** What the server's catalogue shows to this user. */
struct Catalogue
{
    QString database;
    QStringList tables;                    ///< of the database, as far as the user may see them
    QHash<QString, QList<Column>> columns; ///< of the tables that were asked for
    bool seesWholeDatabase = false;        ///< a missing table is missing, not hidden
    QString account;                       ///< for GRANT statements: 'lk'@'%'
};

/** The kind of a column, from information_schema's data_type. */
ColumnKind columnKind(QStringView dataType);

/**
 * Finds a preset's table and columns in the catalogue, by exact names. SchemaMismatch with the nearest right
 * name where one is missing or of a type that doesn't fit; PermissionDenied with the GRANT to run where it
 * may only be hidden.
 */
base::Result<Table> resolve(const TablePreset &preset, const TableMapping &mapping,
                            const Catalogue &catalogue);

/** The statement that lets `account` observe a table, or break in it where `written` has columns. */
QString grantStatement(const QString &database, const QString &table, const QStringList &written,
                       const QString &account);

} // namespace lockkeeper::stores::sql
