// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/wire.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/** A lock as its keys show it: the first key belongs to the holder, the others wait in that order. */
struct Queue
{
    QByteArray name;
    QList<KeyValue> keys; ///< by create revision
    /** False for a plain key under a lease, whose waiters try again and leave nothing. */
    bool queued = false;
};

/** True for `PREFIX/LEASE`, the lease in hex being the key's own. */
bool isPlaceInQueue(const KeyValue &key);

/**
 * The locks in `keys`. A prefix below which somebody queues is a lock. Every key below it stands in its
 * queue, since the concurrency package counts them all. Any other key under a lease is a separate lock.
 */
QList<Queue> queuesOf(const QList<KeyValue> &keys);

/** The lock that `name` and the keys below it show; absent where they show none. */
std::optional<Queue> queueNamed(const QByteArray &name, const QList<KeyValue> &keys);

/** The observation of a queue; its deadline comes from the holder's lease. */
Observation observationOf(const Queue &queue, quint16 set);

/** Names a contender: by its lease, after the value if it has one. All candidates of an election may have the
 * same value, and this name alone distinguishes the waiters. */
QByteArray placeInQueue(const KeyValue &key);

/** Identifies one acquisition: the revision that created the key, its lease, and the key. */
QByteArray identityOf(const KeyValue &key);
/** The revision that wrote the key last. A leader that proclaims another value keeps its acquisition. */
QByteArray freshnessOf(const KeyValue &key);

/** A key's value, cut to the length that is shown. */
QByteArray valueOf(const KeyValue &key);

} // namespace lockkeeper::stores::etcd
