// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

#include <QQueue>

namespace lockkeeper::locks::redis {

using namespace stores;
using namespace stores::redis;

/** Takes locks at the primary of a Sentinel group: a client of that server inside, made anew when it is
 * another. */
class SentinelLockClient final : public LockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<LockClient>(const Endpoint &)>;

    /** `patienceMs`: after so long a client has answered whatever it was asked. `traits`: of those made. */
    SentinelLockClient(SentinelGroup group, Make make, qint64 patienceMs, const Traits &traits,
                       QObject *parent = nullptr);

    Traits traits() const override { return m_traits; }
    void tryAcquire(const Lease &wanted, Done done) override;
    void renew(const Lease &lease, qint64 ttlUs, Done done) override;
    void release(const Lease &lease, Done done) override;
    void enqueue(const Lease &wanted, Done done) override;
    void leave(const Lease &wanted) override;
    void announce(const QByteArray &name, const QList<AnnouncedWaiter> &waiters, qint64 forUs,
                  Done done) override;
    void forget(const QByteArray &name, const QByteArray &id) override;
    void subscribe(const QByteArray &name, Wake wake) override;
    void unsubscribe(const QByteArray &name) override;

private:
    struct Question
    {
        Attempt otherwise; ///< how it counts where it can't be asked
        std::function<void(LockClient &, Done)> ask;
        Done done;
    };

    void put(Question question);
    void send(const Question &question);
    void retire();
    void onFound(const Endpoint &primary);
    void onAnswer(const LockClient *from, const Done &done, const AttemptResult &result);

    SentinelGuide m_guide;
    Make m_make;
    qint64 m_patienceMs;
    Traits m_traits;
    std::unique_ptr<LockClient> m_inner; ///< null while the primary isn't known
    QQueue<Question> m_waiting;
    QHash<QByteArray, Wake> m_wakes; ///< by name: another primary is to tell them, too
    QList<Lease> m_queued;  ///< and not answered: whoever stays in another's queue would stay for ever
    QList<Lease> m_leaving; ///< of those, while the primary isn't known
};

} // namespace lockkeeper::locks::redis
