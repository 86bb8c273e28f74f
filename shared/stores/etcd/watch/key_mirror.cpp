// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/watch/key_mirror.h"

#include <algorithm>

namespace lockkeeper::stores::etcd {

namespace {

QMap<QByteArray, Queue> byName(const QList<KeyValue> &keys)
{
    QMap<QByteArray, Queue> named;
    for (const Queue &queue : queuesOf(keys))
        named.insert(queue.name, queue);
    return named;
}

/** Drops the part of the value that is never shown. */
KeyValue shown(KeyValue key)
{
    key.value = valueOf(key);
    return key;
}

} // namespace

void KeyMirror::fill(const QList<KeyValue> &keys, qint64 revision)
{
    m_keys.clear();
    m_places.clear();
    m_revision = revision;
    for (const KeyValue &key : keys) {
        m_keys.insert(key.key, shown(key));
        count(key, 1);
    }
}

void KeyMirror::count(const KeyValue &key, int by)
{
    if (!isPlaceInQueue(key))
        return;
    const QByteArray prefix = key.key.first(key.key.lastIndexOf('/'));
    if ((m_places[prefix] += by) == 0)
        m_places.remove(prefix);
}

/** The lock that a key may change: the key's first prefix below which somebody queues, or the key itself. */
QByteArray KeyMirror::rootOf(const QByteArray &key) const
{
    for (qsizetype slash = key.indexOf('/', 1); slash > 0; slash = key.indexOf('/', slash + 1)) {
        if (m_places.contains(key.first(slash)))
            return key.first(slash);
    }
    return key;
}

QList<KeyValue> KeyMirror::keysUnder(const QByteArray &root) const
{
    QList<KeyValue> keys;
    if (const auto own = m_keys.constFind(root); own != m_keys.cend())
        keys.append(*own);
    const QByteArray below = root + '/';
    for (auto it = m_keys.lowerBound(below); it != m_keys.cend() && it.key().startsWith(below); ++it)
        keys.append(*it);
    return keys;
}

QList<Turned> KeyMirror::apply(const QList<KeyEvent> &events)
{
    if (events.isEmpty() || events.constFirst().key.mod <= m_revision)
        return {};
    m_revision = events.constFirst().key.mod;
    QSet<QByteArray> roots;
    for (const KeyEvent &event : events)
        roots.insert(rootOf(event.key.key));
    for (const KeyEvent &event : events) {
        if (const auto old = m_keys.constFind(event.key.key); old != m_keys.cend())
            count(*old, -1);
        if (!event.deleted)
            count(event.key, 1);
    }
    for (const KeyEvent &event : events)
        roots.insert(rootOf(event.key.key));
    const auto look = [this, &roots] {
        QMap<QByteArray, KeyValue> keys; // one root may be below another
        for (const QByteArray &root : std::as_const(roots)) {
            for (const KeyValue &key : keysUnder(root))
                keys.insert(key.key, key);
        }
        return byName(keys.values());
    };
    const QMap<QByteArray, Queue> before = look();
    for (const KeyEvent &event : events) {
        if (event.deleted)
            m_keys.remove(event.key.key);
        else
            m_keys.insert(event.key.key, shown(event.key));
    }
    const QMap<QByteArray, Queue> after = look();
    QList<Turned> turned;
    for (auto it = before.cbegin(); it != before.cend(); ++it) {
        if (!after.contains(it.key()))
            turned.append({it.key(), std::nullopt, it->keys.constFirst().lease});
    }
    for (auto it = after.cbegin(); it != after.cend(); ++it) {
        const auto old = before.constFind(it.key());
        if (old != before.cend() && old->keys == it->keys && old->queued == it->queued)
            continue;
        turned.append({it.key(), *it});
        if (old != before.cend() && identityOf(old->keys.constFirst()) != identityOf(it->keys.constFirst()))
            turned.last().before = old->keys.constFirst().lease;
    }
    return turned;
}

bool KeyMirror::isHeldAs(const Queue &queue) const
{
    const auto known = queueNamed(queue.name, keysUnder(queue.name));
    const KeyValue &holder = queue.keys.constFirst();
    return known && identityOf(known->keys.constFirst()) == identityOf(holder) &&
           freshnessOf(known->keys.constFirst()) == freshnessOf(holder);
}

QList<Queue> KeyMirror::heldBy(const QSet<qint64> &leases) const
{
    QList<Queue> queues = this->queues();
    queues.removeIf(
        [&leases](const Queue &queue) { return !leases.contains(queue.keys.constFirst().lease); });
    return queues;
}

} // namespace lockkeeper::stores::etcd
