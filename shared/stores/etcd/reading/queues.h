// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/wire.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/** A lock as its keys show it: whoever came first holds it, the others wait in that order. */
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
 * The locks in `keys`. A prefix below which somebody queues is a lock, and every key below it stands in its
 * queue, since the concurrency package counts them all; any other key under a lease is a lock of its own.
 */
QList<Queue> queuesOf(const QList<KeyValue> &keys);

/** What `name` and the keys below it show; absent where that is nothing. */
std::optional<Queue> queueNamed(const QByteArray &name, const QList<KeyValue> &keys);

/** What a queue shows; its deadline comes from the holder's lease. */
Observation observationOf(const Queue &queue, quint16 set);

/** What names one acquisition: the revision that created the key, its lease, and the key. */
QByteArray identityOf(const KeyValue &key);
/** What else was seen of it: the revision that wrote it last. A leader that proclaims another value keeps its
 * acquisition. */
QByteArray freshnessOf(const KeyValue &key);

/** What a key says, as much as is shown of it. */
QByteArray valueOf(const KeyValue &key);

} // namespace lockkeeper::stores::etcd
