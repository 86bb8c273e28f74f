// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/zookeeper/connection/link.h"
#include "shared/stores/zookeeper/reading/recipes.h"

#include <QHash>
#include <QQueue>

namespace lockkeeper::locks::zookeeper {

using namespace stores;
using namespace stores::zookeeper;

/**
 * Takes locks as kazoo does: the ephemeral znode NAME/UUID__lock__SEQUENCE, whose lease is this client's
 * session; by a preset, as Curator's mutex, its read-write lock, kazoo's ReadLock or ZooKeeper's own recipe
 * name theirs. A try creates it only where nobody queues, and gives it up where somebody was quicker, so that
 * it never stands in anybody's way for longer than a round trip. Who waits stands in the queue, and watches
 * the znode just before its own ("Recipes: Locks", ZooKeeper's documentation). All names count that end with
 * a sequence, but for who reads those of others who read. A semaphore of Curator's lets in as many as it has
 * permits by their numbers alone: Curator counts all znodes that are there, so that it admits nobody beside
 * them. kazoo and Curator don't know each other's, and would hold beside it: they may not share a path. NAME
 * is a path; what is missing of it is made. The session lives by itself while this thread's event loop runs;
 * once its connection breaks, its locks are lost, which is told at once, though their znodes may stay until
 * the server ends it.
 */
class ZookeeperLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `preset`: how the znodes are named, empty for kazoo's way; `permits` hold at once, of a semaphore;
     * `owner` becomes the znodes' data. */
    ZookeeperLockClient(Ensemble ensemble, QString preset, int permits, QByteArray owner);

    Traits traits() const override;
    /** The first one's `ttlUs` is the length that the session asks the server for; each lease has what was
     * granted. The znode's name is the token, whatever was wanted. */
    void tryAcquire(const Lease &wanted, Done done) override;
    /** Proves, through the leader, that the znode is there and this session's. */
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;

private:
    using Step = std::function<void()>;
    /** Somebody who waits: its znode is made, and perhaps another one before it awaited. */
    struct Waiting
    {
        Lease lease; ///< without a token: it isn't made yet
        qint32 version = 0;
        QByteArray before; ///< the path that is watched
        Done done;
    };

    void queue(Done done, Attempt failed, Step step);
    void begin();
    void look(const QByteArray &name, bool made);
    void makePath(const QByteArray &name, qsizetype from, const Step &then);
    using Made = std::function<void(const Lease &, qint32)>;
    /** A znode in the queue; `then` gets it, and the version of its data. Makes the path where it is missing.
     */
    void create(const QByteArray &name, bool pathMade, const Made &then);
    /** What stands before the sequence. */
    QByteArray newName() const;
    /** The places that come before a znode of this client's with that sequence, and count. */
    QList<QByteArray> placesBefore(const QList<QByteArray> &children, qint64 sequence) const;
    void holdIfFirst(const Lease &own, qint32 version);
    void stand(const QByteArray &place);
    void lookBefore(const QByteArray &place);
    void awaitBefore(const QByteArray &place, const QByteArray &before);
    void end(const QByteArray &place, const AttemptResult &result);
    void giveUp(const base::Error &error, bool mayBeThere);
    void compare(const Lease &lease);
    void withdraw(const Lease &lease, qint32 version);
    /** Deletes a znode of ours, also where others have written into it since that version. */
    void removeOwn(const QByteArray &path, qint32 version, const Link::Done &then);
    bool failedBy(const Reply &reply);
    void fail(const Reply &reply) { answer(m_requests.head().failed, {}, reply.error); }
    void answer(Attempt attempt, const Lease &lease = {}, const std::optional<base::Error> &error = {});

    struct Request
    {
        Done done;
        Attempt failed = Attempt::Held; ///< how it ends where it fails
        Step step;
    };
    QString m_preset;
    Wish m_wish;
    qsizetype m_permits;
    QByteArray m_owner;
    QQueue<Request> m_requests;           ///< the first is under way
    QHash<QByteArray, Waiting> m_waiting; ///< by the wanted token
    QHash<QByteArray, Lease> m_held;      ///< by its znode's name: what ends with the link
    std::unique_ptr<Link> m_link;
    Ensemble m_ensemble;
};

} // namespace lockkeeper::locks::zookeeper
