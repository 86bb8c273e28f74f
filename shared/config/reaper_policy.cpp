// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/clock.h"
#include "shared/config/sources.h"

namespace lockkeeper::config {

using base::kSecondUs;
using base::kYearUs;
using stores::ReaperMode;
using stores::ReaperPolicy;

namespace {

constexpr qint64 kMostAMinute = 1'000;

/** Why a reaper can't break locks of this scheme; empty: it can. */
QString whyNot(const QByteArray &scheme)
{
    if (domain::isConnectionScheme(scheme))
        return QStringLiteral(
            "its locks live as long as their connections, and those are never killed by a policy");
    if (scheme == "etcd.lease")
        return QStringLiteral(
            "etcd itself removes what has expired, and a live session is never broken by a policy");
    if (scheme == "zookeeper.sequence")
        return QStringLiteral("ZooKeeper itself removes what its sessions leave, and a live session is never "
                              "broken by a policy");
    if (scheme == "sql.version")
        return QStringLiteral("its locks are never held");
    return {};
}

} // namespace

QStringList reaperKeys()
{
    return words("reaper reaper_delay reaper_max_per_minute reaper_dry_run");
}

ReaperPolicy readReaper(const TableReader &reader, const QByteArray &scheme, stores::BreakMode breakMode)
{
    ReaperPolicy policy;
    const QString mode = reader.choice("reaper", words("off expired stuck dead"));
    policy.delayUs = reader.durationUs("reaper_delay", policy.delayUs, {kSecondUs, kYearUs});
    policy.mostAMinute = int(reader.integer("reaper_max_per_minute", policy.mostAMinute, {1, kMostAMinute}));
    policy.dryRun = reader.boolean("reaper_dry_run", policy.dryRun);
    if (mode == QLatin1String("off"))
        return policy;
    policy.mode = mode == QLatin1String("stuck")  ? ReaperMode::Stuck
                  : mode == QLatin1String("dead") ? ReaperMode::Dead
                                                  : ReaperMode::Expired;
    if (const QString why = whyNot(scheme); !why.isEmpty())
        reader.problem("reaper",
                       QStringLiteral("%1 doesn't apply to %2: %3")
                           .arg(reader.nameOf("reaper"), QString::fromLatin1(scheme), why),
                       QStringLiteral("Write \"off\" or remove it."));
    else if (breakMode == stores::BreakMode::Never)
        reader.problem("reaper",
                       QStringLiteral("%1 contradicts break = \"never\"").arg(reader.nameOf("reaper")),
                       QStringLiteral("Remove one of them."));
    return policy;
}

} // namespace lockkeeper::config
