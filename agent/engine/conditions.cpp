// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/conditions.h"

#include "shared/base/clock.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::Phase;
using domain::StuckReason;

namespace {
constexpr qint64 kBeforeUs = 15'000; ///< before a deadline: close, but with enough time for the answer
constexpr qint64 kAfterUs = 1'000;   ///< after the deadline
constexpr qint64 kSweptUs = 100'000; ///< between readings of a lock that its store removes late

/** The presets whose tables always have a deadline. */
QSet<QString> presetsWithExpiries()
{
    QSet<QString> found;
    for (const QString &id : stores::sql::presetIds()) {
        const auto preset = stores::sql::presetNamed(id);
        for (const QByteArrayView key : {"expires_at", "timeout"}) {
            const auto *column = preset ? preset->column(key) : nullptr;
            if (column && !column->optional)
                found.insert(id);
        }
    }
    return found;
}

bool presetHasExpiries(const QString &preset)
{
    static const QSet<QString> kPresets = presetsWithExpiries(); // read once: needed for every lock
    return !preset.isEmpty() && kPresets.contains(preset);
}
} // namespace

bool hasExpiries(const stores::LockSet &set)
{
    return (set.scheme.startsWith("redis.") && !stores::areFields(set.keys.permits)) ||
           set.scheme == "sql.shedlock" || !set.table.expiresAt.isEmpty() || !set.table.timeout.isEmpty() ||
           set.table.leaseUs || presetHasExpiries(set.preset);
}

qint64 patienceUs(const stores::LockSet &set)
{
    return hasExpiries(set) ? set.noExpiryAfterUs : set.stuckAfterUs;
}

StuckReason stuckReason(const LockRecord &record, const stores::LockSet &set, qint64 atUs)
{
    if (record.gone || !record.isOccupied())
        return StuckReason::None;
    if (record.expiry == ExpiryKind::None && atUs - record.quietSinceUs >= patienceUs(set))
        return hasExpiries(set) ? StuckReason::NoExpiry : StuckReason::NoSignOfLife;
    return record.holderGone ? StuckReason::HolderGone : StuckReason::None;
}

qint64 nextReadUs(const LockRecord &record, const stores::LockSet &set, qint64 seenUs)
{
    if (record.isYoung()) // push doesn't report when it stops being young
        return std::max(record.pinnedUs + 2 * base::kSecondUs, seenUs) + kAfterUs;
    if (record.gone || record.phase != Phase::Held)
        return kNever;
    const bool mayBecomeStuck = record.stuck == StuckReason::None || record.stuck == StuckReason::HolderGone;
    if (record.expiry == ExpiryKind::None && mayBecomeStuck)
        return std::max(record.quietSinceUs + patienceUs(set), seenUs + kAfterUs);
    if (record.expiry != ExpiryKind::At)
        return kNever;
    const qint64 before = record.expiresUs - kBeforeUs;
    if (record.expiresBy == Evidence::Ttl && seenUs < before)
        return before;
    const qint64 againUs = record.expiresBy == Evidence::Ttl && record.reclaimed ? kSweptUs : kAfterUs;
    return std::max(record.expiresUs + record.slackUs + kAfterUs, seenUs + againUs);
}

} // namespace lockkeeper::agent::engine
