// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mariadb_server.h"
#include "tests/support/reaper_race.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QLoggingCategory>

#include <cstdio>

using namespace lockkeeper;
using namespace lockkeeper::tests;

static ReaperRaceResult race(const ReaperRacePlan &plan)
{
    MariaDbServer server;
    if (!server.start())
        qFatal("no mariadbd");
    server.exec(QStringLiteral("CREATE DATABASE app"));
    server.exec(
        QStringLiteral("CREATE TABLE race (name VARCHAR(64) PRIMARY KEY, holder VARCHAR(64) NOT NULL, "
                       "created_at DATETIME(6) NOT NULL, expires_at DATETIME(6) NOT NULL)"),
        QStringLiteral("app"));
    return runSqlReaperRace(server.socketPath(), QStringLiteral("app"), plan);
}

/* bench_reaper_race [ROUNDS [mariadb]]: locks that are renewed or taken over in the moment of reaping,
 * 100,000 rounds on each store by default; 0 may be wrong. */
int main(int argc, char *argv[])
{
    QCoreApplication app(argc, argv);
    const QString only = app.arguments().value(2);
    bool good = true;
    QLoggingCategory::setFilterRules(QStringLiteral("lockkeeper.commands*.info=false"));
    for (const QString &store : {QStringLiteral("mariadb")}) {
        if (!only.isEmpty() && only != store)
            continue;
        ReaperRacePlan plan;
        plan.rounds = app.arguments().value(1, QStringLiteral("100000")).toLongLong();
        QElapsedTimer timer;
        timer.start();
        const ReaperRaceResult result = race(plan);
        std::printf("%s: %s (goal 0), %.1f s\n", qPrintable(store), qPrintable(raceText(result)),
                    double(timer.nsecsElapsed()) / 1e9);
        std::printf("{\"bench\":\"reaper.race.%s\",\"n\":%lld,\"value\":%lld,\"unit\":\"living locks "
                    "reaped\",\"goal\":0}\n",
                    qPrintable(store), result.rounds, result.clients.wrong);
        good = good && result.clients.wrong == 0 && result.rounds == plan.rounds;
    }
    return good ? 0 : 1;
}
