// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/lock_client.h"
#include "shared/stores/redis/sentinel/sentinel_guide.h"

#include <QQueue>

namespace lockkeeper::stores::redis {

/** Takes locks at the primary of a Sentinel group: a client of that server inside, made anew when it is
 * another. */
class SentinelLockClient final : public LockClient
{
    Q_OBJECT

public:
    using Make = std::function<std::unique_ptr<LockClient>(const Endpoint &)>;

    /** `patienceMs`: after so long a client has answered whatever it was asked. */
    SentinelLockClient(SentinelGroup group, Make make, qint64 patienceMs, QObject *parent = nullptr);

    void tryAcquire(quint64 request, const QByteArray &name, qint64 ttlUs) override;
    void renew(quint64 request, const Lease &lease, qint64 ttlUs) override;
    void release(quint64 request, const Lease &lease) override;

private:
    struct Question
    {
        quint64 request;
        Attempt otherwise; ///< how it counts where it can't be asked
        std::function<void(LockClient &)> ask;
    };

    void put(Question question);
    void retire();
    void onFound(const Endpoint &primary);
    void onAnswer(const AttemptResult &result);

    SentinelGuide m_guide;
    Make m_make;
    qint64 m_patienceMs;
    std::unique_ptr<LockClient> m_inner; ///< null while the primary isn't known
    QQueue<Question> m_waiting;
};

} // namespace lockkeeper::stores::redis
