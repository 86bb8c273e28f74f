// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/zookeeper/connection/link.h"

#include <QQueue>

namespace lockkeeper::locks::zookeeper {

using namespace stores;
using namespace stores::zookeeper;

/**
 * Takes locks as kazoo does: the ephemeral znode NAME/UUID__lock__SEQUENCE, whose lease is this client's
 * session. It is created only where nobody queues, and given up where somebody was quicker, so that a try
 * never stands in anybody's way for longer than a round trip. Curator doesn't know kazoo's names and would
 * hold beside it: the two may not share a path. NAME is a path; what is missing of it is made. The session
 * lives by itself while this thread's event loop runs; once its connection breaks, its locks are lost, though
 * their znodes may stay until the server ends it.
 */
class ZookeeperLockClient final : public LockClient
{
    Q_OBJECT

public:
    /** `owner` becomes the znode's data. */
    ZookeeperLockClient(Ensemble ensemble, QByteArray owner, QObject *parent = nullptr);

    Traits traits() const override;
    /** The first one's `ttlUs` is the length that the session asks the server for; each lease has what was
     * granted. The znode's name is the token, whatever was wanted. */
    void tryAcquire(const Lease &wanted, Done done) override;
    /** Proves that the znode is there and this session's. */
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;

private:
    using Step = std::function<void()>;

    void queue(Done done, Attempt failed, Step step);
    void begin();
    void look(const QByteArray &name, bool made);
    void makePath(const QByteArray &name, qsizetype from);
    void create(const QByteArray &name);
    void compare(const Lease &lease);
    void withdraw(const Lease &lease, qint32 version);
    bool failedBy(const Reply &reply);
    void answer(Attempt attempt, const Lease &lease = {}, const std::optional<base::Error> &error = {});

    struct Request
    {
        Done done;
        Attempt failed = Attempt::Held; ///< how it ends where it fails
        Step step;
    };
    QByteArray m_owner;
    qint64 m_ttlMs = 0;
    QQueue<Request> m_requests; ///< the first is under way
    std::unique_ptr<Link> m_link;
    Ensemble m_ensemble;
};

} // namespace lockkeeper::locks::zookeeper
