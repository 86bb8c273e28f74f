// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/cells.h"
#include "shared/stores/sql/tables/row_layout.h"
#include "shared/stores/sql/tables/row_rules.h"
#include "shared/stores/store.h"

#include <functional>

namespace lockkeeper::stores::sql::binlog {

/**
 * One lock set whose table's changes are read: the columns that it needs, by the catalogue's names, and the
 * function that turns their values into an observation. Any scheme of rows fits. The values come in the order
 * of `columns`, as in the log. `observe` must return byte for byte the observation of a scan at `nowUs` of
 * the store's clock.
 */
struct WatchedSet
{
    quint16 set = 0;
    QByteArray match = "*"; ///< as configured; part of Shapes::digest
    QString database;
    QString table;
    QStringList columns;
    /** Called in one thread only. */
    std::function<Observation(const QList<Cell> &values, qint64 nowUs)> observe;
    /** False for rows that are no locks, such as those of another status; empty: all rows are locks. */
    std::function<bool(const QList<Cell> &values)> isLock;
    /** False for names that are no locks of the set. */
    std::function<bool(const QByteArray &name)> takes;
};

/** True where the column's own bytes, as the log has them, can be read as text. */
bool isDecoded(const Column &column);

/** Any mapped table. `hidden`: glob of names that are no locks, empty: none. */
WatchedSet watchedMapped(const ResolvedTable &table, const RowLayout &layout, const RowRules &rules,
                         quint16 set, const QByteArray &match, const QByteArray &hidden);

} // namespace lockkeeper::stores::sql::binlog
