// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/config/problem.h"
#include "shared/stores/source_spec.h"

#include <QByteArray>
#include <QList>

#include <optional>
#include <tl/expected.hpp>

class QRandomGenerator;

namespace lockkeeper::locks::simulation {

/** A random duration: uniform between two durations, or exponentially distributed around one. */
struct RandomDuration
{
    qint64 lowUs = 0;
    qint64 highUs = 0;
    static constexpr int kMostTimes = 10;
    bool isExponential = false; ///< with the mean `lowUs`; at most kMostTimes that

    qint64 draw(QRandomGenerator &random) const;
    bool operator==(const RandomDuration &) const = default;
};

/** One `[[workers]]`: a number of workers that do the same. */
struct WorkerGroup
{
    int source = 0; ///< index in Scenario::sources
    stores::LockSet set;
    int workers = 1;
    int perProcess = 1;      ///< workers that share a connection and die together
    QByteArray owner;        ///< prefix of each process's owner text; its number follows
    QList<QByteArray> names; ///< names of the locks
    bool anyLock = true;     ///< choose a lock at random each time; otherwise each worker has one lock
    qint64 ttlUs = 0;
    RandomDuration hold;
    RandomDuration idle;
    std::optional<qint64> waitUs; ///< empty: for ever
    bool renews = true;
    double crash = 0;       ///< probability that a hold ends with the death of its process …
    RandomDuration restart; ///< … which restarts after this time

    bool operator==(const WorkerGroup &) const = default;
};

/** A workload: the workers, their locks and how long they hold them. */
struct Scenario
{
    quint32 seed = 1;
    std::optional<qint64> forUs;
    QList<stores::SourceSpec> sources;
    QList<WorkerGroup> groups;

    bool operator==(const Scenario &) const = default;
};

using Outcome = tl::expected<Scenario, QList<config::Problem>>;

/** Reads a scenario. Its `[[source]]` are written as in an agent's configuration. */
Outcome readScenario(const QString &path);
/** The same from text. `path` is named in problems, and relative paths are resolved against its folder. */
Outcome parseScenario(const QByteArray &toml, const QString &path);

} // namespace lockkeeper::locks::simulation
