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
 * Where a question about a lock goes: to the primary of its slot, and on from there where that one says so.
 *
 * While a slot moves its keys are at two nodes. The one that gives the slot away is always asked first, and
 * sends on (ASK) for what it hasn't got any more; so what is read later is later, and a lock that both deny
 * isn't there. A release is sent on the same way: the node that sent it on has run nothing. Of pushed changes
 * neither node is believed: see SlotMoves.
 */
class ClusterRouter
{
public:
    static constexpr std::chrono::milliseconds kAskSoon{300};

    struct Owner
    {
        ClusterRuns::Tell tell;
        std::function<void(std::chrono::milliseconds)> askMap; ///< anew, in that time at the latest
        std::function<bool()> isPushed;                        ///< else nobody follows moves
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
     * The one place where redirects are followed: the primary to ask next, after ASKING where the redirect
     * says so. Null: there is none that can be asked, or the question was sent on `hops` times, which is
     * enough. The map is out of date, and asked for.
     */
    ClusterShard *followRedirect(const std::optional<Redirect> &to, const ClusterSpeaker &from, int hops);
    /** What a node says of a slot that it hasn't got (any more) is no news: it is taken out of the page, to
     * be read where it belongs. */
    QList<Subject> takeAstray(const ClusterSpeaker &from, KeyPage &page);
    void noteMoving(quint16 slot);
    void noteMoving(const QBitArray &bits);
    /** The speaker's clock, as it was just now. */
    void noteClock(const ClusterSpeaker &from, qint64 us);

private:
    qsizetype m_pageSize;
    Owner m_owner;
};

/**
 * Locks that are being read where they are, through redirects. Keeps itself alive until `done`, which it
 * calls unless the router goes first.
 */
class ClusterReading : public std::enable_shared_from_this<ClusterReading>
{
public:
    using PageTaken = std::function<void(KeyPage &, const ClusterSpeaker &from)>;
    using Done = std::function<void(const QList<Subject> &unread)>;

    /** `wholeKeys`: by their keys, all that each holds. */
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
    /** Before, and after, something that is to be waited for. */
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
