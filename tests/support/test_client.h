// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/apply.h"
#include "shared/transport/client.h"

#include <QHash>
#include <QObject>

#include <optional>

namespace lockkeeper::tests {

/**
 * A client as a console is one: keeps a table by events::apply(), collects the events, and notes everything
 * that the protocol promises not to do (a hole, a double, an event before its snapshot).
 */
class TestClient : public QObject
{
    Q_OBJECT

public:
    explicit TestClient(QObject *parent = nullptr);

    /** Connects and waits for Welcome. */
    bool open(const QString &socketPath, int timeoutMs = 5'000);
    bool open(const transport::Address &address, int timeoutMs = 60'000);
    void close();
    /** Connects, receives every event from the first one on, and waits until the agent sees a source. */
    bool watch(const QString &socketPath, bool withRenewals = false, int timeoutMs = 60'000);
    /** Starts a subscription; since (exclusive) where given. */
    void subscribe(std::optional<quint64> since, bool snapshot = true, bool renewals = false);
    /** Sends a request under a new id and waits for its answer. */
    template <typename Answer, typename Request>
    std::optional<Answer> ask(Request request, int timeoutMs = 60'000)
    {
        request.id = ++m_id;
        client.send(request);
        const auto answer = wait(request.id, timeoutMs);
        if (answer && std::holds_alternative<Answer>(*answer))
            return std::get<Answer>(*answer);
        return std::nullopt;
    }
    /** Sends under a new id and doesn't wait. */
    template <typename Request> quint64 post(Request request)
    {
        request.id = ++m_id;
        client.send(request);
        return request.id;
    }
    std::optional<protocol::Message> wait(quint64 id, int timeoutMs = 60'000);
    /** The table by LocksQuery, now or as it was: its pages put together. */
    std::optional<QHash<domain::LockKey, domain::LockState>> list(int timeoutMs = 60'000,
                                                                  std::optional<qint64> atUs = {});
    bool waitForEvent(const std::function<bool(const events::LockEvent &)> &fits, int timeoutMs = 60'000);
    /** Waits for an event of a kind, of one lock where it is named. */
    bool saw(events::EventKind kind, const QByteArray &name = {}, int timeoutMs = 60'000);

    /** How many events of a kind came, of one lock where it is named. */
    qsizetype count(events::EventKind kind, const QByteArray &name = {}) const;
    /** The last of a kind, or an empty one. */
    events::LockEvent last(events::EventKind kind) const;
    /** Reads the lock and breaks it by that reading, as an operator does; Unknown where it doesn't exist. */
    domain::Outcome breakLock(const domain::LockKey &key);
    /** Breaks it by its holder's name alone. */
    domain::Outcome breakHeldBy(const domain::LockKey &key, const QByteArray &holder);

    transport::Client client;
    protocol::Welcome welcome;
    bool connected = false;
    std::optional<base::Error> end; ///< why the connection is gone
    events::AppliedLocks table;
    bool tableWhole = false;         ///< the last page of the snapshot has come
    QList<events::LockEvent> events; ///< journalled ones, in the order of their coming
    QList<events::LockEvent> renewals;
    QHash<QString, domain::SourceState> sources;
    int subscribed = 0;
    int fresh = 0;
    int unjournalled = 0;
    QStringList faults; ///< broken promises

private:
    domain::Outcome order(protocol::ForceRelease order, const domain::LockKey &key);
    void received(const protocol::Message &message);
    void take(const protocol::SnapshotPage &page);
    void take(const protocol::EventBatch &batch);
    void take(const protocol::StateBatch &batch);

    quint64 m_id = 0;
    int m_commands = 0; ///< numbers their ids
    quint64 m_subscription = 0;
    quint64 m_listing = 0;
    bool m_withTable = false;
    bool m_listed = false;
    QHash<domain::LockKey, domain::LockState> m_list;
    QHash<quint64, protocol::Message> m_answers;
};

} // namespace lockkeeper::tests
