// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/attempts/probe_run.h"
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <algorithm>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

void ClusterStore::probe(const ProbeOrder &order)
{
    ProbeReport refusal;
    refusal.request = order.request;
    QList<ClusterPart *> parts;
    for (const auto &part : m_parts) {
        if (!part->up && !part->node.ranges.isEmpty())
            refusal.error = part->error;
        else if (part->up)
            parts.append(part.get());
    }
    if (m_probe)
        refusal.error = Error{ErrorCode::Busy, QStringLiteral("a probe of this source is under way"), {}};
    else if (!m_open)
        refusal.error = Error{ErrorCode::Unreachable, QStringLiteral("the cluster can't be reached"), {}};
    if (refusal.error) {
        later([this, refusal] { Q_EMIT probed(refusal); });
        return;
    }
    m_probe = std::make_unique<ClusterProbe>();
    m_probe->report.request = order.request;
    for (const ClusterPart *part : std::as_const(parts))
        m_probe->waiting.insert(part->server);
    for (ClusterPart *part : std::as_const(parts)) {
        ProbeOrder own = order;
        own.mostCommands = std::max<qint64>(1, order.mostCommands / parts.size());
        part->store->probe(own);
    }
}

/** The report of all, once each has said its part; where one failed it isn't the whole truth, and counts
 * nothing. */
void ClusterStore::takeProbe(const ClusterSpeaker &from, const ProbeReport &report)
{
    if (!m_probe || report.request != m_probe->report.request || !m_probe->waiting.remove(from.server))
        return;
    ProbeReport &all = m_probe->report;
    if (report.beganUs > 0) {
        all.beganUs = all.beganUs == 0 ? report.beganUs : std::min(all.beganUs, report.beganUs);
        all.endedUs = std::max(all.endedUs, report.endedUs);
    }
    all.commands += report.commands;
    all.unreadable += report.unreadable;
    all.leftOut += report.leftOut;
    all.end = std::max(all.end, report.end);
    all.counts += report.counts;
    if (report.error && !all.error)
        all.error = report.error;
    if (!m_probe->waiting.isEmpty())
        return;
    std::stable_sort(all.counts.begin(), all.counts.end(),
                     [](const ProbeCount &a, const ProbeCount &b) { return a.attempts > b.attempts; });
    if (all.counts.size() > ProbeRun::kMostCounts) {
        all.leftOut += all.counts.size() - ProbeRun::kMostCounts;
        all.counts.resize(ProbeRun::kMostCounts);
    }
    if (all.error)
        all.counts.clear();
    const std::unique_ptr<ClusterProbe> done = std::move(m_probe);
    Q_EMIT probed(done->report);
}

} // namespace lockkeeper::stores::redis
