// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/redis/fair_waits.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockkeeper::locks::redis {

namespace {
constexpr qint64 kLeastWaitUs = 20'000;
constexpr qint64 kMostWaitUs = 30'000'000; ///< of who isn't told how long the holder's lease is
} // namespace

FairWaits::FairWaits(ReleaseChannels &channels, Ask ask, ChannelOf channelOf)
    : m_channels(channels), m_ask(std::move(ask)), m_channelOf(std::move(channelOf))
{
}

FairWaits::~FairWaits() = default;

void FairWaits::join(const Lease &wanted, LockClient::Done done)
{
    const quint64 id = ++m_last;
    auto wait = std::make_unique<Wait>();
    wait->wanted = wanted;
    wait->done = std::move(done);
    wait->again.setSingleShot(true);
    QObject::connect(&wait->again, &QTimer::timeout, &wait->again, [this, id] { askNow(id); });
    m_waits.emplace(id, std::move(wait));
    askNow(id);
}

void FairWaits::leave(const Lease &wanted)
{
    const auto found = std::find_if(m_waits.begin(), m_waits.end(), [&wanted](const auto &any) {
        return any.second->wanted.token == wanted.token && any.second->wanted.name == wanted.name;
    });
    if (found == m_waits.end() || std::exchange(found->second->leaves, true))
        return;
    found->second->again.stop();
    if (!found->second->asked)
        leaveQueue(found->first);
}

void FairWaits::askNow(quint64 id)
{
    const auto found = m_waits.find(id);
    if (found == m_waits.end() || found->second->leaves)
        return;
    Wait &wait = *found->second;
    if (std::exchange(wait.asked, true)) {
        wait.woken = true;
        return;
    }
    wait.woken = false;
    wait.again.stop();
    wait.sinceAsked.start();
    m_ask(ClientAct::Enqueue, wait.wanted, [this, id](const AttemptResult &result) { take(id, result); });
}

void FairWaits::take(quint64 id, const AttemptResult &result)
{
    Wait &wait = *m_waits.at(id);
    wait.asked = false;
    if (result.error) {
        // Its place would keep the others from the lock.
        m_ask(ClientAct::Leave, wait.wanted, [](const AttemptResult &) {});
        end(id, result);
    } else if (result.attempt == Attempt::Done) {
        AttemptResult taken = result;
        taken.ageUs = wait.sinceAsked.nsecsElapsed() / 1'000;
        end(id, taken);
    } else if (wait.leaves) {
        leaveQueue(id);
    } else if (!wait.listens) {
        wait.listens = true;
        m_channels.subscribe(m_channelOf(wait.wanted), [this, id] { askNow(id); });
        wait.again.start(std::chrono::seconds(2)); // should the channel not come into force
    } else if (wait.woken) {
        askNow(id);
    } else {
        const qint64 us = result.freeInUs < 0 ? kMostWaitUs : result.freeInUs + kLeastWaitUs;
        wait.again.start(std::chrono::ceil<std::chrono::milliseconds>(
            std::chrono::microseconds(std::min(us, kMostWaitUs))));
    }
}

void FairWaits::leaveQueue(quint64 id)
{
    m_ask(ClientAct::Leave, m_waits.at(id)->wanted,
          [this, id](const AttemptResult &) { end(id, AttemptResult{}); });
}

void FairWaits::end(quint64 id, const AttemptResult &result)
{
    const auto found = m_waits.find(id);
    const std::unique_ptr<Wait> wait = std::move(found->second);
    m_waits.erase(found);
    if (wait->listens)
        m_channels.unsubscribe(m_channelOf(wait->wanted));
    wait->done(result);
}

} // namespace lockkeeper::locks::redis
