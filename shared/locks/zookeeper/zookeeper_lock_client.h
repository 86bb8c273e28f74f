// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/zookeeper/connection/zookeeper_link.h"
#include "shared/stores/zookeeper/reading/recipes.h"

#include <QHash>
#include <QQueue>

namespace lockkeeper::locks::zookeeper {

/**
 * Acquires locks as kazoo does: by the ephemeral znode NAME/UUID__lock__SEQUENCE, whose lease is this
 * client's session. With a preset the znodes are named as by Curator's mutex, its read-write lock, kazoo's
 * ReadLock or ZooKeeper's own recipe. An attempt creates the znode only if no client queues, and deletes it
 * if another client was quicker, so that it never blocks others for longer than a round trip. A waiter
 * queues, and watches the znode just before its own ("Recipes: Locks", ZooKeeper's documentation). All names
 * that end with a sequence count, except that readers ignore other readers.
 *
 * In Curator's semaphore, the znodes with the lowest numbers hold the permits. Curator itself counts all
 * existing znodes, so that it admits no further clients. kazoo and Curator don't recognise each other's
 * znodes and would both hold the lock: they must not share a path.
 *
 * NAME is a path; its missing parts are created. The session stays alive while this thread's event loop runs.
 * When its connection breaks, its locks are lost, and lost() reports that at once, although the znodes may
 * stay until the server ends the session.
 */
class ZookeeperLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `preset`: how the znodes are named, empty: as by kazoo; `permits`: how many clients may hold a
     * semaphore at once; `owner`: the znodes' data. */
    ZookeeperLockClient(stores::zookeeper::Ensemble ensemble, QString preset, int permits, QByteArray owner);

    Traits traits() const override;
    /** The session requests the first lease's `ttlUs` as its time-out; each lease gets the granted length.
     * The resulting token is the znode's name; the wanted token is ignored. */
    void tryAcquire(const Lease &wanted, Done done) override;
    /** Checks, through the leader, that the znode exists and belongs to this session. */
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;

private:
    using Step = std::function<void()>;
    /** A waiter. Its znode is being created, or exists and may watch an earlier one. */
    struct ZnodeWaiter
    {
        Lease lease; ///< without a token: the znode doesn't exist yet
        qint32 version = 0;
        QByteArray before; ///< watched path
        Done done;
    };

    void queue(Done done, Attempt failed, Step step);
    void begin();
    void look(const QByteArray &name, bool made);
    void makePath(const QByteArray &name, qsizetype from, const Step &then);
    using Made = std::function<void(const Lease &, qint32)>;
    /** Creates a znode in the queue, and the path if it is missing. `then` gets the lease, and the version of
     * the znode's data. */
    void create(const QByteArray &name, bool pathMade, const Made &then);
    /** A new znode's name, without the sequence. */
    QByteArray newName() const;
    /** The places that count and come before this client's znode with that sequence. */
    QList<QByteArray> placesBefore(const QList<QByteArray> &children, qint64 sequence) const;
    void holdIfFirst(const Lease &own, qint32 version);
    void stand(const QByteArray &place);
    void lookBefore(const QByteArray &place);
    void awaitBefore(const QByteArray &place, const QByteArray &before);
    void end(const QByteArray &place, const AttemptResult &result);
    void giveUp(const base::Error &error, bool mayBeThere);
    void compare(const Lease &lease);
    void withdraw(const Lease &lease, qint32 version);
    /** Deletes one of our znodes, even if others have written to it since that version. */
    void removeOwn(const QByteArray &path, qint32 version,
                   const stores::zookeeper::ZookeeperLink::Done &then);
    bool failedBy(const stores::zookeeper::Reply &reply);
    void fail(const stores::zookeeper::Reply &reply) { answer(m_requests.head().failed, {}, reply.error); }
    void answer(Attempt attempt, const Lease &lease = {}, const std::optional<base::Error> &error = {});

    struct ZookeeperRequest
    {
        Done done;
        Attempt failed = Attempt::Held; ///< the answer if it fails
        Step step;
    };
    QString m_preset;
    stores::zookeeper::HoldKind m_wish;
    qsizetype m_permits;
    QByteArray m_owner;
    QQueue<ZookeeperRequest> m_requests;      ///< the first is in progress
    QHash<QByteArray, ZnodeWaiter> m_waiting; ///< by the wanted token
    QHash<QByteArray, Lease> m_held;          ///< by znode name: the leases that end with the link
    std::unique_ptr<stores::zookeeper::ZookeeperLink> m_link;
    stores::zookeeper::Ensemble m_ensemble;
};

} // namespace lockkeeper::locks::zookeeper
