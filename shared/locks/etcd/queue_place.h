// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/etcd/deletion_watch.h"
#include "shared/locks/lock_client.h"

#include <QPointer>
#include <QTimer>

namespace lockkeeper::locks::etcd {

/** etcd's number of a lease, which the token spells. */
inline qint64 leaseOf(const Lease &lease)
{
    return qint64(lease.token.toULongLong(nullptr, 16));
}

/**
 * One place in a queue, from its lease to the lock, as Go's concurrency.Mutex and `etcdctl lock` stand in it
 * (go.etcd.io/etcd/client/v3/concurrency, mutex.go and key.go): the key NAME/LEASE, then a wait for the
 * newest key that is older. Its lease is kept alive meanwhile, and each time it looks by itself, too: a watch
 * that has gone silent tells nothing. A look that fails is tried again while the lease is sure to be there.
 * Without the lock it answers with its lease, as long as it may have one: it is to be given back, which
 * removes the place.
 */
class QueuePlace final : public QObject
{
    Q_OBJECT

public:
    using Done = LockClient::Done;

    /** `gateway` and `watch` outlive it. */
    QueuePlace(Gateway &gateway, DeletionWatch &watch, const QByteArray &owner, const Lease &wanted,
               Done done, QObject *parent);
    ~QueuePlace() override;

    void begin();
    /** Answers Held, later. */
    void leave();

Q_SIGNALS:
    /** It has answered. */
    void ended();

private:
    QByteArray prefix() const { return m_lease.name + '/'; }
    QByteArray key() const { return prefix() + m_lease.token; }
    void put();
    void look();
    void onLook(const QJsonObject &body);
    void onUnseen(const Answer &failed);
    void keepAlive();
    void answer(AttemptResult result);
    void fail(const Answer &failed);

    Gateway &m_gateway;
    DeletionWatch &m_watch;
    QByteArray m_owner;
    Lease m_lease;
    Done m_done;
    QTimer m_keepAlive;
    qint64 m_keptUs = 0; ///< since then the lease has its whole length
    QByteArray m_before; ///< the key that was seen before ours, whose end nobody has told of
    bool m_looking = false;
    bool m_granted = true; ///< or perhaps
};

} // namespace lockkeeper::locks::etcd
