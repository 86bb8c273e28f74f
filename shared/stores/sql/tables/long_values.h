// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/tables/row_cells.h"
#include "shared/stores/store.h"

#include <algorithm>

namespace lockkeeper::stores::sql {

/** So much of a text is read where its column's type sets no such limit: a longer one shows by its length. */
inline constexpr qsizetype kReadOfLongValue = kLongestValue + 1;

inline bool isLong(const QByteArray &value)
{
    return value.size() > kLongestValue;
}

/** A long value's beginning, which may be shown and nothing else; any other one as it is. */
inline QByteArray shownOf(const QByteArray &value)
{
    return isLong(value) ? value.first(kShownOfLongValue) : value;
}

/** True where one of the row's first columns, which are its name, is long: nobody can tell it from others. */
inline bool hasLongName(const RowCells &row, int names)
{
    return std::any_of(row.cbegin(), row.cbegin() + names,
                       [](const RowCell &cell) { return cell.size > kLongestValue; });
}

/** Of a row with a long value: nothing in it identifies an acquisition, or may be compared in a guard. */
inline void setTruncated(Observation &lock)
{
    lock.identity = {};
    lock.freshness = {};
    if (lock.held || lock.optimistic)
        lock.flaw = Flaw::Truncated;
}

} // namespace lockkeeper::stores::sql
