// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/attempts/probe_run.h"

#include "shared/stores/redis/connection/errors.h"

#include <algorithm>
#include <hiredis/hiredis.h>
#include <tuple>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

namespace {

constexpr qint64 kLateUs = 500'000;

QList<QByteArray> patternsOf(const SourceSpec &source)
{
    QList<QByteArray> patterns;
    for (const LockSet &set : source.locks)
        patterns.append(set.match);
    return patterns;
}

} // namespace

ProbeRun::ProbeRun(const Endpoint &endpoint, const SourceSpec &source, const ProbeOrder &order, Done done,
                   QObject *parent)
    : QObject(parent),
      m_source(source),
      m_endpoint(endpoint),
      m_order(order),
      m_counter(endpoint.database, patternsOf(source)),
      m_done(std::move(done)),
      m_connection(endpoint, source.statementTimeoutMs)
{
    m_order.forUs = std::clamp<qint64>(order.forUs, 0, kLongestUs);
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, [this] { end(ProbeEnd::Time); });
    connect(&m_connection, &Connection::connected, this, [this] {
        shakeHands(m_connection, m_source.password,
                   [this](const base::Result<ServerFacts> &facts) { loggedIn(facts); });
    });
    connect(&m_connection, &Connection::lost, this, [this](const Error &error) { fail(error); });
    m_connection.setPushHandler([this](const redisReply *line) { take(line); });
}

void ProbeRun::keepMost(ProbeReport &report)
{
    std::ranges::sort(report.counts, [](const ProbeCount &a, const ProbeCount &b) {
        return std::tie(b.attempts, a.lock, a.client) < std::tie(a.attempts, b.lock, b.client);
    });
    report.leftOut += std::max<qint64>(0, report.counts.size() - kMostCounts);
    report.counts.resize(std::min(report.counts.size(), kMostCounts));
}

void ProbeRun::start()
{
    m_connection.open(m_source.connectTimeoutMs);
}

void ProbeRun::loggedIn(const base::Result<ServerFacts> &facts)
{
    if (!facts)
        fail(facts.error());
    else if (!m_connection.send({"MONITOR"}, [this](const redisReply *reply) { accepted(reply); }))
        fail(m_connection.failure());
}

void ProbeRun::accepted(const redisReply *reply)
{
    if (m_over)
        return;
    if (reply == nullptr) {
        fail(m_connection.failure());
        return;
    }
    if (isError(reply)) {
        const Asker asker{m_endpoint.user, {}};
        Error error = errorOf(reply, asker);
        if (error.code == ErrorCode::PermissionDenied)
            error.remedy = aclStatement(asker, "+monitor");
        fail(error);
        return;
    }
    m_listening = true;
    m_clock.start();
    m_timer.start(int(m_order.forUs / 1000));
}

void ProbeRun::take(const redisReply *line)
{
    if (!m_listening || m_over || line->type != REDIS_REPLY_STATUS)
        return;
    m_bytes += qint64(line->len);
    m_counter.take(QByteArrayView(line->str, qsizetype(line->len)));
    if (m_report.beganUs == 0)
        m_report.beganUs = m_counter.timeUs();
    if (m_counter.lines() >= m_order.mostCommands)
        end(ProbeEnd::Commands);
    else if (m_bytes >= kMostBytes)
        end(ProbeEnd::Bytes);
    else if (isLate())
        end(ProbeEnd::Behind);
}

bool ProbeRun::isLate()
{
    if (m_counter.timeUs() == 0)
        return false;
    const qint64 delayUs = m_clock.nsecsElapsed() / 1000 - m_counter.timeUs();
    m_leastDelayUs = std::min(m_leastDelayUs, delayUs);
    return delayUs - m_leastDelayUs > kLateUs;
}

void ProbeRun::end(ProbeEnd why)
{
    if (m_over)
        return;
    m_report.end = why;
    conclude();
}

void ProbeRun::fail(const Error &error)
{
    if (m_over)
        return;
    m_report.error = error;
    conclude();
}

/** Through the event loop: the connection may be in the middle of handing over a line. */
void ProbeRun::conclude()
{
    m_over = true;
    m_timer.stop();
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_connection.close();
            m_report.endedUs = m_counter.timeUs();
            m_report.commands = m_counter.lines();
            m_report.unreadable = m_counter.unreadable();
            m_report.counts = m_counter.counts();
            keepMost(m_report);
            deleteLater();
            const Done done = std::move(m_done); // it may end the owner, and this with it
            done(ProbeReport(m_report));
        },
        Qt::QueuedConnection);
}

} // namespace lockkeeper::stores::redis
