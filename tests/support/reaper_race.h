// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/source_spec.h"

#include <QList>
#include <QString>

#include <atomic>
#include <functional>

namespace lockkeeper::tests {

/** The observations of one client of the race, or of all together. */
struct ReaperTally
{
    qint64 acquisitions = 0;
    qint64 reaped = 0;    ///< abandoned, or gone before a sign of life: the policy may take those
    qint64 renewed = 0;   ///< came back to life by a renewal, and stayed
    qint64 takenOver = 0; ///< went to another holder, and stayed
    qint64 wrong = 0;     ///< gone after that: a lock that lives
};

struct ReaperRaceResult
{
    ReaperTally clients;
    qint64 rounds = 0;   ///< the reaper's attempts
    qint64 released = 0; ///< by its audit
    qint64 left = 0;     ///< changed meanwhile, free, or refused
    qint64 other = 0;    ///< unreachable or unknown
};

struct ReaperRacePlan
{
    qint64 rounds = 2'000;
    int clients = 3;
    int locks = 6;
    bool dropFreshness = false; ///< a mutation: the guard compares the holder alone
};

/**
 * A client: acquires locks that look dead at once, and then abandons, renews or hands over each, until
 * `over`. Runs in its own thread.
 */
using ReaperClient = std::function<void(int index, const ReaperRacePlan &plan, ReaperTally &tally,
                                        const std::atomic_bool &over)>;

/**
 * The real store, engine, releaser and reaper (with an audit in memory) among clients at full speed. Every
 * lock looks due within milliseconds, so that signs of life come in the moment of reaping. The oracle is
 * exact: a client that has renewed a lock, or got it by a takeover, must find it until it gives it back.
 */
ReaperRaceResult runReaperRace(const stores::SourceSpec &spec, const ReaperClient &client,
                               const ReaperRacePlan &plan);

/** Rows past their deadline on the MariaDB behind `socketPath`, in the table `race` of `database`. */
ReaperRaceResult runSqlReaperRace(const QString &socketPath, const QString &database,
                                  const ReaperRacePlan &plan);

/** "100000 rounds: …" for people. */
QString raceText(const ReaperRaceResult &result);

} // namespace lockkeeper::tests
