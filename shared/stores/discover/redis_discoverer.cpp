// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/redis_discoverer.h"

#include "shared/stores/discover/key_scoring.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/factory.h"

namespace lockkeeper::stores::discover {

RedisDiscoverer::RedisDiscoverer(SourceSpec spec, redis::Endpoint endpoint, SampleLimits limits)
    : m_spec(std::move(spec)),
      m_connection(std::move(endpoint), m_spec.statementTimeoutMs),
      m_sampler(m_connection, limits),
      m_verification(m_spec)
{
    connect(&m_connection, &redis::Connection::connected, this, &RedisDiscoverer::onConnected);
    connect(&m_connection, &redis::Connection::lost, this, &RedisDiscoverer::end);
    connect(&m_sampler, &KeySampler::progressed, this, &Discoverer::progressed);
    connect(&m_sampler, &KeySampler::failed, this, &RedisDiscoverer::end);
    connect(&m_sampler, &KeySampler::done, this, &RedisDiscoverer::onSampled);
    connect(&m_verification, &Verification::failed, this, &RedisDiscoverer::end);
    connect(&m_verification, &Verification::done, this, [this](const QList<Candidate> &candidates) {
        m_over = true;
        sortInto(m_discovery, candidates);
        Q_EMIT found(m_discovery);
    });
}

RedisDiscoverer::~RedisDiscoverer() = default;

void RedisDiscoverer::start()
{
    m_connection.open(m_spec.connectTimeoutMs);
}

void RedisDiscoverer::cancel()
{
    m_over = true;
    disconnect(); // no answer follows
    m_verification.cancel();
    m_connection.close();
}

void RedisDiscoverer::end(const base::Error &error)
{
    if (std::exchange(m_over, true))
        return;
    m_connection.close();
    Q_EMIT failed(error);
}

void RedisDiscoverer::onConnected()
{
    redis::shakeHands(m_connection, m_spec.password,
                      [this](const base::Result<redis::ServerFacts> &facts) { onFacts(facts); });
}

void RedisDiscoverer::onFacts(const base::Result<redis::ServerFacts> &facts)
{
    if (!facts) {
        end(facts.error());
        return;
    }
    m_discovery.store = "redis";
    m_discovery.server = QStringLiteral("Redis %1").arg(facts->version).trimmed();
    m_discovery.database = QString::fromLatin1(m_connection.endpoint().place());
    m_sampler.start();
}

void RedisDiscoverer::onSampled()
{
    m_discovery.tables = m_sampler.scanned();
    m_discovery.allSeen = m_sampler.allSeen();
    QList<Candidate> candidates;
    for (const KeyGroup &group : m_sampler.groups()) {
        Candidate candidate = judge(group, m_sampler.nowS());
        if (!candidate.scheme.isEmpty() && !isSchemeOf(candidate.scheme, "redis"))
            candidate.missing.append(Missing::Support);
        candidates.append(std::move(candidate));
    }
    m_connection.close();
    m_verification.start(std::move(candidates));
}

} // namespace lockkeeper::stores::discover
