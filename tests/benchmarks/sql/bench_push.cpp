// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long after a commit a client of a real agent has the event: by the binary log, beside polling each 500
// ms, and beside a bare replication client that only receives the log's events. Counted from before the
// statement was sent, so that the server's own work is in all three. usage: bench_push [CHANGES]
#include "shared/stores/sql/binlog/log_source.h"
#include "tests/support/agent_process.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/test_client.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

using namespace lockkeeper;
using namespace lockkeeper::tests;
using namespace lockkeeper::stores::sql;

namespace {
constexpr double kGoalMs = 2.0;

struct Figures
{
    double p50 = -1;
    double p99 = -1;
};

Figures figuresOf(QList<double> ms)
{
    if (ms.isEmpty())
        return {};
    std::sort(ms.begin(), ms.end());
    return {ms.at(ms.size() / 2), ms.at(ms.size() * 99 / 100)};
}

stores::SourceSpec specOf(const MariaDbServer &server)
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    return spec;
}

QSqlQuery writer(const MariaDbServer &server)
{
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("writer"));
    database.setUserName(QStringLiteral("root"));
    database.setDatabaseName(QStringLiteral("app"));
    database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + server.socketPath());
    database.open();
    QSqlQuery query(database);
    query.exec(QStringLiteral("SET time_zone = '+00:00'"));
    query.prepare(
        QStringLiteral("REPLACE INTO shedlock VALUES (?, NOW(6) + INTERVAL 1 HOUR, NOW(6), 'host')"));
    return query;
}

bool write(QSqlQuery &query, int i)
{
    query.bindValue(0, QStringLiteral("job-%1").arg(i));
    return query.exec();
}

/** The rows' events reach an unmodified client of the library. */
Figures bare(const MariaDbServer &server, QSqlQuery &query, int changes)
{
    binlog::BinlogStream stream;
    binlog::ClockBound clock;
    const auto facts = binlog::prepareStream(stream, specOf(server), clock);
    if (!facts || !stream.dump(facts->end, 0xFFFFFF01U))
        return {};
    std::atomic<int> seen{0};
    std::thread receiver([&] {
        for (;;) {
            const auto event = stream.next();
            if (!event)
                return;
            seen += event->size() > 4 && event->at(4) == 16; // a commit
        }
    });
    QList<double> ms;
    QElapsedTimer timer;
    for (int i = 0; i < changes; ++i) {
        const int before = seen;
        timer.start();
        if (!write(query, i))
            break;
        while (seen == before && timer.elapsed() < 1'000)
            std::this_thread::yield();
        ms.append(double(timer.nsecsElapsed()) / 1e6);
    }
    stream.interrupt();
    receiver.join();
    return figuresOf(ms);
}

/** A client of an agent, as `lockkeeperctl watch` is one. */
Figures watched(const MariaDbServer &server, QSqlQuery &query, int changes, const QByteArray &how)
{
    AgentProcess agent;
    agent.configure("[[source]]\nname = \"jobs\"\nurl = \"" + server.url(QStringLiteral("app")).toEncoded() +
                    "\"\n" + how + "\n\n  [[source.locks]]\n  scheme = \"sql.shedlock\"\n");
    TestClient client;
    if (!agent.start() || !client.open(agent.socket()))
        return {};
    client.subscribe(0, true);
    if (!client.waitForEvent(
            [](const events::LockEvent &e) { return e.kind == events::EventKind::SourceUp; }))
        return {};
    (void)QTest::qWaitFor([] { return false; }, 1'500); // the first scan is over then
    QList<double> ms;
    QElapsedTimer timer;
    for (int i = 0; i < changes; ++i) {
        const qsizetype before = client.events.size();
        timer.start();
        if (!write(query, i))
            break;
        while (client.events.size() == before && timer.elapsed() < 5'000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
        ms.append(double(timer.nsecsElapsed()) / 1e6);
        (void)QTest::qWaitFor([] { return false; }, 1 + i % 7); // not in step with a poll
    }
    return figuresOf(ms);
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int changes = argc > 1 ? QByteArray(argv[1]).toInt() : 1'000;
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_BIN"))
        qputenv("LOCKKEEPER_BIN",
                (QCoreApplication::applicationDirPath() + QStringLiteral("/../../bin")).toUtf8());
    MariaDbServer server({QStringLiteral("--log-bin=binlog"), QStringLiteral("--server-id=1"),
                          QStringLiteral("--binlog-format=ROW"), QStringLiteral("--sync-binlog=0")});
    if (changes <= 0 || !server.start())
        return 1;
    server.exec(
        QStringLiteral("CREATE DATABASE app;\nCREATE TABLE app.shedlock (name VARCHAR(64) PRIMARY KEY, "
                       "lock_until TIMESTAMP(6) NOT NULL, locked_at TIMESTAMP(6) NOT NULL, "
                       "locked_by VARCHAR(255) NOT NULL)"));
    Figures floor;
    Figures push;
    Figures poll;
    {
        QSqlQuery query = writer(server);
        floor = bare(server, query, changes);
        server.exec(QStringLiteral("DELETE FROM app.shedlock"));
        push = watched(server, query, changes, "poll_ms = 500\nbinlog = true");
        server.exec(QStringLiteral("DELETE FROM app.shedlock"));
        poll = watched(server, query, std::min(changes, 40), "poll_ms = 500");
    }
    QSqlDatabase::removeDatabase(QStringLiteral("writer"));
    std::printf("from the statement to the event, ms: p50 / p99\n");
    std::printf("  bare replication client  %7.2f / %7.2f\n", floor.p50, floor.p99);
    std::printf("  watch, binary log        %7.2f / %7.2f (goal: p50 at most %.1f)\n", push.p50, push.p99,
                kGoalMs);
    std::printf("  watch, poll of 500 ms    %7.2f / %7.2f\n", poll.p50, poll.p99);
    std::printf("{\"bench\":\"sql.push\",\"n\":%d,\"value\":%.3f,\"unit\":\"ms\",\"p99\":%.3f,\"floor\":%.3f,"
                "\"ratio\":%.2f,\"poll\":%.1f,\"goal\":%.1f}\n",
                changes, push.p50, push.p99, floor.p50, push.p50 / floor.p50, poll.p50, kGoalMs);
    return push.p50 >= 0 && floor.p50 >= 0 && poll.p50 >= 0 ? 0 : 1;
}
