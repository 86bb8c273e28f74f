// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/release_channels.h"

#include "shared/stores/redis/connection/handshake.h"
#include "shared/stores/redis/connection/log.h"

#include <chrono>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::locks::redis {

namespace {
constexpr std::chrono::milliseconds kAgainAfter(500);
constexpr std::chrono::seconds kPingEach(10);
} // namespace

ReleaseChannels::ReleaseChannels(const SourceSpec &spec, Endpoint endpoint, QObject *parent)
    : QObject(parent),
      m_password(spec.password),
      m_connectTimeoutMs(spec.connectTimeoutMs),
      m_connection(std::move(endpoint), spec.statementTimeoutMs)
{
    connect(&m_connection, &Connection::connected, this, &ReleaseChannels::onConnected);
    connect(&m_connection, &Connection::lost, this, &ReleaseChannels::onLost);
    m_connection.setPushHandler([this](const redisReply *reply) { onMessage(reply); });
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &ReleaseChannels::connectNow);
    connect(&m_ping, &QTimer::timeout, this,
            [this] { m_connection.send({"PING"}, [](const redisReply *) {}); });
}

void ReleaseChannels::subscribe(const QByteArray &channel, LockClient::Wake wake)
{
    const bool isNew = !m_wakes.contains(channel);
    m_wakes.insert(channel, std::move(wake));
    if (!m_ready)
        connectNow();
    else if (isNew)
        send(channel);
}

void ReleaseChannels::unsubscribe(const QByteArray &channel)
{
    if (m_wakes.remove(channel) > 0 && m_ready)
        m_connection.send({"UNSUBSCRIBE", channel}, [](const redisReply *) {});
}

void ReleaseChannels::connectNow()
{
    if (m_ready || m_wakes.isEmpty() || std::exchange(m_opening, true))
        return;
    m_again.stop();
    m_connection.open(m_connectTimeoutMs);
}

void ReleaseChannels::onConnected()
{
    shakeHands(m_connection, m_password, [this](const base::Result<ServerFacts> &facts) {
        if (!facts) {
            m_connection.fail(facts.error());
            return;
        }
        m_ready = true;
        m_ping.start(kPingEach);
        const QList<QByteArray> channels = m_wakes.keys();
        for (const QByteArray &channel : channels)
            send(channel);
    });
}

void ReleaseChannels::onLost()
{
    m_ready = false;
    m_opening = false;
    m_ping.stop();
    m_again.start(kAgainAfter);
}

void ReleaseChannels::send(const QByteArray &channel)
{
    m_connection.send({"SUBSCRIBE", channel}, [this, channel](const redisReply *reply) {
        if (reply == nullptr)
            return;
        if (isError(reply))
            qCWarning(lcRedis) << "waiting without being woken:" << bytesOf(reply).toByteArray();
        else
            wake(channel);
    });
}

void ReleaseChannels::onMessage(const redisReply *reply)
{
    if (reply->elements == 3 && bytesOf(reply->element[0]) == "message")
        wake(bytesOf(reply->element[1]).toByteArray());
}

void ReleaseChannels::wake(const QByteArray &channel)
{
    if (const LockClient::Wake wake = m_wakes.value(channel)) // it may unsubscribe, or end this
        wake();
}

} // namespace lockkeeper::locks::redis
