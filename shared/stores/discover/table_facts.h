// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QStringList>

namespace lockkeeper::stores::discover {

/** The kind of values that a column can hold, whatever its server calls the type. */
enum class ValueKind : quint8 {
    Other = 0, ///< json, geometry, arrays, dates without a time
    Text,      ///< char, varchar, text, uuid
    Bytes,     ///< binary, varbinary, blob, bytea
    Integer,
    Decimal,
    Boolean,  ///< also bit(1) and MySQL's tinyint(1)
    Instant,  ///< counts from the epoch or carries its zone: MySQL's timestamp, PostgreSQL's timestamptz
    Calendar, ///< a calendar time without a zone: MySQL's datetime, PostgreSQL's timestamp
};

/** One column as the catalogue has it. */
struct ColumnFacts
{
    QString name;
    QString typeText; ///< "varchar(64)", for people
    ValueKind kind = ValueKind::Other;
    bool nullable = true;
    bool counted = false; ///< auto-increment, identity or serial
};

/** One table as the catalogue has it; nothing of its rows. */
struct TableFacts
{
    QString name;
    QList<ColumnFacts> columns; ///< in the table's order
    QList<QStringList> keys;    ///< unique indexes over whole columns, the primary key first
    bool textTimes = false;     ///< its store keeps times as text (SQLite)

    const ColumnFacts *column(const QString &wanted) const
    {
        for (const ColumnFacts &one : columns) {
            if (one.name == wanted)
                return &one;
        }
        return nullptr;
    }
};

/**
 * The facts from a few rows of one table: values of its time columns only, never of its names and holders.
 * Empty where no row was read.
 */
struct TableSample
{
    qint64 nowUs = 0; ///< the store's clock at the reading
    int rows = 0;
    QHash<QString, QList<qint64>> numbers; ///< by column: integers as they stand
    QHash<QString, QList<qint64>> timesUs; ///< by column: times, a calendar's taken for UTC
    QStringList flags;                     ///< the words of a text flag, each once; a NULL is ""
    int withoutHolder = 0;                 ///< rows whose holder is NULL or empty
    int idle = 0;           ///< rows that name nobody and no time: they stay while they aren't held
    bool comeAndGo = false; ///< seen: there is no row, or the server has counted deletions
};

/** The kind for a server's type name. `length`: of the type, as in tinyint(1); 0 unknown. */
ValueKind kindOf(const QString &dataType, int length = 0);

} // namespace lockkeeper::stores::discover
