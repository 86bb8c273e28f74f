// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/connection/dialect.h"

namespace lockkeeper::stores::sql {

QByteArray nowUsSql(Dialect dialect)
{
    switch (dialect) {
    case Dialect::PostgreSql:
        return "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS bigint)";
    case Dialect::Sqlite: // its clock counts milliseconds
        return "(CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)";
    case Dialect::MySql:
        break;
    }
    return "CAST(UNIX_TIMESTAMP(UTC_TIMESTAMP(6)) * 1000000 AS SIGNED)";
}

} // namespace lockkeeper::stores::sql
