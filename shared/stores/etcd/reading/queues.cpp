// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/reading/queues.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <tuple>

namespace lockkeeper::stores::etcd {

bool isPlaceInQueue(const KeyValue &key)
{
    const qsizetype slash = key.key.lastIndexOf('/');
    if (key.lease == 0 || slash <= 0)
        return false;
    // Go's clients write it without leading zeros, etcdctl prints it with them.
    const QByteArray last = key.key.sliced(slash + 1);
    return last == leaseHex(key.lease) || last == leaseHex(key.lease).rightJustified(16, '0');
}

QList<Queue> queuesOf(const QList<KeyValue> &keys)
{
    QSet<QByteArray> prefixes;
    for (const KeyValue &key : keys) {
        if (isPlaceInQueue(key))
            prefixes.insert(key.key.first(key.key.lastIndexOf('/')));
    }
    QHash<QByteArray, Queue> queues;
    QList<Queue> plain;
    for (const KeyValue &key : keys) {
        bool queued = false;
        for (qsizetype slash = key.key.indexOf('/', 1); slash > 0; slash = key.key.indexOf('/', slash + 1)) {
            const QByteArray prefix = key.key.first(slash);
            if (!prefixes.contains(prefix))
                continue;
            queued = true;
            queues[prefix].keys.append(key);
        }
        if (!queued && key.lease != 0 && !prefixes.contains(key.key)) // otherwise a queue has its name
            plain.append({key.key, {key}, false});
    }
    QList<Queue> all = plain;
    for (auto it = queues.begin(); it != queues.end(); ++it) {
        it->name = it.key();
        it->queued = true;
        std::sort(it->keys.begin(), it->keys.end(), [](const KeyValue &a, const KeyValue &b) {
            return std::tie(a.create, a.key) < std::tie(b.create, b.key);
        });
        all.append(*it);
    }
    return all;
}

std::optional<Queue> queueNamed(const QByteArray &name, const QList<KeyValue> &keys)
{
    const QList<Queue> queues = queuesOf(keys);
    const auto found = std::find_if(queues.cbegin(), queues.cend(),
                                    [&name](const Queue &queue) { return queue.name == name; });
    return found == queues.cend() ? std::nullopt : std::optional(*found);
}

QByteArray placeInQueue(const KeyValue &key)
{
    const QByteArray id = key.lease != 0 ? leaseHex(key.lease) : key.key.sliced(key.key.lastIndexOf('/') + 1);
    return key.value.isEmpty() ? id : valueOf(key) + " (" + id + ')';
}

QByteArray identityOf(const KeyValue &key)
{
    return QByteArray::number(key.create) + '/' + leaseHex(key.lease) + '/' + key.key;
}

QByteArray freshnessOf(const KeyValue &key)
{
    return QByteArray::number(key.mod);
}

QByteArray valueOf(const KeyValue &key)
{
    return key.value.first(std::min(key.value.size(), kShownOfLongValue));
}

Observation observationOf(const Queue &queue, quint16 set)
{
    const KeyValue &holder = queue.keys.constFirst();
    Observation lock;
    lock.set = set;
    lock.name = queue.name;
    lock.held = true;
    lock.owner = queue.queued || holder.value.isEmpty() ? placeInQueue(holder) : valueOf(holder);
    lock.token = leaseHex(holder.lease);
    lock.identity = identityOf(holder);
    lock.ownIdentity = true; // the create revision
    lock.freshness = freshnessOf(holder);
    lock.fencing = QByteArray::number(holder.create);
    lock.expiry = holder.lease == 0 ? domain::ExpiryKind::None : domain::ExpiryKind::Unknown;
    lock.waitersVisible = queue.queued;
    for (const KeyValue &key : queue.keys.sliced(1)) {
        domain::Waiter waiter;
        waiter.id = placeInQueue(key);
        lock.waiters.append(waiter);
    }
    return lock;
}

} // namespace lockkeeper::stores::etcd
