// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

struct redisReply;

namespace lockkeeper::stores::redis::push {

/** What a subscribed connection was sent. The views are valid while the reply lives. */
struct Notification
{
    enum class Kind : quint8 {
        Nothing = 0, ///< of no use here
        Keys,        ///< these keys of some database were changed, in no order; each at least once
        Everything,  ///< some database was emptied
        Event,       ///< `event` happened to the one key of `keys`, in the database that was subscribed to
    };
    Kind kind = Kind::Nothing;
    QList<QByteArrayView> keys;
    QByteArrayView event;
};

inline constexpr char kInvalidate[] = "__redis__:invalidate";

/** "__keyevent@0__:" of "keyevent", and of "keyspace" likewise. */
QByteArray channelHead(const char *kind, int database);

/** Reads a message: redis.io, "Client-side caching" and "Keyspace notifications". Pure. */
Notification notificationOf(const redisReply *message, int database);

/** What keyspace events have said of a key since it was read last, in their order. */
struct KeyEvents
{
    enum class End : quint8 { Untold = 0, Deleted, Expired, Evicted };

    bool set = false;        ///< a string was written there
    bool written = false;    ///< what was read last has ended, or was overwritten
    End first = End::Untold; ///< how what was there when it was read last came to its end
    End last = End::Untold;  ///< how what is not there any more came to its end

    void add(QByteArrayView event);
    /** Of what was read last if it was there, else of what came since. */
    End end() const { return first != End::Untold ? first : last; }
};

/** What INFO tells of the server's databases. */
struct Databases
{
    /** A notification is of database 0: no key of another one is loaded, and since the server's start no
     * command was run that leads there; or it is a node of a cluster, which has no other (before Valkey 9; a
     * slot that moves has SELECT run there). */
    bool onlyFirst = false;
    qint64 swaps = 0; ///< how often SWAPDB was run
};

/** Reads `INFO everything`, or of it the sections keyspace, commandstats and server. Pure. */
Databases databasesOf(QByteArrayView info);

} // namespace lockkeeper::stores::redis::push
