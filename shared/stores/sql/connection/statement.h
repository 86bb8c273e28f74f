// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace lockkeeper::stores::sql {

/** SQL with `?` for its values, and their names in order. */
struct Statement
{
    QByteArray sql;
    QList<QByteArray> binds;

    bool operator==(const Statement &) const = default;
};

} // namespace lockkeeper::stores::sql
