// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/hold_rows.h"
#include "shared/domain/contention.h"

#include <vector>

namespace lockkeeper::agent::journal {

/** [fromUs, toUs) of a store's clock. */
struct Interval
{
    qint64 fromUs = 0;
    qint64 toUs = 0;
    bool operator==(const Interval &) const = default;
};

/** An event of a source, as far as it tells when somebody looked. */
struct SourceMark
{
    events::Kind kind = events::Kind::SourceUp;
    qint64 timeUs = 0;
};

/**
 * When a source was observed within `range`, ascending and disjoint. Pure. `marks` are all of the source's
 * events in order; what came before the first one lay within the journal from `oldestUs` on. `seenUntilUs`:
 * its last observation.
 */
QList<Interval> observedIn(Interval range, const QList<SourceMark> &marks, qint64 oldestUs,
                           qint64 seenUntilUs);

/** The length of what `intervals` have in common with [fromUs, toUs). */
qint64 overlapUs(const QList<Interval> &intervals, qint64 fromUs, qint64 toUs);

/** One lock's figures in a range: fed with its holds in order and with its waits, all of them that reach
 * into the range. Pure. */
class ContentionMeter
{
public:
    ContentionMeter(Interval range, const QList<Interval> &observed) : m_range(range), m_observed(observed) {}

    void addHold(const protocol::Hold &hold);
    /** `toUs` empty: it goes on. */
    void addWait(qint64 fromUs, std::optional<qint64> toUs);
    /** The figures; without key and visibility. */
    domain::Contention result();

private:
    void countEnd(const protocol::Hold &hold);
    void addHeld(const protocol::Hold &hold);
    void addHandover(const protocol::Hold &hold);

    Interval m_range;
    QList<Interval> m_observed;
    domain::Contention m_sum;
    std::optional<protocol::Hold> m_before;
    qint64 m_heldUntilUs = 0; ///< what addHeld() has counted at most
    qint64 m_runningUs = 0;
    std::vector<qint64> m_holds;
    std::vector<qint64> m_waits;
    std::vector<qint64> m_low;
    std::vector<qint64> m_high;
};

} // namespace lockkeeper::agent::journal
