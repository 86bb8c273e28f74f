// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"
#include "app/replica/packed_lock_table.h"

#include <functional>

namespace lockkeeper::app::filter {

/** One completion: replace `length` characters from `position` by `text`. */
struct Completion
{
    qsizetype position = 0;
    qsizetype length = 0;
    QString text;      ///< with quotes if needed; a field ends in its operator
    qint64 count = -1; ///< locks that have this value; −1 for a field

    bool operator==(const Completion &) const = default;
};

/**
 * Candidates for the word that ends at `cursor`: fields, or the values that the locks of `table` have in that
 * field, the most frequent first, at most `limit`.
 */
QList<Completion> complete(const QString &text, qsizetype cursor, QueryScope scope,
                           const replica::PackedLockTable &table,
                           const std::function<replica::LockContext(const domain::LockState &)> &contextOf,
                           int limit = 20);

} // namespace lockkeeper::app::filter
