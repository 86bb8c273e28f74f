// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/table_facts.h"

namespace lockkeeper::stores::discover {

/** The possible roles of a lock table's column; the first roles are keys of the configuration's mapping. */
enum class ColumnRole : quint8 {
    Name = 0,
    Id,
    Holder,
    AcquiredAt,
    RenewedAt,
    ExpiresAt,
    Timeout,
    Count,
    Version,
    Status,
    Remark, ///< a description, a deletion mark: found in lock tables, and of no use here
    RoleCount,
};

/** How well a column's name and type fit a role: 0 not at all, 1 as in many tables, 2 likely, 3 plainly. */
int fit(ColumnRole role, const ColumnFacts &column, const QStringList &words);

/** How clearly a table's name says that the table holds locks. */
enum class Naming : quint8 {
    Other = 0, ///< nothing
    Lock,      ///< its head word is one for locks: job_locks, methodLock
    Mentions,  ///< it also mentions locks: lock_manager
};
Naming lockNaming(const QString &table);
/** True where the name stands for other things: users, orders, or records about locks: lock_history. */
bool isForeignName(const QString &table);

/** True for columns that indicate another kind of table: prices, addresses, payloads. */
bool isForeign(const ColumnFacts &column, const QStringList &words);

/** The words of each column; a letter that all names begin with (Findex, Flock_name) is no part of them. */
QList<QStringList> columnWords(const TableFacts &table);

} // namespace lockkeeper::stores::discover
