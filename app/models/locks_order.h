// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/locks_proxy.h"

namespace lockkeeper::app::models {

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
