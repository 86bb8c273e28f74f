// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/source_state.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

/** The results of one scan of a store: plain values, so that an agent can send them. */
namespace lockkeeper::domain::discovery {

/** A configuration key of a lock set with its value: {"scores", "deadline"}. */
struct Setting
{
    QByteArray key;
    QString value;

    bool operator==(const Setting &) const = default;
};

/** The columns of a table that holds locks; empty where the table has no such column. */
struct TableMapping
{
    QString table;    ///< as configured; checked against the catalogue before any SQL uses it
    QStringList name; ///< columns, joined by '/'
    QString id;
    QString holder;
    QString acquiredAt;
    QString renewedAt;
    QString expiresAt;
    QString timeout;
    QString count;
    QString version;
    QString request;
    QString status;
    QString heldValue;             ///< of `status` while the lock is held; empty: 1
    QString freeValue;             ///< value that a break writes into `status`; empty: 0
    QHash<QString, QString> units; ///< by the mapping's key, e.g. {"expires_at", "epoch_ms"}
    std::optional<qint64> leaseUs; ///< the lease's length, where no column holds it

    /** The units as a list, by key. */
    QList<Setting> unitList() const;
    void setUnits(const QList<Setting> &list);
    bool operator==(const TableMapping &) const = default;
};

/** Why something was guessed. `Reason::column` and `value` add details. */
enum class ReasonCode : quint8 {
    PresetTable = 0, ///< table and columns match a known layout (value: its name)
    PresetColumns,   ///< … but the table has another name
    AlsoPreset,      ///< other known layouts have the same columns (value: their names)
    TableName,       ///< the table is named after locks
    Name,            ///< column names the lock (value: its type)
    NameUnique,      ///< that column is the primary key or has a unique index
    NameTable,       ///< no column names a lock: the table is one lock
    Holder,          ///< column names the holder (value: type)
    AcquiredAt,
    RenewedAt,
    ExpiresAt,
    Timeout,
    Id, ///< column distinguishes one acquisition from the next
    Count,
    Version,
    Status,      ///< column shows whether the lock is held (value: held_value)
    UnitSeen,    ///< the unit follows from the values read (value: unit)
    UnitNamed,   ///< the unit follows from the column's name
    UnitAssumed, ///< the unit is unknown and was assumed
    ZoneAssumed, ///< calendar columns are assumed to be in UTC
    ZoneAhead,   ///< … but values are ahead of UTC (value: by how much, e.g. "+08:00")
    RowsStay,    ///< rows outlive their locks: free rows have a past expiry, or no holder
    RowsGo,      ///< assumed: a lock is held while its row exists
    RowLocks,    ///< the rows only name locks: the lock is a row lock on them
    NotTold,     ///< facts that the layout doesn't store (value: "holder", "time", "expiry", "waiters", …)
    NoIdentity,  ///< no column distinguishes one acquisition from the next
    NeverBroken, ///< a break would make clients repeat work, since they no longer find the row
    ClientClock, ///< times are ahead of the store's clock (value: by how much)
    GivenBack,   ///< a released row has a time near 1970 (column)
    Advisory,    ///< held or waited for during the scan (value: names)
    ForeignColumn, ///< speaks against it: a column of other kinds of tables
    ForeignTable,  ///< speaks against it: the table is named after something else
    OtherColumns,  ///< speaks against it: columns without a part in locking (value: how many)
    // Of keys; `column` is empty.
    KeyName,     ///< the keys are named after locks (value: the word)
    KeyHint,     ///< … by a weaker word
    KeyHolder,   ///< the values name the holder (value: their shape)
    KeyFlag,     ///< the values name no holder
    KeyJson,     ///< the values are objects with an owner and a state
    KeyTtl,      ///< every key has a short time to live (value: the longest)
    KeySomeTtl,  ///< only some keys have a time to live: those without are stuck
    KeyNoTtl,    ///< no key has a time to live
    KeyRenewed,  ///< seen: a later deadline with the same value
    KeyHandOver, ///< seen: another holder
    KeyRedisson, ///< hashes of holders and counts, as Redisson keeps locks
    KeyModes,    ///< … of a read-write lock
    KeyFair,     ///< … with a queue in another key
    KeyMembers,  ///< sorted sets of holders and times
    KeyLease,    ///< the set's time to live is assumed to be its permits' lease (value: the time)
    KeyPreset,   ///< names and values are those of a known client (value: its preset)
    KeyPermits,  ///< numbers with permits in another key, as Redisson keeps semaphores
    KeyPrefix,   ///< changes can be pushed: all names have a common prefix (value: the prefix)
    KeyNoPrefix, ///< changes can't be pushed: the names have no common prefix
    KeyCounter,  ///< speaks against it: the values count something
    KeyMixed,    ///< speaks against it: the values aren't alike
    KeyForeign,  ///< speaks against it: the keys are named after something else
    KeyData,     ///< speaks against it: the values are data (value: their shape)
    KeyLongTtl,  ///< speaks against it: a lock isn't held that long (value: the longest)
    KeyMany,     ///< speaks against it: many keys without a word for locks in their names (value: how many)
    KeyQueue,    ///< sessions queue below them, each by a key named after its lease (value: number of queues)
    KeyLeased,   ///< each key ends with its session's lease
    ZnodeRecipe, ///< children are named as by the lock of known clients (value: the clients)
    ZnodeNumbered, ///< children are numbered, but match no known recipe
    Other = 255,   ///< reason of a newer agent that this version doesn't know
};

struct Reason
{
    ReasonCode code = ReasonCode::TableName;
    int points = 0; ///< added to the score; may be negative
    QString column;
    QString value;

    bool operator==(const Reason &) const = default;
};

/** Why a table isn't proposed. */
enum class Missing : quint8 {
    UniqueName = 0, ///< no column names a lock uniquely
    Evidence,       ///< neither its name nor its columns suggest locks
    Ordinary,       ///< its columns are those of another kind of table
    Support,        ///< its scheme isn't available in this version
    Refused,        ///< the agent wouldn't accept it (see `refusal`)
    Unseen,         ///< the server doesn't show such locks to this user (see `refusal`)
    KeyEvidence,    ///< too little in the keys' names and values suggests locks
    KeyShape,       ///< no scheme can read the values of these keys
};

/** The assessment of one table, or of the keys that match one pattern. Its text comes from the store: show it
 * to users only escaped, and as plain text. */
struct Candidate
{
    QString schema; ///< set if the table's name alone doesn't find it (PostgreSQL)
    QString table;
    QByteArray match;     ///< for keys: the glob that their names match; `table` is empty then
    qint64 keys = 0;      ///< number of scanned keys that match it
    QByteArray scheme;    ///< "sql.insert"; empty: no scheme matches
    QString preset;       ///< the known layout; empty: the mapping alone
    TableMapping mapping; ///< the part that each column plays
    TableMapping config;  ///< the part of it to write into the configuration; a preset knows its columns
    bool neverBroken = false;
    QList<Setting> settings; ///< for keys: further settings to write into the configuration
    int score = 0;           ///< 0 to 100; proposed from kProposed on
    QList<Reason> reasons;
    QList<Missing> missing;
    QList<domain::Access> access; ///< rights needed for observing and breaking, as the store reported them
    base::Error refusal;          ///< with Missing::Refused and Missing::Unseen

    bool isProposed() const;
    /** The table's name or the keys' pattern, as in the store. */
    QString subject() const;
    bool operator==(const Candidate &) const = default;
};

constexpr int kProposed = 60; ///< minimum score of a proposed table
constexpr int kNear = 40;     ///< minimum score of a near miss

/** All results of one scan of a store. */
struct Discovery
{
    QByteArray store; ///< "mysql", "redis", "zookeeper"
    QString server;   ///< product and version
    QString database;
    qint64 tables = 0;      ///< number of scanned tables; of keys, in a store of keys
    bool allSeen = true;    ///< false: the store has more than were scanned, or than are listed here
    QList<Candidate> found; ///< proposed ones, highest score first
    QList<Candidate> near;  ///< near misses
    QList<Candidate> rest;  ///< every other table

    bool operator==(const Discovery &) const = default;
};

/** True for a store of keys, which has patterns instead of tables. */
bool hasKeys(const Discovery &discovery);

/** Stable names of the codes. */
QByteArrayView reasonName(ReasonCode code);
QByteArrayView missingName(Missing missing);

} // namespace lockkeeper::domain::discovery
