// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/etcd/connection/gateway.h"

#include <QQueue>

namespace lockkeeper::stores::etcd {

/**
 * Takes locks as the concurrency package does: the key NAME/LEASE under a lease of its own, created only
 * where there is no other key below NAME, so that a try never stands in anybody's way. Its lease lasts whole
 * seconds, as long as the server granted; it is revoked at the end, for nothing else hangs on it.
 */
class EtcdLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `owner` becomes the key's value. */
    EtcdLockClient(const SourceSpec &spec, Endpoints endpoints, QByteArray owner, QObject *parent = nullptr);

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    /** Back to the length that was granted: etcd can't give a lease another one. */
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    using Step = std::function<void()>;

    void enqueue(Step step);
    void look(quint64 request, const QByteArray &name, qint64 ttlUs);
    void grant(quint64 request, const QByteArray &name, qint64 ttlUs);
    void put(quint64 request, const Lease &lease);
    void check(quint64 request, const Lease &lease);
    void remove(quint64 request, const Lease &lease);
    void revoke(const Lease &lease, Step then);
    void answer(quint64 request, Attempt attempt, const Lease &lease = {});
    void fail(quint64 request, Attempt attempt, const base::Error &error);
    void end(const AttemptResult &result);

    Gateway m_gateway;
    QByteArray m_owner;
    QQueue<Step> m_steps; ///< the first is under way
};

} // namespace lockkeeper::stores::etcd
