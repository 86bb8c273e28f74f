// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/cluster/cluster_probe.h"

#include "shared/stores/redis/attempts/probe_run.h"
#include "shared/stores/redis/cluster/cluster_shards.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

std::optional<base::Error> ClusterProbe::refusal(const ClusterShards &shards)
{
    const auto isMissing = [](const ClusterShard &any) { return !any.up && !any.node.ranges.isEmpty(); };
    const ClusterShard *missing = shards.find(isMissing);
    return missing == nullptr ? std::nullopt : std::optional(missing->error);
}

void ClusterProbe::start(const std::shared_ptr<ClusterProbe> &probe, const ClusterShards &shards,
                         const ProbeOrder &order)
{
    QList<ClusterShard *> up;
    for (const auto &shard : shards.all()) {
        if (shard->up)
            up.append(shard.get());
    }
    probe->m_waiting = up.size();
    ProbeOrder own = order;
    own.mostCommands = std::max<qint64>(1, order.mostCommands / std::max<qsizetype>(1, up.size()));
    for (const ClusterShard *shard : std::as_const(up))
        shard->store->probe(own, [probe](const ProbeReport &report) { probe->take(report); });
}

void ClusterProbe::take(const ProbeReport &own)
{
    if (own.beganUs > 0) {
        m_report.beganUs = m_report.beganUs == 0 ? own.beganUs : std::min(m_report.beganUs, own.beganUs);
        m_report.endedUs = std::max(m_report.endedUs, own.endedUs);
    }
    m_report.commands += own.commands;
    m_report.unreadable += own.unreadable;
    m_report.leftOut += own.leftOut;
    m_report.end = std::max(m_report.end, own.end);
    m_report.counts += own.counts;
    if (own.error && !m_report.error)
        m_report.error = own.error;
    if (--m_waiting > 0)
        return;
    ProbeRun::keepMost(m_report);
    if (m_report.error)
        m_report.counts.clear();
    m_done(m_report);
}

} // namespace lockkeeper::stores::redis
