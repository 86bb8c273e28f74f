// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/deadlines.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

void Deadlines::push(LockRecord &record, quint32 index, qint64 dueUs)
{
    record.queuedUs = dueUs;
    m_heap.push_back(DueIndex{dueUs, index});
    std::push_heap(m_heap.begin(), m_heap.end(), isLater);
}

void Deadlines::arm(LockRecord &record, quint32 index, qint64 dueUs)
{
    record.dueUs = dueUs;
    if (dueUs < record.queuedUs)
        push(record, index, dueUs);
}

quint32 Deadlines::takeDue(LockTable &table, qint64 nowUs)
{
    while (!m_heap.empty() && m_heap.front().dueUs <= nowUs) {
        const DueIndex entry = m_heap.front();
        std::pop_heap(m_heap.begin(), m_heap.end(), isLater);
        m_heap.pop_back();
        if (entry.index >= table.end() || !table.isUsed(entry.index))
            continue;
        LockRecord &record = table.at(entry.index);
        if (record.queuedUs != entry.dueUs)
            continue; // an earlier entry replaced it, or the slot has another lock now
        record.queuedUs = kNever;
        if (record.dueUs <= nowUs) {
            record.dueUs = kNever;
            return entry.index;
        }
        if (record.dueUs != kNever)
            push(record, entry.index, record.dueUs);
    }
    return LockTable::kNone;
}

void Deadlines::tidy(const LockTable &table)
{
    if (m_heap.size() < 1024 + 2 * size_t(table.size()))
        return;
    std::erase_if(m_heap, [&table](const DueIndex &entry) {
        return entry.index >= table.end() || !table.isUsed(entry.index) ||
               table.at(entry.index).queuedUs != entry.dueUs;
    });
    m_heap.shrink_to_fit();
    std::make_heap(m_heap.begin(), m_heap.end(), isLater);
}

} // namespace lockkeeper::agent::engine
