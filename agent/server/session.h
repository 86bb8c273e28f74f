// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/commands/dispatcher.h"
#include "agent/server/stream.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <stop_token>

namespace lockkeeper::agent::server {

/** What every session works with; all of it outlives the sessions. */
struct Services
{
    Publisher &publisher;
    journal::Journal &journal;
    commands::Dispatcher &dispatcher;
    QString agent;     ///< the configured name
    QString agentUser; ///< whom the process runs as
};

/**
 * One client: Hello within 10 s, then requests and at most one subscription. A client that sends what the
 * protocol doesn't allow, or asks on without reading its answers, is told Goodbye. Owns its channel.
 */
class Session : public QObject
{
    Q_OBJECT

public:
    Session(std::unique_ptr<transport::Channel> channel, const Services &services, QObject *parent = nullptr);
    ~Session() override;

    /** Bytes that wait to be sent. */
    qint64 waitingBytes() const;
    /** Tells the client that the agent ends. */
    void shutDown();

Q_SIGNALS:
    void ended();

private:
    void received(const protocol::Message &message);
    void greet(const protocol::Hello &hello);
    void request(const protocol::Message &message);
    void listLocks(const protocol::LocksQuery &query);
    void listPastLocks(const protocol::LocksQuery &query);
    void sendPages(quint64 id, const SnapshotPtr &snapshot);
    void cancel(quint64 id);
    void reply(quint64 id, const protocol::Message &message);
    void goodbye(base::ErrorCode code, const QString &cause, const QString &remedy = {});

    Services m_services;
    std::unique_ptr<transport::Channel> m_channel;
    std::unique_ptr<Stream> m_stream;
    commands::Asker m_asker;
    std::map<quint64, std::stop_source>
        m_pending; ///< requests that have not been answered; stopped: taken back
    QHash<quint64, PageWriter *> m_listings;
    QTimer m_helloDue;
    bool m_greeted = false;
    bool m_ended = false;
};

} // namespace lockkeeper::agent::server
