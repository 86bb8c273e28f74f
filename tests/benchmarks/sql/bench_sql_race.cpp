// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Guarded releases against clients at full speed: how many, how fast, and how many were wrong (goal: none).
// usage: bench_sql_race [ROUNDS [PRESET]], 100,000 of ShedLock unless told; "reused" is ShedLock in
// milliseconds with one holder's name a client
#include "tests/shared/stores/sql/layouts.h"
#include "tests/shared/stores/sql/release_race.h"
#include "tests/shared/stores/sql/store_probe.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

using namespace lockkeeper;

namespace {
stores::SourceSpec filled(tests::TestDatabase &database, const QByteArray &preset)
{
    if (preset.isEmpty() || preset == "reused") {
        database.exec(tests::shedlockTable(QStringLiteral("shedlock"), preset.isEmpty() ? 6 : 3));
        stores::SourceSpec spec = database.spec();
        spec.locks = tests::shedlockSpec(spec.url).locks;
        return spec;
    }
    const tests::Layout &layout = tests::layoutNamed(preset);
    database.run(layout.create);
    return tests::layoutSpec(database, layout);
}
} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const qint64 rounds = argc > 1 ? QByteArray(argv[1]).toLongLong() : 100'000;
    const auto database = tests::makeTestDatabase(QStringLiteral("mariadb"));
    if (rounds <= 0 || !database->reset())
        return 1;
    stores::SourceSpec spec = filled(*database, argc > 2 ? QByteArray(argv[2]) : QByteArray());
    // With a short time-out, a busy machine gives up connections, and the fate of their acquisitions is
    // unknown.
    spec.statementTimeoutMs = 60'000;
    tests::RaceWays ways;
    ways.reuses = argc > 2 && QByteArray(argv[2]) == "reused";
    tests::ReleaseRace race(spec, 4, 1, ways);
    QElapsedTimer timer;
    timer.start();
    const tests::RaceResult result = race.run(rounds);
    const double seconds = double(timer.nsecsElapsed()) / 1e9;
    for (const base::Error &error : result.errors)
        std::fprintf(stderr, "%s\n", qPrintable(error.line()));
    std::printf("%lld releases tried in %.1f s against %lld acquisitions and %lld renewals: %lld released, "
                "%lld wrong\n",
                result.rounds, seconds, result.acquisitions, result.renewals, result.released, result.wrong);
    if (!result.errors.isEmpty())
        std::printf("%d answers were lost: what they were about may count as wrong, run it again\n",
                    int(result.errors.size()));
    std::printf(
        "{\"bench\":\"sql.race\",\"n\":%lld,\"value\":%lld,\"unit\":\"wrong releases\",\"released\":%lld,"
        "\"acquisitions\":%lld,\"goal\":0}\n",
        result.rounds, result.wrong, result.released, result.acquisitions);
    return result.wrong == 0 && result.errors.isEmpty() ? 0 : 1;
}
