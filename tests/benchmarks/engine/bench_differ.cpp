// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine.h"

#include <QHash>

#include <chrono>
#include <cstdio>
#include <malloc.h>

using namespace lockkeeper;
using agent::engine::EngineStep;
using agent::engine::Instant;
using agent::engine::SourceEngine;
using stores::Observation;

namespace {

constexpr int kLocks = 100'000;
constexpr int kPage = 1'000;
constexpr qint64 kT0 = 1'795'000'000'000'000;

double secondsOf(const auto &work)
{
    const auto began = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

stores::SourceSpec spec()
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1/0"));
    stores::LockSet set;
    set.scheme = "redis.token";
    spec.locks = {set};
    return spec;
}

/** A scan over all locks, rebuilt as a store does; every `changeEach`th has another holder (0: none).
 */
QList<stores::Page> scanAt(int round, int changeEach)
{
    QList<stores::Page> pages;
    const qint64 now = kT0 + round * 1'000'000;
    for (int i = 0; i < kLocks; ++i) {
        if (i % kPage == 0)
            pages.append(stores::Page{now + i, now + i + kPage, {}});
        Observation seen;
        const int holder = changeEach > 0 && i % changeEach == 0 ? round : 0;
        seen.name = "lock:orders:" + QByteArray::number(i);
        seen.owner =
            QByteArray::number(holder).rightJustified(8, '0') + QByteArray::number(i).rightJustified(24, 'f');
        seen.identity = seen.token = seen.owner;
        seen.held = true;
        seen.expiry = domain::ExpiryKind::At;
        seen.expiresBy = domain::Evidence::Ttl;
        seen.expiresUs = kT0 + 3'600'000'000;
        pages.last().locks.append(seen);
    }
    return pages;
}

/** One scan through the engine; the number of events and updates that it made. */
qint64 feed(SourceEngine &engine, const QList<stores::Page> &pages, int round)
{
    const Instant now{1'000'000 + qint64(round) * 1'000'000, kT0};
    engine.readNow(now);
    qint64 changes = 0;
    for (const stores::Page &page : pages) {
        const EngineStep step = engine.pageRead(page, now);
        changes += step.events.size() + step.updates.size();
    }
    engine.scanEnded({true, pages.first().beganUs, pages.last().endedUs, kLocks, {}}, now);
    return changes;
}

struct Seen
{
    QByteArray identity;
    qint64 expiresUs = 0;
};

/** The minimum for any differ: find each lock by its name and compare. */
double floorSeconds(const QList<stores::Page> &before, const QList<stores::Page> &after)
{
    QHash<QByteArray, Seen> table;
    for (const stores::Page &page : before) {
        for (const Observation &seen : page.locks)
            table.insert(seen.name, Seen{seen.identity, seen.expiresUs});
    }
    qint64 changes = 0;
    const double seconds = secondsOf([&] {
        for (const stores::Page &page : after) {
            for (const Observation &seen : page.locks) {
                const auto it = table.find(seen.name);
                if (it->identity != seen.identity || it->expiresUs != seen.expiresUs) {
                    *it = Seen{seen.identity, seen.expiresUs};
                    ++changes;
                }
            }
        }
    });
    return changes >= 0 ? seconds : 0;
}

void report(const char *name, double value, const char *unit, double floor, double goal)
{
    std::printf("{\"bench\":\"%s\",\"n\":%d,\"value\":%.0f,\"unit\":\"%s\"", name, kLocks, value, unit);
    if (floor > 0)
        std::printf(",\"floor\":%.0f,\"ratio\":%.2f", floor, value / floor);
    if (goal > 0)
        std::printf(",\"goal\":%.0f", goal);
    std::printf("}\n");
}

void compareRates()
{
    struct Case
    {
        const char *name;
        int changeEach;
    };
    std::printf("%-22s %14s %14s %12s\n", "differ, 100,000 locks", "locks/s", "floor locks/s", "changes/s");
    for (const Case &one : {Case{"engine.differ.none", 0}, Case{"engine.differ.one_percent", 100},
                            Case{"engine.differ.all", 1}}) {
        SourceEngine engine(spec(), 1);
        engine.start({}, {1, kT0});
        stores::ServerInfo info;
        info.store = "redis";
        info.instance = "run";
        info.places = {"db0"};
        engine.opened(info, {2, kT0});
        feed(engine, scanAt(1, one.changeEach), 1);
        double best = 1e9;
        double floor = 1e9;
        qint64 changes = 0;
        for (int round = 2; round < 7; ++round) {
            const QList<stores::Page> pages = scanAt(round, one.changeEach);
            floor = std::min(floor, floorSeconds(scanAt(round - 1, one.changeEach), pages));
            best = std::min(best, secondsOf([&] { changes = feed(engine, pages, round); }));
        }
        std::printf("%-22s %14.0f %14.0f %12.0f\n", one.name, kLocks / best, kLocks / floor,
                    double(changes) / best);
        report(one.name, kLocks / best, "locks/s", kLocks / floor, 0);
        if (changes > 0) {
            const QByteArray events = QByteArray(one.name) + ".events";
            report(events.constData(), double(changes) / best, "events/s", 0, 0);
        }
    }
}

/** The end of a scan that read the held ones of a table of free locks: it says nothing about the others. */
void endHeldScan()
{
    constexpr int kRows = 1'000'000;
    constexpr int kHeld = 1'000;
    stores::SourceSpec sql = spec();
    sql.locks.first().scheme = "sql.shedlock";
    SourceEngine engine(sql, 1);
    engine.start({}, {1, kT0});
    stores::ServerInfo info;
    info.places = {"app.shedlock"};
    engine.opened(info, {2, kT0});
    const auto row = [](int i) {
        Observation seen;
        seen.name = "job-" + QByteArray::number(i).rightJustified(8, '0');
        seen.owner = seen.token = seen.identity = "billing:" + seen.name;
        seen.held = i < kHeld;
        seen.expiry = domain::ExpiryKind::At;
        seen.expiresBy = domain::Evidence::Column;
        seen.expiresUs = seen.held ? kT0 + 3'600'000'000 : kT0 - 3'600'000'000;
        return seen;
    };
    double best = 1e9;
    for (int round = 1; round < 7; ++round) {
        const Instant now{qint64(round) * 1'000'000, kT0};
        const qint64 us = kT0 + round * 1'000'000;
        engine.readNow(now);
        for (int from = 0; from < (round == 1 ? kRows : kHeld); from += kPage) {
            stores::Page page{us, us + 1, {}};
            for (int i = from; i < from + kPage; ++i)
                page.locks.append(row(i));
            engine.pageRead(page, now);
        }
        stores::ScanEnd end{true, us, us + 1, kRows, {}};
        if (round > 1)
            end.heldOnly = {0};
        const double seconds = secondsOf([&] { engine.scanEnded(end, now); });
        best = round > 1 ? std::min(best, seconds) : best;
    }
    std::printf("end of a pass over %d held of %d locks: %.3f ms\n", kHeld, kRows, best * 1e3);
    std::printf("{\"bench\":\"engine.pass_end.held\",\"n\":%d,\"value\":%.3f,\"unit\":\"ms\"}\n", kRows,
                best * 1e3);
}

/** The engine's memory for each lock, as the allocator counts it. */
void measureMemory()
{
    QList<stores::Page> pages = scanAt(1, 0);
    SourceEngine engine(spec(), 1);
    engine.start({}, {1, kT0});
    stores::ServerInfo info;
    info.places = {"db0"};
    engine.opened(info, {2, kT0});
    const auto before = mallinfo2();
    feed(engine, pages, 1);
    const auto after = mallinfo2();
    const double bytes = double(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd) / kLocks;
    std::printf("memory a lock: %.0f bytes (the engine's own count: %.0f)\n", bytes,
                double(engine.memoryBytes()) / kLocks);
    report("engine.memory", bytes, "bytes/lock", 0, 300);
}

} // namespace

int main()
{
    measureMemory();
    compareRates();
    endHeldScan();
    return 0;
}
