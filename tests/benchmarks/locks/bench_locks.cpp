// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the lock library costs over Redis, beside plain hiredis that sends the very same commands and beside
// other people's clients, all on one private server: one handle at a time, 64 at once on one connection, a
// lock that 100 wait for, and 10,000 handles that hold. Ratios are medians of rounds in which both take
// turns. usage: bench_locks [ROUNDS [PAIRS_A_ROUND]]
#include "shared/locks/client_makers.h"
#include "shared/locks/lock_manager.h"
#include "tests/benchmarks/locks/pipelines.h"
#include "tests/support/mariadb_server.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSqlDatabase>
#include <QSqlQuery>

#include <algorithm>
#include <cstdio>
#include <sys/resource.h>
#include <vector>

using namespace lockkeeper;
using namespace lockkeeper::tests;
using locks::Lock;
using locks::LockManager;

namespace {

constexpr int kAtOnce = 64;
constexpr int kWaiters = 100;
constexpr int kHandles = 10'000;

double cpuUs()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto us = [](const timeval &time) { return double(time.tv_sec) * 1e6 + double(time.tv_usec); };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

void figure(const char *name, double value, const char *unit, const char *goal = nullptr)
{
    std::printf("%-46s %12.2f %s%s%s\n", name, value, unit, goal != nullptr ? "  goal " : "",
                goal != nullptr ? goal : "");
    std::printf("{\"bench\":\"locks.%s\",\"value\":%.3f,\"unit\":\"%s\"}\n", name, value, unit);
    std::fflush(stdout);
}

stores::SourceSpec specOf(const RedisServer &server, const QByteArray &scheme, bool fencing,
                          bool fair = false)
{
    stores::SourceSpec spec = redisSpec(server.url(), "*");
    spec.locks.first().scheme = scheme;
    spec.locks.first().keys.fencing = fencing;
    spec.locks.first().keys.fair = fair;
    return spec;
}

std::unique_ptr<LockManager> managerOf(const stores::SourceSpec &spec)
{
    return std::move(*LockManager::open(spec, spec.locks.first(), "bench"));
}

/** Handles of one manager that acquire and release their locks, a given number of pairs in all. */
class Pairs
{
public:
    Pairs(LockManager &manager, int handles)
    {
        for (int i = 0; i < handles; ++i)
            m_locks.push_back(*manager.lock("own:" + QByteArray::number(i)));
    }
    void run(int pairs)
    {
        m_left = pairs;
        m_under = int(m_locks.size());
        for (const auto &lock : m_locks)
            next(*lock);
        m_loop.exec();
    }

private:
    void next(Lock &lock)
    {
        if (m_left-- <= 0) {
            if (--m_under == 0)
                m_loop.quit();
            return;
        }
        lock.tryAcquire([this, &lock](const base::Result<bool> &taken) {
            if (!taken || !*taken)
                qFatal("a lock that nobody holds wasn't taken");
            lock.release([this, &lock](const base::Result<bool> &) { next(lock); });
        });
    }

    std::vector<std::unique_ptr<Lock>> m_locks;
    QEventLoop m_loop;
    int m_left = 0;
    int m_under = 0;
};

struct Rate
{
    double perSecond;
    double cpuUsAPair;
};

Rate measured(int pairs, const std::function<void()> &run)
{
    const double cpu = cpuUs();
    QElapsedTimer timer;
    timer.start();
    run();
    return {double(pairs) * 1e9 / double(timer.nsecsElapsed()), (cpuUs() - cpu) / pairs};
}

/** Alternates our client and the raw commands. Returns the median rate of ours. */
double inTurns(const QByteArray &name, int rounds, int pairs, const std::function<void()> &raw,
               const std::function<void()> &ours, const char *goal)
{
    std::vector<double> ratios;
    std::vector<double> own;
    std::vector<double> plain;
    std::vector<double> ownCpu;
    std::vector<double> plainCpu;
    for (int round = 0; round < rounds; ++round) {
        const Rate theirs = measured(pairs, raw);
        const Rate mine = measured(pairs, ours);
        ratios.push_back(mine.perSecond / theirs.perSecond);
        own.push_back(mine.perSecond);
        plain.push_back(theirs.perSecond);
        ownCpu.push_back(mine.cpuUsAPair);
        plainCpu.push_back(theirs.cpuUsAPair);
    }
    figure((name + ".raw").constData(), median(plain), "pairs/s");
    figure(name.constData(), median(own), "pairs/s");
    figure((name + ".ratio").constData(), median(ratios), "of raw", goal);
    figure((name + ".raw_cpu").constData(), median(plainCpu), "us/pair");
    figure((name + ".cpu").constData(), median(ownCpu), "us/pair");
    return median(own);
}

double compare(const RedisServer &server, bool fencing, int handles, int rounds, int pairs)
{
    const auto manager = managerOf(specOf(server, "redis.token", fencing));
    Pairs ours(*manager, handles);
    RawPairs raw(server.socketPath(), fencing);
    ours.run(pairs / 10);
    raw.pipelined(pairs / 10, kAtOnce);
    return inTurns(
        QByteArray(handles == 1 ? "single" : "at_once") + (fencing ? ".fenced" : ""), rounds, pairs,
        [&] {
            if (handles == 1)
                raw.oneByOne(pairs);
            else
                raw.pipelined(pairs, handles);
        },
        [&] { ours.run(pairs); }, handles == 1 ? ">= 0.9" : ">= 0.7");
}

/** The very statements of ShedLock's table, prepared. */
class RawUpdates
{
public:
    explicit RawUpdates(const MariaDbServer &server)
        : m_database(QSqlDatabase::addDatabase(QStringLiteral("QMYSQL"), QStringLiteral("raw")))
    {
        m_database.setConnectOptions(QStringLiteral("UNIX_SOCKET=") + server.socketPath());
        m_database.setUserName(QStringLiteral("root"));
        m_database.setDatabaseName(QStringLiteral("app"));
        if (!m_database.open())
            qFatal("no connection");
        m_take = std::make_unique<QSqlQuery>(m_database);
        m_give = std::make_unique<QSqlQuery>(m_database);
        const QString where = QStringLiteral(" WHERE `name` = CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin "
                                             "AND CAST(`name` AS BINARY) <=> ? AND ");
        m_take->prepare(
            QStringLiteral("UPDATE `shedlock` SET `locked_by` = ?, `locked_at` = (UTC_TIMESTAMP(3)), "
                           "`lock_until` = (UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)") +
            where + QStringLiteral("(1 = 0 OR `lock_until` <= (UTC_TIMESTAMP(6)))"));
        m_give->prepare(QStringLiteral("UPDATE `shedlock` SET `lock_until` = (UTC_TIMESTAMP(3))") + where +
                        QStringLiteral("CAST(`locked_by` AS BINARY) <=> ? AND `lock_until` > (SYSDATE(6))"));
    }
    void run(int pairs)
    {
        const QByteArray name("raw");
        const QByteArray holder("bench:2213199150b04134e20bc46b15d31e64");
        for (int i = 0; i < pairs; ++i) {
            exec(*m_take, {holder, 30'000'999, name, name});
            exec(*m_give, {name, name, holder});
        }
    }

private:
    static void exec(QSqlQuery &query, const QVariantList &values)
    {
        for (qsizetype i = 0; i < values.size(); ++i)
            query.bindValue(int(i), values.at(i));
        if (!query.exec() || query.numRowsAffected() != 1)
            qFatal("the raw statement changed nothing");
    }

    QSqlDatabase m_database;
    std::unique_ptr<QSqlQuery> m_take;
    std::unique_ptr<QSqlQuery> m_give;
};

void compareTable(int rounds, int pairs)
{
    MariaDbServer server;
    if (!server.start())
        qFatal("no mariadbd");
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(
        QStringLiteral("CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT "
                       "NULL, locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL);\n"
                       "INSERT INTO shedlock VALUES ('raw', '2000-01-01', '2000-01-01', '')"),
        QStringLiteral("app"));
    stores::SourceSpec spec;
    spec.name = QStringLiteral("bench");
    spec.url = server.url(QStringLiteral("app"));
    stores::LockSet set;
    set.scheme = "sql.shedlock";
    spec.locks = {set};
    const auto manager = managerOf(spec);
    Pairs ours(*manager, 1);
    RawUpdates raw(server);
    ours.run(pairs / 10);
    inTurns(
        "single.shedlock", rounds, pairs, [&] { raw.run(pairs); }, [&] { ours.run(pairs); }, ">= 0.9");
}

/** Pairs a second of a foreign client; 0 where its library isn't installed. */
double foreign(const RedisServer &server, const QString &program, const QStringList &arguments)
{
    const QString libraries =
        qEnvironmentVariable("LOCKKEEPER_TEST_CLIENTS", QStringLiteral("build/clients"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NODE_PATH"), libraries + QStringLiteral("/node/node_modules"));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QString(program).replace(QLatin1String("$CLIENTS"), libraries),
                  arguments + QStringList{server.socketPath(), QStringLiteral("3")});
    return process.waitForFinished(60'000) ? process.readAllStandardOutput().trimmed().toDouble() : 0;
}

void compareForeign(const RedisServer &server, double ours)
{
    const QString folder = QStringLiteral(LOCKKEEPER_BENCH_FOLDER "/");
    const double all[] = {
        foreign(server, QStringLiteral("$CLIENTS/python/bin/python3"), {folder + QStringLiteral("pairs.py")}),
        foreign(server, QStringLiteral("node"),
                {folder + QStringLiteral("pairs.js"), QStringLiteral("redlock")}),
        foreign(server, QStringLiteral("node"),
                {folder + QStringLiteral("pairs.js"), QStringLiteral("redis-semaphore")})};
    figure("foreign.redis_py", all[0], "pairs/s");
    figure("foreign.node_redlock", all[1], "pairs/s");
    figure("foreign.redis_semaphore", all[2], "pairs/s");
    const double fastest = *std::max_element(std::begin(all), std::end(all));
    if (fastest > 0)
        figure("at_once.foreign_ratio", ours / fastest, "of the fastest", ">= 2.5");
}

/** Number of requests from clients to the server, regardless of the work of its scripts. */
qint64 commandsOf(RedisServer &server)
{
    qint64 count = 0;
    const QList<QByteArray> lines = server.command({"INFO", "commandstats"}).bytes.split('\n');
    for (const QByteArray &line : lines) {
        for (const char *name :
             {"eval", "evalsha", "subscribe", "unsubscribe", "psubscribe", "punsubscribe"}) {
            if (line.startsWith(QByteArray("cmdstat_") + name + ':'))
                count += line.mid(line.indexOf('=') + 1).split(',').first().toLongLong();
        }
    }
    return count;
}

/** 100 wait for one lock; each gives it back at once and waits again. */
void handOvers(RedisServer &server, const char *name, const stores::SourceSpec &spec, int managers, int turns)
{
    std::vector<std::unique_ptr<LockManager>> all;
    std::vector<std::unique_ptr<Lock>> locks;
    for (int i = 0; i < managers; ++i)
        all.push_back(managerOf(spec));
    for (int i = 0; i < kWaiters; ++i)
        locks.push_back(*all[size_t(i % managers)]->lock("contended"));
    QEventLoop loop;
    std::vector<double> latencies;
    QElapsedTimer sinceRelease;
    qint64 commands = 0;
    std::function<void(Lock &)> wait = [&](Lock &lock) {
        lock.acquire({}, [&](const base::Result<bool> &taken) {
            if (!taken || !*taken)
                qFatal("a wait without an end ended");
            if (sinceRelease.isValid())
                latencies.push_back(double(sinceRelease.nsecsElapsed()) / 1e3);
            if (int(latencies.size()) == turns / 10)
                commands = commandsOf(server);
            if (int(latencies.size()) >= turns) {
                loop.quit();
                return;
            }
            sinceRelease.start();
            lock.release();
            wait(lock);
        });
    };
    for (const auto &lock : locks)
        wait(*lock);
    loop.exec();
    commands = commandsOf(server) - commands;
    figure((QByteArray("handover.") + name).constData(), median(latencies), "us (median)");
    std::sort(latencies.begin(), latencies.end());
    figure((QByteArray("handover.") + name + ".p99").constData(), latencies[latencies.size() * 99 / 100],
           "us");
    figure((QByteArray("handover.") + name + ".commands").constData(), double(commands) / (turns * 9 / 10),
           "a hand-over", managers == 1 ? "<= 3" : nullptr);
}

/** A line of /proc/self/status. */
double statusOf(const char *key)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(key))
            return line.mid(line.indexOf(':') + 1).simplified().split(' ').first().toDouble();
    }
    return 0;
}

void manyHandles(const RedisServer &server)
{
    const auto manager = managerOf(specOf(server, "redis.token", true));
    const double before = statusOf("VmRSS");
    std::vector<std::unique_ptr<Lock>> locks;
    QEventLoop loop;
    int left = kHandles;
    for (int i = 0; i < kHandles; ++i) {
        locks.push_back(*manager->lock("many:" + QByteArray::number(i)));
        locks.back()->tryAcquire([&](const base::Result<bool> &) {
            if (--left == 0)
                loop.quit();
        });
    }
    loop.exec();
    figure("handles.memory", (statusOf("VmRSS") - before) * 1024 / kHandles, "bytes/handle that holds");
    figure("handles.threads", statusOf("Threads"), "threads of 10,000 handles");
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    RedisServer server;
    if (!server.start())
        qFatal("no redis-server");
    const int rounds = std::max(1, app.arguments().value(1, QStringLiteral("7")).toInt());
    const int pairs = std::max(1'000, app.arguments().value(2, QStringLiteral("20000")).toInt());
    manyHandles(server); // first, so that the measured memory belongs to it alone
    compare(server, false, 1, rounds, pairs / 4);
    compare(server, true, 1, rounds, pairs / 4);
    compareTable(rounds, pairs / 20);
    compareForeign(server, compare(server, false, kAtOnce, rounds, pairs));
    compare(server, true, kAtOnce, rounds, pairs);
    handOvers(server, "token", specOf(server, "redis.token", true), 1, 2'000);
    handOvers(server, "redisson", specOf(server, "redis.redisson", true), 1, 2'000);
    handOvers(server, "redisson_fair", specOf(server, "redis.redisson", true, true), 1, 2'000);
    handOvers(server, "redisson_10_processes", specOf(server, "redis.redisson", true), 10, 2'000);
    return 0;
}
