// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discoverer.h"
#include "shared/stores/discover/key_sampler.h"
#include "shared/stores/discover/verification.h"
#include "shared/stores/redis/connection.h"
#include "shared/stores/redis/handshake.h"

namespace lockkeeper::stores::discover {

/**
 * The Discoverer of Redis: one connection on the event loop, a bounded sample of keys, judged by the names,
 * types, times to live and values of those that are alike. What is proposed is verified.
 */
class RedisDiscoverer final : public Discoverer
{
    Q_OBJECT

public:
    RedisDiscoverer(SourceSpec spec, redis::Endpoint endpoint, SampleLimits limits = {});
    ~RedisDiscoverer() override;

    void start() override;
    void cancel() override;

private:
    void onConnected();
    void onFacts(const base::Result<redis::ServerFacts> &facts);
    void onSampled();
    void end(const base::Error &error);

    SourceSpec m_spec;
    redis::Connection m_connection;
    KeySampler m_sampler;
    Verification m_verification;
    Discovery m_discovery;
    bool m_over = false;
};

} // namespace lockkeeper::stores::discover
