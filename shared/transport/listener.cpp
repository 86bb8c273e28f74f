// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/transport/listener.h"

#include <QLoggingCategory>

#include <deque>

namespace lockkeeper::transport {

Q_DECLARE_LOGGING_CATEGORY(lcTransport)

class Listener::Private
{
public:
    Timings timings;
    int maxConnections = 0;
    QList<Channel *> live;
    std::deque<std::unique_ptr<Channel>> ready;
};

Listener::Listener(QObject *parent) : QObject(parent), d(std::make_unique<Private>()) {}
Listener::~Listener() = default;

void Listener::setTimings(const Timings &timings)
{
    d->timings = timings;
}

void Listener::setMostConnections(int most)
{
    d->maxConnections = most;
}

const Timings &Listener::timings() const
{
    return d->timings;
}

const QList<Channel *> &Listener::live() const
{
    return d->live;
}

bool Listener::isFull() const
{
    return d->live.size() >= d->maxConnections;
}

void Listener::admit(std::unique_ptr<Stream> stream)
{
    if (isFull()) {
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
