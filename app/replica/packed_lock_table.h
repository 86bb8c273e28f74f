// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/packed_lock.h"

#include <QList>

#include <optional>
#include <unordered_set>

namespace lockkeeper::app::replica {

/** Many locks by their keys, packed. Iterates in no order, one value at a time. */
class PackedLockTable
{
    struct Hash
    {
        using is_transparent = void;
        size_t operator()(const PackedLock &lock) const { return lock.hash(); }
        size_t operator()(const domain::LockKey &key) const { return PackedLock::hashOf(key); }
    };
    struct SameKey
    {
        using is_transparent = void;
        bool operator()(const PackedLock &a, const PackedLock &b) const { return a.isSameLock(b); }
        bool operator()(const domain::LockKey &key, const PackedLock &lock) const { return lock.isOf(key); }
        bool operator()(const PackedLock &lock, const domain::LockKey &key) const { return lock.isOf(key); }
    };
    using Locks = std::unordered_set<PackedLock, Hash, SameKey>;

public:
    using Iterator = Locks::const_iterator;

    qsizetype size() const { return qsizetype(m_locks.size()); }
    bool isEmpty() const { return m_locks.empty(); }
    bool contains(const domain::LockKey &key) const { return m_locks.contains(key); }
    bool contains(const PackedLock &ofSameKey) const { return m_locks.contains(ofSameKey); }
    std::optional<domain::LockState> find(const domain::LockKey &key) const
    {
        const PackedLock lock = packed(key);
        return lock.isNull() ? std::nullopt : std::optional(lock.state());
    }
    /** Null if absent. */
    PackedLock packed(const domain::LockKey &key) const
    {
        const auto it = m_locks.find(key);
        return it == m_locks.end() ? PackedLock() : *it;
    }
    /** Replaces the lock with the same key. */
    void insert(PackedLock lock)
    {
        const auto [it, isNew] = m_locks.insert(lock);
        if (!isNew)
            const_cast<PackedLock &>(*it) = std::move(lock); // same key, so the same position
    }
    void clear() { m_locks.clear(); }
    void remove(const domain::LockKey &key)
    {
        if (const auto it = m_locks.find(key); it != m_locks.end())
            m_locks.erase(it);
    }
    /** Removes and returns any lock; the table mustn't be empty. */
    PackedLock takeAny() { return std::move(m_locks.extract(m_locks.begin()).value()); }
    Iterator begin() const { return m_locks.begin(); }
    Iterator end() const { return m_locks.end(); }
    QList<domain::LockState> values() const
    {
        QList<domain::LockState> values;
        values.reserve(size());
        for (const PackedLock &lock : m_locks)
            values.append(lock.state());
        return values;
    }

private:
    Locks m_locks;
};

} // namespace lockkeeper::app::replica
