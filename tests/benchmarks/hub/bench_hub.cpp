// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// EVENTS events (4,000,000 unless told) of four agents at the pace of 100,000,000 a month, so that a day's
// partition is as full as there. HubWriter writes them into a private PostgreSQL; in the same run a bare COPY
// writes the same rows into tables of the same shape, without the hub's triggers and functions. Then the
// bytes an event, and four questions that a reader asks.
// usage: bench_hub [EVENTS [BATCH]]
#include "agent/hub/hub_rows.h"
#include "agent/hub/hub_schema.h"
#include "agent/hub/hub_writer.h"
#include "shared/base/clock.h"
#include "tests/benchmarks/hub/fleet_life.h"
#include "tests/support/postgres_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::agent::hub;
using bench::FleetLife;

namespace {
constexpr int kAgents = 4;
constexpr int kLocksOfAgent = 5'000;
constexpr qint64 kEventsOfDay = 100'000'000 / 30;
constexpr double kGoalRatio = 0.5;
constexpr double kGoalBytes = 120;
constexpr int kRounds = 3;

struct TimedQuestion
{
    const char *name;
    const char *sql;
    double goalMs; ///< at 100,000,000 events
};
constexpr TimedQuestion kQuestions[] = {
    {"last 1,000 events of a lock", "SELECT count(at) FROM lockkeeper.lock_events_v1(1, 7, 1000, now())", 20},
    {"top 20 of 24 h", "SELECT count(*) FROM lockkeeper.worst_locks_v1(now() - interval '1 day', now(), 20)",
     150},
    {"a lock's month of holds",
     "SELECT count(ended), max(began) FROM lockkeeper.holds WHERE lock = 7 AND journal = 1 "
     "AND ended >= now() - interval '30 days'",
     1'000},
    {"state at a time", "SELECT count(*) FROM lockkeeper.locks_at_v1(now() - interval '1 hour')", 500},
};

HubTarget targetOf(const tests::PostgresServer &server, const QString &user)
{
    return {server.url(QStringLiteral("postgres"), user).toString(QUrl::FullyEncoded), {}, 10'000, 0};
}

bool fail(const base::Error &error)
{
    std::fprintf(stderr, "bench_hub: %s\n", qPrintable(error.line()));
    return false;
}

double number(PgConnection &connection, const char *sql)
{
    const auto rows = connection.run(sql);
    return rows && rows->size() > 0 ? rows->text(0, 0).toDouble() : -1;
}

bool install(PgConnection &connection, const tests::PostgresServer &server)
{
    const auto done = connection.open(targetOf(server, QStringLiteral("root"))).and_then([&] {
        return installHubSchema(connection);
    });
    if (!done)
        return fail(done.error());
    QByteArray sql = "CREATE TABLE bare_locks (LIKE lockkeeper.locks INCLUDING INDEXES);";
    for (const char *table : {"events", "holds", "waits"})
        sql +=
            QByteArray("CREATE TABLE bare_") + table + " (LIKE lockkeeper." + table + " INCLUDING INDEXES);";
    for (int agent = 0; agent < kAgents; ++agent) {
        const QByteArray name = "dc" + QByteArray::number(agent);
        sql += "CREATE ROLE " + name + " LOGIN IN ROLE lockkeeper_agent; SELECT lockkeeper.add_agent('" +
               name + "', '" + name + "');";
    }
    const auto made = connection.runScript(sql);
    return made ? true : fail(made.error());
}

/** The same rows into bare tables: one transaction, four COPY. */
base::Result<void> copyBare(PgConnection &connection, qint32 journal, const HubBatch &batch,
                            OwnerMemory &owners, qint64 &spentNs)
{
    CopyRows locks;
    CopyRows events;
    CopyRows holds;
    CopyRows waits;
    for (const auto &row : batch.locks)
        addLock(locks, journal, row);
    for (const auto &row : batch.events)
        addEvent(events, journal, row, owners);
    for (const auto &row : batch.holds)
        addHold(holds, journal, row, owners);
    for (const auto &row : batch.waits)
        addWait(waits, journal, row);
    const auto bare = [](const char *sql) { return QByteArray(sql).replace("lockkeeper.", "bare_"); };
    const QList<std::pair<QByteArray, QByteArray>> copies{{bare(kCopyLocks), locks.finished()},
                                                          {bare(kCopyEvents), events.finished()},
                                                          {bare(kCopyHolds), holds.finished()},
                                                          {bare(kCopyWaits), waits.finished()}};
    QElapsedTimer timer; // the rows are made: this is the floor
    timer.start();
    auto done = connection.begin();
    for (const auto &[sql, data] : copies) {
        if (done)
            done = connection.copy(sql.constData(), data);
    }
    if (done)
        done = connection.commit();
    spentNs += timer.nsecsElapsed();
    return done;
}

struct Written
{
    qint64 events = 0;
    qint64 hubNs = 0;
    qint64 bareNs = 0;
};

/** Both ways take turns, so that a busy machine slows both. */
bool write(PgConnection &bare, const tests::PostgresServer &server, qint64 events, int batchSize,
           Written &written)
{
    const qint64 nowUs = base::SystemClock().wallUs();
    const qint64 spanUs = qint64(86'400e6 * double(events) / double(kEventsOfDay));
    std::vector<std::unique_ptr<HubWriter>> writers;
    std::vector<FleetLife> lives;
    std::vector<OwnerMemory> owners(kAgents);
    for (int agent = 0; agent < kAgents; ++agent) {
        lives.emplace_back(agent, kLocksOfAgent, nowUs - spanUs, spanUs * kAgents / events);
        writers.push_back(std::make_unique<HubWriter>(targetOf(server, lives.back().agent().name)));
        if (const auto opened = writers.back()->open(lives.back().agent()); !opened)
            return fail(opened.error());
    }
    for (int agent = 0; written.events < events; agent = (agent + 1) % kAgents) {
        const HubBatch batch = lives.at(size_t(agent)).next(batchSize);
        QElapsedTimer timer;
        timer.start();
        if (const auto done = writers.at(size_t(agent))->write(batch); !done)
            return fail(done.error());
        written.hubNs += timer.nsecsElapsed();
        if (const auto done = copyBare(bare, agent + 1, batch, owners.at(size_t(agent)), written.bareNs);
            !done)
            return fail(done.error());
        written.events += batch.events.size();
    }
    return true;
}

void printBytes(PgConnection &connection, qint64 events)
{
    const auto bytesOf = [&](const char *tables) {
        const QByteArray sql =
            QByteArray("SELECT sum(pg_total_relation_size(c.oid)) FROM pg_inherits i JOIN pg_class "
                       "c ON c.oid = i.inhrelid WHERE i.inhparent IN (") +
            tables + ")";
        return number(connection, sql.constData()) / double(events);
    };
    const double ofEvents = bytesOf("'lockkeeper.events'::regclass");
    const double ofAll = bytesOf("'lockkeeper.events'::regclass, 'lockkeeper.holds'::regclass, "
                                 "'lockkeeper.waits'::regclass, 'lockkeeper.sum_hours'::regclass");
    std::printf(
        "bytes an event, indexes included: %.1f (goal: at most %.0f); with holds, waits and sums: %.1f\n",
        ofEvents, kGoalBytes, ofAll);
    std::printf(
        "{\"bench\":\"hub.bytes\",\"n\":%lld,\"value\":%.1f,\"unit\":\"bytes\",\"all\":%.1f,\"goal\":%.0f}\n",
        events, ofEvents, ofAll, kGoalBytes);
}

bool ask(PgConnection &connection, qint64 events)
{
    for (const TimedQuestion &question : kQuestions) {
        double best = 1e9;
        for (int round = 0; round < kRounds; ++round) {
            QElapsedTimer timer;
            timer.start();
            const auto rows = connection.run(question.sql);
            if (!rows)
                return fail(rows.error());
            best = std::min(best, double(timer.nsecsElapsed()) / 1e6);
        }
        std::printf("%-28s %8.1f ms (goal at 100 M events: at most %.0f ms)\n", question.name, best,
                    question.goalMs);
        std::printf(
            "{\"bench\":\"hub.question\",\"question\":\"%s\",\"n\":%lld,\"value\":%.2f,\"unit\":\"ms\","
            "\"goal\":%.0f}\n",
            question.name, events, best, question.goalMs);
    }
    return true;
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const qint64 events = argc > 1 ? QByteArray(argv[1]).toLongLong() : 4'000'000;
    const int batch = argc > 2 ? QByteArray(argv[2]).toInt() : 4'000;
    tests::PostgresServer server({QStringLiteral("-c"), QStringLiteral("shared_buffers=256MB"),
                                  QStringLiteral("-c"), QStringLiteral("max_wal_size=4GB")});
    if (events <= 0 || batch <= 0 || !server.start())
        return 1;
    const base::Interrupt interrupt;
    PgConnection connection(interrupt);
    Written written;
    if (!install(connection, server) || !write(connection, server, events, batch, written))
        return 1;
    const double hub = double(written.events) * 1e9 / double(written.hubNs);
    const double bare = double(written.events) * 1e9 / double(written.bareNs);
    std::printf(
        "%lld events in batches of %d: HubWriter %.0f events/s, bare COPY %.0f: ratio %.2f (goal: at least "
        "%.1f)\n",
        written.events, batch, hub, bare, hub / bare, kGoalRatio);
    std::printf("{\"bench\":\"hub.write\",\"n\":%lld,\"value\":%.0f,\"unit\":\"events/s\",\"floor\":%.0f,"
                "\"ratio\":%.3f,\"goal\":%.1f}\n",
                written.events, hub, bare, hub / bare, kGoalRatio);
    QElapsedTimer timer;
    timer.start();
    while (number(connection, "SELECT lockkeeper.sum_finished(1000)") > 0) {
    }
    std::printf("sums of the finished hours: %.1f s\n", double(timer.nsecsElapsed()) / 1e9);
    (void)connection.runScript("DROP TABLE bare_locks, bare_events, bare_holds, bare_waits");
    (void)connection.runScript("VACUUM ANALYZE");
    printBytes(connection, written.events);
    return ask(connection, written.events) ? 0 : 1;
}
