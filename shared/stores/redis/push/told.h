// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

struct redisReply;

namespace lockkeeper::stores::redis::push {

/** A message of a subscribed connection. The views are valid while the reply lives. */
struct Told
{
    enum class Kind : quint8 {
        Nothing = 0, ///< of no use here
        Keys,        ///< these keys of some database were changed, in no order; each at least once
        Everything,  ///< some database was emptied
        Event,       ///< `event` happened to the one key of `keys`, in the database that was subscribed to
    };
    Kind kind = Kind::Nothing;
    bool byKeyspace = false; ///< an event of `__keyspace@N__`, not of `__keyevent@N__`
    QList<QByteArrayView> keys;
    QByteArrayView event;
};

inline constexpr char kInvalidate[] = "__redis__:invalidate";

/** "__keyevent@0__:" and "__keyspace@0__:". */
QByteArray keyeventHead(int database);
QByteArray keyspaceHead(int database);

/** Reads a message: redis.io, "Client-side caching" and "Keyspace notifications". Pure. */
Told told(const redisReply *message, int database);

/** What keyspace events have said of a key since it was read last, in their order. */
struct KeyStory
{
    enum class End : quint8 { Untold = 0, Deleted, Expired };

    bool came = false; ///< a string was written there
    /** How what was there when it was read last came to its end. */
    End first = End::Untold;
    End last = End::Untold; ///< how what is not there any more came to its end

    /** How an event ends what was there, if it does. */
    static End endOf(QByteArrayView event);
    void add(QByteArrayView event);
    /** What was told after this. */
    void append(const KeyStory &later);
    /** Of what was read last if it was there, else of what came since. */
    End end() const { return first != End::Untold ? first : last; }

private:
    bool m_written = false; ///< ended, or overwritten: what comes next isn't of what was read
};

} // namespace lockkeeper::stores::redis::push
