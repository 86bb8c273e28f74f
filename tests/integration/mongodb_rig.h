// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/shared/stores/mongodb/document_client.h"
#include "tests/support/agent_process.h"
#include "tests/support/program.h"
#include "tests/support/test_client.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace lockkeeper::tests {

/** An agent that watches the collection "locks" of a MongoDB as source "s", and a client of that agent. */
struct MongodbRig
{
    /** Starts the agent, and waits until it sees the server. `more` are lines of the lock set, `settings` of
     * the source. */
    bool begin(const QByteArray &url, bool push, const QByteArray &more = {}, const QByteArray &settings = {})
    {
        agent->configure("[[source]]\nname = \"s\"\nurl = \"" + url + "\"\npoll_ms = 50\n" +
                         "connect_timeout_ms = 2000\n" + (push ? "push = true\n" : "") + settings +
                         "  [[source.locks]]\n  scheme = \"mongodb.ttl\"\n  table = \"locks\"\n" + more);
        return agent->start() && client->watch(agent->socket());
    }
    bool saw(events::EventKind kind) const { return client->saw(kind); }
    static domain::LockKey key(const QByteArray &name = "a")
    {
        return {QStringLiteral("s"), "mongodb.ttl", "app.locks", name};
    }
    domain::LockState state(const QByteArray &name = "a") const
    {
        return client->table.locks.value(key(name));
    }
    /**
     * The kinds of the events of this lock and of its source, for the message of a test that misses an event.
     */
    QByteArray told(const QByteArray &name = "a") const
    {
        QByteArray kinds = "told:";
        for (const events::LockEvent &event : client->events) {
            if (event.key.name == name || event.key.name.isEmpty())
                kinds += ' ' + QByteArray(events::kindName(event.kind).data());
        }
        return kinds + (isPushed() ? ", pushed" : ", polled");
    }
    bool isPushed() const
    {
        return client->sources.value(QStringLiteral("s")).mode == domain::ObservationMode::Push;
    }
    Output ctl(const QStringList &arguments) const
    {
        return run("lockkeeperctl",
                   QStringList{QStringLiteral("--agent"), QLatin1String("local:") + agent->socket()} +
                       arguments);
    }
    /** The output of `lockkeeperctl --json …`, one object a line. */
    QList<QJsonObject> json(const QStringList &arguments) const
    {
        QList<QJsonObject> lines;
        for (const QByteArray &line :
             ctl(QStringList{QStringLiteral("--json")} + arguments).out.trimmed().split('\n'))
            lines.append(QJsonDocument::fromJson(line).object());
        return lines;
    }
    void stop()
    {
        client.reset();
        agent.reset();
    }

    std::unique_ptr<AgentProcess> agent = std::make_unique<AgentProcess>();
    std::unique_ptr<TestClient> client = std::make_unique<TestClient>();
};

/** The rows of a test that needs to know `push`. */
inline void bothWays()
{
    QTest::addColumn<bool>("push");
    QTest::newRow("polled") << false;
    QTest::newRow("followed") << true;
}

/** A holder's document, dated by the application's clock, as its clients do. */
inline QByteArray lockDocument(const QByteArray &who, const QByteArray &name = "a", qint64 agoMs = 0)
{
    const QByteArray ms = QByteArray::number(QDateTime::currentMSecsSinceEpoch() - agoMs);
    const QByteArray date = "{\"$date\": {\"$numberLong\": \"" + ms + "\"}}";
    return "{\"_id\": \"" + name + "\", \"acquirer\": \"" + who + "\", \"acquiredAt\": " + date +
           ", \"updatedAt\": " + date + '}';
}

inline constexpr char kTtlOf120s[] = R"({"key": {"updatedAt": 1}, "name": "ttl", "expireAfterSeconds": 120})";

} // namespace lockkeeper::tests
