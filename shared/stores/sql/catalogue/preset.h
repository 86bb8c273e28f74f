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

/** The type that a preset requires of a column. */
enum class ColumnNeed : quint8 {
    Value = 0, ///< anything with a short text: character types, numbers, booleans, UUIDs
    Time,      ///< timestamp, datetime, or an integer with a unit
};

/** The value that a break writes into a column. */
struct ColumnWrite
{
    enum WrittenValue : quint8 {
        Nothing = 0,
        Null,
        Value,  ///< `value`
        Now,    ///< the store's clock
        Epoch,  ///< 1970-01-01 00:00:01, the earliest time that every server can store; 0 for integers
        AsFree, ///< NULL, or '' and Epoch: whichever the table's free rows have (RowRules::freeText())
    };
    WrittenValue kind = Nothing;
    QString value;

    bool operator==(const ColumnWrite &) const = default;
};

/** One column of a preset, under the mapping's key ("expires_at"). */
struct ColumnPreset
{
    QByteArray key;
    QString column;          ///< as applications name it
    bool optional = false;   ///< some tables of this layout don't have it
    bool configured = false; ///< named by the configuration: must exist, byte for byte
    ColumnWrite write = {};

    ColumnNeed need() const;
};

/**
 * A table layout as data: the table and its columns, the values of a held row, and the values that a break
 * writes. Read from resources/schemes: a new layout of a known protocol needs a new file but no code.
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
    QString freeValue; ///< of `status`, if any other means held (Nextcloud counts readers); else empty
    QByteArray hidden; ///< glob of names that are no locks, shown only where `match` asks for them
    QHash<QByteArray, QString> units; ///< of its integer columns, by their keys, where they aren't seconds
    qint64 graceUs = 0;               ///< time by which clients extend a lease beyond its `timeout`
    std::optional<qint64> leaseUs;    ///< the clients' default, where no column has it
    bool deletes = false;             ///< a break deletes the row
    bool neverBroken = false;         ///< a client that missed the row would repeat its work
    /**
     * The SQL types of columns whose type isn't the usual one of their key, and further columns of the
     * applications' tables. None: only the application itself creates its table.
     */
    std::optional<QMap<QString, QString>> types;
    // For `discover`:
    QString prefix;      ///< default prefix of the names in `tables`
    QStringList with;    ///< tables that always exist beside a table of this layout
    QStringList beside;  ///< unmapped columns that identify the layout
    QStringList missing; ///< facts that the layout can't show

    const ColumnPreset *column(QByteArrayView key) const;
    /** True for a name that its applications give to the table, with any prefix where they may choose one. */
    bool namesTable(const QString &table) const;
};

/** Every key of a mapping that names a column beside `name`, in the order in which rows are read. */
const QList<QByteArray> &columnKeys();
/** True for the keys whose columns are times. */
bool isTimeKey(QByteArrayView key);
/** The member of a mapping that names the column of one of these keys; null for another key. */
QString TableMapping::*columnMember(QByteArrayView key);

/** Reads one preset's JSON. An error names the fault. */
base::Result<TablePreset> parsePreset(const QByteArray &json);

/** The ids of all presets of this build, sorted. */
QStringList presetIds();

/** The preset of this id. */
base::Result<TablePreset> presetNamed(const QString &id);

/**
 * The layout of a lock set: its preset, or its scheme's protocol, with the names of the configuration.
 * Refuses names that can't be identifiers and mappings that lack what the protocol needs.
 */
base::Result<TablePreset> layoutOf(const LockSet &set);

/** The text of a scheme's statements, from the program's resources. */
base::Result<QByteArray> statementText(const QByteArray &scheme);

} // namespace lockkeeper::stores::sql
