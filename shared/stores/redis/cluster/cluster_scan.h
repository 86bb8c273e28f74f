// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_router.h"

#include <QSet>

namespace lockkeeper::stores::redis {

/**
 * A scan over all primaries of a cluster. A key may be found at a node that doesn't own its slot, or a node
 * may redirect for it: the scan then reads the key at the end, where it is. Keeps itself alive until its end.
 */
class ClusterScan : public std::enable_shared_from_this<ClusterScan>
{
public:
    ClusterScan(const std::shared_ptr<ClusterRouter> &router, Store::PageTaken page, Store::ScanEnded done);

    /** Starts at each primary that is up; false: none is. */
    bool start();
    /** The primary is lost: the scan doesn't cover its slots. */
    void drop(ClusterShard *shard);
    /** Reports nothing more, except through lose(). */
    void stop() { m_over = true; }
    void lose(const base::Error &error);

private:
    void takePage(const ClusterSpeaker &from, KeyPage &page);
    void takeEnd(ClusterShard *shard, const ScanEnd &end);
    void endIfDone();
    void readMisplaced();
    void end();

    std::weak_ptr<ClusterRouter> m_router;
    Store::PageTaken m_page;
    Store::ScanEnded m_done;
    ScanEnd m_end;
    std::array<ClusterShard *, kHashSlots> m_owner{}; ///< when the scan began
    QSet<ClusterShard *> m_waiting;
    QSet<ClusterShard *> m_whole; ///< read to their end
    QList<std::function<bool(const Subject &)>> m_covers;
    QSet<Subject> m_misplaced; ///< by their keys: found at, or sent to, a node that isn't their slot's
    QSet<Subject> m_unread;    ///< keys that couldn't be read
    bool m_reading = false;    ///< m_misplaced
    bool m_over = false;
};

} // namespace lockkeeper::stores::redis
