// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <array>

namespace lockkeeper::app::overview {

inline constexpr int kMostRanked = 1'000; ///< locks of an hour that its sums are of
inline constexpr int kTop = 5;
inline constexpr int kMostBreaks = 5;
inline constexpr int kMinutes = 60;

/** The last hour, and the same hour a day and a week ago. */
inline constexpr std::size_t kHours = 3;
std::array<events::Interval, kHours> hoursBefore(qint64 nowUs);

/** What all locks cost in an hour, as far as somebody looked. */
struct Hour
{
    events::Interval range;
    qint64 waitedUs = 0;
    qint64 waits = 0;
    qint64 acquisitions = 0;
    qint64 forced = 0;
    bool atLeast = false; ///< acquisitions and forced are an older agent's, of the locks that cost most alone
    bool waitsAtLeast = false; ///< likewise waitedUs and waits
    /** The share in which the sources that are watched now were observed; empty: nobody can tell. */
    std::optional<double> observed;

    /** Where nobody looked the figures say nothing. */
    bool isKnown() const { return observed.value_or(0) > 0; }
};
/** `seen` null: the agent doesn't tell it; then it is what the locks of `costs` tell. Pure. */
Hour hourOf(const protocol::ContentionPage &costs, const protocol::WaitingPage *seen);

/** The locks that were waited for longest, at most kTop. Pure. */
QList<domain::Contention> topOf(const protocol::ContentionPage &costs);

/** One slice of the hour: how many waited on average. */
struct Minute
{
    events::Interval span;
    double observed = 0; ///< share of it, over all sources
    /** Empty: some source wasn't observed in all of it, so that nobody knows how many waited. */
    std::optional<double> waiting;
};
/** Sources that weren't observed in any of it: the minutes are of the others, and have to say so. */
QStringList blindOf(const protocol::WaitingPage &page);
QList<Minute> minutesOf(const protocol::WaitingPage &page);
/** Of the sources, as far as they could be observed by now; empty: there are none. */
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
