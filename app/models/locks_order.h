// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_model.h"

namespace lockkeeper::app::models {

/** The value by which rows are grouped. */
enum class Grouping : quint8 { None = 0, Source, Scheme, Holder, NamePrefix };
/** Stable names for the settings: "none", "source", "scheme", "holder", "name_prefix". */
QByteArrayView groupingName(Grouping grouping);
std::optional<Grouping> groupingFromName(QByteArrayView name);

/** Order of the rows. `column` −1: the default order (severity, longest wait, held for, key). */
struct LockSort
{
    int column = -1;
    Qt::SortOrder order = Qt::AscendingOrder;
    bool operator==(const LockSort &) const = default;
};

/**
 * A row's place in an order, for a fast comparison: `primary` alone decides most of them without access to
 * the row. Missing values come last in both directions. Ties are resolved by the lock's key, so the order is
 * total and equal rows never swap.
 */
struct SortedRow
{
    qint64 primary = 0;
    qint64 secondary = 0; ///< compared if `primary` is equal
    const LockRow *row = nullptr;
    quint32 slot = 0; ///< the row's slot, copied here so that a pass over all rows need not access them
};

SortedRow sortedRow(const LockRow &row, const LockSort &sort);
bool comesBefore(const SortedRow &a, const SortedRow &b, const LockSort &sort);

/**
 * The value by which a row is grouped; empty if it has no holder or no prefix. May share a text of `state`.
 */
QByteArray groupKey(const domain::LockState &state, Grouping grouping);

} // namespace lockkeeper::app::models
