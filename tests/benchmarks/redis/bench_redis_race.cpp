// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_race.h"
#include "tests/support/redis_server.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::tests;

/* bench_redis_race [ROUNDS]: force-releases among clients at full speed, 100,000 unless told; 0 may be wrong.
 */
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    RedisServer server;
    if (!server.start())
        qFatal("no redis-server");
    RacePlan plan;
    plan.rounds = app.arguments().value(1, QStringLiteral("100000")).toLongLong();
    QElapsedTimer timer;
    timer.start();
    const RaceResult result = runRedisRace(server.socketPath(), stores::redis::releaseScript(), plan);
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    std::printf("%lld rounds in %.1f s: %lld released, %lld changed, %lld free, %lld other; %lld "
                "acquisitions, %lld renewals, "
                "%lld lost, %lld wrong (goal 0)\n",
                result.rounds, seconds, result.released, result.holderChanged, result.alreadyFree,
                result.other, result.acquisitions, result.renewals, result.lost, result.wrong);
    std::printf(
        "{\"bench\":\"redis.race\",\"n\":%lld,\"value\":%lld,\"unit\":\"wrong releases\",\"goal\":0}\n",
        result.rounds, result.wrong);
    return result.wrong == 0 && result.rounds == plan.rounds ? 0 : 1;
}
