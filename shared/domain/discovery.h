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

/** What one look at a store found: plain values, so that an agent can tell them. */
namespace lockkeeper::domain::discovery {

/** A key of a lock set with its text: {"scores", "deadline"}. */
struct Setting
{
    QByteArray key;
    QString value;

    bool operator==(const Setting &) const = default;
};

/** The columns of a table that holds locks; empty where the table has no such column. */
struct TableMapping
{
    QString table;    ///< as configured, checked against the catalogue before any SQL names it
    QStringList name; ///< joined by '/'
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
    QString freeValue;             ///< what a break writes into `status`; empty: 0
    QHash<QString, QString> units; ///< by the mapping's key, e.g. {"expires_at", "epoch_ms"}
    std::optional<qint64> leaseUs; ///< where no column tells it

    /** The units as a list, by key. */
    QList<Setting> unitList() const;
    void setUnits(const QList<Setting> &list);
    bool operator==(const TableMapping &) const = default;
};

/** Why something was guessed. `Reason::column` and `value` go with them. */
enum class ReasonCode : quint8 {
    PresetTable = 0, ///< table and columns are those of a known layout (value: its name)
    PresetColumns,   ///< only the table has another name
    AlsoPreset,      ///< other known layouts have the same columns (value: their names)
    TableName,       ///< the table is named after locks
    Name,            ///< column names the lock (value: its type)
    NameUnique,      ///< it is the primary key or has a unique index
    NameTable,       ///< no column names a lock: the table is one lock
    Holder,          ///< column says who holds (value: type)
    AcquiredAt,
    RenewedAt,
    ExpiresAt,
    Timeout,
    Id, ///< column tells one acquisition from the next
    Count,
    Version,
    Status,        ///< column says whether it is held (value: held_value)
    UnitSeen,      ///< the unit follows from the values read (value: unit)
    UnitNamed,     ///< the unit follows from the column's name
    UnitAssumed,   ///< nothing told the unit
    ZoneAssumed,   ///< calendar columns are taken for the time zone UTC
    ZoneAhead,     ///< … and values lie ahead of it (value: by how much, e.g. "+08:00")
    RowsStay,      ///< rows outlive their locks: expired ones are old, or have no holder
    RowsGo,        ///< taken as: a row that is there is held
    RowLocks,      ///< names only: the lock is a row lock on it
    NotTold,       ///< what the layout keeps nowhere (value: "holder", "time", "expiry", "waiters", …)
    NoIdentity,    ///< nothing in a row tells one acquisition from the next
    NeverBroken,   ///< whoever finds such a row gone does its work a second time
    ClientClock,   ///< times lie ahead of the store's clock (value: by how much)
    GivenBack,     ///< rows that were given back say so (column): a time near 1970
    Advisory,      ///< held or waited for when it was looked (value: names)
    ForeignColumn, ///< speaks against it: a column of other kinds of tables
    ForeignTable,  ///< speaks against it: the table is named after something else
    OtherColumns,  ///< speaks against it: columns without a part in locking (value: how many)
    // Of keys; `column` is empty.
    KeyName,     ///< the keys are named after locks (value: the word)
    KeyHint,     ///< … by a weaker word
    KeyHolder,   ///< the values tell who holds (value: their shape)
    KeyFlag,     ///< the values tell no holder
    KeyJson,     ///< the values are objects of owner and state
    KeyTtl,      ///< every key has a short time to live (value: the longest)
    KeySomeTtl,  ///< some have one: those without are stuck
    KeyNoTtl,    ///< none has one
    KeyRenewed,  ///< seen: the same value, given more time
    KeyHandOver, ///< seen: another holder
    KeyRedisson, ///< hashes of holders and counts, as Redisson keeps locks
    KeyModes,    ///< … of a read-write lock
    KeyFair,     ///< … with a queue beside
    KeyMembers,  ///< sorted sets of holders and times
    KeyLease,    ///< how long such a set lives is taken for its permits' lease (value: how long)
    KeyPreset,   ///< names and values are those of a known client (value: its preset)
    KeyPermits,  ///< numbers with permits beside, as Redisson keeps semaphores
    KeyPrefix,   ///< pushed changes can be had: all names begin alike (value: how)
    KeyNoPrefix, ///< … can't be had, as names begin differently
    KeyCounter,  ///< speaks against it: the values count something
    KeyMixed,    ///< speaks against it: the values aren't alike
    KeyForeign,  ///< speaks against it: the keys are named after something else
    KeyData,     ///< speaks against it: the values are data (value: their shape)
    KeyLongTtl,  ///< speaks against it: a lock isn't held that long (value: the longest)
    KeyMany,     ///< speaks against it: nothing in the name, and many keys (value: how many)
    KeyQueue,    ///< sessions queue below them, each with a key that its lease names (value: how many queues)
    KeyLeased,   ///< each key ends with its session's lease
    ZnodeRecipe, ///< children are named as a known client's lock names them (value: which clients)
    ZnodeNumbered, ///< children are numbered, by no recipe that is known
    Other = 255,   ///< what a newer agent says, and this version doesn't know
};

struct Reason
{
    ReasonCode code = ReasonCode::TableName;
    int points = 0; ///< what it gave or took
    QString column;
    QString value;

    bool operator==(const Reason &) const = default;
};

/** What keeps a table from being proposed. */
enum class Missing : quint8 {
    UniqueName = 0, ///< no column names a lock uniquely
    Evidence,       ///< neither its name nor its columns speak of locks
    Ordinary,       ///< its columns are those of another kind of table
    Support,        ///< its scheme isn't available in this version
    Refused,        ///< the agent wouldn't accept it (see `refusal`)
    Unseen,         ///< the server doesn't show such locks to this user (see `refusal`)
    KeyEvidence,    ///< too little in the keys' names and values speaks of locks
    KeyShape,       ///< no scheme reads what these keys hold
};

/** One table, or the keys that fit one pattern, judged. Text of it comes from the store: for people only
 * escaped, and as plain text. */
struct Candidate
{
    QString schema; ///< where the table is, if not where its name alone finds it (PostgreSQL)
    QString table;
    QByteArray match;     ///< of keys: the glob that their names fit; `table` is empty then
    qint64 keys = 0;      ///< of those looked at, that fit it
    QByteArray scheme;    ///< "sql.insert"; empty where none fits
    QString preset;       ///< the known layout; empty: the mapping alone
    TableMapping mapping; ///< which column plays which part
    TableMapping config;  ///< what of it the configuration has to say: a preset knows its own columns
    bool neverBroken = false;
    QList<Setting> settings; ///< of keys: what else the configuration has to say
    int score = 0;           ///< 0 to 100; proposed from kProposed on
    QList<Reason> reasons;
    QList<Missing> missing;
    QList<domain::Access> access; ///< rights that observing and breaking need, as the store itself told
    base::Error refusal;          ///< with Missing::Refused and Missing::Unseen

    bool isProposed() const;
    /** The table's name or the keys' pattern, as it stands in the store. */
    QString subject() const;
    bool operator==(const Candidate &) const = default;
};

constexpr int kProposed = 60; ///< from here on a table is proposed
constexpr int kNear = 40;     ///< from here on it is listed as a near miss

/** All that one look at a store found. */
struct Discovery
{
    QByteArray store; ///< "mysql", "redis", "zookeeper"
    QString server;   ///< product and version
    QString database;
    qint64 tables = 0;      ///< that were looked at; of a store of keys: keys
    bool allSeen = true;    ///< false: there are more than were looked at, or than are told here
    QList<Candidate> found; ///< proposed ones, the surest first
    QList<Candidate> near;  ///< near misses
    QList<Candidate> rest;  ///< every other table

    bool operator==(const Discovery &) const = default;
};

/** True for a store of keys, which has patterns where others have tables. */
bool hasKeys(const Discovery &discovery);

/** Stable names of why something was guessed, and of what keeps a table from being proposed. */
QByteArrayView reasonName(ReasonCode code);
QByteArrayView missingName(Missing missing);

} // namespace lockkeeper::domain::discovery
