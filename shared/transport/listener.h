// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"

#include <QHash>

namespace lockkeeper::transport {

/** Limit of one listener: above the sessions that an agent admits, to leave room for strangers. */
inline constexpr int kMostConnections = 384;

/**
 * Accepts connections at one address, at most `maxConnections` at once. Each becomes a Channel that has not
 * received Hello yet. Strangers are connections that haven't logged in, and they have a separate limit. At
 * that limit, or when the listener is full, it drops the oldest stranger of the user or machine that has the
 * most strangers. So a flood of connections hurts its own sender first.
 */
class Listener : public QObject
{
    Q_OBJECT

public:
    Listener();
    ~Listener() override;

    /** Applies to channels made from now on. */
    void setTimings(const Timings &timings);
    virtual base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) = 0;
    /** Stops listening; channels that were taken stay open. */
    virtual void close() = 0;

    std::unique_ptr<Channel> takeChannel();

Q_SIGNALS:
    /** A channel can't be copied into a signal: call takeChannel() until it returns null. */
    void channelReady();

protected:
    void setMostConnections(int most);
    /** Makes a channel from the stream. If the listener is full of logged-in channels, aborts the stream. */
    void admit(std::unique_ptr<Stream> stream);
    /** Destroys the channels that weren't taken. */
    void dropReady();
    /** The oldest connection of the peer that has the most connections in `all`. */
    template <typename T, typename PeerOf> static T *mostIntrusive(const QList<T *> &all, PeerOf peerOf)
    {
        QHash<QString, int> counts;
        T *found = nullptr;
        int most = 0;
        for (T *one : all)
            most = qMax(most, ++counts[peerOf(one)]);
        for (T *one : all) {
            if (!found && counts.value(peerOf(one)) == most)
                found = one;
        }
        return found;
    }

private:
    void makeRoom();

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
