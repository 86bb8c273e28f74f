// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/client_makers.h"
#include "shared/locks/lock_client.h"
#include "shared/locks/lock_manager.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QTest>

#include <memory>
#include <optional>

namespace lockkeeper::tests {

/** A source of one set: "redis.token", "redis.redisson/fair" (its fair lock), "redis.token/unfenced". */
inline stores::SourceSpec lockSpec(const QUrl &url, const QByteArray &kind)
{
    stores::SourceSpec spec = redisSpec(url, "*");
    stores::LockSet &set = spec.locks.first();
    set.scheme = kind.left(kind.indexOf('/') < 0 ? kind.size() : kind.indexOf('/'));
    set.keys.fair = kind.endsWith("/fair");
    set.keys.fencing = !kind.endsWith("/unfenced");
    return spec;
}

inline std::unique_ptr<locks::LockClient> clientOf(const stores::SourceSpec &spec)
{
    return std::move(*locks::redis::makeLockClient(spec, spec.locks.first(), "me"));
}

/** One process's side of locks. */
struct LockSide
{
    explicit LockSide(const stores::SourceSpec &spec)
        : manager(std::make_unique<locks::LockManager>(clientOf(spec), nullptr))
    {
    }
    std::unique_ptr<locks::Lock> lock(const QByteArray &name,
                                      std::chrono::microseconds ttl = std::chrono::seconds(60))
    {
        return *manager->lock(name, {.ttl = ttl});
    }
    std::unique_ptr<locks::LockManager> manager;
};

/** A handle's answer to one request; empty: none within half a minute. */
using LockAnswer = std::optional<base::Result<bool>>;

inline LockAnswer answerOf(const std::function<void(locks::Lock::Done)> &ask)
{
    const auto answer = std::make_shared<LockAnswer>();
    ask([answer](const base::Result<bool> &result) { *answer = result; });
    (void)QTest::qWaitFor([&] { return answer->has_value(); }, 30'000);
    return *answer;
}

inline bool isTrue(const LockAnswer &answer)
{
    return answer && *answer && **answer;
}

inline bool isFalse(const LockAnswer &answer)
{
    return answer && *answer && !**answer;
}

inline LockAnswer taken(locks::Lock &lock)
{
    return answerOf([&lock](auto done) { lock.tryAcquire(std::move(done)); });
}

inline LockAnswer awaited(locks::Lock &lock, std::optional<std::chrono::milliseconds> limit = {})
{
    return answerOf([&lock, limit](auto done) { lock.acquire(limit, std::move(done)); });
}

inline LockAnswer givenBack(locks::Lock &lock)
{
    return answerOf([&lock](auto done) { lock.release(std::move(done)); });
}

} // namespace lockkeeper::tests
