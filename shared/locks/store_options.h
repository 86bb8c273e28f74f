// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariantMap>

#include <chrono>

namespace lockkeeper::locks {

/**
 * Where locks are kept, and how: what a [[source]] with one [[source.locks]] says in the agent's
 * configuration, checked as that is. resources/docs/operators/configuration.md has every key.
 */
struct StoreOptions
{
    QString url;         ///< without a password: "redis://127.0.0.1:6379/0", "mysql://app@db1/app"
    QByteArray password; ///< itself, not a reference to it
    QString scheme;      ///< "redis.token", "sql.shedlock"; or …
    QString preset;      ///< … a layout by its name: "laravel"
    QString table;       ///< SQL: other than the scheme's or preset's own; MongoDB: the collection
    /** Further keys of [[source.locks]], as text, numbers or lists: {{"name", "resource_id"}, {"lease",
     * "30s"}} */
    QVariantMap keys;

    QString tlsCa; ///< files of PEM, relative to the current folder
    QString tlsCert;
    QString tlsKey;
    QString tlsVerify; ///< "full" (where it is empty), "ca" or "off"

    /** Who holds a lock, for people, in schemes that have a place for it; empty: LockManager::defaultOwner().
     */
    QByteArray owner;
    QString timeZone = QStringLiteral("UTC"); ///< of columns without one of their own
    /** sql.shedlock: given back before that it stays taken until then, which ShedLock calls lockAtLeastFor.
     */
    std::chrono::milliseconds atLeast{0};
    /** Who waits says so beside the lock, where agents see it: waiters = "registered" in their configuration.
     */
    bool registersWaiters = false;

    std::chrono::milliseconds connectTimeout = std::chrono::seconds(5);
    std::chrono::milliseconds statementTimeout = std::chrono::seconds(5);
};

} // namespace lockkeeper::locks
