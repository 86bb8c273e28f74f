// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: bench_first_look [LOCKS]. The journal's cost of the first look at LOCKS locks (a million by
// default): bytes a lock, and the processor time of the thread that files them. A scan waits for this thread.
#include "agent/journal/storage/event_store.h"
#include "agent/journal/write/opening.h"
#include "agent/journal/write/write_queue.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::agent::journal;

namespace {

constexpr qint64 kNowUs = 20'000 * kDayUs;

double cpuSeconds()
{
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return double(used.tv_sec) + double(used.tv_nsec) / 1e9;
}

/** A lock that existed already: a token that doesn't compress, and the digest of its value. */
events::LockEvent eventOf(int lock, quint64 seq)
{
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:order-" + QByteArray::number(lock)};
    const QByteArray digest = QCryptographicHash::hash(state.key.name, QCryptographicHash::Sha256).toHex();
    events::LockEvent event;
    event.seq = seq;
    event.key = state.key;
    event.store = "redis";
    event.owner = digest.first(36); // as long as a UUID
    event.timeUs = event.observedUs = kNowUs + qint64(seq);
    event.ttlMs = 30'000;
    event.expiresUs = event.timeUs + 30'000'000;
    state.phase = domain::Phase::Held;
    state.owner = state.token = event.owner;
    state.acquiredUs = event.timeUs;
    state.acquiredBy = domain::Evidence::FirstSeen;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = event.expiresUs;
    state.expiresBy = domain::Evidence::Ttl;
    state.ttlMs = *event.ttlMs;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = digest;
    state.seenUs = event.observedUs;
    event.after = std::move(state);
    return event;
}

void print(const char *what, qsizetype locks, double value, const char *unit, double goal)
{
    std::printf("%-20s %10.1f %s (goal %.0f)\n", what, value, unit, goal);
    std::printf("{\"bench\":\"journal.%s\",\"n\":%lld,\"value\":%.2f,\"unit\":\"%s\",\"goal\":%.0f}\n", what,
                static_cast<long long>(locks), value, unit, goal);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    std::vector<int> locks(argc > 1 ? app.arguments().at(1).toUInt() : 1'000'000);
    std::iota(locks.begin(), locks.end(), 0);
    std::shuffle(locks.begin(), locks.end(), std::mt19937(1)); // as a scan gives them
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("journal.db"));
    SqliteConnection connection;
    QString setAside;
    EventStore store(connection);
    RenewalNotes notes;
    if (!openDatabase(connection, path, kNowUs, &setAside) || !store.reload())
        return 1;
    double filing = 0;
    for (size_t done = 0; done < locks.size();) {
        QList<events::LockEvent> batch;
        for (; batch.size() < WriteQueue::kRows && done < locks.size(); ++done)
            batch.append(eventOf(locks[done], done + 1));
        const Progress progress{QStringLiteral("orders"), "redis", batch.last().timeUs, std::nullopt};
        const double begin = cpuSeconds();
        if (!connection.begin() || !store.write(batch, notes) || !store.writeProgress({progress}) ||
            !connection.commit())
            return 1;
        filing += cpuSeconds() - begin;
        store.keep();
        connection.checkpoint(); // another thread's work
    }
    const auto count = qsizetype(locks.size());
    print("first_look_bytes", count, double(QFile(path).size()) / double(count), "bytes a lock", 150);
    print("first_look_filing", count, filing * 1e6 / double(count), "us a lock", 20);
    return 0;
}
