// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/invalidation/tracker.h"

#include <algorithm>
#include <hiredis/hiredis.h>
#include <utility>

namespace lockkeeper::stores::redis::push {

using namespace std::chrono_literals;
using base::Error;
using base::ErrorCode;

namespace {
constexpr auto kCheckEvery = 5s;
constexpr int kFirstRetryMs = 250;
constexpr int kLastRetryMs = 30'000;

/** The flags of CLIENT TRACKINGINFO: a list of names and values. */
QList<QByteArray> flagsOf(const redisReply *reply)
{
    QList<QByteArray> flags;
    for (size_t i = 0; reply->type == REDIS_REPLY_ARRAY && i + 1 < reply->elements; i += 2) {
        if (bytesOf(reply->element[i]) != "flags")
            continue;
        for (size_t j = 0; j < reply->element[i + 1]->elements; ++j)
            flags.append(bytesOf(reply->element[i + 1]->element[j]).toByteArray());
    }
    return flags;
}
} // namespace

Tracker::Tracker(RedisConnection &data, const SourceSpec &spec, QObject *parent)
    : QObject(parent),
      m_data(data),
      m_spec(spec),
      m_subscriber(
          spec, [this](const Notification &what) { hear(what); }, [this] { pump(); }),
      m_barrier(line()),
      m_budget(spec.pushCommandsPerSecond)
{
    for (QElapsedTimer *clock : {&m_clock, &m_sincePage, &m_sinceTold})
        clock->start();
    connect(&m_subscriber, &Subscriber::ready, this, &Tracker::track);
    connect(&m_subscriber, &Subscriber::lost, this, &Tracker::lose);
    for (QTimer *timer : {&m_retry, &m_pump, &m_idle})
        timer->setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &Tracker::connectNow);
    m_pump.setTimerType(Qt::PreciseTimer);
    connect(&m_pump, &QTimer::timeout, this, &Tracker::pump);
    connect(&m_idle, &QTimer::timeout, this, [this] {
        m_barrier.renew();
        m_idle.start(proofPauseMs(m_sinceTold.elapsed()));
    });
    m_check.setInterval(kCheckEvery);
    connect(&m_check, &QTimer::timeout, this, &Tracker::check);
}

Tracker::~Tracker()
{
    m_subscriber.disconnect(this);
}

Barrier::BarrierCalls Tracker::line()
{
    const auto askTime = [this](std::function<void(qint64)> then) {
        m_data.send({"TIME"}, [this, link = m_links, then = std::move(then)](const redisReply *reply) {
            const auto us = timeOf(reply);
            if (us && isCurrent(link))
                then(*us);
        });
    };
    const auto ping = [this] {
        m_subscriber.ping([this, link = m_links] {
            if (isCurrent(link))
                m_barrier.ponged();
        });
    };
    return {askTime, ping, [this](qint64 us) { onProven(us); }};
}

void Tracker::open(const ReadMode &mode, const QByteArray &runId)
{
    close();
    m_open = true;
    m_mode = mode;
    m_runId = runId;
    m_mode.wholeKeys = true;
    m_failures = 0;
    m_commandsAKey = 1;
    QList<QByteArray> beside;
    for (const auto &scheme : *m_mode.schemes) {
        m_commandsAKey = std::max(m_commandsAKey, scheme->commandsAKey());
        for (const QByteArrayView prefix : scheme->besidePrefixes())
            beside.append(prefix.toByteArray());
    }
    m_prefixes = trackedPrefixes(m_spec.locks, beside);
    if (!m_prefixes.isEmpty()) {
        connectNow();
        return;
    }
    const Error noPrefix{
        ErrorCode::Unsupported,
        QStringLiteral("a lock set's match has no fixed prefix: the server would report every key"),
        QStringLiteral("Give match a fixed prefix (\"lock:*\"), or remove push.")};
    setState({false, false, noPrefix});
}

void Tracker::close()
{
    m_open = m_answered = false;
    m_subscriber.close();
    m_retry.stop();
    m_state = {};
    drop();
}

/** The subscription has ended: all waiting callers are answered. */
void Tracker::drop()
{
    ++m_links;
    for (QTimer *timer : {&m_idle, &m_pump, &m_check})
        timer->stop();
    m_changed.clear();
    m_members.clear();
    m_pages = 0;
    m_oneDatabase = false;
    m_barrier.end();
    while (!m_waitingLooks.empty())
        sendLook(); // as where the source is polled
    m_changed.callRead();
}

void Tracker::connectNow()
{
    m_subscriber.open(m_data.endpoint(), m_prefixes, m_runId);
}

/** The subscription stands: from now on the server shall send notifications to it. */
void Tracker::track(qint64 id)
{
    m_data.send({"CLIENT", "TRACKING", "OFF"}, [](const redisReply *) {});
    auto sinceUs = std::make_shared<qint64>(0);
    m_data.send({"TIME"}, [sinceUs](const redisReply *reply) { *sinceUs = timeOf(reply).value_or(0); });
    QList<QByteArray> words{"CLIENT", "TRACKING", "ON", "REDIRECT", QByteArray::number(id), "BCAST"};
    for (const QByteArray &prefix : std::as_const(m_prefixes))
        words += {"PREFIX", prefix};
    m_data.send(words, [this, sinceUs, link = m_links](const redisReply *reply) {
        if (reply == nullptr || link != m_links)
            return;
        if (isError(reply))
            m_subscriber.fail(pushError(reply, m_data.endpoint()));
        else
            tracked(*sinceUs);
    });
}

void Tracker::tracked(qint64 sinceUs)
{
    ++m_links;
    m_failures = 0;
    m_swaps = -1;
    m_checkedUs = m_seenUs = 0;
    m_barrier.begin(sinceUs);
    m_sinceTold.start();
    m_idle.start(proofPauseMs(0));
    m_check.start();
    setState({true, true, {}});
    check();
}

void Tracker::lose(const Error &why)
{
    if (!m_open)
        return;
    const PushState off{false, m_state.on, why, toldUntilUs()};
    const bool news = m_state.on || !m_answered || m_state.why.cause != why.cause;
    const int doubled = kFirstRetryMs << std::min(m_failures++, 7);
    m_retry.start(base::isTransient(why.code) ? std::min(doubled, kLastRetryMs) : kLastRetryMs);
    if (news)
        setState(off);
    drop();
}

void Tracker::setState(const PushState &state)
{
    m_state = state;
    m_answered = true;
    Q_EMIT stateChanged(state);
}

/** Looks for events without a notification: the server dropped a redirection, or databases were swapped. */
void Tracker::check()
{
    m_data.send({"CLIENT", "TRACKINGINFO"}, [this, link = m_links](const redisReply *reply) {
        // Forbidden, or a server before 6.2: only the subscriber's own PING is left.
        if (reply == nullptr || isError(reply) || !isCurrent(link))
            return;
        const QList<QByteArray> flags = flagsOf(reply);
        if (!flags.contains("on") || flags.contains("broken_redirect"))
            m_subscriber.fail({ErrorCode::ConnectionLost,
                               QStringLiteral("the server has ended the tracking of changed keys"),
                               {}});
    });
    const auto sinceUs = std::make_shared<qint64>(0);
    const auto info = std::make_shared<QByteArray>();
    m_data.send({"TIME"}, [sinceUs](const redisReply *reply) { *sinceUs = timeOf(reply).value_or(0); });
    for (const char *section : {"keyspace", "server"}) {
        m_data.send({"INFO", section}, [info](const redisReply *reply) {
            if (reply != nullptr && !isError(reply))
                *info += bytesOf(reply);
        });
    }
    m_data.send({"INFO", "commandstats"}, [this, link = m_links, sinceUs, info](const redisReply *reply) {
        if (reply != nullptr && !isError(reply) && isCurrent(link))
            takeDatabases(*info + bytesOf(reply).toByteArray(), *sinceUs);
    });
}

void Tracker::takeDatabases(const QByteArray &info, qint64 sinceUs)
{
    const Databases found = databasesOf(info);
    m_oneDatabase = found.onlyFirst && m_data.endpoint().database == 0;
    // SWAPDB changes everything and notifies nobody.
    const bool swapped = m_swaps >= 0 && found.swaps != m_swaps;
    m_swaps = found.swaps;
    const qint64 before = std::exchange(m_checkedUs, sinceUs);
    if (swapped)
        everything(before);
}

} // namespace lockkeeper::stores::redis::push
