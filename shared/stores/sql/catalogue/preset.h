// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/stores/source_spec.h"

#include <QHash>
#include <QMap>
#include <QStringList>

#include <optional>

namespace lockkeeper::stores::sql {

/** What a preset asks of a column. */
enum class ColumnNeed : quint8 {
    Value = 0, ///< anything with a short text: character types, numbers, booleans, UUIDs
    Time,      ///< timestamp, datetime, or an integer with a unit
};

/** What a break writes into a column. */
struct ColumnWrite
{
    enum Kind : quint8 {
        Nothing = 0,
        Null,
        Value,  ///< `value`
        Now,    ///< the store's clock
        Epoch,  ///< 1970-01-01 00:00:01, the earliest time that every server can store; 0 for integers
        AsFree, ///< NULL, or '' and Epoch: whichever the table's free rows have (RowRules::freeText())
    };
    Kind kind = Nothing;
    QString value;

    bool operator==(const ColumnWrite &) const = default;
};

/** One column of a preset, under the mapping's key ("expires_at"). */
struct ColumnPreset
{
    QByteArray key;
    QString column;          ///< as applications name it
    bool optional = false;   ///< some tables of this layout don't have it
    bool configured = false; ///< named by the configuration: has to be there, byte for byte
    ColumnWrite write = {};

    ColumnNeed need() const;
};

/**
 * A table layout as data: which table and columns, what a held row looks like and what a break makes of it.
 * Read from resources/schemes; a new layout of a known protocol is a new file and no code.
 */
struct TablePreset
{
    QByteArray id; ///< "knex"; empty: the configuration's own mapping
    QByteArray scheme;
    QStringList tables;    ///< tried in this order where the configuration names none
    bool ownTable = false; ///< the configuration names it: byte for byte
    QStringList names;     ///< the columns of the lock's name; none: a table of one row, named as it is
    bool ownNames = false;
    QList<ColumnPreset> columns;
    QString heldValue = QStringLiteral("1"); ///< of the column `status`
    QString freeValue; ///< of it where any other one means held (Nextcloud counts readers); else empty
    QByteArray hidden; ///< glob of names that are no locks, shown only where `match` asks for them
    QHash<QByteArray, QString> units; ///< of its integer columns, by their keys, where they aren't seconds
    qint64 graceUs = 0;               ///< how much longer than its `timeout` its clients let a lease last
    std::optional<qint64> leaseUs;    ///< the clients' default, where no column has it
    bool deletes = false;             ///< a break deletes the row
    bool neverBroken = false;         ///< whoever found such a row gone would do its work a second time
    /**
     * The SQL types of its columns where they aren't the usual ones of their keys, and other columns that its
     * applications' tables have; none: only the application itself makes its table.
     */
    std::optional<QMap<QString, QString>> types;
    // For `discover`:
    QString prefix;      ///< what `tables` begin with where nobody chose another beginning
    QStringList with;    ///< tables that are beside it wherever this layout is meant
    QStringList beside;  ///< columns without a part by which the layout is known
    QStringList missing; ///< what the layout can't tell

    const ColumnPreset *column(QByteArrayView key) const;
    /** True where its applications call a table so, under any prefix where they may choose one. */
    bool namesTable(const QString &table) const;
};

/** Every key of a mapping that names a column beside `name`, in the order in which rows are read. */
const QList<QByteArray> &columnKeys();
/** True for the keys whose columns are times. */
bool isTimeKey(QByteArrayView key);
/** Where a mapping names the column of one of these keys; null for another key. */
QString TableMapping::*columnMember(QByteArrayView key);

/** Reads one preset's JSON. An error names what is wrong with it. */
base::Result<TablePreset> parsePreset(const QByteArray &json);

/** The ids of all presets of this build, sorted. */
QStringList presetIds();

/** One of them. */
base::Result<TablePreset> presetNamed(const QString &id);

/**
 * The layout of a lock set: its preset, or its scheme's protocol, with the names of the configuration.
 * Refuses names that can't be identifiers and mappings that lack what the protocol needs.
 */
base::Result<TablePreset> layoutOf(const LockSet &set);

/** The text of a scheme's statements, from the program's resources. */
base::Result<QByteArray> statementText(const QByteArray &scheme);

} // namespace lockkeeper::stores::sql
