// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/catalogue/preset.h"
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::stores::sql {

/** How a column is read and written. */
enum class ColumnKind : quint8 {
    Other = 0, ///< can't be read here
    Text,      ///< with a character set and collation
    Bytes,     ///< binary, varbinary, blob
    Timestamp, ///< counts from the epoch, shown in the session's zone
    DateTime,  ///< a calendar time without a zone; in SQLite a text
    Epoch,     ///< an integer; as a time in some unit
    Bit,       ///< MySQL's bit(1)
    Boolean,   ///< read and written as 1 and 0
    Opaque,    ///< has a short text: decimal, enum, uuid
};

/** One column as in the catalogue. */
struct Column
{
    QString name;
    ColumnKind kind = ColumnKind::Other;
    QString typeText;    ///< "varchar(64)", as the catalogue writes it
    int precision = 0;   ///< digits of a second, 0 to 6
    int length = 0;      ///< characters of a text; 0: unknown
    bool unique = false; ///< alone in a unique index, over its whole length
    bool nullable = false;
    bool isLong = false;   ///< its texts may have more than kLongestValue bytes
    bool ascends = false;  ///< MySQL: the primary key, an integer that the server counts up
    QByteArray charset;    ///< kind Text, MySQL; SQLite: "utf16" in a file of that encoding
    QByteArray collation;  ///< kind Text, MySQL
    qint64 unitUs = 1;     ///< kind Epoch as a time: microseconds a unit
    QString typeName = {}; ///< "varchar", as the catalogue names it
    bool counted = false;  ///< the server counts it up: auto-increment, identity or serial

    /** The number in its type's brackets: "varchar(64)" → 64; else 0. */
    int typeLength() const;
    /** MySQL: true for a text in another character set than UTF-8, which needs conversion in both
     * directions. */
    bool isForeign() const;
    /** As a time: in milliseconds or finer, so that two acquisitions of one holder always differ. */
    bool isFine() const { return kind == ColumnKind::Epoch ? unitUs < 1'000'000 : precision >= 3; }
};

/** One table as in the catalogue. */
struct CatalogueTable
{
    QString schema; ///< PostgreSQL; else empty
    QList<Column> columns;
    QList<QStringList> uniqueKeys; ///< the columns of each unique index, none of them shortened; the primary
                                   ///< key first
    QHash<QString, QString> orders =
        {}; ///< by column: an index that has its rows in the column's order, whole

    bool isEmpty() const { return columns.isEmpty(); }
};

/** A table of locks, resolved: every name in it comes from the catalogue, byte for byte. */
struct ResolvedTable
{
    Dialect dialect = Dialect::MySql;
    QString database;
    QString schema; ///< PostgreSQL; else empty
    QString name;
    QList<Column> names;                   ///< the lock's name, joined by '/'; none: a table of one row
    QHash<QByteArray, Column> columns;     ///< by the mapping's key; the first name column under "name"
    QHash<QByteArray, ColumnWrite> writes; ///< what a break writes, by the mapping's key
    QString heldValue;                     ///< of "status"
    QString freeValue;                     ///< of "status", where every other value means held; else empty
    bool filtersStatus = false;            ///< rows with another status are no locks
    bool deletes = false;                  ///< a break deletes the row
    qint64 graceUs = 0;                    ///< time by which a lease outlasts its "timeout"
    /**
     * The key of the column that orders a scan over every row; empty: the name's columns order it. A row
     * keeps the column's value until it is deleted, so a scan includes each acquisition that lasts for the
     * whole scan. A row that was deleted and inserted again meanwhile may have a place that the scan has
     * already passed.
     */
    QByteArray pageKey;
    /** An index that has the rows in the order of "expires_at"; empty: none, or an unreliable one. */
    QString expiryIndex;

    QList<Column> pageColumns() const { return pageKey.isEmpty() ? names : QList<Column>{column(pageKey)}; }
    QByteArray place() const { return (database + QLatin1Char('.') + name).toUtf8(); }
    Column column(QByteArrayView key) const { return columns.value(key.toByteArray()); }
    bool has(QByteArrayView key) const { return columns.contains(key.toByteArray()); }
    /** True for a table of a SQLite file whose texts are in UTF-16. */
    bool isUtf16() const
    {
        return dialect == Dialect::Sqlite && !columns.isEmpty() && columns.cbegin()->charset == "utf16";
    }
    /** The status of a free lock, as a client's release writes it. Null: NULL. */
    QByteArray freeStatus() const;
    /** The names of the columns that a break writes, sorted. */
    QStringList written() const;
};

/** The part of the server's catalogue that this user may see. */
struct Catalogue
{
    QString database;
    QStringList tables;                   ///< of the database, as far as the user may see them
    QHash<QString, CatalogueTable> found; ///< of the tables that were asked for
    bool seesWholeDatabase = false;       ///< a missing table is missing, not hidden
    QString account;                      ///< for GRANT statements: 'lk'@'%'
};

/** The kind of a column, from its type as the dialect's catalogue names it: "varchar", "timestamptz". */
ColumnKind columnKind(QStringView dataType, Dialect dialect = Dialect::MySql);

/**
 * Finds a layout's table and columns in the catalogue: the configuration's names byte for byte, a preset's
 * own in any case of letters. SchemaMismatch with the nearest right name where one is missing or of a type
 * that doesn't fit; PermissionDenied with the GRANT to run where it may only be hidden.
 */
base::Result<ResolvedTable> resolve(const TablePreset &layout, const TableMapping &mapping,
                                    const Catalogue &catalogue, Dialect dialect = Dialect::MySql);

/** The right to a table that a statement needs. */
enum class TableRight : quint8 { Observe = 0, Break };

/** The statement that gives `account` that right; empty where the server knows none (SQLite). */
QString grantStatement(const ResolvedTable &table, TableRight right, const QString &account);

} // namespace lockkeeper::stores::sql
