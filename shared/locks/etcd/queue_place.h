// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/etcd/deletion_watch.h"
#include "shared/locks/lock_client.h"

#include <QPointer>
#include <QTimer>

namespace lockkeeper::locks::etcd {

/** The id of a lease in etcd, which the token contains in hex. */
inline qint64 leaseOf(const Lease &lease)
{
    return qint64(lease.token.toULongLong(nullptr, 16));
}

/**
 * One place in a queue, from the grant of its lease to the acquisition of the lock. Follows the protocol of
 * Go's concurrency.Mutex and `etcdctl lock` (go.etcd.io/etcd/client/v3/concurrency, mutex.go and key.go):
 * creates the key NAME/LEASE, then waits for the deletion of the newest older key. Meanwhile it keeps its
 * lease alive, and each time also reads the queue, because a dead watch reports nothing. A failed read is
 * repeated while the lease is certain to exist. An answer without the lock contains the lease, if that may
 * exist: the caller must release it, which removes the place.
 */
class QueuePlace final : public QObject
{
    Q_OBJECT

public:
    using Done = LockClient::Done;

    /** `gateway` and `watch` must outlive it. */
    QueuePlace(stores::etcd::Gateway &gateway, DeletionWatch &watch, const QByteArray &owner,
               const Lease &wanted, Done done, QObject *parent);
    ~QueuePlace() override;

    void begin();
    /** Ends the wait. Answers Held, later. */
    void leave();

Q_SIGNALS:
    /** The wait is over; the answer follows. */
    void ended();

private:
    QByteArray prefix() const { return m_lease.name + '/'; }
    QByteArray key() const { return prefix() + m_lease.token; }
    void put();
    void look();
    void onLook(const QJsonObject &body);
    void onUnseen(const stores::etcd::Answer &failed);
    void keepAlive();
    void answer(AttemptResult result);
    void fail(const stores::etcd::Answer &failed);

    stores::etcd::Gateway &m_gateway;
    DeletionWatch &m_watch;
    QByteArray m_owner;
    Lease m_lease;
    Done m_done;
    QTimer m_keepAlive;
    qint64 m_keptUs = 0; ///< when the lease last had its full length
    QByteArray m_before; ///< the key just before ours, while its deletion wasn't reported
    bool m_looking = false;
    bool m_granted = true; ///< the lease was granted, or may have been
};

} // namespace lockkeeper::locks::etcd
