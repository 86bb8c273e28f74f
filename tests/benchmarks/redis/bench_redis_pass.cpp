// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/redis_stores.h"
#include "tests/support/redis_server.h"
#include "tests/support/store_harness.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>

#include <array>
#include <cstdio>
#include <cstring>
#include <hiredis/hiredis.h>
#include <memory>
#include <string>

using namespace lockkeeper;
using namespace lockkeeper::tests;

/*
 * bench_redis_pass [N …]: a full scan over N lock keys (10,000, 100,000 and 1,000,000 by default), against a
 * bare hiredis program and `redis-cli --scan` in the same run. The hiredis program sends SCAN COUNT 1000 and
 * a pipeline of PTTL and GET a page, and does nothing with the answers. All over TCP. Best of three each,
 * taken in turn.
 */

namespace {

constexpr int kRepeats = 3;
constexpr double kGoalBare = 0.85;
constexpr double kGoalCli = 1.8;

struct ReplyDeleter
{
    void operator()(redisReply *reply) const { freeReplyObject(reply); }
};
using ReplyPtr = std::unique_ptr<redisReply, ReplyDeleter>;

ReplyPtr next(redisContext *context)
{
    void *reply = nullptr;
    if (redisGetReply(context, &reply) != REDIS_OK)
        qFatal("the server went away");
    return ReplyPtr(static_cast<redisReply *>(reply));
}

void fill(const RedisServer &server, qint64 count)
{
    RedisPlain plain(server.socketPath());
    constexpr qint64 kBatch = 5'000;
    for (qint64 done = 0; done < count; done += kBatch) {
        const qint64 end = qMin(count, done + kBatch);
        for (qint64 i = done; i < end; ++i) {
            const QByteArray number = QByteArray::number(i);
            plain.append({"SET", "lock:" + number, number.rightJustified(32, 'f'), "PX", "86400000"});
        }
        for (qint64 i = done; i < end; ++i)
            plain.next();
    }
}

void append(redisContext *context, const char *command, const redisReply *key)
{
    const std::array<const char *, 2> words{command, key->str};
    const std::array<size_t, 2> sizes{std::strlen(command), size_t(key->len)};
    redisAppendCommandArgv(context, 2, const_cast<const char **>(words.data()), sizes.data());
}

/** Keys a second of the bare program. */
double bare(const RedisServer &server)
{
    redisContext *context = redisConnect("127.0.0.1", server.port());
    QElapsedTimer timer;
    timer.start();
    qint64 keys = 0;
    std::string cursor = "0";
    do {
        redisAppendCommand(context, "SCAN %s COUNT 1000", cursor.c_str());
        const ReplyPtr page = next(context);
        const redisReply *names = page->element[1];
        for (size_t i = 0; i < names->elements; ++i) {
            append(context, "PTTL", names->element[i]);
            append(context, "GET", names->element[i]);
        }
        for (size_t i = 0; i < 2 * names->elements; ++i)
            next(context);
        keys += qint64(names->elements);
        cursor.assign(page->element[0]->str, size_t(page->element[0]->len));
    } while (cursor != "0");
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    redisFree(context);
    return double(keys) / seconds;
}

double cli(const RedisServer &server, qint64 count)
{
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    QElapsedTimer timer;
    timer.start();
    process.start(QStringLiteral("redis-cli"),
                  {QStringLiteral("-p"), QString::number(server.port()), QStringLiteral("--scan")});
    if (!process.waitForFinished(300'000) || process.exitCode() != 0)
        qFatal("redis-cli --scan failed");
    return double(count) / (double(timer.nsecsElapsed()) / 1e9);
}

/** The store, with a counter of the locks that it reads. */
class Scan
{
public:
    explicit Scan(const QUrl &url) : m_store(std::move(*stores::redis::makeStore(redisSpec(url, "lock:*"))))
    {
        QObject::connect(m_store.get(), &stores::Store::opened, &m_loop, [this] { m_loop.exit(0); });
        QObject::connect(m_store.get(), &stores::Store::failed, &m_loop, [this] { m_loop.exit(1); });
        m_store->open();
        if (m_loop.exec() != 0)
            qFatal("the store doesn't open");
    }

    double run(qint64 count)
    {
        QElapsedTimer timer;
        timer.start();
        m_seen = 0;
        m_store->scan([this](const stores::Page &page) { m_seen += page.locks.size(); },
                      [this](const stores::ScanEnd &end) { m_loop.exit(end.complete ? 0 : 1); });
        if (m_loop.exec() != 0 || m_seen != count)
            qFatal("the pass saw %lld of %lld locks", m_seen, count);
        return double(m_seen) / (double(timer.nsecsElapsed()) / 1e9);
    }

private:
    QEventLoop m_loop;
    std::unique_ptr<stores::Store> m_store;
    qint64 m_seen = 0;
};

void report(qint64 count, double value, const char *floorName, double floor, double goal)
{
    std::printf("{\"bench\":\"redis.pass\",\"n\":%lld,\"value\":%.0f,\"unit\":\"keys/s\",\"against\":\"%s\","
                "\"floor\":%.0f,\"ratio\":%.3f,\"goal\":%.2f}\n",
                count, value, floorName, floor, value / floor, goal);
}

void run(qint64 count)
{
    RedisServer server;
    if (!server.start({}, true))
        qFatal("no redis-server");
    fill(server, count);
    Scan scan(server.tcpUrl());
    double bestBare = 0;
    double bestCli = 0;
    double bestOurs = 0;
    for (int i = 0; i < kRepeats; ++i) {
        bestBare = qMax(bestBare, bare(server));
        bestOurs = qMax(bestOurs, scan.run(count));
        bestCli = qMax(bestCli, cli(server, count));
    }
    std::printf(
        "%9lld keys: pass %8.0f keys/s | bare %8.0f: %.2f (goal %.2f) | redis-cli %8.0f: %.2f (goal %.2f)\n",
        count, bestOurs, bestBare, bestOurs / bestBare, kGoalBare, bestCli, bestOurs / bestCli, kGoalCli);
    report(count, bestOurs, "hiredis pipeline", bestBare, kGoalBare);
    report(count, bestOurs, "redis-cli --scan", bestCli, kGoalCli);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = app.arguments().mid(1);
    if (arguments.isEmpty()) {
        for (const qint64 count : {10'000, 100'000, 1'000'000})
            run(count);
    }
    for (const QString &argument : arguments)
        run(argument.toLongLong());
    return 0;
}
