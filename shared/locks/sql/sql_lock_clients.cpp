// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/client_makers.h"
#include "shared/locks/sql/session_client.h"
#include "shared/locks/sql/table_worker.h"
#include "shared/stores/sql/connection/endpoint.h"
#include "shared/stores/sql/sessions/session_board.h"
#include "shared/stores/sql/sql_stores.h"
#include "shared/stores/sql/tables/row_rules.h"

namespace lockkeeper::locks::sql {

using namespace stores::sql;
using namespace stores;

namespace {

constexpr qint64 kCenturyUs = 100LL * 365 * 86'400'000'000;

Traits traitsOf(const LockSet &set, Dialect dialect)
{
    Traits traits;
    traits.binaryNames = false;
    traits.queues = domain::isConnectionScheme(set.scheme);
    const auto protocol = protocolOf(set.scheme);
    const auto layout = layoutOf(set);
    const auto has = [&layout](const char *key) { return layout && layout->column(key) != nullptr; };
    const bool ages = has("renewed_at") || has("acquired_at");
    // A row that is only inserted stays until it is deleted, and a flag until it is cleared.
    traits.expires = protocol && *protocol != Protocol::Insert && *protocol != Protocol::Version &&
                     (has("expires_at") || (ages && (set.table.leaseUs || !has("status"))));
    traits.reenters = protocol == Protocol::Reentrant;
    traits.holds = protocol != Protocol::Version;
    const bool isMySql = dialect == Dialect::MySql;
    traits.fencing = protocol == Protocol::Insert ? has("id") && !isMySql
                                                  : protocol != Protocol::Version && has("version");
    traits.registers = set.waitersRegistered && !traits.queues;
    traits.mostTtlUs = kCenturyUs;
    if (isMySql) // no index accepts longer keys
        traits.longestName = set.scheme == "sql.advisory" ? 4 * 64 : 3'072;
    return traits;
}

} // namespace

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    if (const auto ok = checkSource(spec, {set}); !ok)
        return tl::unexpected(ok.error());
    SourceSpec own = spec;
    own.locks = {set};
    const Traits traits = traitsOf(set, endpointOf(spec.url)->dialect);
    if (domain::isConnectionScheme(set.scheme))
        return std::make_unique<SessionClient>(own, traits);
    return std::make_unique<ThreadedLockClient>(std::make_unique<TableWorker>(own, owner), traits);
}

} // namespace lockkeeper::locks::sql
