// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QString>

#include <functional>

namespace lockkeeper::stores::redis {

class Connection;

/** What INFO tells about a server. */
struct ServerFacts
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

/** The answer of INFO by its names; what is no `name:value` is skipped. */
QHash<QByteArray, QByteArray> infoFields(QByteArrayView info);

/** What it says of the server; names that aren't known are skipped. */
ServerFacts factsOf(QByteArrayView info);

/**
 * Sends AUTH; a refusal shows in the answers to what is sent next. A user without a password is sent too (ACL
 * knows `nopass`): nobody becomes the default user without having been asked to. Nothing where there is
 * neither.
 */
void logIn(Connection &connection, const QByteArray &user, const QByteArray &password);

/**
 * Logs in over an open connection (AUTH where there is a user or a password, SELECT where the database isn't
 * 0, CLIENT SETNAME) and asks INFO, all in one round trip. `done` is called once unless the connection is
 * destroyed first; a LOADING server is an error, a forbidden INFO is not. So is one that isn't in the run
 * `runId` of the first connection, where both are known: a balancer may lead two to two servers.
 */
void shakeHands(Connection &connection, const QByteArray &password,
                std::function<void(const base::Result<ServerFacts> &)> done, const QByteArray &runId = {});

} // namespace lockkeeper::stores::redis
