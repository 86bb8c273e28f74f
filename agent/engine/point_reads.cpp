// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/point_reads.h"

#include <utility>

namespace lockkeeper::agent::engine {

void PointReads::add(LockRecord &record, quint32 index)
{
    if (record.readQueued || record.readAsked)
        return;
    record.readQueued = true;
    m_waiting.push_back(index);
}

void PointReads::settle(LockRecord &record)
{
    if (!record.readAsked)
        return;
    record.readAsked = false;
    --m_underWay;
    ++m_settled;
}

void PointReads::fill(LockTable &table, QList<stores::Subject> &look)
{
    while (!m_waiting.empty() && m_underWay < kUnderWay && look.size() < kPage) {
        const quint32 index = m_waiting.front();
        m_waiting.pop_front();
        if (index >= table.end() || !table.isUsed(index) || !table.at(index).readQueued)
            continue;
        LockRecord &record = table.at(index);
        record.readQueued = false;
        record.readAsked = true;
        ++m_underWay;
        look.append(stores::Subject{record.set, record.name().toByteArray()});
    }
}

void PointReads::clear(LockTable &table)
{
    m_waiting.clear();
    m_underWay = m_settled = 0;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (table.isUsed(index))
            table.at(index).readAsked = table.at(index).readQueued = false;
    }
}

void PointReads::checkStalled(LockTable &table)
{
    const bool stalled = std::exchange(m_settled, 0) == 0 && m_underWay > 0;
    if (!stalled)
        return;
    m_underWay = 0;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index) || !table.at(index).readAsked)
            continue;
        table.at(index).readAsked = false;
        add(table.at(index), index);
    }
}

} // namespace lockkeeper::agent::engine
