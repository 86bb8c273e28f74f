// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>

namespace lockkeeper::stores::discover {

/** How clearly a key's name says that the key is a lock. */
enum class KeyNaming : quint8 {
    Other = 0, ///< nothing
    Lock,      ///< its head word is one for locks: "lock:orders", "session_lock"
    Hint,      ///< … a weaker one: "leader", "locked", "owner"
    Foreign,   ///< it names other things: sessions, caches, counters; or data about locks
};

/** A part of a name, which is cut where people cut names. */
struct NamePart
{
    QByteArray text;
    QByteArray separator; ///< what follows: ':', '-', …; empty at the end
};

/** A key's name as its application knows it: without the header of Java's serialisation. */
QByteArray plainName(const QByteArray &name);

/** A name's parts; letters before digits at a part's end are a separate part ("job17"). */
QList<NamePart> partsOf(const QByteArray &name);
/** A word that people chose, not a number, a random id or bytes. */
bool isWord(QByteArrayView part);

/** How a name reads, and the part that decides it. */
struct NameReading
{
    KeyNaming naming = KeyNaming::Other;
    qsizetype part = -1; ///< of Lock and Hint
    QByteArray word;     ///< "mutex"
};
NameReading readName(const QList<NamePart> &parts);
/** False where readName() can't read a lock in it; much quicker. */
bool mayNameLock(QByteArrayView name);

/** A key that a lock library keeps beside a lock; `lock` is the lock's key. */
struct Helper
{
    enum class HelperRole : quint8 {
        Queue = 0, ///< the waiters: Redisson's fair lock
        Readers,   ///< deadlines of readers: its read-write lock
        Permits,   ///< deadlines of permits: its expirable semaphore
        Signal,    ///< wakes a waiter, counts fencing tokens, and the like
        Wakeup,    ///< python-redis-lock's list that wakes a waiter
    };
    HelperRole kind = HelperRole::Signal;
    QByteArray lock;
};

/** The helper that a key's name stands for; empty: none. */
std::optional<Helper> helperOf(const QByteArray &name);

/** A literal as a part of a glob that a configuration can hold: special characters are escaped, bytes that
 * aren't UTF-8 become `?`. */
QByteArray escapedGlob(const QByteArray &literal);

} // namespace lockkeeper::stores::discover
