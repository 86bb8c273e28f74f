// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/weight.h"

#include <algorithm>

namespace lockkeeper::agent::journal {

inline constexpr int kMaxRows = 1'000; ///< of one page that a client asks for

/** The room that is left in one page of an answer: a number of rows, and no more than a frame takes. */
class PageLimit
{
public:
    explicit PageLimit(int rows) : m_rows(std::max(rows, 1)) {}

    /** Never true before the first row, which may fill a frame alone. */
    bool isFull() const { return m_taken == m_rows || m_weight >= protocol::kPageWeight; }
    template <typename Row> void take(const Row &row)
    {
        ++m_taken;
        m_weight += protocol::weightOf(row);
    }

private:
    int m_rows;
    int m_taken = 0;
    qint64 m_weight = 0;
};

} // namespace lockkeeper::agent::journal
