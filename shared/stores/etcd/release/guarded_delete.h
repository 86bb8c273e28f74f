// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/etcd/connection/wire.h"
#include "shared/stores/store.h"

namespace lockkeeper::stores::etcd {

/** The terms of the guard; tests leave one out. */
enum class KeyTerm : quint8 { Create = 0, Mod, Lease, None };

/**
 * The one write of a force-release: a transaction that deletes this very key if it was created and written
 * last by the revisions that were seen, under the lease that was seen. The lease stays, since other keys may
 * hang on it.
 */
class GuardedDelete
{
public:
    /** Empty where the guard isn't for this store. */
    static std::optional<GuardedDelete> of(const domain::Guard &guard, KeyTerm leftOut);

    /** The body for "kv/txn". A dry run compares as much and deletes nothing. */
    QJsonObject transaction(bool dryRun) const;
    /** Interprets the answer to the transaction. */
    domain::Outcome outcomeOf(const QJsonObject &answer) const;
    bool hasLease() const { return m_seen.lease != 0; }

private:
    KeyValue m_seen;
    QByteArray m_name;
    KeyTerm m_leftOut = KeyTerm::None;
};

/** A transaction that can't delete anything, but requires the right to delete below `prefix`. */
QJsonObject harmlessDelete(const QByteArray &prefix);

} // namespace lockkeeper::stores::etcd
