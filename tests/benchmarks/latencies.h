// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QEventLoop>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

/** Common parts of the stores' benchmarks. */
namespace lockkeeper::benchmarks {

inline qint64 nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/** For servers that a benchmark starts: a disk's time says nothing about the watcher, and is unsteady. */
inline void writeToMemory()
{
    if (QFileInfo(QStringLiteral("/dev/shm")).isWritable())
        qputenv("TMPDIR", "/dev/shm");
}

/** Medians of two functions that run in turn, the same number of times: a disturbance affects both. */
template <typename One, typename Other> std::pair<double, double> inTurn(int rounds, One one, Other other)
{
    std::vector<double> ones;
    std::vector<double> others;
    for (int i = 0; i < rounds; ++i) {
        ones.push_back(one());
        others.push_back(other());
    }
    std::sort(ones.begin(), ones.end());
    std::sort(others.begin(), others.end());
    return {ones[ones.size() / 2], others[others.size() / 2]};
}

struct Latencies
{
    std::vector<qint64> ns;

    double ms(double share)
    {
        if (ns.empty())
            return -1;
        std::sort(ns.begin(), ns.end());
        return double(ns[std::min(ns.size() - 1, size_t(double(ns.size()) * share))]) / 1e6;
    }
};

/** Prints a push's cost beside a bare watcher's. */
inline void printPush(const char *bench, Latencies &push, Latencies &bare)
{
    constexpr double kGoalMs = 2;
    constexpr double kGoalP99Ms = 10;
    const double p50 = push.ms(0.5);
    const double p99 = push.ms(0.99);
    const double floor = bare.ms(0.5);
    const double floorP99 = bare.ms(0.99);
    std::printf(
        "%s: from the write to the change, p50 %.2f ms, p99 %.2f ms (%zu); a bare watcher %.2f and %.2f "
        "(%zu); goals: + %.0f, + %.0f\n",
        bench, p50, p99, push.ns.size(), floor, floorP99, bare.ns.size(), kGoalMs, kGoalP99Ms);
    std::printf("{\"bench\":\"%s\",\"n\":%zu,\"value\":%.3f,\"unit\":\"ms\",\"p99\":%.3f,\"floor\":%.3f,"
                "\"floor_p99\":%.3f,\"goal\":%.3f,\"goal_p99\":%.3f}\n",
                bench, push.ns.size(), p50, p99, floor, floorP99, floor + kGoalMs, floorP99 + kGoalP99Ms);
}

/** Prints how quickly all was read, against a bare client. */
inline void printPass(const char *bench, int count, const char *against, double aSecond, double floor,
                      double goal)
{
    std::printf("%s: %.0f locks/s, %s %.0f, ratio %.3f (goal %.2f)\n", bench, aSecond, against, floor,
                aSecond / floor, goal);
    std::printf(
        "{\"bench\":\"%s\",\"n\":%d,\"value\":%.0f,\"unit\":\"locks/s\",\"against\":\"%s\",\"floor\":%.0f,"
        "\"ratio\":%.3f,\"goal\":%.2f}\n",
        bench, count, aSecond, against, floor, aSecond / floor, goal);
}

/** Opens it; ends the program where that fails. */
inline void open(stores::Store &store)
{
    QEventLoop loop;
    QObject::connect(&store, &stores::Store::opened, &loop, [&loop] { loop.exit(0); });
    QObject::connect(&store, &stores::Store::failed, &loop, [&loop](const base::Error &error) {
        std::fprintf(stderr, "%s\n", qPrintable(error.line()));
        loop.exit(1);
    });
    store.open();
    if (loop.exec() != 0)
        qFatal("the store doesn't open");
}

/** Locks a second of one scan. */
inline double pass(stores::Store &store, int count)
{
    QEventLoop loop;
    const qint64 beganNs = nowNs();
    qint64 seen = 0;
    store.scan([&seen](const stores::Page &page) { seen += page.locks.size(); },
               [&loop](const stores::ScanEnd &end) { loop.exit(end.complete ? 0 : 1); });
    if (loop.exec() != 0 || seen != count)
        qFatal("the scan saw %lld locks", qlonglong(seen));
    return double(seen) / (double(nowNs() - beganNs) / 1e9);
}

} // namespace lockkeeper::benchmarks
