// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/storage/hold_rows.h"
#include "shared/domain/contention.h"
#include "shared/events/observed.h"

#include <vector>

namespace lockkeeper::agent::journal {

using events::Interval;
using events::observedIn;
using events::overlapUs;
using events::SourceMark;

/** Computes one lock's figures in a range. The caller adds its holds in order, and all its waits, that reach
 * into the range. Pure. */
class ContentionMeter
{
public:
    ContentionMeter(Interval range, const QList<Interval> &observed) : m_range(range), m_observed(observed) {}

    void addHold(const HoldSpan &hold);
    /** `toUs` empty: the wait continues. */
    void addWait(qint64 fromUs, std::optional<qint64> toUs);
    /** The figures, without key and visibility. */
    domain::Contention result();

private:
    void countEnd(const HoldSpan &hold);
    void addHeld(const HoldSpan &hold);
    void addHandover(const HoldSpan &hold);

    Interval m_range;
    QList<Interval> m_observed;
    domain::Contention m_sum;
    std::optional<HoldSpan> m_before;
    qint64 m_heldUntilUs = 0; ///< end of the time that addHeld() has counted at most
    qint64 m_runningUs = 0;
    std::vector<qint64> m_holds;
    std::vector<qint64> m_waits;
    std::vector<qint64> m_low;
    std::vector<qint64> m_high;
};

} // namespace lockkeeper::agent::journal
