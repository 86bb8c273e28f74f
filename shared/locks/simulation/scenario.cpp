// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/simulation/scenario.h"

#include "shared/base/clock.h"
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/config/toml_file.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cmath>

namespace lockkeeper::locks::simulation {

using base::kSecondUs;
using base::kYearUs;
using config::Problems;
using config::TableReader;

namespace {

constexpr int kMostWorkers = 10'000;
constexpr int kMostLocks = 1'000'000;
constexpr qint64 kLongestTimerUs = 24 * 24 * base::kHourUs; ///< limit of a timer's milliseconds

const QStringList kKeys =
    config::words("source scheme workers per_process owner lock locks pick ttl hold idle "
                  "wait renew crash restart");

/** Reads "3s", ["1s", "5s"] or "~3s". */
RandomDuration readSpread(const TableReader &reader, const char *key, const RandomDuration &otherwise)
{
    if (!reader.has(key))
        return otherwise;
    QStringList texts = reader.strings(key, {}, true);
    RandomDuration spread;
    spread.isExponential = texts.size() == 1 && texts.first().startsWith(QLatin1Char('~'));
    if (spread.isExponential)
        texts[0].remove(0, 1);
    QList<qint64> us;
    for (const QString &text : std::as_const(texts)) {
        const auto duration = base::parseDuration(text);
        if (!duration) {
            reader.problem(key, QStringLiteral("%1: %2").arg(reader.nameOf(key), duration.error().cause),
                           duration.error().remedy);
            return otherwise;
        }
        us.append(*duration);
    }
    if (us.isEmpty() || us.size() > 2 || us.last() < us.first()) {
        reader.problem(key, QStringLiteral("%1 isn't a duration").arg(reader.nameOf(key)),
                       QStringLiteral("Write \"3s\", [\"1s\", \"5s\"], or \"~3s\" for an average."));
        return otherwise;
    }
    if (us.last() > kLongestTimerUs / (spread.isExponential ? RandomDuration::kMostTimes : 1)) {
        reader.problem(key, QStringLiteral("%1 takes too long").arg(reader.nameOf(key)),
                       QStringLiteral("At most 24d; an average at most a tenth of that."));
        return otherwise;
    }
    spread.lowUs = us.first();
    spread.highUs = us.last();
    return spread;
}

/** Reads the names of the locks; `{n}` in a name is replaced by its number. */
QList<QByteArray> readNames(const TableReader &reader)
{
    QList<QByteArray> names;
    const qint64 count = reader.integer("locks", 1, {1, kMostLocks});
    for (const QString &pattern : reader.strings("lock", {}, true)) {
        const bool numbered = pattern.contains(QLatin1String("{n}"));
        for (qint64 n = 0; n < (numbered ? count : 1); ++n)
            names.append(QString(pattern).replace(QLatin1String("{n}"), QString::number(n)).toUtf8());
    }
    if (names.isEmpty())
        reader.problem("lock", QStringLiteral("%1 is missing").arg(reader.nameOf("lock")),
                       QStringLiteral("Write lock = \"job-{n}\" and locks = 50, or a list of names."));
    return names;
}

void chooseSet(const TableReader &reader, const QList<stores::SourceSpec> &sources, WorkerGroup &group)
{
    QStringList known;
    for (const stores::SourceSpec &source : sources)
        known.append(source.name);
    const QString wanted = reader.string("source", sources.size() == 1 ? known.first() : QString());
    group.source = int(known.indexOf(wanted));
    if (group.source < 0) {
        group.source = 0;
        reader.problem("source", QStringLiteral("there is no source \"%1\"").arg(base::displayText(wanted)),
                       config::suggestion(wanted, known));
        return;
    }
    const QByteArray scheme = reader.string("scheme").toLatin1();
    for (const stores::LockSet &set : sources.at(group.source).locks) {
        const bool fits =
            std::all_of(group.names.cbegin(), group.names.cend(),
                        [&set](const QByteArray &name) { return base::globMatches(set.match, name); });
        if (fits && (scheme.isEmpty() || scheme == set.scheme)) {
            group.set = set;
            return;
        }
    }
    reader.problem(
        "source", QStringLiteral("no lock set of \"%1\" takes these locks").arg(wanted),
        QStringLiteral("Add [[source.locks]] with their scheme, and a \"match\" for their names."));
}

WorkerGroup readGroup(const toml::table &table, const QList<stores::SourceSpec> &sources, Problems &problems)
{
    const TableReader reader(table, QStringLiteral("[[workers]]"), kKeys, problems);
    WorkerGroup group;
    group.workers = int(reader.integer("workers", 1, {1, kMostWorkers}));
    group.perProcess = int(reader.integer("per_process", 1, {1, kMostWorkers}));
    group.owner = reader.string("owner", QStringLiteral("simulated-")).toUtf8();
    group.names = readNames(reader);
    group.anyLock = reader.choice("pick", config::words("any own")) == QLatin1String("any");
    group.ttlUs = reader.durationUs("ttl", 10 * kSecondUs, {1'000, kLongestTimerUs});
    group.hold = readSpread(reader, "hold", {kSecondUs, 5 * kSecondUs, false});
    group.idle = readSpread(reader, "idle", {kSecondUs / 2, 5 * kSecondUs, false});
    if (reader.has("wait"))
        group.waitUs = reader.durationUs("wait", 0, {0, kYearUs});
    group.renews = reader.boolean("renew", true);
    group.crash = reader.real("crash", 0, 0, 1);
    group.restart = readSpread(reader, "restart", {kSecondUs, kSecondUs, false});
    chooseSet(reader, sources, group);
    return group;
}

} // namespace

qint64 RandomDuration::draw(QRandomGenerator &random) const
{
    if (isExponential) {
        const double times = -std::log(1.0 - random.generateDouble());
        return qint64(double(lowUs) * std::min(times, double(kMostTimes)));
    }
    return highUs <= lowUs ? lowUs : lowUs + qint64(double(highUs - lowUs) * random.generateDouble());
}

Outcome parseScenario(const QByteArray &text, const QString &path)
{
    const auto root = config::parseToml(text, path);
    if (!root)
        return tl::unexpected(QList<config::Problem>{root.error()});
    Problems problems{path, {}};
    const TableReader reader(*root, QStringLiteral("the file"), config::words("seed for source workers"),
                             problems);
    Scenario scenario;
    scenario.seed = quint32(reader.integer("seed", 1, {0, 0xffff'ffff}));
    if (reader.has("for"))
        scenario.forUs = reader.durationUs("for", kSecondUs, {1'000, kLongestTimerUs});
    scenario.sources = config::readSources(reader, QFileInfo(path).absolutePath(), problems);
    for (const toml::table *table : reader.tables("workers"))
        scenario.groups.append(readGroup(*table, scenario.sources, problems));
    if (scenario.groups.isEmpty())
        problems.add(0, QStringLiteral("there are no [[workers]], so nothing would happen"),
                     QStringLiteral("Add some with a source and a lock."));
    if (!problems.list.isEmpty())
        return tl::unexpected(problems.sorted());
    return scenario;
}

Outcome readScenario(const QString &path)
{
    const auto text = config::readFile(path);
    if (!text)
        return tl::unexpected(QList<config::Problem>{text.error()});
    return parseScenario(*text, path);
}

} // namespace lockkeeper::locks::simulation
