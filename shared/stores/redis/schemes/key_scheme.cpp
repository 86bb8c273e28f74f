// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/schemes/key_scheme.h"

#include "shared/stores/redis/connection/acl_rules.h"
#include "shared/stores/redis/schemes/json_scheme.h"
#include "shared/stores/redis/schemes/key_preset.h"
#include "shared/stores/redis/schemes/redisson_names.h"
#include "shared/stores/redis/schemes/redisson_scheme.h"
#include "shared/stores/redis/schemes/semaphore_scheme.h"

#include <algorithm>
#include <array>

namespace lockkeeper::stores::redis {

namespace {

/** Prefixes of keys that Redisson keeps beside its locks (RedissonBaseLock, RedissonFairLock,
 * RedissonFencedLock, RedissonReadLock), and our own lock library beside others. */
constexpr std::array<QByteArrayView, 6> kBesideLocks{
    "redisson_unlock_latch:", "redisson_lock_queue:", "redisson_lock_timeout:",
    "redisson_lock_token:",   "lockkeeper:fencing:",  kRegisteredWaiters};

} // namespace

QByteArray waitersKeyOf(QByteArrayView name)
{
    return redissonPrefixed(kRegisteredWaiters.chopped(1), name);
}

KeyScheme::KeyScheme(Script release) : m_release(std::move(release)) {}

KeyScheme::~KeyScheme() = default;

bool KeyScheme::isLock(QByteArrayView key) const
{
    const auto begins = [key](QByteArrayView prefix) { return key.startsWith(prefix); };
    return std::none_of(kBesideLocks.begin(), kBesideLocks.end(), begins) &&
           key.indexOf(QByteArrayView(":rwlock_timeout:")) < 0;
}

bool KeyScheme::isOfLock(const KeyReading &, int) const
{
    return true;
}

void KeyScheme::explain(Observation &) const {}

QList<QByteArrayView> KeyScheme::besidePrefixes() const
{
    return m_waitersRegister ? QList<QByteArrayView>{kRegisteredWaiters} : QList<QByteArrayView>();
}

QList<RightQuestion> KeyScheme::waitersRights(const QByteArray &key) const
{
    if (!m_waitersRegister)
        return {};
    const QByteArray waiters = waitersKeyOf(key);
    return {{RightQuestion::Observe, "memory|usage", {"MEMORY", "USAGE", waiters}},
            {RightQuestion::Observe, "zrange", {"ZRANGE", waiters, "0", "0"}}};
}

QByteArray KeyScheme::observeRules() const
{
    const QByteArray rules(kObserveRules);
    return m_waitersRegister ? "%R~lockkeeper:waiters:* " + rules + " +zrange +memory|usage" : rules;
}

QByteArray KeyScheme::breakRules() const
{
    return kBreakRules;
}

namespace {

std::shared_ptr<KeyScheme> makeScheme(const LockSet &set, const std::optional<Script> &release)
{
    if (set.scheme == "redis.json")
        return std::make_shared<JsonScheme>(set.keys, release.value_or(guardedScript("token_release")));
    if (set.scheme == "redis.redisson")
        return std::make_shared<RedissonScheme>(release.value_or(guardedScript("redisson_release")),
                                                set.keys.fencing);
    if (set.scheme == "redis.semaphore")
        return std::make_shared<SemaphoreScheme>(set, release);
    const auto preset = keyPresetNamed(set.preset);
    return std::make_shared<TokenScheme>(release.value_or(guardedScript("token_release")),
                                         preset ? preset->wakes : QByteArray());
}

} // namespace

std::shared_ptr<const KeyScheme> schemeOf(const LockSet &set, const std::optional<Script> &release)
{
    auto scheme = makeScheme(set, release);
    if (set.waitersRegistered)
        scheme->setWaitersRegister();
    return scheme;
}

std::shared_ptr<const KeySchemes> schemesOf(const SourceSpec &spec, const std::optional<Script> &release)
{
    auto schemes = std::make_shared<KeySchemes>();
    for (const LockSet &set : spec.locks)
        schemes->push_back(schemeOf(set, release));
    return schemes;
}

QList<domain::Finding> findingsOf(const KeySchemes &schemes)
{
    QList<domain::Finding> findings;
    for (const auto &scheme : schemes) {
        const auto found = scheme->finding();
        const auto same = [&found](const domain::Finding &any) { return any.code == found->code; };
        if (found && std::none_of(findings.cbegin(), findings.cend(), same))
            findings.append(*found);
    }
    return findings;
}

const KeyScheme &schemeFor(const ReadMode &mode, quint16 set)
{
    static const TokenScheme kToken(guardedScript("token_release"));
    return mode.schemes && set < mode.schemes->size() ? *mode.schemes->at(set) : kToken;
}

QByteArray setPlaceIn(const QByteArray &database, const KeyScheme &scheme)
{
    return scheme.manyPerKey() ? database + '/' : database;
}

} // namespace lockkeeper::stores::redis
