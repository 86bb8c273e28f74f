// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/apply.h"
#include "shared/transport/local_listener.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

namespace lockkeeper::tests {

/** A lock in place db0 of source "s", held without an expiry. */
inline domain::LockState heldLock(const QByteArray &name, const QByteArray &owner = "w1",
                                  const QString &source = {})
{
    domain::LockState state;
    state.key = {source.isEmpty() ? QStringLiteral("s") : source, "redis.token", "db0", name};
    state.phase = domain::Phase::Held;
    state.owner = owner;
    state.expiry = domain::ExpiryKind::None;
    return state;
}

inline events::LockEvent acquired(const domain::LockState &state, quint64 seq = 0)
{
    events::LockEvent event;
    event.seq = seq;
    event.key = state.key;
    event.kind = events::EventKind::Acquired;
    event.owner = state.owner;
    event.after = state;
    return event;
}

/** A released lock that has left the table. */
inline events::LockEvent released(const domain::LockState &state, quint64 seq = 0)
{
    events::LockEvent event = acquired(state, seq);
    event.kind = events::EventKind::Released;
    event.after.reset();
    return event;
}

/** An agent within the test, over a real local socket: keeps a journal, serves subscriptions, answers by
 * `answer`. */
class ReplayAgent : public QObject
{
public:
    using Answer = std::function<std::optional<protocol::Message>(const protocol::Message &)>;

    transport::Address address() const { return {m_folder.filePath(QStringLiteral("agent.sock"))}; }

    bool start()
    {
        m_listener = std::make_unique<transport::LocalListener>();
        connect(m_listener.get(), &transport::Listener::channelReady, this, [this] { takeChannels(); });
        return m_listener->listen(address()).has_value();
    }
    /** Stops without notice, as `kill -9` would. */
    void stop()
    {
        m_channels.clear();
        m_subscribed.clear();
        m_listener.reset();
    }
    void publish(events::LockEvent event)
    {
        event.seq = table.seq + 1;
        events::apply(event, table);
        journal.append(event);
        sendToAll(protocol::EventBatch{{event}});
    }
    void sendToAll(const protocol::Message &message)
    {
        for (transport::Channel *channel : std::as_const(m_subscribed))
            channel->send(message);
    }
    template <typename T> QList<T> received() const
    {
        QList<T> found;
        for (const protocol::Message &message : m_received) {
            if (const auto *one = std::get_if<T>(&message))
                found.append(*one);
        }
        return found;
    }
    int connections() const { return m_connections; }

    QString name = QStringLiteral("fake");
    QList<domain::SourceState> sources; ///< sent with the table
    events::AppliedLocks table;
    QList<events::LockEvent> journal;
    QByteArray journalId = "journal-1";
    bool alwaysFresh = false;
    std::optional<qint64> wallUs;         ///< its clock, if different from this computer's
    QString user = QStringLiteral("ann"); ///< the client's user name, as the agent sees it
    domain::Grants grants = domain::grantsFor(domain::Role::Admin);
    Answer answer;

private:
    void takeChannels()
    {
        while (auto channel = m_listener->takeChannel()) {
            ++m_connections;
            transport::Channel *raw = channel.get();
            connect(raw, &transport::Channel::received, this,
                    [this, raw](const auto &message) { take(raw, message); });
            connect(raw, &transport::Channel::closed, this, [this, raw] { m_subscribed.removeOne(raw); });
            m_channels.push_back(std::move(channel));
        }
    }
    void take(transport::Channel *channel, const protocol::Message &message)
    {
        m_received.append(message);
        if (std::holds_alternative<protocol::Hello>(message)) {
            protocol::Welcome welcome;
            welcome.agent = name;
            welcome.journal = journalId;
            welcome.user = user;
            welcome.role = domain::roleName(grants.role());
            welcome.grants = grants;
            welcome.lastSeq = table.seq;
            channel->send(welcome);
            channel->setLoggedIn();
            if (wallUs)
                channel->send(protocol::Pong{1, table.seq, *wallUs}); // before the channel's own
        } else if (const auto *subscribe = std::get_if<protocol::Subscribe>(&message)) {
            serve(channel, *subscribe);
        } else if (answer) {
            if (const auto reply = answer(message))
                channel->send(*reply);
        }
    }
    void serve(transport::Channel *channel, const protocol::Subscribe &subscribe)
    {
        if (!m_subscribed.contains(channel))
            m_subscribed.append(channel);
        const bool resumes = subscribe.since && subscribe.journal == journalId && !alwaysFresh;
        if (resumes) {
            channel->send(protocol::Subscribed{subscribe.id, false, *subscribe.since, journalId});
            protocol::EventBatch batch;
            for (const events::LockEvent &event : std::as_const(journal)) {
                if (event.seq > *subscribe.since)
                    batch.events.append(event);
            }
            if (!batch.events.isEmpty())
                channel->send(batch);
            return;
        }
        channel->send(protocol::Subscribed{subscribe.id, true, table.seq, journalId});
        for (const domain::LockState &lock : std::as_const(table.locks))
            channel->send(protocol::SnapshotPage{subscribe.id, table.seq, false, {lock}, {}});
        channel->send(protocol::SnapshotPage{subscribe.id, table.seq, true, {}, sources});
    }

    QTemporaryDir m_folder;
    std::unique_ptr<transport::LocalListener> m_listener;
    std::vector<std::unique_ptr<transport::Channel>> m_channels;
    QList<transport::Channel *> m_subscribed;
    QList<protocol::Message> m_received;
    int m_connections = 0;
};

} // namespace lockkeeper::tests
