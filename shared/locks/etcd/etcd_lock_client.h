// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/etcd/queue_place.h"
#include "shared/stores/etcd/connection/gateway.h"

#include <QQueue>

namespace lockkeeper::locks::etcd {

using namespace stores;
using namespace stores::etcd;

/**
 * Takes locks as the concurrency package does: the key NAME/LEASE under a lease of its own. A try creates it
 * only where there is no other key below NAME, so that it never stands in anybody's way; who waits stands in
 * the queue (QueuePlace). Its lease lasts whole seconds, as long as the server granted; it is revoked at the
 * end, for nothing else hangs on it. By the preset etcd-key the key is NAME itself, as python-etcd3 and
 * etcd3gw have it: nobody queues there, whoever finds it missing takes it.
 */
class EtcdLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `plain`: the key is the lock's name; `owner` becomes the key's value. */
    EtcdLockClient(const SourceSpec &spec, Endpoints endpoints, bool plain, QByteArray owner);
    ~EtcdLockClient() override;

    Traits traits() const override;
    /** The lease's identifier is the token, whatever was wanted. */
    void tryAcquire(const Lease &wanted, Done done) override;
    /** Back to the length that was granted: etcd can't give a lease another one. */
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;

private:
    using Step = std::function<void()>;

    QByteArray keyOf(const Lease &lease) const;
    /** Every key that stands for a holder of the lock, as a request has them. */
    QJsonObject keysOfLock(const QByteArray &name) const;
    void queue(Step step);
    void look(const Lease &wanted, const Done &done);
    void grant(const Lease &wanted, const Done &done);
    void put(const Lease &lease, const Done &done);
    void check(const Lease &lease, const Done &done);
    void remove(const Lease &lease, const Done &done);
    void revoke(const Lease &lease, Gateway::Done then);
    void answer(const Done &done, Attempt attempt, const Lease &lease = {});
    /** `left`: what may have been taken. */
    void fail(const Done &done, Attempt attempt, const Answer &failed, const Lease &left = {});
    void end(const Done &done, const AttemptResult &result);

    Gateway m_gateway;
    bool m_plain;
    QByteArray m_owner;
    QQueue<Step> m_steps; ///< the first is under way
    DeletionWatch m_watch;
    QHash<QByteArray, QueuePlace *> m_places; ///< by the wanted token; children
};

} // namespace lockkeeper::locks::etcd
