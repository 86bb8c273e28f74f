// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <array>

namespace lockkeeper::app::overview {

inline constexpr int kMostRanked = 1'000; ///< the number of locks in an hour's sums
inline constexpr int kTop = 5;
inline constexpr int kMostBreaks = 5;
inline constexpr int kMinutes = 60;

/** The last hour, and the same hour a day and a week ago. */
inline constexpr std::size_t kHours = 3;
std::array<events::Interval, kHours> hoursBefore(qint64 nowUs);

/** The cost of all locks in an hour, as far as it was observed. */
struct Hour
{
    events::Interval range;
    qint64 waitedUs = 0;
    qint64 waits = 0;
    qint64 acquisitions = 0;
    qint64 forced = 0;
    bool atLeast = false;      ///< an older agent's acquisitions and forced, only of the most expensive locks
    bool waitsAtLeast = false; ///< likewise waitedUs and waits
    /** The share of the hour during which the currently watched sources were observed; empty: unknown. */
    std::optional<double> observed;

    /** If nothing was observed, the figures are meaningless. */
    bool isKnown() const { return observed.value_or(0) > 0; }
};
/** `seen`: when the sources were observed in the same hour. Pure. */
Hour hourOf(const protocol::ContentionPage &costs, const protocol::WaitingPage &seen);

/** The locks with the longest waiting time, at most kTop. Pure. */
QList<domain::Contention> topOf(const protocol::ContentionPage &costs);

/** One slice of the hour: the average number of waiters. */
struct Minute
{
    events::Interval span;
    double observed = 0; ///< observed share of it, over all sources
    /** Empty: the number of waiters is unknown, because some source wasn't observed all the time. */
    std::optional<double> waiting;
};
/** Sources that weren't observed at all: the minutes cover only the others, and the display has to say so. */
QStringList blindOf(const protocol::WaitingPage &page);
QList<Minute> minutesOf(const protocol::WaitingPage &page);
/** The observed share of the sources, as far as they could be observed by now; empty: no sources. */
std::optional<double> observedOf(const protocol::WaitingPage &page);

/** Force-releases since a moment, the newest first. */
struct Breaks
{
    QList<domain::AuditEntry> last; ///< at most kMostBreaks
    qint64 count = 0;
    bool atLeast = false; ///< older ones of that time weren't read
};
Breaks breaksOf(const protocol::AuditPage &audit, qint64 sinceUs);

} // namespace lockkeeper::app::overview
