// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/key_sampler.h"
#include "shared/stores/discover/redis_nodes.h"
#include "shared/stores/discover/verification.h"
#include "shared/stores/redis/connection/connection.h"
#include "shared/stores/redis/connection/handshake.h"

namespace lockkeeper::stores::discover {

/**
 * The Discoverer of Redis: one connection on the event loop, a bounded sample of keys, judged by the names,
 * types, times to live and values of those that are alike. Of several servers one is sampled after the other,
 * within the same limits, and the keys of all are judged together; one that can't be asked is left out. What
 * is proposed is verified.
 */
class RedisDiscoverer final : public VerifiedDiscoverer
{
    Q_OBJECT

public:
    RedisDiscoverer(SourceSpec spec, std::unique_ptr<RedisNodes> nodes, SampleLimits limits = {});
    RedisDiscoverer(SourceSpec spec, redis::Endpoint endpoint, SampleLimits limits = {});
    ~RedisDiscoverer() override;

    void start() override;

private:
    void onNodes(const QList<redis::Endpoint> &nodes);
    void next();
    void nodeFailed(const base::Error &error);
    void onConnected();
    void onFacts(const base::Result<redis::ServerFacts> &facts);
    void onSampled();
    void judgeAll();
    Candidate candidateOf(const KeyGroup &group);
    void dropLink();
    void drop() override;

    std::unique_ptr<RedisNodes> m_finder;
    SampleLimits m_limits;
    QList<redis::Endpoint> m_nodes;
    std::unique_ptr<redis::Connection> m_connection;
    std::unique_ptr<KeySampler> m_sampler;
    QList<KeyGroup> m_groups;               ///< of a single server
    QList<KeyFacts> m_keys;                 ///< of several
    QHash<QByteArray, int> m_copies;        ///< nodes that have a key; below 0: not with the same value
    QHash<QByteArray, QByteArray> m_values; ///< of a Redlock's keys, where it was read
    base::Error m_failure;                  ///< of the first node that couldn't be asked
    qsizetype m_at = -1;
    qsizetype m_sampled = 0; ///< nodes
    qint64 m_nowS = 0;
};

} // namespace lockkeeper::stores::discover
