// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/base/java_text.h"
#include "shared/config/sources.h"

#include <array>

namespace lockkeeper::config {

using base::kYearUs;
using stores::KeyLayout;

namespace {

struct LayoutField
{
    const char *key;
    QByteArray KeyLayout::*member;
    bool mayBeEmpty; ///< empty: the value has no such field
};

constexpr std::array<LayoutField, 5> kJsonFields{{{"owner_field", &KeyLayout::ownerField, false},
                                                  {"state_field", &KeyLayout::stateField, true},
                                                  {"held_value", &KeyLayout::heldValue, false},
                                                  {"idle_value", &KeyLayout::idleValue, false},
                                                  {"last_sync_field", &KeyLayout::lastSyncField, true}}};

void readJson(const TableReader &reader, KeyLayout &keys)
{
    for (const LayoutField &field : kJsonFields) {
        keys.*field.member = reader.string(field.key, QString::fromUtf8(keys.*field.member)).toUtf8();
        if ((keys.*field.member).isEmpty() && !field.mayBeEmpty)
            reader.problem(field.key, QStringLiteral("%1 is empty").arg(reader.nameOf(field.key)),
                           QStringLiteral("Omit it for the default."));
    }
    if (keys.heldValue == keys.idleValue)
        reader.problem(
            "held_value",
            QStringLiteral("%1 and \"idle_value\" are the same").arg(reader.nameOf("held_value")),
            QStringLiteral("Specify the values of \"state_field\" for a held and for a free lock."));
}

void readSemaphore(const TableReader &reader, KeyLayout &keys)
{
    if (reader.has("scores"))
        keys.permits =
            stores::permitsNamed(
                reader.choice("scores", words("refreshed deadline symfony sidekiq huey")).toLatin1())
                .value_or(keys.permits);
    keys.leaseUs = reader.durationUs("lease", keys.leaseUs, {1'000, kYearUs});
    if (keys.permits != stores::Permits::RedisSemaphore && reader.has("lease"))
        reader.problem(
            "lease",
            QStringLiteral("%1 applies only where \"scores\" is \"refreshed\"").arg(reader.nameOf("lease")),
            QStringLiteral("Remove it."));
    keys.limit = int(reader.integer("limit", keys.limit, {1, 1'000'000}));
}

} // namespace

QStringList keysOfRedis(const QByteArray &scheme)
{
    QStringList keys;
    if (scheme == "redis.semaphore")
        keys = {QStringLiteral("scores"), QStringLiteral("lease"), QStringLiteral("limit")};
    if (scheme == "redis.token" || scheme == "redis.redisson")
        keys.append(QStringLiteral("fencing"));
    if (scheme == "redis.token" || scheme.isEmpty())
        keys.append(QStringLiteral("serializer"));
    if (scheme == "redis.redisson")
        keys.append(QStringLiteral("fair"));
    for (const LayoutField &field : kJsonFields) {
        if (scheme == "redis.json" || scheme.isEmpty())
            keys.append(QLatin1String(field.key));
    }
    if (scheme.isEmpty())
        keys += keysOfRedis("redis.semaphore") + keysOfRedis("redis.redisson");
    return keys;
}

void readRedisSet(const TableReader &reader, stores::LockSet &set)
{
    if (set.scheme == "redis.token" && reader.has("serializer") &&
        reader.choice("serializer", words("jdk")) == QLatin1String("jdk"))
        set.match = base::javaGlob(set.match);
    if (set.scheme == "redis.json")
        readJson(reader, set.keys);
    else if (set.scheme == "redis.semaphore")
        readSemaphore(reader, set.keys);
    // Redisson's plain lock has no fencing token. Only the user knows whether all clients take fenced locks.
    if (keysOfRedis(set.scheme).contains(QStringLiteral("fencing")))
        set.keys.fencing = reader.boolean("fencing", set.scheme == "redis.token");
    if (set.scheme == "redis.redisson")
        set.keys.fair = reader.boolean("fair", set.keys.fair);
}

} // namespace lockkeeper::config
