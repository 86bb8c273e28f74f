// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

struct redisReply;

namespace lockkeeper::stores::redis::push {

/** A message to a subscribed connection. The views are valid while the reply lives. */
struct Notification
{
    enum class NotificationKind : quint8 {
        Nothing = 0, ///< of no use here
        Keys,        ///< these keys of some database were changed, in no order; each at least once
        Everything,  ///< some database was emptied
        Event,       ///< `event` happened to the one key of `keys`, in the database that was subscribed to
    };
    NotificationKind kind = NotificationKind::Nothing;
    QList<QByteArrayView> keys;
    QByteArrayView event;
};

inline constexpr char kInvalidate[] = "__redis__:invalidate";

/** "__keyevent@0__:" of "keyevent", and of "keyspace" likewise. */
QByteArray channelHead(const char *kind, int database);

/** Reads a message: redis.io, "Client-side caching" and "Keyspace notifications". Pure. */
Notification notificationOf(const redisReply *message, int database);

/** The keyspace events of a key since it was read last, taken in their order. */
struct KeyEvents
{
    enum class KeyEnd : quint8 { Untold = 0, Deleted, Expired, Evicted };

    bool set = false;              ///< a string was written there
    bool written = false;          ///< the value that was read last has ended, or was overwritten
    KeyEnd first = KeyEnd::Untold; ///< how the value that was read last came to its end
    KeyEnd last = KeyEnd::Untold;  ///< how the value that no longer exists came to its end

    void add(QByteArrayView event);
    /** The end of the value that was read last; if the key was absent then, of a value that came since. */
    KeyEnd end() const { return first != KeyEnd::Untold ? first : last; }
};

/** Facts about the server's databases, from INFO. */
struct Databases
{
    /** Every notification is of database 0. That holds if no key of another database is loaded, and no
     * command that leads there was run since the server's start. It also holds for a node of a cluster, which
     * has no other database (before Valkey 9; a slot that moves has SELECT run there). */
    bool onlyFirst = false;
    qint64 swaps = 0; ///< how often SWAPDB was run
};

/** Reads `INFO everything`, or only its sections keyspace, commandstats and server. Pure. */
Databases databasesOf(QByteArrayView info);

} // namespace lockkeeper::stores::redis::push
