// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the rest where LOCKKEEPER_WITH_ETCD is off.
#include "shared/locks/etcd/etcd_lock_clients.h"

namespace lockkeeper::locks::etcd {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &, const LockSet &,
                                                         const QByteArray &)
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't talk to etcd"),
                         QStringLiteral("Build it again with -DLOCKKEEPER_WITH_ETCD=ON."));
}

} // namespace lockkeeper::locks::etcd
