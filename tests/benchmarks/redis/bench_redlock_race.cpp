// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redlock_race.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::tests;

/*
 * bench_redlock_race [ROUNDS [NODES]]: force-releases on three nodes among clients at full speed, 100,000 by
 * default; 0 may be wrong.
 */
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    RedlockNodes nodes;
    if (!nodes.start(app.arguments().value(2, QStringLiteral("3")).toInt()))
        qFatal("no redis-server");
    RacePlan plan;
    plan.rounds = app.arguments().value(1, QStringLiteral("100000")).toLongLong();
    QElapsedTimer timer;
    timer.start();
    const RaceResult result = runRedlockRace(nodes, plan);
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    std::printf(
        "%lld rounds in %.1f s: %lld released, %lld partial, %lld changed, %lld free, %lld other; %lld "
        "acquisitions, %lld renewals, %lld lost on a node, %lld wrong (goal 0)\n",
        result.rounds, seconds, result.released, result.partial, result.holderChanged, result.alreadyFree,
        result.other, result.acquisitions, result.renewals, result.lost, result.wrong);
    std::printf(
        "{\"bench\":\"redlock.race\",\"n\":%lld,\"value\":%lld,\"unit\":\"wrong releases\",\"goal\":0}\n",
        result.rounds, result.wrong);
    return result.wrong == 0 && result.rounds == plan.rounds ? 0 : 1;
}
