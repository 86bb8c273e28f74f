// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/agents/steady_agents.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::bench {

namespace {

constexpr int kTurnMs = 100;
constexpr int kPageLocks = 500;
constexpr qint64 kTtlMs = 600'000;

} // namespace

SteadyAgent::SteadyAgent(QString name, const QString &folder, const Load &load)
    : m_name(std::move(name)),
      m_address{folder + QLatin1Char('/') + m_name},
      m_load(load),
      m_owners(size_t(load.own + load.shared)),
      m_seed(quint32(qHash(m_name)))
{
    m_timer.setParent(this);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SteadyAgent::change);
}

SteadyAgent::~SteadyAgent() = default;

void SteadyAgent::start()
{
    m_listener = std::make_unique<transport::LocalListener>();
    connect(m_listener.get(), &transport::Listener::channelReady, this, &SteadyAgent::takeChannels);
    if (const auto listens = m_listener->listen(m_address); !listens)
        qFatal("%s", qPrintable(listens.error().line()));
    m_timer.start(kTurnMs);
}

void SteadyAgent::stop()
{
    m_timer.stop();
    m_subscribed.clear();
    m_channels.clear();
    m_listener.reset();
}

domain::SourceState SteadyAgent::source(bool shared) const
{
    domain::SourceState state;
    state.name = shared ? QStringLiteral("shared") : QStringLiteral("own");
    state.store = "redis";
    state.instance = shared ? m_load.partner : "run of " + m_name.toUtf8();
    state.address = QStringLiteral("redis://h/0");
    state.link = domain::Link::Up;
    state.pollMs = 500;
    state.lastSeenUs = m_clock.wallUs();
    state.lastSeenWallUs = state.lastSeenUs;
    return state;
}

domain::LockState SteadyAgent::lock(int number) const
{
    const bool shared = number >= m_load.own;
    const qint64 nowUs = m_clock.wallUs();
    domain::LockState state;
    state.key = {shared ? QStringLiteral("shared") : QStringLiteral("own"), "redis.token", "db0",
                 "lock:" + (shared ? m_load.partner : m_name.toUtf8()) + ':' + QByteArray::number(number)};
    state.phase = domain::Phase::Held;
    state.owner = "worker-" + QByteArray::number((quint32(number) + m_owners[size_t(number)]) % 100);
    state.expiry = domain::ExpiryKind::At;
    state.ttlMs = kTtlMs;
    state.seenUs = nowUs;
    state.acquiredUs = nowUs - number;
    state.expiresUs = nowUs + kTtlMs * 1000;
    return state;
}

void SteadyAgent::takeChannels()
{
    while (auto channel = m_listener->takeChannel()) {
        transport::Channel *raw = channel.get();
        connect(raw, &transport::Channel::received, this,
                [this, raw](const auto &message) { take(raw, message); });
        connect(raw, &transport::Channel::closed, this, [this, raw] { drop(raw); });
        m_channels.push_back(std::move(channel));
    }
}

void SteadyAgent::drop(transport::Channel *channel)
{
    m_subscribed.removeOne(channel);
}

void SteadyAgent::take(transport::Channel *channel, const protocol::Message &message)
{
    if (std::holds_alternative<protocol::Hello>(message)) {
        protocol::Welcome welcome;
        welcome.agent = m_name;
        welcome.journal = "journal of " + m_name.toUtf8();
        welcome.user = QStringLiteral("ann");
        welcome.grants = domain::grantsFor(domain::Role::Admin);
        welcome.role = domain::roleName(welcome.grants.role());
        welcome.lastSeq = m_seq;
        channel->send(welcome);
        channel->setLoggedIn();
    } else if (const auto *subscribe = std::get_if<protocol::Subscribe>(&message)) {
        sendTable(channel, subscribe->id);
        m_subscribed.append(channel);
    } else if (const auto *query = std::get_if<protocol::HistoryQuery>(&message)) {
        protocol::EventPage nothing;
        nothing.id = query->id;
        channel->send(nothing);
    }
}

void SteadyAgent::sendTable(transport::Channel *channel, quint64 id) const
{
    channel->send(protocol::Subscribed{id, true, m_seq, "journal of " + m_name.toUtf8()});
    const int all = m_load.own + m_load.shared;
    for (int first = 0; first < all; first += kPageLocks) {
        protocol::SnapshotPage page{id, m_seq, false, {}, {}};
        for (int i = first; i < std::min(all, first + kPageLocks); ++i)
            page.locks.append(lock(i));
        channel->send(page);
    }
    protocol::SnapshotPage last{id, m_seq, true, {}, {source(false)}};
    if (m_load.shared > 0)
        last.sources.append(source(true));
    channel->send(last);
}

/** Sends the changes due since the turn before: half events, half renewals. */
void SteadyAgent::change()
{
    const int turnsPerSecond = 1000 / kTurnMs;
    const int due = m_load.changesPerSecond * (m_turns + 1) / turnsPerSecond -
                    m_load.changesPerSecond * m_turns / turnsPerSecond;
    protocol::EventBatch events;
    protocol::StateBatch states;
    for (int i = 0; i < due; ++i) {
        const int number = int(next() % quint32(m_owners.size()));
        if ((next() & 1u) != 0) {
            states.locks.append(lock(number));
            continue;
        }
        ++m_owners[size_t(number)];
        events::LockEvent event;
        event.seq = ++m_seq;
        event.after = lock(number);
        event.key = event.after->key;
        event.store = "redis";
        event.kind = events::EventKind::Acquired;
        event.owner = event.after->owner;
        event.timeUs = event.observedUs = *event.after->seenUs;
        events.events.append(event);
    }
    m_changes += due;
    m_turns = (m_turns + 1) % turnsPerSecond;
    if (m_turns == 0) {
        states.sources.append(source(false));
        if (m_load.shared > 0)
            states.sources.append(source(true));
    }
    if (!events.events.isEmpty())
        sendToAll(events);
    if (!states.locks.isEmpty() || !states.sources.isEmpty())
        sendToAll(states);
}

void SteadyAgent::sendToAll(const protocol::Message &message)
{
    for (transport::Channel *channel : std::as_const(m_subscribed))
        channel->send(message);
}

quint32 SteadyAgent::next()
{
    m_seed = m_seed * 1664525u + 1013904223u;
    return m_seed >> 8;
}

std::vector<std::unique_ptr<SteadyAgent>> steadyAgents(int count, int locks, int changesPerSecond,
                                                       const QString &folder)
{
    const int pairs = count / 2;
    const int sharedEach = pairs > 0 ? locks / 10 / pairs : 0;
    const int own = locks - sharedEach * pairs;
    std::vector<std::unique_ptr<SteadyAgent>> agents;
    for (int i = 0; i < count; ++i) {
        SteadyAgent::Load load;
        load.own = own * (i + 1) / count - own * i / count;
        load.shared = i < 2 * pairs ? sharedEach : 0;
        load.partner = "pair" + QByteArray::number(i / 2);
        load.changesPerSecond = changesPerSecond * (i + 1) / count - changesPerSecond * i / count;
        agents.push_back(std::make_unique<SteadyAgent>(
            QStringLiteral("agent%1").arg(i, 2, 10, QLatin1Char('0')), folder, load));
    }
    return agents;
}

} // namespace lockkeeper::bench
