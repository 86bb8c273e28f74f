// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

namespace lockkeeper::events {

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
    /** The gap that it opens or closes: they are apart from each other. */
    enum Gap : quint8 { Whole, Part, Journal };

    Kind kind = Kind::SourceUp;
    qint64 timeUs = 0;
    Gap gap = Whole; ///< Journal: of what the journal dropped

    /** `detail` of a gap tells which it is. */
    static SourceMark of(Kind kind, qint64 timeUs, const QJsonObject &detail);
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

} // namespace lockkeeper::events
