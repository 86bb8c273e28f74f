// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/monitor/probe_run.h"

#include "shared/stores/redis/connection/errors.h"
#include "shared/stores/redis/connection/handshake.h"

#include <algorithm>
#include <hiredis/hiredis.h>
#include <limits>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kLateUs = 500'000;
constexpr qint64 kMostBytes = 64 << 20;

QList<QByteArray> patternsOf(const SourceSpec &source)
{
    QList<QByteArray> patterns;
    for (const LockSet &set : source.locks)
        patterns.append(set.match);
    return patterns;
}

} // namespace

ProbeRun::ProbeRun(const Endpoint &endpoint, const SourceSpec &source, const QByteArray &runId,
                   const ProbeOrder &order, Store::Probed done, QObject *parent)
    : QObject(parent),
      m_order(order),
      m_counter(endpoint.database, patternsOf(source)),
      m_done(std::move(done)),
      m_connection(endpoint, source.statementTimeoutMs),
      m_leastDelayUs(std::numeric_limits<qint64>::max())
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { end(ProbeEnd::Time); });
    connect(&m_connection, &RedisConnection::connected, this, [this, runId, password = source.password] {
        const auto take = [this](const base::Result<RedisFacts> &facts) {
            if (facts)
                listen();
            else
                fail(facts.error());
        };
        shakeHands(m_connection, password, take, runId);
    });
    connect(&m_connection, &RedisConnection::lost, this, &ProbeRun::fail);
    m_connection.setPushHandler([this](const redisReply *line) { take(line); });
    m_connection.open(source.connectTimeoutMs);
}

void ProbeRun::listen()
{
    const bool sent = m_connection.send({"MONITOR"}, [this](const redisReply *reply) {
        if (reply == nullptr) {
            fail(m_connection.failure());
        } else if (isError(reply)) {
            const AclSubject asker{m_connection.endpoint().user, {}};
            Error error = errorOf(reply, asker);
            if (error.code == ErrorCode::PermissionDenied)
                error.remedy = aclStatement(asker, "+monitor");
            fail(error);
        } else if (!m_over) {
            m_clock.start();
            m_timer.start(int(m_order.forUs / 1000));
        }
    });
    if (!sent)
        fail(m_connection.failure());
}

void ProbeRun::take(const redisReply *line)
{
    if (!m_clock.isValid() || m_over || line->type != REDIS_REPLY_STATUS)
        return;
    m_bytes += qint64(line->len);
    m_counter.take(QByteArrayView(line->str, qsizetype(line->len)));
    const qint64 timeUs = m_counter.told().endedUs;
    const qint64 delayUs = timeUs > 0 ? m_clock.nsecsElapsed() / 1000 - timeUs : m_leastDelayUs;
    m_leastDelayUs = std::min(m_leastDelayUs, delayUs);
    if (m_counter.told().commands >= m_order.mostCommands)
        end(ProbeEnd::Commands);
    else if (m_bytes >= kMostBytes)
        end(ProbeEnd::Bytes);
    else if (delayUs - m_leastDelayUs > kLateUs)
        end(ProbeEnd::Behind);
}

/** Through the event loop: the connection may be in the middle of handing over a line. */
void ProbeRun::end(ProbeEnd why, const std::optional<Error> &error)
{
    if (std::exchange(m_over, true))
        return;
    m_timer.stop();
    const auto tell = [this, why, error] {
        m_connection.close();
        ProbeReport report = m_counter.report();
        report.end = why;
        report.error = error;
        deleteLater();
        const auto done = std::move(m_done); // it may end the owner, and this with it
        done(report);
    };
    QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::redis
