// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace lockkeeper::stores::discover {

/** The type of a Redis key's value. */
enum class KeyType : quint8 { Other = 0, String, Hash, List, Set, SortedSet, Stream };

/** How a key changed between two looks a second apart. */
enum class Again : quint8 {
    NotAsked = 0,
    Same,    ///< same value, and its time to live runs down
    Renewed, ///< same value, with more time to live than before
    Changed, ///< another value
    Gone,
};

/** One field of a hash with its value, or one member of a sorted set with its score. */
struct KeyMember
{
    QByteArray name;
    QByteArray value;
};

/** One key as a point read at the store shows it. */
struct KeyFacts
{
    QByteArray name;
    KeyType type = KeyType::Other;
    qint64 ttlMs = -1;        ///< −1: none
    bool sampled = false;     ///< what follows was read
    qint64 length = 0;        ///< bytes of a string, fields, members
    QByteArray value;         ///< of a string of at most 4 KiB
    QList<KeyMember> members; ///< of a small hash or sorted set
    Again again = Again::NotAsked;
};

/** Keys of one type whose names fit one pattern, without the helpers that lock libraries keep beside. */
struct KeyGroup
{
    QByteArray match;  ///< as a glob; literal parts are escaped
    QByteArray prefix; ///< every name's prefix; empty: the pattern begins with `*`
    KeyType type = KeyType::Other;
    QList<KeyFacts> keys;

    // Helpers of libraries that name one of these locks.
    bool fair = false;            ///< a queue or its deadlines
    bool readWrite = false;       ///< deadlines of readers
    QList<KeyFacts> permits = {}; ///< sorted sets with the deadlines of a semaphore's permits
    bool woken = false;           ///< a list by which python-redis-lock wakes waiting clients
    bool listened = false;        ///< a client listens to the channel of Spring's registry of that name
};

} // namespace lockkeeper::stores::discover
