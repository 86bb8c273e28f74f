// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lockkeeper::tests {

inline qint64 nowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

/** Milliseconds. */
struct Figures
{
    double p50 = -1;
    double p99 = -1;
    size_t count = 0;
};

inline Figures figuresOf(std::vector<qint64> &ns)
{
    if (ns.empty())
        return {};
    std::sort(ns.begin(), ns.end());
    return {double(ns[ns.size() / 2]) / 1e6, double(ns[ns.size() * 99 / 100]) / 1e6, ns.size()};
}

/** A system timer leaves the processor to the measured programs. */
class Pace
{
public:
    explicit Pace(int aSecond) : m_timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC))
    {
        const itimerspec pace{{0, 1'000'000'000 / aSecond}, {0, 1}};
        timerfd_settime(m_timer, 0, &pace, nullptr);
    }
    ~Pace() { ::close(m_timer); }
    Q_DISABLE_COPY_MOVE(Pace)
    /** How often it was due since the last time: at least once. */
    qint64 wait()
    {
        quint64 due = 0;
        return ::read(m_timer, &due, sizeof due) == ssize_t(sizeof due) ? qint64(due) : 1;
    }

private:
    int m_timer;
};

/** Reads the lines of `lockkeeperctl --json watch` as they come: each owner is the time of its write. */
class WatchLines
{
public:
    WatchLines(const QString &agent, int seconds)
    {
        const QByteArray program = qgetenv("LOCKKEEPER_BIN") + "/lockkeeperctl";
        const QByteArray line = "echo $$; exec " + program + " --agent 'local:" + agent.toLocal8Bit() +
                                "' --json watch --for " + QByteArray::number(seconds) + "s";
        m_pipe = ::popen(line.constData(), "r");
        m_thread = std::thread([this] { read(); });
    }
    ~WatchLines()
    {
        m_thread.join(); // it ends by itself
        ::pclose(m_pipe);
    }
    Q_DISABLE_COPY_MOVE(WatchLines)

    std::vector<qint64> latencies; ///< once `count` has stopped
    std::atomic<size_t> count{0};
    std::atomic<qint64> pid{0}; ///< of the program

private:
    void read()
    {
        char *line = nullptr;
        size_t room = 0;
        if (m_pipe != nullptr && ::getline(&line, &room, m_pipe) > 0)
            pid = std::atoll(line);
        while (m_pipe != nullptr && ::getline(&line, &room, m_pipe) > 0) {
            const qint64 now = nowNs();
            const char *owner = std::strstr(line, "\"owner\":\"");
            if (owner == nullptr || std::strstr(line, "\"released\"") != nullptr)
                continue;
            latencies.push_back(now - std::atoll(owner + 9));
            count = latencies.size();
        }
        std::free(line);
    }

    FILE *m_pipe = nullptr;
    std::thread m_thread;
};

} // namespace lockkeeper::tests
