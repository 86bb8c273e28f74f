// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"

#include "shared/stores/redis/endpoint.h"
#include "shared/stores/redis/redis_lock_client.h"
#include "shared/stores/redis/redis_store.h"

namespace lockkeeper::stores::redis {

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    auto endpoint = endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<RedisStore>(spec, std::move(*endpoint));
}

base::Result<std::unique_ptr<LockClient>> makeLockClient(const SourceSpec &spec, const LockSet &set)
{
    auto endpoint = endpointOf(spec);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    return std::make_unique<RedisLockClient>(spec, std::move(*endpoint), set.match);
}

} // namespace lockkeeper::stores::redis
