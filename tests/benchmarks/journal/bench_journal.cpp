// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: bench_journal [EVENTS]. Events a second through the journal against the plain SQLite library.
#include "agent/journal/journal.h"
#include "tests/benchmarks/journal/raw_sqlite.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

using namespace lockkeeper;

namespace {

constexpr int kBatch = 1000;
constexpr int kLocks = 5000;

events::LockEvent makeEvent(int number, qint64 nowUs)
{
    // A lock is taken and given back in turn, so that each pair of events opens and closes a hold.
    events::LockEvent event;
    const QByteArray name = "lock:order-" + QByteArray::number(number / 2 % kLocks);
    event.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    event.store = "redis";
    event.kind = number % 2 ? events::Kind::Released : events::Kind::Acquired;
    event.owner = "3b5f2c1e-9d2a-4a57-8a0e-" + QByteArray::number(100'000'000'000 + number / 2);
    event.timeUs = nowUs + number;
    event.observedUs = event.timeUs + 800;
    if (event.kind == events::Kind::Released)
        return event;
    event.ttlMs = 30'000;
    event.expiresUs = event.timeUs + 30'000'000;
    domain::LockState state;
    state.key = event.key;
    state.phase = domain::Phase::Held;
    state.owner = event.owner;
    state.token = event.owner;
    state.acquiredUs = event.timeUs;
    state.acquiredBy = domain::Evidence::Observation;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = event.expiresUs;
    state.ttlMs = 30'000;
    state.expiresBy = domain::Evidence::Ttl;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = QByteArray(64, 'f');
    state.seenUs = event.observedUs;
    event.after = std::move(state);
    return event;
}

/** Seconds from the first append until the last commit; negative: failed. */
double writeJournal(const QString &path, std::vector<QList<events::LockEvent>> batches, qsizetype count)
{
    const base::SystemClock clock;
    agent::journal::Journal journal(clock);
    agent::journal::Options options;
    options.path = path;
    if (const auto opened = journal.open(options); !opened) {
        std::fprintf(stderr, "%s\n", qPrintable(opened.error().line()));
        return -1;
    }
    qsizetype done = 0;
    QObject::connect(&journal, &agent::journal::Journal::committed, qApp,
                     [&](const QList<events::LockEvent> &events) {
                         done += events.size();
                         if (done == count)
                             QCoreApplication::quit();
                     });
    for (auto &batch : batches)
        batch.detach(); // an engine's step is the journal's alone
    const auto begin = std::chrono::steady_clock::now();
    for (auto &batch : batches)
        journal.append(std::exchange(batch, {}));
    QCoreApplication::exec();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    journal.close();
    return took.count();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const int count = std::max(kBatch, argc > 1 ? app.arguments().at(1).toInt() : 200'000);
    const base::SystemClock clock;
    std::vector<QList<events::LockEvent>> batches;
    for (int i = 0; i < count; ++i) {
        if (i % kBatch == 0)
            batches.emplace_back();
        batches.back().append(makeEvent(i, clock.wallUs()));
    }
    double best = 0;
    double floor = 0;
    for (int round = 0; round < 3; ++round) { // the best of three each: other work on the machine only slows
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("journal.db"));
        const double ours = writeJournal(path, batches, count);
        const double raw =
            ours > 0 ? bench::writeRaw(path, folder.filePath(QStringLiteral("raw.db")), kBatch) : -1;
        if (ours <= 0 || raw <= 0)
            return 1;
        best = std::max(best, count / ours);
        floor = std::max(floor, count / raw);
    }
    std::printf("%-28s %12s %12s %8s %8s\n", "journal, batches of 1,000", "events/s", "raw SQLite", "ratio",
                "goal");
    std::printf("%-28d %12.0f %12.0f %8.2f %8s\n", count, best, floor, best / floor, ">= 0.6");
    std::printf("{\"bench\":\"journal.append\",\"n\":%d,\"value\":%.0f,\"unit\":\"events/"
                "s\",\"floor\":%.0f,\"ratio\":%.3f,"
                "\"goal\":0.6}\n",
                count, best, floor, best / floor);
    return 0;
}
