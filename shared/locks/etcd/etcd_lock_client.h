// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/etcd/queue_place.h"
#include "shared/stores/etcd/connection/gateway.h"

#include <QQueue>

namespace lockkeeper::locks::etcd {

/**
 * Acquires locks as etcd's concurrency package does: by the key NAME/LEASE, with a separate lease for each
 * key. An attempt creates the key only if no other key exists below NAME, so that it never blocks other
 * clients. A waiter queues (QueuePlace). The lease lasts whole seconds, as long as the server granted. It is
 * revoked at the end, because no other key is attached to it. With the preset etcd-key the key is NAME
 * itself, as in python-etcd3 and etcd3gw. Then clients don't queue: the first to find the key missing
 * acquires the lock.
 */
class EtcdLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `plain`: the key is the lock's name; `owner` becomes the key's value. */
    EtcdLockClient(const stores::SourceSpec &spec, stores::etcd::Endpoints endpoints, bool plain,
                   QByteArray owner);
    ~EtcdLockClient() override;

    Traits traits() const override;
    /** The resulting token is the lease's id; the wanted token is ignored. */
    void tryAcquire(const Lease &wanted, Done done) override;
    /** Renews for the granted length; `ttlUs` is ignored, because etcd can't change a lease's length. */
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;

private:
    using LockStep = std::function<void()>;

    QByteArray keyOf(const Lease &lease) const;
    /** The keys of all holders of the lock, as fields of a request. */
    QJsonObject keysOfLock(const QByteArray &name) const;
    void queue(LockStep step);
    void look(const Lease &wanted, const Done &done);
    void grant(const Lease &wanted, const Done &done);
    void put(const Lease &lease, const Done &done);
    void check(const Lease &lease, const Done &done);
    void remove(const Lease &lease, const Done &done);
    void revoke(const Lease &lease, stores::etcd::Gateway::Done then);
    void answer(const Done &done, Attempt attempt, const Lease &lease = {});
    /** `left`: a lease that may hold the lock. */
    void fail(const Done &done, Attempt attempt, const stores::etcd::Answer &failed, const Lease &left = {});
    void end(const Done &done, const AttemptResult &result);

    stores::etcd::Gateway m_gateway;
    bool m_plain;
    QByteArray m_owner;
    QQueue<LockStep> m_steps; ///< the first is in progress
    DeletionWatch m_watch;
    QHash<QByteArray, QueuePlace *> m_places; ///< by the wanted token; children
};

} // namespace lockkeeper::locks::etcd
