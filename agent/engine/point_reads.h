// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"

#include <deque>

namespace lockkeeper::agent::engine {

/** The locks to be read one by one: in pages, and with no more reads under way than the store can answer
 * soon. */
class PointReads
{
public:
    void add(LockRecord &record, quint32 index);
    /** The answer for a record has arrived, or never will. */
    void settle(LockRecord &record);
    void fill(LockTable &table, QList<stores::Subject> &look);
    void clear(LockTable &table);
    bool isReady() const { return !m_waiting.empty() && m_underWay < kUnderWay; }
    /** Call at the end of each scan: gives up on answers that never arrived. */
    void checkStalled(LockTable &table);

private:
    static constexpr int kPage = 1'000;
    static constexpr int kUnderWay = 4'000;

    std::deque<quint32> m_waiting;
    int m_underWay = 0;
    int m_settled = 0;
};

} // namespace lockkeeper::agent::engine
