// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/sql_stores.h"

#include "shared/base/text.h"
#include "shared/stores/sql/connection/identifiers.h"
#include "shared/stores/sql/sessions/session_board.h"
#include "shared/stores/sql/store/sql_store.h"
#include "shared/stores/sql/tables/row_rules.h"

namespace lockkeeper::stores::sql {

using base::ErrorCode;
using base::failure;

namespace {
base::Result<void> checkedSessions(const LockSet &set)
{
    if (set.scheme == "sql.advisory")
        return {};
    if (set.table.table.isEmpty())
        return failure(ErrorCode::Usage, QStringLiteral("sql.row names no table"),
                       QStringLiteral("Write the table whose rows are locked: table = \"…\"."));
    return checkIdentifier(set.table.table, QStringLiteral("table"));
}

} // namespace

base::Result<void> checkSource(const SourceSpec &spec, const QList<LockSet> &sets)
{
    if (const auto endpoint = endpointOf(spec.url); !endpoint)
        return tl::unexpected(endpoint.error());
    if (!QTimeZone(spec.timeZone).isValid())
        return failure(ErrorCode::Usage,
                       QStringLiteral("\"%1\" is not a time zone").arg(base::displayText(spec.timeZone)),
                       QStringLiteral("Use a name of the tz database, e.g. Europe/Berlin."));
    for (const LockSet &set : sets) {
        if (domain::isConnectionScheme(set.scheme)) {
            if (const auto ok = checkedSessions(set); !ok)
                return ok;
            continue;
        }
        const auto layout = layoutOf(set);
        if (!layout)
            return tl::unexpected(layout.error());
    }
    return {};
}

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    if (const auto ok = checkSource(spec, spec.locks); !ok)
        return tl::unexpected(ok.error());
    return std::make_unique<SqlStore>(spec);
}

} // namespace lockkeeper::stores::sql
