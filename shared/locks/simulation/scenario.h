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

/** How long something takes: anything between two durations, or exponentially distributed around one. */
struct Spread
{
    qint64 lowUs = 0;
    qint64 highUs = 0;
    static constexpr int kMostTimes = 10;
    bool isExponential = false; ///< around `lowUs`, at most kMostTimes that

    qint64 draw(QRandomGenerator &random) const;
    bool operator==(const Spread &) const = default;
};

/** One `[[workers]]`: so many that do the same. */
struct Group
{
    int source = 0; ///< of Scenario::sources
    stores::LockSet set;
    int workers = 1;
    int perProcess = 1;      ///< share a connection, and die together
    QByteArray owner;        ///< of each process, with its number behind it
    QList<QByteArray> names; ///< of the locks
    bool anyLock = true;     ///< each time another; else each worker has its own
    qint64 ttlUs = 0;
    Spread hold;
    Spread idle;
    std::optional<qint64> waitUs; ///< empty: for ever
    bool renews = true;
    double crash = 0; ///< how likely a hold ends with the death of its process …
    Spread restart;   ///< … which begins anew after this

    bool operator==(const Group &) const = default;
};

/** A workload: who takes which locks for how long. */
struct Scenario
{
    quint32 seed = 1;
    std::optional<qint64> forUs;
    QList<stores::SourceSpec> sources;
    QList<Group> groups;

    bool operator==(const Scenario &) const = default;
};

using Outcome = tl::expected<Scenario, QList<config::Problem>>;

/** Reads a scenario, whose `[[source]]` are those of an agent's configuration. */
Outcome readScenario(const QString &path);
/** The same from text; `path` names it in problems and anchors relative paths. */
Outcome parseScenario(const QByteArray &toml, const QString &path);

} // namespace lockkeeper::locks::simulation
