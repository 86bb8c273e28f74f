// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/listener.h"

#include <QLoggingCategory>

#include <deque>

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

namespace {
constexpr qsizetype kMostStrangers = 128;
} // namespace

class Listener::Private
{
public:
    bool isFull() const { return live.size() >= maxConnections; }

    Timings timings;
    int maxConnections = 0;
    QList<Channel *> live; ///< channels not closed yet, taken or not; oldest first
    std::deque<std::unique_ptr<Channel>> ready;
};

Listener::Listener() : d(std::make_unique<Private>()) {}
Listener::~Listener() = default;

void Listener::setTimings(const Timings &timings)
{
    d->timings = timings;
}

void Listener::setMostConnections(int most)
{
    d->maxConnections = most;
}

void Listener::makeRoom()
{
    QList<Channel *> strangers;
    for (Channel *channel : std::as_const(d->live)) {
        if (!channel->isLoggedIn())
            strangers.append(channel);
    }
    if (strangers.isEmpty() || (strangers.size() < kMostStrangers && !d->isFull()))
        return;
    Channel *worst = mostIntrusive(strangers, [](const Channel *channel) {
        const auto machine = channel->tlsPeer();
        return machine ? machine->address : channel->peerUser();
    });
    worst->drop({base::ErrorCode::Busy, QStringLiteral("too many connections wait to log in"), {}});
}

void Listener::admit(std::unique_ptr<Stream> stream)
{
    makeRoom();
    if (d->isFull()) {
        qCWarning(lcTransport, "refused a connection: %d are open", d->maxConnections);
        stream->abort();
        return;
    }
    auto channel = std::make_unique<Channel>(std::move(stream), d->timings);
    Channel *key = channel.get();
    d->live.append(key);
    connect(key, &Channel::closed, this, [this, key] { d->live.removeOne(key); });
    connect(key, &QObject::destroyed, this, [this, key] { d->live.removeOne(key); });
    d->ready.push_back(std::move(channel));
    Q_EMIT channelReady();
}

void Listener::dropReady()
{
    d->ready.clear();
}

std::unique_ptr<Channel> Listener::takeChannel()
{
    while (!d->ready.empty()) {
        std::unique_ptr<Channel> channel = std::move(d->ready.front());
        d->ready.pop_front();
        if (channel->isOpen())
            return channel;
    }
    return nullptr;
}

} // namespace lockkeeper::transport
