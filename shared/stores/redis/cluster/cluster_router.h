// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/redis/cluster/cluster_runs.h"
#include "shared/stores/redis/cluster/slot_moves.h"
#include "shared/stores/redis/connection/redirect.h"
#include "shared/stores/redis/reading/key_reader.h"

#include <chrono>
#include <functional>
#include <memory>

namespace lockkeeper::stores::redis {

/**
 * Sends a question about a lock to the primary of its slot, and on from there if that primary redirects.
 *
 * While a slot moves, its keys are at two nodes. The node that gives the slot away is always asked first, and
 * redirects (ASK) for keys that it no longer has. So the other node is read later, and a lock that both nodes
 * deny doesn't exist. A release doesn't follow a redirect: the node that redirects has run nothing, and the
 * guard's deadline is by its clock. The store believes pushed changes from neither node: see SlotMoves.
 */
class ClusterRouter
{
public:
    static constexpr std::chrono::milliseconds kAskSoon{300};

    struct Owner
    {
        ClusterRuns::Tell tell;
        std::function<void(std::chrono::milliseconds)> askMap; ///< again, in this time at the latest
        std::function<bool()> isPushed;                        ///< moves are followed only while true
    };

    ClusterRouter(std::shared_ptr<const KeySchemes> schemes, qsizetype pageSize, Owner owner)
        : shards(std::move(schemes)),
          runs(shards, owner.tell),
          moves(shards, owner.tell),
          m_pageSize(pageSize),
          m_owner(std::move(owner))
    {
    }

    ClusterShards shards;
    ClusterRuns runs;
    SlotMoves moves;

    qsizetype pageSize() const { return m_pageSize; } ///< locks that one question may name
    void askMap(std::chrono::milliseconds in) const { m_owner.askMap(in); }
    /**
     * The only place where redirects are followed. Returns the primary to ask next, after ASKING if the
     * redirect says so. Returns null if no such primary can be asked, or if `hops`, the number of redirects
     * followed, has reached its limit. A redirect shows that the map is out of date, so a new map is
     * requested.
     */
    ClusterShard *followRedirect(const std::optional<Redirect> &to, const ClusterSpeaker &from, int hops);
    /** Removes from the page the locks whose slot the node doesn't have (any more), because its word on them
     * doesn't count. Returns them, to be read at their own nodes. */
    QList<Subject> takeMisplaced(const ClusterSpeaker &from, KeyPage &page);
    void noteMoving(quint16 slot);
    void noteMoving(const QBitArray &bits);
    /** Notes the speaker's clock, as it was just now. */
    void noteClock(const ClusterSpeaker &from, qint64 us);

private:
    qsizetype m_pageSize;
    Owner m_owner;
};

/**
 * Reads locks where they are, following redirects. Keeps itself alive until it calls `done`, which it does
 * unless the router is destroyed first.
 */
class ClusterReading : public std::enable_shared_from_this<ClusterReading>
{
public:
    using PageTaken = std::function<void(KeyPage &, const ClusterSpeaker &from)>;
    using Done = std::function<void(const QList<Subject> &unread)>;

    /** `wholeKeys`: the subjects name keys, and every lock of each key is read. */
    ClusterReading(std::weak_ptr<ClusterRouter> router, bool wholeKeys, PageTaken page, Done done)
        : m_router(std::move(router)),
          m_page(std::move(page)),
          m_done(std::move(done)),
          m_wholeKeys(wholeKeys)
    {
    }

    /** Beside what their nodes push. */
    void readPoints(const QList<Subject> &locks);
    void readAtOwners(const QList<Subject> &locks);
    /** Call wait() before, and settle() after, any work that `done` must wait for. */
    void wait() { ++m_waiting; }
    void settle();

private:
    using ByShard = QHash<ClusterShard *, QList<Subject>>;

    ByShard byOwner(const QList<Subject> &locks);
    void takePoints(const ClusterSpeaker &from, KeyPage &page);
    // `hops`: how many redirects were followed.
    void readAt(ClusterShard *shard, const QList<Subject> &locks, bool asking, int hops);
    void readOn(const ClusterSpeaker &from, const QList<Elsewhere> &locks, int hops);

    std::weak_ptr<ClusterRouter> m_router;
    PageTaken m_page;
    Done m_done;
    QList<Subject> m_unread;
    int m_waiting = 0;
    bool m_wholeKeys;
};

} // namespace lockkeeper::stores::redis
