// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// In place of the rest where LOCKKEEPER_WITH_ETCD is off.
#include "shared/stores/discover/queues/etcd_discoverer.h"

namespace lockkeeper::stores::discover {

base::Result<std::unique_ptr<Discoverer>> EtcdDiscoverer::of(SourceSpec)
{
    return base::failure(base::ErrorCode::Unsupported, QStringLiteral("this build can't talk to etcd"),
                         QStringLiteral("Build it again with -DLOCKKEEPER_WITH_ETCD=ON."));
}

} // namespace lockkeeper::stores::discover
