// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/sql_lock_clients.h"

#include "shared/locks/sql/session_client.h"
#include "shared/locks/sql/table_worker.h"
#include "shared/stores/sql/sessions/session_board.h"
#include "shared/stores/sql/sql_stores.h"
#include "shared/stores/sql/tables/row_rules.h"

namespace lockkeeper::locks::sql {

namespace {

Traits traitsOf(const LockSet &set)
{
    Traits traits;
    traits.binaryNames = false;
    const auto protocol = protocolOf(set.scheme);
    const auto layout = layoutOf(set);
    const auto has = [&layout](const char *key) { return layout && layout->column(key) != nullptr; };
    const bool ages = has("renewed_at") || has("acquired_at");
    // What is only inserted stays until it is deleted, and a flag until it is taken back.
    traits.expires = protocol && *protocol != Protocol::Insert && *protocol != Protocol::Version &&
                     (has("expires_at") || (ages && (set.table.leaseUs || !has("status"))));
    traits.reenters = protocol == Protocol::Reentrant;
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
    std::unique_ptr<LockWorker> worker;
    if (isSessionScheme(set.scheme))
        worker = std::make_unique<SessionWorker>(own);
    else
        worker = std::make_unique<TableWorker>(own, owner);
    return std::make_unique<ThreadedLockClient>(std::move(worker), traitsOf(set));
}

} // namespace lockkeeper::locks::sql
