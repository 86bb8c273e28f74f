// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/factory.h"

#include "shared/base/text.h"
#include "shared/stores/etcd/etcd_stores.h"
#include "shared/stores/mongodb/mongodb_stores.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/sql/sql_stores.h"
#include "shared/stores/zookeeper/zookeeper_stores.h"

namespace lockkeeper::stores {

using base::ErrorCode;
using base::failure;

base::Result<QByteArray> checkedKind(const SourceSpec &spec, const QList<LockSet> &sets)
{
    auto kind = storeKind(spec.url);
    if (!kind)
        return kind;
    const QByteArray family = isRedlock(spec.url) ? QByteArray("redlock") : *kind;
    for (const LockSet &set : sets) {
        if (!isSchemeOf(set.scheme, family)) {
            return failure(
                ErrorCode::Usage,
                QStringLiteral("the scheme \"%1\" doesn't belong to a %2 store")
                    .arg(base::displayText(set.scheme), QString::fromLatin1(family)),
                QStringLiteral("Schemes of this build: %1.").arg(QString::fromLatin1(schemes().join(", "))));
        }
    }
    return kind;
}

base::Result<std::unique_ptr<Store>> makeStore(const SourceSpec &spec)
{
    const auto kind = checkedKind(spec, spec.locks);
    if (!kind)
        return tl::unexpected(kind.error());
    if (*kind == "etcd")
        return etcd::makeStore(spec);
    if (*kind == "mongodb")
        return mongodb::makeStore(spec);
    if (*kind == "zookeeper")
        return zookeeper::makeStore(spec);
    return *kind == "redis" ? redis::makeStore(spec) : sql::makeStore(spec);
}

QList<QByteArray> schemes()
{
    return {"redis.token",  "redis.redlock", "redis.json",  "redis.redisson", "redis.semaphore",
            "sql.shedlock", "sql.insert",    "sql.lease",   "sql.reentrant",  "sql.row",
            "sql.version",  "sql.advisory",  "mongodb.ttl", "etcd.lease",     "zookeeper.sequence"};
}

bool isSchemeOf(QByteArrayView scheme, QByteArrayView storeKind)
{
    if (!schemes().contains(scheme.toByteArray()))
        return false;
    if (scheme == "redis.redlock" || storeKind == "redlock")
        return scheme == "redis.redlock" && storeKind == "redlock";
    if (scheme.startsWith("mongodb.") || storeKind == "mongodb")
        return scheme.startsWith("mongodb.") && storeKind == "mongodb";
    if (scheme.startsWith("etcd.") || storeKind == "etcd")
        return scheme.startsWith("etcd.") && storeKind == "etcd";
    if (scheme.startsWith("zookeeper.") || storeKind == "zookeeper")
        return scheme.startsWith("zookeeper.") && storeKind == "zookeeper";
    if (scheme.startsWith("redis."))
        return storeKind == "redis";
    const bool ofSessions = scheme == "sql.row" || scheme == "sql.advisory";
    return storeKind == "mysql" || storeKind == "postgresql" || (storeKind == "sqlite" && !ofSessions);
}

} // namespace lockkeeper::stores
