// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: bench_past [EVENTS [LOCKS [FILE]]]. The table of locks at a past moment, half of the locks being
// held at any time, against the plain SQLite library reading the same events' rows by their numbers; and how
// large the snapshots are. FILE is kept, and used again where it is there.
#include "agent/journal/query/queries.h"
#include "agent/journal/storage/event_store.h"
#include "agent/journal/storage/migrations.h"
#include "agent/journal/storage/snapshot_builder.h"
#include "tests/benchmarks/journal/taken_lock.h"

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sqlite3.h>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;

namespace {

constexpr qint64 kStartUs = 1'700'000'000'000'000;
constexpr qint64 kStepUs = 200'000; ///< between two events
constexpr int kBatch = 1000;
constexpr int kMoments = 20;

events::LockEvent makeEvent(qint64 number, int locks)
{
    const bool takes = number % 2 == 0;
    const qint64 turn = takes ? number / 2 : number / 2 - locks / 2;
    if (number != 1 && turn >= 0) {
        events::LockEvent event =
            bench::eventOf(takes ? events::EventKind::Acquired : events::EventKind::Released, turn % locks,
                           turn, kStartUs + number * kStepUs);
        event.seq = quint64(number) + 1;
        return event;
    }
    events::LockEvent event;
    event.seq = quint64(number) + 1;
    event.store = "redis";
    event.timeUs = kStartUs + number * kStepUs;
    event.observedUs = event.timeUs + 800;
    event.key.source = QStringLiteral("orders");
    event.kind = events::EventKind::SourceUp;
    return event;
}

bool fill(SqliteConnection &connection, qint64 count, int locks)
{
    EventStore store(connection);
    RenewalNotes notes;
    if (!store.reload())
        return false;
    for (qint64 at = qint64(store.lastSeq()); at < count;) {
        QList<events::LockEvent> batch;
        for (; batch.size() < kBatch && at < count; ++at)
            batch.append(makeEvent(at, locks));
        if (!connection.begin() || !store.write(batch, notes) || !store.writeProgress({}) ||
            !connection.commit())
            return false;
        store.keep();
        if (connection.walPages() > 20'000)
            connection.checkpoint();
    }
    SnapshotBuilder builder(connection);
    bool done = false;
    while (!done) {
        if (!connection.begin() || !builder.step(&done) || !connection.commit())
            return false;
    }
    return true;
}

double msSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/** The rows of the events that made the table, by the plain library: nothing is decoded. */
double readRaw(sqlite3 *db, const std::vector<qint64> &seqs)
{
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v2(db, "SELECT * FROM events WHERE seq = ?", -1, &statement, nullptr) != SQLITE_OK)
        return -1;
    const double begin = bench::cpuMs();
    qint64 bytes = 0;
    for (const qint64 seq : seqs) {
        sqlite3_bind_int64(statement, 1, seq);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            for (int column = 0; column < sqlite3_column_count(statement); ++column) {
                if (sqlite3_column_blob(statement, column) != nullptr)
                    bytes += sqlite3_column_bytes(statement, column);
            }
        }
        sqlite3_reset(statement);
    }
    const double took = bench::cpuMs() - begin;
    sqlite3_finalize(statement);
    return bytes > 0 ? took : -1;
}

struct Figures
{
    double median = 0;
    double most = 0;
    double cpu = 0; ///< medians of processor time
    double floor = 0;
    qint64 locks = 0;
};

bool measure(SqliteConnection &connection, sqlite3 *raw, qint64 count, Figures &figures)
{
    Queries queries(connection, agent::journal::AuditFiles(), [] { return true; });
    std::vector<double> times;
    std::vector<double> cpus;
    std::vector<double> floors;
    for (int i = 0; i < kMoments; ++i) {
        protocol::LocksQuery query;
        query.atUs = kStartUs + (count / 10 + count * 8 / 10 * i / kMoments) * kStepUs + 7;
        std::vector<qint64> seqs;
        const double cpu = bench::cpuMs();
        const auto begin = std::chrono::steady_clock::now();
        const auto tell = [&seqs](const domain::LockState &state) {
            seqs.push_back((*state.acquiredUs - kStartUs) / kStepUs + 1);
        };
        const auto table = queries.context.begin({}, kStartUs + (count + 1'000'000) * kStepUs).and_then([&] {
            return queries.past.locksAt(query, {}, tell);
        });
        times.push_back(msSince(begin));
        cpus.push_back(bench::cpuMs() - cpu);
        if (!table) {
            std::fprintf(stderr, "%s\n", qPrintable(table.error().line()));
            return false;
        }
        figures.locks = std::max(figures.locks, qint64(seqs.size()));
        floors.push_back(readRaw(raw, seqs));
    }
    for (std::vector<double> *figure : {&times, &cpus, &floors})
        std::sort(figure->begin(), figure->end());
    figures.median = times.at(times.size() / 2);
    figures.most = times.back();
    figures.cpu = cpus.at(cpus.size() / 2);
    figures.floor = floors.at(floors.size() / 2);
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    const qint64 count = std::max<qint64>(kBatch, arguments.value(1, QStringLiteral("2000000")).toLongLong());
    const int locks = std::max(2, arguments.value(2, QStringLiteral("10000")).toInt());
    const QTemporaryDir folder;
    const QString path = arguments.value(3, folder.filePath(QStringLiteral("journal.db")));
    SqliteConnection connection;
    const auto begin = std::chrono::steady_clock::now();
    if (!connection.open(path, SqliteConnection::Mode::Write) || !migrate(connection, Schema::Journal) ||
        !fill(connection, count, locks)) {
        std::fprintf(stderr, "%s\n", qPrintable(connection.error().line()));
        return 1;
    }
    connection.checkpoint();
    std::fprintf(stderr, "made in %.0f s\n", msSince(begin) / 1000);
    sqlite3 *raw = nullptr;
    Figures with;
    const bool measured =
        sqlite3_open(path.toUtf8().constData(), &raw) == SQLITE_OK && measure(connection, raw, count, with);
    sqlite3_close(raw);
    if (!measured)
        return 1;
    const auto snapshots =
        connection.scalar(QStringLiteral("SELECT count(*) || ' ' || sum(length(locks)) FROM snapshots"));
    std::printf("%-34s %10s %10s %10s %10s %8s %8s\n", "the table at a past moment", "median ms", "worst ms",
                "cpu ms", "raw cpu ms", "ratio", "goal");
    std::printf("%-34s %10.1f %10.1f %10.1f %10.1f %8.1f %8s\n",
                qPrintable(QStringLiteral("%1 events, %2 locks there").arg(count).arg(with.locks)),
                with.median, with.most, with.cpu, with.floor, with.cpu / with.floor, "<= 300");
    std::printf("snapshots and their bytes: %s; the file: %.0f MB\n", snapshots->toByteArray().constData(),
                double(QFile(path).size()) / 1e6);
    std::printf("{\"bench\":\"journal.past\",\"n\":%lld,\"locks\":%lld,\"value\":%.1f,\"unit\":\"ms\","
                "\"worst\":%.1f,\"cpu_ms\":%.1f,\"floor\":%.1f,\"ratio\":%.2f,\"goal\":300}\n",
                static_cast<long long>(count), static_cast<long long>(with.locks), with.median, with.most,
                with.cpu, with.floor, with.cpu / with.floor);
    return 0;
}
