// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"
#include "shared/locks/redis/release_channels.h"

#include <QHash>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::locks::redis {

/**
 * The waiters in the queues of Redisson's fair locks. A waiter first asks the server when it arrives, which
 * puts it into the queue. It asks again when its subscription comes into force, and when its channel
 * announces its turn. Nothing announces the end of a lease, so it also asks when the lease of the last seen
 * holder is over. A failed request is repeated a few times, and the place stays. If the server can't be
 * reached, the place may be left behind, and would block the lock for minutes. The answer then contains it as
 * a lease that may have been acquired, so that the caller releases it.
 *
 * All waiters for one lock share one pattern subscription, so that a turn costs no subscription. A user who
 * may only subscribe to channels (an ACL grants patterns only literally) subscribes to one channel for each
 * waiter. In a cluster every user does so, because no pattern matches the channels of a shard.
 */
class FairWaits
{
public:
    using Ask = std::function<void(ClientAct, const Lease &, LockClient::Done)>;
    using ChannelOf = std::function<QByteArray(const QByteArray &name)>;

    /** `ask` must answer each request once, and never before the call returns. `channelOf`: the channel of a
     * lock; a waiter's channel begins with it. */
    FairWaits(ReleaseChannels &channels, Ask ask, ChannelOf channelOf);
    ~FairWaits();
    Q_DISABLE_COPY_MOVE(FairWaits)

    void join(const Lease &wanted, LockClient::Done done);
    void leave(const Lease &wanted);

private:
    struct FairWait
    {
        Lease wanted;
        LockClient::Done done;
        QByteArray channel;
        QTimer again;
        qint64 askedUs = 0;
        int failures = 0;   ///< in a row
        bool asked = false; ///< requested and not answered
        bool woken = false; ///< woken while `asked`
        bool leaves = false;
        bool listens = false; ///< subscribed to its own channel …
        bool hears = false;   ///< … and the subscription is in force
        bool stands = false;  ///< in the queue, by the server's answer
    };
    /** The waiters for one lock. */
    struct FairQueue
    {
        int waiting = 0;
        bool listens = false;
        bool hears = false; ///< the subscription is in force
    };

    void askNow(quint64 id);
    void askAll(const QByteArray &name);
    void take(quint64 id, const AttemptResult &result);
    void waitOn(quint64 id, FairWait &wait, qint64 freeInUs);
    /** False: announcements may be missed from now on. */
    bool listen(quint64 id, FairWait &wait);
    void onHeard(const QByteArray &name, const QByteArray &channel);
    QByteArray patternOf(const QByteArray &name) const;
    void leaveQueue(quint64 id);
    void end(quint64 id, const AttemptResult &result);

    ReleaseChannels &m_channels;
    Ask m_ask;
    ChannelOf m_channelOf;
    std::map<quint64, std::unique_ptr<FairWait>> m_waits; ///< in the order of arrival
    QHash<QByteArray, quint64> m_byChannel;
    QHash<QByteArray, FairQueue> m_lines; ///< by the lock's name
    bool m_noPatterns = false;
    quint64 m_last = 0;
};

} // namespace lockkeeper::locks::redis
