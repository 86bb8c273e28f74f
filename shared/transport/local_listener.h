// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/listener.h"
#include "shared/transport/socket_audience.h"

namespace lockkeeper::transport {

/**
 * Listens on a local socket that only the owner's user may open unless told (in a folder of its own where
 * possible); takes over a stale socket file but never one that a living agent answers on (a lock file beside
 * the socket keeps two agents that start at once apart).
 */
class LocalListener final : public Listener
{
    Q_OBJECT

public:
    LocalListener();
    ~LocalListener() override;

    /** Whom the kernel lets in: from now on, and of the socket that is there. */
    void setAudience(const SocketAudience &audience);
    /** Makes the socket's folder (mode 0700) where it is missing. Blocks for at most a second, on a stale
     * socket. */
    base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) override;
    /** Removes the socket's file, too. */
    void close() override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
