// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/application/agent.h"
#include "tests/support/fake_store.h"
#include "tests/support/test_client.h"

#include <QFile>
#include <QHash>
#include <QLocalSocket>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <chrono>
#include <memory>

namespace lockkeeper::tests {

/** A whole agent in this process, over a store in memory. */
struct AgentWorld
{
    QTemporaryDir folder;
    base::SystemClock clock;
    agent::config::Config config;
    FakeStore *store = nullptr; ///< of the last source that was made
    QHash<QString, FakeStore *> stores;
    std::unique_ptr<agent::application::Agent> agent;

    AgentWorld()
    {
        config.file = folder.filePath(QStringLiteral("agent.toml"));
        config.name = QStringLiteral("test");
        config.dataDir = folder.filePath(QStringLiteral("data"));
        config.journalPath = config.dataDir + QStringLiteral("/journal.db");
        config.auditKey = config.dataDir + QStringLiteral("/audit.key");
        config.listen = {QStringLiteral("local:agent.sock")};
        stores::SourceSpec spec;
        spec.name = QStringLiteral("memory");
        spec.url = QUrl(QStringLiteral("redis://127.0.0.1:1/0"));
        spec.pollMs = 20;
        stores::LockSet set;
        set.scheme = "redis.token";
        spec.locks.append(set);
        config.sources.append(spec);
    }
    QString socket() const { return config.dataDir + QStringLiteral("/agent.sock"); }
    bool start()
    {
        agent.reset();
        agent = std::make_unique<agent::application::Agent>(
            config, clock, [this](const stores::SourceSpec &spec) {
                auto made = std::make_unique<FakeStore>(spec, clock);
                store = made.get();
                stores.insert(spec.name, store);
                return base::Result<std::unique_ptr<stores::Store>>(std::move(made));
            });
        const auto started = agent->start();
        if (!started)
            qWarning("%s", qPrintable(started.error().line()));
        return started.has_value();
    }
    /** Connects a client that receives every event from the first one on. */
    bool watchedBy(TestClient &client) const
    {
        if (!client.open(socket()))
            return false;
        client.subscribe(0, false);
        return true;
    }
    /** Starts the agent and connects the client. */
    bool startWith(TestClient &client) { return start() && client.open(socket()); }
    /** The same with a client that receives every event. */
    bool startWatchedBy(TestClient &client) { return start() && watchedBy(client); }
    /** The same with a lock that "alice" holds, as soon as the client knows. */
    bool startHolding(const QByteArray &name, TestClient &client)
    {
        if (!start())
            return false;
        store->hold(name, "alice");
        return watchedBy(client) && client.saw(events::EventKind::Acquired, name);
    }
    /**
     * Writes the file for the next reload(): the agent's settings from the present `config`, one source, and
     * `more`.
     */
    bool writeConfig(const QByteArray &more = {}, const QByteArray &source = "memory") const
    {
        const QByteArray metrics =
            config.metrics.isEmpty() ? QByteArray() : "metrics = \"" + config.metrics.toUtf8() + "\"\n";
        QFile file(config.file);
        return file.open(QIODevice::WriteOnly) &&
               file.write("[agent]\nname = \"test\"\ndata_dir = \"" + config.dataDir.toUtf8() +
                          "\"\nlisten = [\"" + config.listen.join(QLatin1String("\", \"")).toUtf8() +
                          "\"]\n" + metrics + "[[source]]\nname = \"" + source +
                          "\"\nurl = \"redis://127.0.0.1:1/0\"\npoll_ms = 100\n[[source.locks]]\n"
                          "scheme = \"redis.token\"\n" +
                          more) > 0;
    }
    domain::LockKey key(const QByteArray &name) const
    {
        return {QStringLiteral("memory"), "redis.token", "db0", name};
    }
    /** Some turns of an agent's end go by. */
    static bool letTurnsPass()
    {
        QTimer turns;
        int count = 0;
        QObject::connect(&turns, &QTimer::timeout, &turns, [&count] { ++count; });
        turns.start(std::chrono::milliseconds(10)); // as the end's own
        return QTest::qWaitFor([&count] { return count >= 5; }, 60'000);
    }
    /** Some locks are taken, some renewed, some dropped. */
    void churn(int changes, int names)
    {
        auto *random = QRandomGenerator::global();
        for (int i = 0; i < changes; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(random->bounded(names));
            switch (random->bounded(4)) {
            case 0:
                store->drop(name);
                break;
            case 1:
                store->renew(name, 60'000'000);
                break;
            default:
                store->hold(name, "owner-" + QByteArray::number(random->generate()), 60'000'000);
            }
        }
    }
};

/** A client of raw bytes that reads only on request. */
class RawClient
{
public:
    bool open(const QString &path)
    {
        socket.setReadBufferSize(4'096);
        socket.connectToServer(path);
        return socket.waitForConnected(2'000);
    }
    void send(const protocol::Message &message) { socket.write(protocol::frame(protocol::encode(message))); }
    /** Reads the received messages; false on bytes that aren't one. */
    bool read(QList<protocol::Message> &out)
    {
        socket.setReadBufferSize(0);
        deframer.setLimit(protocol::kMaxFrame);
        const QByteArray bytes = socket.readAll();
        if (records)
            received += bytes;
        deframer.feed(bytes);
        for (;;) {
            auto next = deframer.next();
            if (!next)
                return false;
            if (!*next)
                return true;
            const auto message = protocol::decode(**next);
            if (!message)
                return false;
            if (const auto *ping = std::get_if<protocol::Ping>(&*message))
                send(protocol::Pong{ping->number, 0, 0});
            else if (!std::holds_alternative<protocol::Pong>(*message))
                out.append(*message);
        }
    }

    QLocalSocket socket;
    bool records = false;
    QByteArray received; ///< all bytes, while it records
    protocol::Deframer deframer{protocol::kMaxFrame};
};

} // namespace lockkeeper::tests
