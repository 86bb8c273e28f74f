// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sessions/session_source.h"

#include "shared/stores/sql/sessions/mariadb_source.h"
#include "shared/stores/sql/sessions/postgres_source.h"

namespace lockkeeper::stores::sql {

std::unique_ptr<SessionSource> makeSessionSource(SqlConnection &connection, const ServerFacts &facts)
{
    if (connection.dialect() == Dialect::PostgreSql)
        return std::make_unique<PostgresSource>(connection, facts);
    if (connection.isMariaDb())
        return std::make_unique<MariaDbSource>(connection, facts);
    return std::make_unique<MySqlSource>(connection, facts);
}

} // namespace lockkeeper::stores::sql
