// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/clock.h"
#include "shared/transport/local_listener.h"

#include <QObject>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockkeeper::bench {

/**
 * One made-up agent over a real local socket, whose locks change at a steady rate. Half of the changes are
 * events, half renewals. The agent keeps no journal: a client that comes back gets the whole table.
 */
class SteadyAgent : public QObject
{
public:
    struct Load
    {
        int own = 0;        ///< locks of a store that no other agent watches
        int shared = 0;     ///< locks of a store that another agent watches, too
        QByteArray partner; ///< stands for that store
        int changesPerSecond = 0;
    };

    SteadyAgent(QString name, const QString &folder, const Load &load);
    ~SteadyAgent() override;

    transport::Address address() const { return m_address; }
    void start();
    /** Like kill -9: no client is notified. */
    void stop();
    qint64 changes() const { return m_changes; }

private:
    domain::SourceState source(bool shared) const;
    domain::LockState lock(int number) const;
    void takeChannels();
    void take(transport::Channel *channel, const protocol::Message &message);
    void sendTable(transport::Channel *channel, quint64 id) const;
    void change();
    void drop(transport::Channel *channel);
    void sendToAll(const protocol::Message &message);
    quint32 next();

    const base::SystemClock m_clock;
    const QString m_name;
    const transport::Address m_address;
    const Load m_load;
    std::unique_ptr<transport::LocalListener> m_listener;
    std::vector<std::unique_ptr<transport::Channel>> m_channels;
    QList<transport::Channel *> m_subscribed;
    std::vector<quint32> m_owners; ///< of each lock, as in its events
    QTimer m_timer;
    quint64 m_seq = 1;
    qint64 m_changes = 0;
    int m_turns = 0;
    quint32 m_seed;
};

/** `count` agents with `locks` in all; with more than one a tenth of the locks is seen by two of them. */
std::vector<std::unique_ptr<SteadyAgent>> steadyAgents(int count, int locks, int changesPerSecond,
                                                       const QString &folder);

} // namespace lockkeeper::bench
