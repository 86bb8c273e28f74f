// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the rest where LOCKKEEPER_WITH_ZOOKEEPER is off.
#include "shared/locks/zookeeper/zookeeper_lock_clients.h"

namespace lockkeeper::locks::zookeeper {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &, const LockSet &,
                                                         const QByteArray &)
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't talk to ZooKeeper"),
                         QStringLiteral("Install libzookeeper-st-dev and build it again."));
}

} // namespace lockkeeper::locks::zookeeper
