// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

#include <vector>

namespace lockkeeper::agent::engine {

/**
 * When to read each record again: a heap with at most one live entry per record. A deadline that moves later
 * (every renewal) leaves the entry in place; the entry is queued again when the old time comes. Renewals
 * therefore cost nothing here and can't fill the heap. Times are by the store's clock.
 */
class Deadlines
{
public:
    /** `dueUs` replaces the record's due time; kNever: none. */
    void arm(LockRecord &record, quint32 index, qint64 dueUs);
    /** Takes out one record that is due at `nowUs`. Returns its index; LockTable::kNone: none is due. */
    quint32 takeDue(LockTable &table, qint64 nowUs);
    /** The earliest entry's time; its deadline may have moved since. kNever: no entry. */
    qint64 nextUs() const { return m_heap.empty() ? kNever : m_heap.front().dueUs; }
    void clear() { m_heap.clear(); }
    /** Drops the entries of removed locks once they are the majority: a hold may be short and its deadline
     * far. */
    void tidy(const LockTable &table);
    qint64 bytes() const { return qint64(m_heap.capacity()) * qint64(sizeof(DueIndex)); }

private:
    struct DueIndex
    {
        qint64 dueUs;
        quint32 index;
    };
    static bool isLater(const DueIndex &a, const DueIndex &b) { return a.dueUs > b.dueUs; }
    void push(LockRecord &record, quint32 index, qint64 dueUs);

    std::vector<DueIndex> m_heap;
};

} // namespace lockkeeper::agent::engine
