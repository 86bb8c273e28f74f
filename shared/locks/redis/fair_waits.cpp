// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/fair_waits.h"

#include "shared/base/clock.h"
#include "shared/stores/redis/connection/redirect.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks::redis {

using namespace stores::redis;
using namespace stores;

namespace {
constexpr qint64 kLeastWaitUs = 20'000;
constexpr qint64 kMostWaitUs = 30'000'000; ///< longest wait, also if the holder's lease isn't known
constexpr qint64 kUnheardUs = 2'000'000;   ///< wait while the subscription isn't in force
constexpr std::chrono::milliseconds kFirstRetry(250);
constexpr int kMostFailures = 5; ///< in a row; the wait between them doubles each time
} // namespace

FairWaits::FairWaits(ReleaseChannels &channels, Ask ask, ChannelOf channelOf)
    : m_channels(channels), m_ask(std::move(ask)), m_channelOf(std::move(channelOf))
{
}

FairWaits::~FairWaits() = default;

void FairWaits::join(const Lease &wanted, LockClient::Done done)
{
    const quint64 id = ++m_last;
    auto wait = std::make_unique<FairWait>();
    wait->wanted = wanted;
    wait->done = std::move(done);
    wait->channel = m_channelOf(wanted.name) + ':' + wanted.token;
    m_byChannel.insert(wait->channel, id);
    ++m_lines[wanted.name].waiting;
    wait->again.setSingleShot(true);
    QObject::connect(&wait->again, &QTimer::timeout, &wait->again, [this, id] { askNow(id); });
    m_waits.emplace(id, std::move(wait));
    askNow(id);
}

void FairWaits::leave(const Lease &wanted)
{
    const auto found = m_waits.find(m_byChannel.value(m_channelOf(wanted.name) + ':' + wanted.token));
    if (found == m_waits.end() || std::exchange(found->second->leaves, true))
        return;
    found->second->again.stop();
    if (!found->second->asked)
        leaveQueue(found->first);
    else // this object may be destroyed before the request is answered
        m_ask(ClientAct::Release, found->second->wanted, [](const AttemptResult &) {});
}

void FairWaits::askNow(quint64 id)
{
    const auto found = m_waits.find(id);
    if (found == m_waits.end() || found->second->leaves)
        return;
    FairWait &wait = *found->second;
    if (std::exchange(wait.asked, true)) {
        wait.woken = true;
        return;
    }
    wait.woken = false;
    wait.again.stop();
    wait.askedUs = base::SleeplessClock().monotonicUs();
    m_ask(ClientAct::Enqueue, wait.wanted, [this, id](const AttemptResult &result) { take(id, result); });
}

void FairWaits::askAll(const QByteArray &name)
{
    for (const auto &[id, wait] : m_waits) {
        if (wait->wanted.name == name)
            askNow(id);
    }
}

void FairWaits::take(quint64 id, const AttemptResult &result)
{
    FairWait &wait = *m_waits.at(id);
    wait.asked = false;
    const bool place = wait.stands || !result.lease.token.isEmpty();
    if (result.error && place && !wait.leaves && base::isTransient(result.error->code) &&
        ++wait.failures < kMostFailures) {
        wait.stands = true;
        wait.again.start(kFirstRetry * (1 << (wait.failures - 1)));
    } else if (result.error) {
        AttemptResult failed = result;
        if (place)
            failed.lease = placeOf(wait.wanted);
        end(id, failed);
    } else if (result.attempt == Attempt::Done) {
        AttemptResult taken = result;
        taken.ageUs = base::SleeplessClock().monotonicUs() - wait.askedUs;
        end(id, taken);
    } else if (wait.leaves) {
        leaveQueue(id);
    } else {
        waitOn(id, wait, result.freeInUs);
    }
}

void FairWaits::waitOn(quint64 id, FairWait &wait, qint64 freeInUs)
{
    wait.stands = true;
    wait.failures = 0;
    const bool hears = listen(id, wait);
    if (wait.woken) {
        askNow(id);
        return;
    }
    const qint64 us = !hears ? kUnheardUs : freeInUs < 0 ? kMostWaitUs : freeInUs + kLeastWaitUs;
    wait.again.start(
        std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(std::min(us, kMostWaitUs))));
}

bool FairWaits::listen(quint64 id, FairWait &wait)
{
    const QByteArray &name = wait.wanted.name;
    if (m_noPatterns || m_channels.hasShards()) {
        if (!std::exchange(wait.listens, true))
            m_channels.subscribe(wait.channel, [this, id] {
                if (const auto found = m_waits.find(id); found != m_waits.end())
                    found->second->hears = true;
                askNow(id);
            });
        return wait.hears;
    }
    FairQueue &line = m_lines[name];
    if (!std::exchange(line.listens, true))
        m_channels.subscribePattern(
            patternOf(name), [this, name](const QByteArray &channel) { onHeard(name, channel); },
            [this, name] {
                m_noPatterns = true;
                askAll(name); // makes each waiter subscribe to its own channel
            });
    return line.hears;
}

void FairWaits::onHeard(const QByteArray &name, const QByteArray &channel)
{
    if (!channel.isEmpty()) {
        askNow(m_byChannel.value(channel));
        return;
    }
    m_lines[name].hears = true;
    askAll(name); // earlier announcements weren't heard
}

/** The pattern for the channels of all waiters for the lock, here and in other clients. */
QByteArray FairWaits::patternOf(const QByteArray &name) const
{
    QByteArray pattern;
    const QByteArray channel = m_channelOf(name);
    for (const char c : channel) {
        if (QByteArrayView("\\*?[]").contains(c))
            pattern += '\\';
        pattern += c;
    }
    return pattern + ":*";
}

void FairWaits::leaveQueue(quint64 id)
{
    m_ask(ClientAct::Release, m_waits.at(id)->wanted, [this, id](const AttemptResult &left) {
        AttemptResult result{.error = left.error};
        // A cluster's node answers where the queue has moved to. After any other error the release is
        // retried.
        if (left.error && !redirectOf(left.error->cause.toUtf8())) {
            result.error->code = base::ErrorCode::ConnectionLost;
            result.lease = placeOf(m_waits.at(id)->wanted);
        }
        end(id, result);
    });
}

void FairWaits::end(quint64 id, const AttemptResult &result)
{
    const auto found = m_waits.find(id);
    const std::unique_ptr<FairWait> wait = std::move(found->second);
    m_waits.erase(found);
    m_byChannel.remove(wait->channel);
    if (wait->listens)
        m_channels.unsubscribe(wait->channel);
    const auto line = m_lines.find(wait->wanted.name);
    if (--line->waiting == 0) {
        if (line->listens)
            m_channels.unsubscribe(patternOf(wait->wanted.name));
        m_lines.erase(line);
    }
    wait->done(result);
}

} // namespace lockkeeper::locks::redis
