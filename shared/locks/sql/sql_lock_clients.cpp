// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/sql/sql_lock_clients.h"

#include "shared/locks/sql/session_client.h"
#include "shared/locks/sql/table_worker.h"
#include "shared/stores/sql/sessions/session_board.h"
#include "shared/stores/sql/sql_stores.h"

namespace lockkeeper::stores::sql {

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
    return std::make_unique<ThreadedLockClient>(std::move(worker));
}

} // namespace lockkeeper::stores::sql
