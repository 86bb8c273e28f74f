// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/attempts/probe_run.h"
#include "shared/stores/redis/cluster/cluster_parts.h"
#include "shared/stores/redis/cluster/cluster_store.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::redis {

using base::Error;
using base::ErrorCode;

/** Where one failed it isn't the whole truth, and counts nothing. */
bool ClusterProbe::take(const ProbeReport &own)
{
    if (own.beganUs > 0) {
        report.beganUs = report.beganUs == 0 ? own.beganUs : std::min(report.beganUs, own.beganUs);
        report.endedUs = std::max(report.endedUs, own.endedUs);
    }
    report.commands += own.commands;
    report.unreadable += own.unreadable;
    report.leftOut += own.leftOut;
    report.end = std::max(report.end, own.end);
    report.counts += own.counts;
    if (own.error && !report.error)
        report.error = own.error;
    if (--waiting > 0)
        return false;
    std::stable_sort(report.counts.begin(), report.counts.end(),
                     [](const ProbeCount &a, const ProbeCount &b) { return a.attempts > b.attempts; });
    if (report.counts.size() > ProbeRun::kMostCounts) {
        report.leftOut += report.counts.size() - ProbeRun::kMostCounts;
        report.counts.resize(ProbeRun::kMostCounts);
    }
    if (report.error)
        report.counts.clear();
    return true;
}

void ClusterStore::probe(const ProbeOrder &order, Probed done)
{
    ProbeReport refusal;
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
        later([done, refusal] { done(refusal); });
        return;
    }
    m_probe = std::make_shared<ClusterProbe>();
    m_probe->waiting = parts.size();
    const auto take = [self = QPointer<ClusterStore>(this), all = m_probe, done](const ProbeReport &report) {
        if (!all->take(report))
            return;
        if (!self.isNull() && self->m_probe == all)
            self->m_probe.reset();
        done(all->report);
    };
    for (ClusterPart *part : std::as_const(parts)) {
        ProbeOrder own = order;
        own.mostCommands = std::max<qint64>(1, order.mostCommands / parts.size());
        part->store->probe(own, take);
    }
}

} // namespace lockkeeper::stores::redis
