// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/locks/redis/client_scheme.h"
#include "shared/locks/redis/release_channels.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace lockkeeper::locks::redis {

/**
 * Who waits in the queue of a fair lock of Redisson's. Each asks when it comes, which puts it into the queue;
 * when its channel is in force; when that says that its turn has come; and when the lease of the holder that
 * was seen is over, as nobody tells of that.
 */
class FairWaits
{
public:
    using Ask = std::function<void(ClientAct, const Lease &, LockClient::Done)>;
    using ChannelOf = std::function<QByteArray(const Lease &)>;

    /** `ask` answers each request once and never from within the call. */
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
        QTimer again;
        QElapsedTimer sinceAsked;
        bool asked = false; ///< and not answered
        bool woken = false; ///< meanwhile
        bool leaves = false;
        bool listens = false;
    };

    void askNow(quint64 id);
    void take(quint64 id, const AttemptResult &result);
    void leaveQueue(quint64 id);
    void end(quint64 id, const AttemptResult &result);

    ReleaseChannels &m_channels;
    Ask m_ask;
    ChannelOf m_channelOf;
    std::map<quint64, std::unique_ptr<Wait>> m_waits; ///< in the order in which they came
    quint64 m_last = 0;
};

} // namespace lockkeeper::locks::redis
