// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/roles.h"

#include <array>

namespace lockkeeper::stores::discover {

/** The roles of one table's columns: each column has at most one role, each role at most one column. */
struct Cast
{
    struct CastColumn
    {
        QString column;
        int fit = 0; ///< from fit()
    };

    QStringList name; ///< of a unique key, in its order; empty: none names a lock
    int nameFit = 0;  ///< of the weakest of them
    bool nameUnique = false;
    std::array<CastColumn, size_t(ColumnRole::RoleCount)> parts;
    QStringList foreign;     ///< columns that speak of another kind of table
    QStringList unexplained; ///< columns without a part

    const CastColumn &operator[](ColumnRole role) const { return parts.at(size_t(role)); }
    bool has(ColumnRole role) const { return (*this)[role].fit > 0; }
};

/** Casts a table: the name by the keys of the table, then the rest, the plainest fit first. */
Cast castOf(const TableFacts &table);

} // namespace lockkeeper::stores::discover
