// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>
#include <utility>

namespace lockkeeper::base {

/**
 * A first-in first-out queue with a limit on the sum of its items' costs (usually bytes). It never drops
 * an item: push() fails, and the caller decides how to handle a full queue. Not thread-safe: owned by
 * one thread.
 */
template <typename T> class BoundedQueue
{
public:
    explicit BoundedQueue(qint64 limit) : m_limit(limit) {}

    /** Returns false and queues nothing if `cost` would exceed the limit. */
    [[nodiscard]] bool push(T item, qint64 cost)
    {
        if (cost < 0 || cost > m_limit - m_cost)
            return false;
        m_items.emplace_back(std::move(item), cost);
        m_cost += cost;
        return true;
    }

    /** Takes the oldest item. The queue must not be empty. */
    T pop()
    {
        auto [item, cost] = std::move(m_items.front());
        m_items.pop_front();
        m_cost -= cost;
        return item;
    }

    const T &front() const { return m_items.front().first; }
    bool isEmpty() const { return m_items.empty(); }
    qsizetype size() const { return qsizetype(m_items.size()); }
    qint64 cost() const { return m_cost; }
    qint64 limit() const { return m_limit; }

    void clear()
    {
        m_items.clear();
        m_cost = 0;
    }

private:
    std::deque<std::pair<T, qint64>> m_items;
    qint64 m_cost = 0;
    qint64 m_limit;
};

} // namespace lockkeeper::base
