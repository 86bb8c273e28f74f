// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long after a client's write to Redis `lockkeeperctl watch` has printed the line, beside a bare tracking
// client of the same run that only hears which key changed, and beside how late the machine wakes a thread
// that does nothing else. Before it, what a client needs that reads each key back and does nothing with it,
// alone with the server and the writer; and what each process took of the processors. Last, what an agent
// costs that watches locks in which nothing happens. usage:
// bench_redis_push [SECONDS [CHANGES_A_SECOND [IDLE_LOCKS]]]
#include "tests/benchmarks/push_latency.h"
#include "tests/support/agent_process.h"
#include "tests/support/redis_server.h"
#include "tests/support/test_client.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <hiredis/hiredis.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

constexpr int kKeys = 5'000;
constexpr int kIdleSeconds = 30;
constexpr double kGoalP50Ms = 1.0;
constexpr double kGoalP99Ms = 5.0;

/** Hears which key changed, reads it back with `readsBack`, and does nothing else. */
class BareClient
{
public:
    BareClient(const QString &path, std::vector<std::atomic<qint64>> &sent, bool readsBack)
        : m_sent(sent), m_readsBack(readsBack)
    {
        m_path = path.toLocal8Bit();
        m_listening = redisConnectUnix(m_path.constData());
        m_asking = redisConnectUnix(m_path.constData());
        auto *id = static_cast<redisReply *>(redisCommand(m_listening, "CLIENT ID"));
        freeReplyObject(redisCommand(m_listening, "SUBSCRIBE __redis__:invalidate"));
        freeReplyObject(
            redisCommand(m_asking, "CLIENT TRACKING ON REDIRECT %lld BCAST PREFIX lock:", id->integer));
        freeReplyObject(id);
        m_thread = std::thread([this] { listen(); });
    }
    ~BareClient()
    {
        m_stop = true;
        auto *waking = redisConnectUnix(m_path.constData());
        freeReplyObject(redisCommand(waking, "SET lock:0 end"));
        m_thread.join();
        redisFree(waking);
        redisFree(m_listening);
        redisFree(m_asking);
    }
    Q_DISABLE_COPY_MOVE(BareClient)

    std::vector<qint64> latencies;

private:
    void listen()
    {
        void *reply = nullptr;
        while (!m_stop && redisGetReply(m_listening, &reply) == REDIS_OK) {
            const auto *message = static_cast<redisReply *>(reply);
            if (message->elements == 3 && message->element[2]->type == REDIS_REPLY_ARRAY)
                take(*message->element[2]);
            freeReplyObject(reply);
        }
    }
    void take(const redisReply &keys)
    {
        std::vector<qint64> sent(keys.elements);
        for (size_t i = 0; i < keys.elements; ++i)
            sent[i] = m_sent[size_t(std::atoi(keys.element[i]->str + 5))];
        if (m_readsBack) {
            for (size_t i = 0; i < keys.elements; ++i) {
                redisAppendCommand(m_asking, "GETRANGE %s 0 65535", keys.element[i]->str);
                redisAppendCommand(m_asking, "PEXPIRETIME %s", keys.element[i]->str);
            }
            void *reply = nullptr;
            for (size_t i = 0; i < 2 * keys.elements && redisGetReply(m_asking, &reply) == REDIS_OK; ++i)
                freeReplyObject(reply);
        }
        const qint64 now = nowNs();
        for (const qint64 at : sent) {
            if (at != 0)
                latencies.push_back(now - at);
        }
    }

    std::vector<std::atomic<qint64>> &m_sent;
    bool m_readsBack;
    QByteArray m_path;
    redisContext *m_listening;
    redisContext *m_asking;
    std::thread m_thread;
    std::atomic<bool> m_stop{false};
};

/** Writes evenly. Each value is the time at which it was sent. */
qint64 write(const QString &path, std::vector<std::atomic<qint64>> &sent, int seconds, int aSecond)
{
    RedisPlain plain(path);
    Pace pace(aSecond);
    const qint64 begin = nowNs();
    const qint64 total = qint64(seconds) * aSecond;
    qint64 due = 0;
    for (qint64 i = 0; i < total; ++i, --due) {
        if (due == 0)
            due = pace.wait();
        const qint64 now = nowNs();
        sent[size_t(i % kKeys)] = now;
        plain.command(
            {"SET", "lock:" + QByteArray::number(i % kKeys), QByteArray::number(now), "PX", "600000"});
    }
    return total * 1'000'000'000 / (nowNs() - begin);
}

/** How late the machine wakes a thread that is due each millisecond. No program on it can be faster. */
class Lateness
{
public:
    Lateness()
        : m_thread([this] {
              Pace pace(1'000);
              pace.wait();
              for (qint64 due = nowNs() + 1'000'000; !m_stop;) {
                  const qint64 ticks = pace.wait();
                  const qint64 now = nowNs();
                  for (qint64 i = 0; i < ticks; ++i, due += 1'000'000)
                      late.push_back(std::max<qint64>(0, now - due));
              }
          })
    {
    }
    ~Lateness() { stop(); }
    Q_DISABLE_COPY_MOVE(Lateness)
    void stop()
    {
        m_stop = true;
        if (m_thread.joinable())
            m_thread.join();
    }

    std::vector<qint64> late;

private:
    std::atomic<bool> m_stop{false};
    std::thread m_thread;
};

bool start(AgentProcess &agent, TestClient &client, const RedisServer &server, const QByteArray &more = {})
{
    agent.configure("[[source]]\nname = \"locks\"\nurl = \"" + server.url().toEncoded() +
                    "\"\npush = true\n" + more +
                    "\n  [[source.locks]]\n  scheme = \"redis.token\"\n  match = \"lock:*\"\n");
    if (!agent.start() || !client.open(agent.socket()))
        return false;
    return QTest::qWaitFor(
        [&client] {
            const auto status = client.ask<protocol::Status>(protocol::StatusQuery{});
            return status && !status->sources.isEmpty() &&
                   status->sources.constFirst().mode == domain::ObservationMode::Push &&
                   status->sources.constFirst().passUs > 0;
        },
        120'000);
}

/** Processor time of a process so far, seconds. */
double processorSeconds(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    const QByteArrayList fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    return double(fields.at(11).toLongLong() + fields.at(12).toLongLong()) / double(sysconf(_SC_CLK_TCK));
}

/** Each process's processor time since the making of this object, in seconds. */
class Spent
{
public:
    Spent(const AgentProcess &agent, const RedisServer &server, const WatchLines &watch)
        : m_pids{agent.pid(), watch.pid, server.pid(), QCoreApplication::applicationPid()}
    {
        for (size_t i = 0; i < m_pids.size(); ++i)
            m_before[i] = processorSeconds(m_pids[i]);
    }
    /** Agent, watch, server and this program, which writes, hears and reads the lines. */
    std::array<double, 4> us(size_t changes) const
    {
        std::array<double, 4> spent{};
        for (size_t i = 0; i < m_pids.size(); ++i)
            spent[i] = (processorSeconds(m_pids[i]) - m_before[i]) * 1e6 / double(changes);
        return spent;
    }

private:
    std::array<qint64, 4> m_pids;
    std::array<double, 4> m_before{};
};

/** A client that reads back each reported key, alone with the server and the writer. */
Figures floorOf(int seconds, int aSecond)
{
    RedisServer server;
    if (!server.start())
        return {};
    std::vector<std::atomic<qint64>> sent(kKeys);
    BareClient reading(server.socketPath(), sent, true);
    write(server.socketPath(), sent, seconds, aSecond);
    (void)QTest::qWaitFor([] { return false; }, 50);
    return figuresOf(reading.latencies);
}

bool latency(int seconds, int aSecond)
{
    Figures floor = floorOf(std::min(seconds, 3), aSecond);
    RedisServer server;
    AgentProcess agent;
    TestClient client;
    if (!server.start() || !start(agent, client, server))
        return false;
    std::vector<std::atomic<qint64>> sent(kKeys);
    const size_t total = size_t(seconds) * size_t(aSecond);
    const auto waitFor = [](int ms, const auto &condition) { return QTest::qWaitFor(condition, ms); };
    WatchLines lines(agent.socket(), seconds + 12);
    lines.latencies.reserve(total + 100);
    RedisPlain plain(server.socketPath());
    for (int i = 0; i < 200 && lines.count == 0; ++i) { // until it listens
        plain.command({"SET", "lock:0", QByteArray::number(nowNs()), "PX", "600000"});
        (void)waitFor(20, [] { return false; });
    }
    (void)waitFor(200, [] { return false; });
    const size_t before = lines.count;
    const Spent spent(agent, server, lines);
    Figures bare;
    qint64 reached = 0;
    Lateness lateness;
    {
        BareClient tracking(server.socketPath(), sent, false);
        std::atomic<bool> done{false};
        std::thread writer([&] {
            reached = write(server.socketPath(), sent, seconds, aSecond);
            done = true;
        });
        (void)waitFor((seconds + 8) * 1'000,
                      [&] { return done && lines.count >= before + total * 99 / 100; });
        writer.join();
        (void)waitFor(50, [] { return false; }); // for the messages in transit to the bare client
        bare = figuresOf(tracking.latencies);
    }
    lateness.stop();
    const Figures machine = figuresOf(lateness.late);
    const std::array<double, 4> us = spent.us(total);
    const double all = us[0] + us[1] + us[2] + us[3];
    size_t after = 0;
    (void)waitFor(20'000, [&] { return std::exchange(after, lines.count.load()) == lines.count; });
    std::vector<qint64> watched(lines.latencies.begin() + qsizetype(before),
                                lines.latencies.begin() + qsizetype(after));
    const Figures push = figuresOf(watched);
    std::printf("from the client's write to the line, at %lld changes a second, ms: p50 / p99 (count)\n",
                static_cast<long long>(reached));
    std::printf("  alone, and read back  %7.3f / %7.3f (%zu)\n", floor.p50, floor.p99, floor.count);
    std::printf("  bare tracking client  %7.3f / %7.3f (%zu)\n", bare.p50, bare.p99, bare.count);
    std::printf("  the machine's own     %7.3f / %7.3f (a thread that is due each ms)\n", machine.p50,
                machine.p99);
    std::printf("  watch                 %7.3f / %7.3f (%zu; goals: %.1f / %.1f)\n", push.p50, push.p99,
                push.count, kGoalP50Ms, kGoalP99Ms);
    std::printf(
        "  processor time a change, us: agent %.1f, watch %.1f, server %.1f, this program %.1f; at %d "
        "a second %.2f processors of %ld\n",
        us[0], us[1], us[2], us[3], aSecond, all * aSecond / 1e6, sysconf(_SC_NPROCESSORS_ONLN));
    std::printf(
        "{\"bench\":\"redis.push\",\"n\":%zu,\"value\":%.3f,\"unit\":\"ms\",\"p99\":%.3f,\"floor\":%.3f,"
        "\"floor_p99\":%.3f,\"ratio\":%.2f,\"goal\":%.1f,\"goal_p99\":%.1f,\"rate\":%lld,"
        "\"cpu_us\":%.1f,\"cpu_us_watch\":%.1f,\"cpu_us_all\":%.1f,\"machine_p99\":%.3f,\"read_back\":%.3f,"
        "\"read_back_p99\":%.3f}\n",
        push.count, push.p50, push.p99, bare.p50, bare.p99, push.p50 / bare.p50, kGoalP50Ms, kGoalP99Ms,
        static_cast<long long>(reached), us[0], us[1], all, machine.p99, floor.p50, floor.p99);
    std::fflush(stdout);
    return push.count > 0 && bare.count > 0;
}

/** The peak memory of a process. */
qint64 peakKib(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = file.readAll();
    return text.mid(text.indexOf("VmHWM:") + 6, 16).split('k').constFirst().trimmed().toLongLong();
}

/** How much the agent keeps after a console has been given all locks. */
double afterSnapshotMib(AgentProcess &agent, double idleMib)
{
    const auto mib = [&agent] { return double(agent.residentKib()) / 1024; };
    TestClient console;
    if (!console.open(agent.socket()))
        return -1;
    console.subscribe(std::nullopt, true);
    (void)QTest::qWaitFor([&console] { return console.tableWhole; }, 120'000);
    console.close();
    (void)QTest::qWaitFor([&] { return mib() < idleMib * 1.05; }, 15'000);
    return mib();
}

qint64 commandsRun(RedisServer &server)
{
    const QByteArray info = server.command({"INFO", "stats"}).bytes;
    const qsizetype at = info.indexOf("total_commands_processed:") + 25;
    return info.mid(at, info.indexOf('\r', at) - at).toLongLong();
}

bool idle(int locks)
{
    RedisServer server;
    AgentProcess agent;
    TestClient client;
    if (!server.start())
        return false;
    RedisPlain plain(server.socketPath());
    for (int i = 0; i < locks; i += 1'000) {
        for (int j = i; j < i + 1'000; ++j)
            plain.append({"SET", "lock:" + QByteArray::number(j),
                          QByteArray::number(j).rightJustified(32, 'f'), "PX", "86400000"});
        for (int j = i; j < i + 1'000; ++j)
            plain.next();
    }
    if (!start(agent, client, server, "reconcile_ms = 3600000\n"))
        return false;
    client.subscribe(std::nullopt, false);
    double before = processorSeconds(agent.pid());
    (void)QTest::qWaitFor([] { return false; }, 5'000);
    for (double next = processorSeconds(agent.pid()); next - before > 0.5;
         next = processorSeconds(agent.pid())) {
        before = next; // the first scan is still being journalled
        (void)QTest::qWaitFor([] { return false; }, 5'000);
    }
    before = processorSeconds(agent.pid());
    const qint64 commands = commandsRun(server);
    (void)QTest::qWaitFor([] { return false; }, kIdleSeconds * 1'000);
    const double percent = (processorSeconds(agent.pid()) - before) * 100 / kIdleSeconds;
    const double perSecond = double(commandsRun(server) - commands) / kIdleSeconds;
    const double mib = double(agent.residentKib()) / 1024;
    before = processorSeconds(agent.pid());
    const bool passed = client.ask<protocol::Done>(protocol::ReadNow{}, 60'000).has_value();
    const double scan = processorSeconds(agent.pid()) - before;
    const double after = double(agent.residentKib()) / 1024;
    const double snapshot = afterSnapshotMib(agent, mib);
    std::printf(
        "%d idle locks, over %d s: %.2f %% of a core (goal: 2), %.0f MiB (goal: 300), %.1f commands a "
        "second\n"
        "  a proving pass: %.2f s of a core, %.0f MiB after it; %.0f MiB after a console's snapshot; at the "
        "most it ever had %.0f MiB\n",
        locks, kIdleSeconds, percent, mib, perSecond, scan, after, snapshot,
        double(peakKib(agent.pid())) / 1024);
    std::printf("{\"bench\":\"redis.push_idle\",\"n\":%d,\"value\":%.2f,\"unit\":\"%%\",\"mib\":%.0f,"
                "\"mib_after_snapshot\":%.0f,\"commands\":%.1f,"
                "\"pass_cpu_s\":%.2f,\"goal\":2,\"goal_mib\":300}\n",
                locks, percent, mib, snapshot, perSecond, scan);
    for (const events::LockEvent &event : std::as_const(client.events)) {
        if (event.kind == events::EventKind::GapOpened)
            std::printf("  a gap: %s\n", qPrintable(event.detail.causeText()));
    }
    return passed;
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_NO_GLIB", "1"); // as lockkeeperctl
    const QCoreApplication application(argc, argv);
    const int seconds = argc > 1 ? QByteArray(argv[1]).toInt() : 10;
    const int aSecond = argc > 2 ? QByteArray(argv[2]).toInt() : 10'000;
    const int locks = argc > 3 ? QByteArray(argv[3]).toInt() : 1'000'000;
    if (!qEnvironmentVariableIsSet("LOCKKEEPER_BIN"))
        qputenv("LOCKKEEPER_BIN",
                (QCoreApplication::applicationDirPath() + QStringLiteral("/../../bin")).toUtf8());
    const bool told = seconds <= 0 || aSecond <= 0 || latency(seconds, aSecond);
    const bool quiet = locks <= 0 || idle(locks);
    return told && quiet ? 0 : 1;
}
