// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/row_cells.h"
#include "shared/stores/store.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

/** Length that is read of a text whose type sets no such limit: its length reveals a longer text. */
inline constexpr qsizetype kReadOfLongValue = kLongestValue + 1;

inline bool isLong(const QByteArray &value)
{
    return value.size() > kLongestValue;
}

/** The beginning of a long value, for display only; any other value unchanged. */
inline QByteArray shownOf(const QByteArray &value)
{
    return isLong(value) ? value.first(kShownOfLongValue) : value;
}

/** True where a column of the name is long (they come first): nothing distinguishes the row from others. */
inline bool hasLongName(const RowCells &row, int names)
{
    return std::any_of(row.cbegin(), row.cbegin() + names,
                       [](const RowCell &cell) { return cell.size > kLongestValue; });
}

/** Marks a row with a long value: nothing in it identifies an acquisition, or may be compared in a guard. */
inline void setTruncated(Observation &lock)
{
    lock.identity = {};
    lock.freshness = {};
    if (lock.held || lock.optimistic)
        lock.flaw = Flaw::Truncated;
}

} // namespace lockkeeper::stores::sql
