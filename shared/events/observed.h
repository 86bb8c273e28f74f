// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

namespace lockkeeper::events {

/** [fromUs, toUs) by a store's clock. */
struct Interval
{
    qint64 fromUs = 0;
    qint64 toUs = 0;
    bool operator==(const Interval &) const = default;
};

/** The part of a source's event that shows when the source was observed. */
struct SourceMark
{
    /** The kind of gap that the event opens or closes. The kinds are independent of each other. */
    enum GapKind : quint8 { Whole, Part, Journal };

    EventKind kind = EventKind::SourceUp;
    qint64 timeUs = 0;
    GapKind gap = Whole; ///< Journal: the journal dropped events

    /** Reads the kind of gap from `detail`. */
    static SourceMark of(EventKind kind, qint64 timeUs, const EventDetail &detail);
};

/**
 * The times within `range` at which a source was observed, ascending and disjoint. Pure. `marks`: all events
 * of the source, in order. `oldestUs`: beginning of the journal; the time from there to the first mark may
 * count as observed. `seenUntilUs`: the source's last observation.
 */
QList<Interval> observedIn(Interval range, const QList<SourceMark> &marks, qint64 oldestUs,
                           qint64 seenUntilUs);

/** The total length of the overlap between `intervals` and [fromUs, toUs). */
qint64 overlapUs(const QList<Interval> &intervals, qint64 fromUs, qint64 toUs);

} // namespace lockkeeper::events
