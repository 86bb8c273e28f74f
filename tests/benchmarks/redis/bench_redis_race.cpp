// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_race.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::tests;

/*
 * bench_redis_race [ROUNDS [SCHEME …]]: force-releases among clients at full speed, 100,000 a scheme by
 * default; 0 may be wrong. The schemes "constant" and "reused" are redis.token with the same value in every
 * lock, and with one value a client for leases of one length.
 */
namespace {

bool race(const QByteArray &scheme, qint64 rounds)
{
    RedisServer server;
    if (!server.start())
        qFatal("no redis-server");
    RacePlan plan;
    plan.scheme = scheme.startsWith("redis.") ? scheme : QByteArray("redis.token");
    plan.reuses = scheme == "reused";
    plan.constant = scheme == "constant" ? QByteArray("true") : QByteArray();
    plan.rounds = rounds;
    QElapsedTimer timer;
    timer.start();
    const RaceResult result = runRedisRace(server.socketPath(), {}, plan);
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    std::printf("%s: %lld rounds in %.1f s: %lld released, %lld changed, %lld free, %lld other; %lld "
                "acquisitions, %lld renewals, %lld lost, %lld wrong (goal 0)\n",
                scheme.constData(), result.rounds, seconds, result.released, result.holderChanged,
                result.alreadyFree, result.other, result.acquisitions, result.renewals, result.lost,
                result.wrong);
    std::printf(
        "{\"bench\":\"redis.race.%s\",\"n\":%lld,\"value\":%lld,\"unit\":\"wrong releases\",\"goal\":0}\n",
        (scheme.startsWith("redis.") ? scheme.mid(6) : scheme).constData(), result.rounds, result.wrong);
    return result.wrong == 0 && result.rounds == plan.rounds;
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList words = app.arguments();
    QStringList schemes = words.mid(2);
    if (schemes.isEmpty())
        schemes = {QStringLiteral("redis.token"),    QStringLiteral("redis.json"),
                   QStringLiteral("redis.redisson"), QStringLiteral("redis.semaphore"),
                   QStringLiteral("constant"),       QStringLiteral("reused")};
    bool good = true;
    for (const QString &scheme : std::as_const(schemes))
        good = race(scheme.toLatin1(), words.value(1, QStringLiteral("100000")).toLongLong()) && good;
    return good ? 0 : 1;
}
