// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_facts.h"

#include <QRegularExpression>

namespace lockkeeper::stores::discover {

/** A client that is recognised by its keys' names and contents: a preset of Redis as data. */
struct KnownClient
{
    QString preset;
    QByteArray scheme;
    QByteArray match;  ///< a glob on the key
    QByteArray prefix; ///< every key's prefix, if no other client's keys would have it; otherwise empty
    KeyType type = KeyType::String;
    QRegularExpression value; ///< of a hash: of "FIELD VALUE", and one of them is enough
    bool neverBroken = false;
    bool ownEnd = false; ///< names end as no other client's do: the whole of `match` is watched

    bool fits(const KeyFacts &key) const;
};
const QList<KnownClient> &knownClients();

/** A whole number, as INCR and DECR leave it. */
bool isCount(const KeyFacts &key);

/**
 * A hash of holders and counts, as Redisson and its ports keep locks. `threads`: only holders as these write
 * them; else any that isn't one plain word.
 */
bool isRedissonLock(const KeyFacts &key, bool threads);
/** … of a read-write lock. */
bool hasMode(const KeyFacts &key);

/** A sorted set that ends with the last of its random members, as Symfony's Lock keeps holders. */
bool isSymfonyLock(const KeyFacts &key, qint64 nowS);

/** A token in the manner of Spring's registries: one UUID in several keys, or a registry named after Spring.
 */
bool isSpringRegistry(const KeyGroup &group);

/** A sorted set of holders and times near now that aren't ahead of it, as redis-semaphore keeps permits. */
bool isSemaphore(const KeyFacts &key, qint64 nowS);
/** … whose times count seconds, which the scheme doesn't read. */
bool isSemaphoreInSeconds(const KeyFacts &key, qint64 nowS);
/** True where a permit of Redisson's semaphore ends at a time in seconds: a port wrote it. */
bool hasDeadlineInSeconds(const KeyFacts &permits);

/** Why the locks of a known client aren't watched; empty: these keys aren't such a client's. */
QString unwatchedClient(const KeyGroup &group);

} // namespace lockkeeper::stores::discover
