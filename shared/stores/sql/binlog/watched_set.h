// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/binlog/cells.h"
#include "shared/stores/store.h"

#include <functional>

namespace lockkeeper::stores::sql::binlog {

/**
 * One lock set whose table's changes are read: the columns that it needs, by the catalogue's names, and what
 * makes an observation of their values. Any scheme of rows fits: the values come in the order of `columns`,
 * as the log has them, and `observe` has to give byte for byte what a pass would, at `nowUs` of the store's
 * clock.
 */
struct WatchedSet
{
    quint16 set = 0;
    QByteArray match = "*";
    QString database;
    QString table;
    QStringList columns;
    /** Only ever called in one thread. */
    std::function<Observation(const QList<Cell> &values, qint64 nowUs)> observe;
};

/** A ShedLock table; the first way to fill a WatchedSet. */
WatchedSet watchedShedlock(const Table &table, const QTimeZone &zone, quint16 set, const QByteArray &match);

} // namespace lockkeeper::stores::sql::binlog
