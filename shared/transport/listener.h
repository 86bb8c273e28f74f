// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"
#include "shared/transport/channel.h"

namespace lockkeeper::transport {

/**
 * Listens on a local socket that only the owner's user may open (mode 0600, in a folder of its own where
 * possible); takes over a stale socket file but never one that a living agent answers on (a lock file beside
 * the socket keeps two agents that start at once apart). Each connection is a Channel that has not said Hello
 * yet. At most `maxConnections` at once; a further one is closed at once.
 */
class Listener : public QObject
{
    Q_OBJECT

public:
    explicit Listener(QObject *parent = nullptr);
    ~Listener() override;

    /** For the channels made from now on. */
    void setTimings(const Timings &timings);
    /** Makes the socket's folder (mode 0700) where it is missing. Blocks for at most a second, on a stale
     * socket. */
    base::Result<void> listen(const Address &address, int maxConnections = 256);
    /** Stops listening and removes the socket's file; channels that were taken live on. */
    void close();

Q_SIGNALS:
    /** Not a signal argument that can be copied: take it with takeChannel() until that returns null. */
    void channelReady();

public:
    std::unique_ptr<Channel> takeChannel();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
