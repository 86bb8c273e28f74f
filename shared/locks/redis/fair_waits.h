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
 * Who waits in the queues of Redisson's fair locks. Each asks when it comes, which puts it into the queue;
 * when it comes to be listened to; when its channel says that its turn has come; and when the lease of the
 * holder that was seen is over, as nobody tells of that. A question that fails is asked again a few times:
 * the place stays. One that may be left behind, where the server can't be reached, is then told as what may
 * have been taken: it would keep everybody from the lock for minutes.
 *
 * All that wait for one lock listen by one pattern, so that a turn costs no subscription. A user who may only
 * subscribe to channels (an ACL grants patterns by their very letters) has one for each that waits, and in a
 * cluster everybody has, as no pattern takes in the channels of a shard.
 */
class FairWaits
{
public:
    using Ask = std::function<void(ClientAct, const Lease &, LockClient::Done)>;
    using ChannelOf = std::function<QByteArray(const QByteArray &name)>;

    /** `ask` answers each request once and never from within the call. `channelOf`: of a lock; a waiter's own
     * begins with it. */
    FairWaits(ReleaseChannels &channels, Ask ask, ChannelOf channelOf);
    ~FairWaits();
    Q_DISABLE_COPY_MOVE(FairWaits)

    void join(const Lease &wanted, LockClient::Done done);
    void leave(const Lease &wanted);

private:
    struct Wait
    {
        Lease wanted;
        LockClient::Done done;
        QByteArray channel;
        QTimer again;
        qint64 askedUs = 0;
        int failures = 0;   ///< in a row
        bool asked = false; ///< and not answered
        bool woken = false; ///< meanwhile
        bool leaves = false;
        bool listens = false; ///< to its own channel …
        bool hears = false;   ///< … which is in force
        bool stands = false;  ///< in the queue, as the server said
    };
    /** Those that wait for one lock. */
    struct Line
    {
        int waiting = 0;
        bool listens = false;
        bool hears = false; ///< that is in force
    };

    void askNow(quint64 id);
    void askAll(const QByteArray &name);
    void take(quint64 id, const AttemptResult &result);
    void waitOn(quint64 id, Wait &wait, qint64 freeInUs);
    /** False: what happens from now on may not be heard. */
    bool listen(quint64 id, Wait &wait);
    void onHeard(const QByteArray &name, const QByteArray &channel);
    QByteArray patternOf(const QByteArray &name) const;
    void leaveQueue(quint64 id);
    void end(quint64 id, const AttemptResult &result);

    ReleaseChannels &m_channels;
    Ask m_ask;
    ChannelOf m_channelOf;
    std::map<quint64, std::unique_ptr<Wait>> m_waits; ///< in the order in which they came
    QHash<QByteArray, quint64> m_byChannel;
    QHash<QByteArray, Line> m_lines; ///< by the lock's name
    bool m_noPatterns = false;
    quint64 m_last = 0;
};

} // namespace lockkeeper::locks::redis
