// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_model.h"

namespace lockkeeper::app::models {

/** By what rows are gathered under a group's row. */
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
 * A row's place in an order, for a fast comparison: most are decided by `primary` alone, without touching the
 * row. Missing values come last in either direction. Ties end in the lock's key, so the order is total and
 * equal rows never swap.
 */
struct SortedRow
{
    qint64 primary = 0;
    qint64 secondary = 0; ///< where `primary` is equal
    const LockRow *row = nullptr;
    quint32 slot = 0; ///< the row's, here so that a pass over all need not touch the rows
};

SortedRow sortedRow(const LockRow &row, const LockSort &sort);
bool comesBefore(const SortedRow &a, const SortedRow &b, const LockSort &sort);

/** By what a row is gathered; empty where it has no holder or no prefix. May be a text of `state` itself. */
QByteArray groupKey(const domain::LockState &state, Grouping grouping);

} // namespace lockkeeper::app::models
