// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"
#include "shared/stores/redis/connection/redis_connection.h"

#include <memory>

namespace lockkeeper::agent::liveness {

/**
 * Asks the watched Redis server for its clients (CLIENT LIST), over a connection for this probe alone. A
 * connection from the holder's address is alive. None is unknown: a client may connect again, also through
 * another address. A proxy or a NAT between both hides the holder's address. Needs one server: a cluster or a
 * group behind Sentinel is unknown.
 */
class RedisProbe final : public HolderProbe
{
    Q_OBJECT

public:
    RedisProbe(ProbeTarget target, Done done);
    ~RedisProbe() override;

protected:
    void begin() override;
    void abort() override;

private:
    void takeClients(const redisReply *reply);

    std::unique_ptr<stores::redis::RedisConnection> m_connection;
};

/** Whether CLIENT LIST's answer has a connection from this address and, unless it is 0, port. Pure. */
bool listsClient(QByteArrayView clients, const QHostAddress &address, quint16 port);

} // namespace lockkeeper::agent::liveness
