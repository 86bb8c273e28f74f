// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariantMap>

#include <chrono>

namespace lockkeeper::locks {

/**
 * The store of the locks and their scheme: the settings of a [[source]] with one [[source.locks]] in the
 * agent's configuration, with the same checks. resources/docs/operators/configuration.md describes every key.
 */
struct StoreOptions
{
    QString url;         ///< without a password: "redis://127.0.0.1:6379/0", "mysql://app@db1/app"
    QByteArray password; ///< the password itself, not a reference to it
    QString scheme;      ///< "redis.token", "sql.shedlock"; or a preset instead
    QString preset;      ///< name of a known layout: "laravel"
    QString table;       ///< SQL: table, if not the scheme's or preset's; MongoDB: collection
    /** Further keys of [[source.locks]], as text, numbers or lists: {{"name", "resource_id"}, {"lease",
     * "30s"}} */
    QVariantMap keys;

    QString tlsCa; ///< PEM file, relative to the current folder, like the next two
    QString tlsCert;
    QString tlsKey;
    QString tlsVerify; ///< "full" (also if empty), "ca" or "off"

    /** Names the holder for users, in schemes that store such a text; empty: LockManager::defaultOwner(). */
    QByteArray owner;
    QString timeZone = QStringLiteral("UTC"); ///< for columns without a time zone
    /** sql.shedlock: least time to hold a lock, ShedLock's lockAtLeastFor. A lock that is released earlier
     * stays taken until then. */
    std::chrono::milliseconds atLeast{0};
    /** Registers waiters beside the lock, where agents can read them: waiters = "registered" in the agents'
     * configuration. */
    bool registersWaiters = false;

    std::chrono::milliseconds connectTimeout = std::chrono::seconds(5);
    std::chrono::milliseconds statementTimeout = std::chrono::seconds(5);
};

} // namespace lockkeeper::locks
