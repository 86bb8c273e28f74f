// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>

#include <functional>

namespace lockkeeper::stores::redis {

class RedisConnection;

/** Facts about a server, from INFO. */
struct RedisFacts
{
    QString
        version;    ///< of Redis, or the one that another server is compatible with; empty: INFO is forbidden
    QString valkey; ///< Valkey's own version; empty: it isn't one
    QByteArray runId; ///< changes with every start
    bool replica = false;
    bool loading = false;
    int replicas = 0;       ///< connected to it
    base::Error infoDenied; ///< code PermissionDenied where INFO is forbidden

    int majorVersion() const;
    /** "Redis 7.0.15", "Valkey 8.1.1". */
    QString product() const;
};

/** The answer of INFO by its names; lines that are no `name:value` are skipped. */
QHash<QByteArray, QByteArray> infoFields(QByteArrayView info);

/** Reads the facts from the answer of INFO; unknown names are skipped. */
RedisFacts factsOf(QByteArrayView info);

/**
 * Sends AUTH; a refusal shows in the answers to the next commands. A user without a password is sent too (ACL
 * knows `nopass`), so a connection never becomes the default user unasked. Sends nothing if neither is set.
 */
void logIn(RedisConnection &connection, const QByteArray &user, const QByteArray &password);

/**
 * Logs in over an open connection (AUTH where there is a user or a password, SELECT where the database isn't
 * 0, CLIENT SETNAME) and asks INFO, all in one round trip. `done` is called once unless the connection is
 * destroyed first; a LOADING server is an error, a forbidden INFO is not. A server that isn't in the run
 * `runId` of the first connection is an error, if both runs are known: a balancer may lead two connections to
 * two servers.
 */
void shakeHands(RedisConnection &connection, const QByteArray &password,
                std::function<void(const base::Result<RedisFacts> &)> done, const QByteArray &runId = {});

} // namespace lockkeeper::stores::redis
