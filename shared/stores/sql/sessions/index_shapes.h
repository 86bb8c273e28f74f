// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/sql/connection/sql_connection.h"
#include "shared/stores/sql/sessions/lock_data.h"

namespace lockkeeper::stores::sql {

/**
 * The indexes of one table of the connection's database; empty where this account sees no table of exactly
 * that name. PostgreSQL: an empty hash where there is one, as its lock views name no index.
 */
base::Result<std::optional<IndexShapes>> readIndexShapes(SqlConnection &connection,
                                                         const QByteArray &database, const QString &table);

} // namespace lockkeeper::stores::sql
