// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"

#include <QHash>

namespace lockkeeper::transport {

/** Of one listener: more sessions than an agent lets in, and the strangers beside them. */
inline constexpr int kMostConnections = 384;

/**
 * Accepts connections at one address; each is a Channel that has not said Hello yet. At most `maxConnections`
 * at once. Strangers, who haven't logged in, are bounded by themselves: past the bound, and where it is full,
 * the oldest of the user or machine with the most of them is dropped, so that a flood costs its own sender
 * first.
 */
class Listener : public QObject
{
    Q_OBJECT

public:
    Listener();
    ~Listener() override;

    /** For the channels made from now on. */
    void setTimings(const Timings &timings);
    virtual base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) = 0;
    /** Stops listening; channels that were taken live on. */
    virtual void close() = 0;

    std::unique_ptr<Channel> takeChannel();

Q_SIGNALS:
    /** Not a signal argument that can be copied: take it with takeChannel() until that returns null. */
    void channelReady();

protected:
    void setMostConnections(int most);
    /** Makes a channel of it; among nothing but logged-in ones, past the limit, ends it at once. */
    void admit(std::unique_ptr<Stream> stream);
    /** Ends the channels that nobody has taken. */
    void dropReady();
    /** The oldest of the peer that has the most of `all`. */
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
