// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/findings.h"

#include <algorithm>
#include <cstdlib>

namespace lockkeeper::agent::engine {

using domain::Finding;
using domain::Severity;

namespace {
constexpr qint64 kClockWarningUs = 2'000'000;
constexpr qint64 kRecentUs = 3'600'000'000; ///< a restart is reported for an hour
constexpr qint64 kLagUs = 60'000'000;       ///< more than the silence of an idle primary

bool has(const QList<Finding> &findings, const char *code)
{
    return std::any_of(findings.cbegin(), findings.cend(),
                       [code](const Finding &any) { return any.code == code; });
}

/** Reports that the server is a replica, with its possible delay in seconds; no value: unknown. */
Finding replicaFinding(const OwnEvidence &own)
{
    const auto asOfUs = own.standing.asOfUs;
    const qint64 lagUs = asOfUs ? std::max<qint64>(0, own.nowUs - *asOfUs) : 0;
    const QByteArray value = asOfUs ? QByteArray::number((lagUs + 999'999) / 1'000'000) : QByteArray();
    if (own.standing.stalled)
        return {"replica_stalled", Severity::Danger, value};
    if (!asOfUs || lagUs > std::max(kLagUs, own.pollUs))
        return {"replica_lag", Severity::Warning, value};
    return {"replica", Severity::Notice, value};
}
} // namespace

QList<Finding> findingsOf(const OwnEvidence &own, const QList<Finding> &ofStore)
{
    QList<Finding> all = ofStore;
    if (own.standing.replica && !has(ofStore, "replica_link_down"))
        all.append(replicaFinding(own));
    if (own.clockKnown && !has(ofStore, "clock_offset") && std::abs(own.clockOffsetUs) > kClockWarningUs)
        all.append({"clock_offset", Severity::Warning, QByteArray::number(own.clockOffsetUs)});
    if (own.clientsOffUs != 0)
        all.append({"client_clock",
                    std::abs(own.clientsOffUs) > kClockWarningUs ? Severity::Warning : Severity::Notice,
                    QByteArray::number(own.clientsOffUs)});
    if (own.withoutExpiry > 0)
        all.append({"no_expiry", Severity::Warning, QByteArray::number(own.withoutExpiry)});
    if (own.restarts > 0)
        all.append({"restarts",
                    own.nowUs - own.restartedUs < kRecentUs ? Severity::Warning : Severity::Notice,
                    QByteArray::number(own.restarts), own.restartedUs});
    std::stable_sort(all.begin(), all.end(),
                     [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
    return all;
}

} // namespace lockkeeper::agent::engine
