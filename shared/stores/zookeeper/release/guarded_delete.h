// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"
#include "shared/stores/zookeeper/connection/zookeeper_link.h"

namespace lockkeeper::stores::zookeeper {

/** The terms of the guard; tests leave one out. */
enum class ZnodeTerm : quint8 { Created = 0, Session, Version, None };

/**
 * The one write of a force-release: deletes this very child, by its full name with its sequence, if its data
 * has the version that was seen. Just before, in the leader's order, its creating transaction, its session
 * and its version are compared with the values seen, because the deletion itself can compare only a version.
 * A name recurs only where the whole queue and its znode were deleted and recreated.
 */
class GuardedDelete
{
public:
    /** Empty where the guard isn't for this store, or is for a name that isn't numbered. */
    static std::optional<GuardedDelete> of(const domain::Guard &guard, ZnodeTerm leftOut = ZnodeTerm::None);

    /** False for a znode that stays: the guard compares that it has no session, so nothing can renew it. */
    bool hasSession() const { return m_seen.owner != 0; }

    using Done = std::function<void(domain::Outcome, const std::optional<base::Error> &)>;
    /** `done` is called once, later. Nothing is sent twice. A dry run compares as much and deletes nothing.
     */
    void run(ZookeeperLink &link, bool dryRun, Done done) const;

private:
    bool fits(const Stat &stat) const;
    /** The seen holder no longer holds it: reports if another one exists. */
    void tellWhoHolds(ZookeeperLink &link, const Done &done) const;

    QByteArray m_lock;
    QByteArray m_path;
    Stat m_seen;
    ZnodeTerm m_leftOut = ZnodeTerm::None;
};

} // namespace lockkeeper::stores::zookeeper
