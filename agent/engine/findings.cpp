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
constexpr qint64 kRecentUs = 3'600'000'000; ///< a restart is news for an hour
} // namespace

QList<Finding> findingsOf(const OwnEvidence &own, const QList<Finding> &ofStore)
{
    QList<Finding> all = ofStore;
    const bool told = std::any_of(ofStore.cbegin(), ofStore.cend(),
                                  [](const Finding &any) { return any.code == "clock_offset"; });
    if (own.clockKnown && !told && std::abs(own.clockOffsetUs) > kClockWarningUs)
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
