// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace lockkeeper::stores::sql {

/** The SQL dialect of a connection. */
enum class Dialect : quint8 {
    MySql = 0, ///< MySQL and MariaDB
    PostgreSql,
    Sqlite,
};

/** The store kind of a dialect: "mysql", "postgresql", "sqlite". */
constexpr const char *dialectName(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return "postgresql";
    case Dialect::Sqlite:
        return "sqlite";
    case Dialect::MySql:
        break;
    }
    return "mysql";
}

/** SQL expression for the store's clock at the beginning of a statement, in microseconds since the epoch. */
QByteArray nowUsSql(Dialect dialect);

} // namespace lockkeeper::stores::sql
