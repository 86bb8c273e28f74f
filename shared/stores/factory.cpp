// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/factory.h"

#include "shared/base/text.h"
#include "shared/stores/etcd/etcd_stores.h"
#include "shared/stores/mongodb/mongodb_stores.h"
#include "shared/stores/redis/redis_stores.h"
#include "shared/stores/sql/sql_stores.h"
#include "shared/stores/zookeeper/zookeeper_stores.h"

#include <algorithm>

namespace lockkeeper::stores {

using base::ErrorCode;
using base::failure;

namespace {

struct SchemeFactory
{
    const char *id;
    const char *stores; ///< kinds
};

constexpr char kSqlRows[] = "mysql postgresql sqlite";
constexpr char kSqlSessions[] = "mysql postgresql";

constexpr SchemeFactory kSchemes[] = {
    {"redis.token", "redis"},    {"redis.redlock", "redlock"}, {"redis.json", "redis"},
    {"redis.redisson", "redis"}, {"redis.semaphore", "redis"}, {"sql.shedlock", kSqlRows},
    {"sql.insert", kSqlRows},    {"sql.lease", kSqlRows},      {"sql.reentrant", kSqlRows},
    {"sql.row", kSqlSessions},   {"sql.version", kSqlRows},    {"sql.advisory", kSqlSessions},
    {"mongodb.ttl", "mongodb"},  {"etcd.lease", "etcd"},       {"zookeeper.sequence", "zookeeper"},
};

} // namespace

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
    QList<QByteArray> ids;
    for (const SchemeFactory &scheme : kSchemes)
        ids.append(scheme.id);
    return ids;
}

bool isSchemeOf(QByteArrayView scheme, QByteArrayView storeKind)
{
    return std::ranges::any_of(kSchemes, [scheme, storeKind](const SchemeFactory &known) {
        return known.id == scheme && QByteArray(known.stores).split(' ').contains(storeKind);
    });
}

} // namespace lockkeeper::stores
