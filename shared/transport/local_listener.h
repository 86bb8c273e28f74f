// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/listener.h"
#include "shared/transport/socket_audience.h"

namespace lockkeeper::transport {

/**
 * Listens on a local socket. By default only the agent's user may open it. Replaces a stale socket file, but
 * never one on which a live agent answers. A lock file beside the socket prevents two agents that start at
 * the same time from taking the same socket.
 */
class LocalListener final : public Listener
{
    Q_OBJECT

public:
    LocalListener();
    ~LocalListener() override;

    /** Sets the users that the kernel lets connect. Also applies to a socket that is already open. */
    void setAudience(const SocketAudience &audience);
    /** Creates the socket's folder (mode 0700) if it is missing. If a socket file exists already, blocks for
     * at most a second. */
    base::Result<void> listen(const Address &address, int maxConnections = kMostConnections) override;
    /** Also removes the socket file. */
    void close() override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockkeeper::transport
