// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/alert_rule.h"
#include "shared/domain/lock_state.h"

#include <optional>

namespace lockkeeper::agent::alerts {

using config::AlertRule;
using config::AlertSettings;
using config::ExpectedHeld;

/**
 * A condition as one observation shows it, without the rule's thresholds. A level may grow with time alone:
 * its value at a later moment follows without another observation. Times by the agent's wall clock. A value.
 */
struct AlertReading
{
    bool isKnown = true;  ///< false: it couldn't be read; neither begins nor ends anything
    bool applies = false; ///< a lasting condition: it is true; a level: it has a value
    qint64 sinceUs = 0;   ///< a lasting condition: true since then; 0: not known
    qint64 constant = 0;
    qint64 growth = 0; ///< per microsecond since zeroUs, in units of 1/divisor; 0: the value is constant
    qint64 divisor = 1;
    qint64 zeroUs = 0;

    qint64 valueAt(qint64 nowUs) const;
    /** When a growing value reaches `threshold`; empty: never. */
    std::optional<qint64> reachedUs(qint64 threshold) const;

    static AlertReading unknown() { return {false, false}; }
    static AlertReading lasting(bool is, qint64 sinceUs = 0) { return {true, is, sinceUs}; }
    static AlertReading level(qint64 value) { return {true, true, 0, value}; }
    /** A value that is 0 at zeroUs and grows by growth/divisor per microsecond. */
    static AlertReading growing(qint64 zeroUs, qint64 growth = 1, qint64 divisor = 1)
    {
        return {true, true, 0, 0, growth, divisor, zeroUs};
    }
};

/**
 * The condition `when` of a lock. `offsetUs`: the store's clock minus the agent's. Not for conditions that
 * need the lock's past (HeldRatio, HolderChanges, Absent), nor for moments. Pure.
 */
AlertReading readingOf(domain::AlertCondition when, const domain::LockState &lock, qint64 offsetUs);

} // namespace lockkeeper::agent::alerts
