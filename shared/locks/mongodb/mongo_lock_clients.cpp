// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/mongodb/mongo_lock_clients.h"

#include "shared/locks/mongodb/mongo_lock_worker.h"

namespace lockkeeper::locks::mongodb {

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set,
                                                         const QByteArray &owner)
{
    if (const auto uri = uriOf(spec); !uri)
        return tl::unexpected(uri.error());
    auto layout = layoutOf(set);
    if (!layout)
        return tl::unexpected(layout.error());
    const bool stays = layout->stays && !layout->expires.name.isEmpty();
    const bool removed = layout->expires.name.isEmpty() && !layout->renewed.name.isEmpty();
    if (layout->name != "_id" || layout->holder.isEmpty() || (!stays && !removed))
        return base::failure(base::ErrorCode::Unsupported,
                             QStringLiteral("locks of this layout aren't taken by this program"),
                             QStringLiteral("It takes those of mongodb.ttl and ShedLock."));
    Traits traits;
    traits.binaryNames = false;
    return std::make_unique<ThreadedLockClient>(
        std::make_unique<MongoLockWorker>(spec, *std::move(layout), owner), traits);
}

} // namespace lockkeeper::locks::mongodb
