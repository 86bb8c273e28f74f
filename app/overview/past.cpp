// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/past.h"

#include "shared/base/clock.h"

#include <algorithm>

namespace lockkeeper::app::overview {

namespace {

/** How much of `span` could have been observed by now, and how much was. */
struct ObservedTime
{
    qint64 possibleUs = 0;
    qint64 observedUs = 0;
};

ObservedTime seenOf(const protocol::SourceWaiting &source, events::Interval span)
{
    const qint64 toUs = std::min(span.toUs, source.seenUntilUs);
    if (toUs <= span.fromUs)
        return {};
    return {toUs - span.fromUs, toUs - span.fromUs - events::overlapUs(source.gaps, span.fromUs, toUs)};
}

std::optional<double> shareOf(const QList<ObservedTime> &sources)
{
    ObservedTime sum;
    for (const ObservedTime &one : sources) {
        sum.possibleUs += one.possibleUs;
        sum.observedUs += one.observedUs;
    }
    return sum.possibleUs > 0 ? std::optional(double(sum.observedUs) / double(sum.possibleUs)) : std::nullopt;
}

} // namespace

std::array<events::Interval, kHours> hoursBefore(qint64 nowUs)
{
    std::array<events::Interval, kHours> hours;
    const std::array<qint64, kHours> agoUs{0, 24 * base::kHourUs, 7 * 24 * base::kHourUs};
    for (std::size_t i = 0; i < kHours; ++i)
        hours.at(i) = {nowUs - agoUs.at(i) - base::kHourUs, nowUs - agoUs.at(i)};
    return hours;
}

std::optional<double> observedOf(const protocol::WaitingPage &page)
{
    QList<ObservedTime> seen;
    for (const protocol::SourceWaiting &source : page.sources)
        seen.append(seenOf(source, {page.fromUs, page.toUs}));
    return shareOf(seen);
}

Hour hourOf(const protocol::ContentionPage &costs, const protocol::WaitingPage &seen)
{
    Hour hour;
    hour.range = {costs.fromUs, costs.toUs};
    for (const domain::Contention &lock : costs.locks) {
        hour.waitedUs += lock.waits.totalUs;
        hour.waits += lock.waits.count;
        hour.acquisitions += lock.acquisitions;
        hour.forced += lock.forced;
    }
    hour.atLeast = costs.more && !(costs.acquisitions && costs.forced);
    hour.acquisitions = costs.acquisitions.value_or(hour.acquisitions);
    hour.forced = costs.forced.value_or(hour.forced);
    hour.waitsAtLeast = costs.more && !(costs.waitedUs && costs.waits);
    hour.waitedUs = costs.waitedUs.value_or(hour.waitedUs);
    hour.waits = costs.waits.value_or(hour.waits);
    hour.observed = observedOf(seen);
    return hour;
}

QList<domain::Contention> topOf(const protocol::ContentionPage &costs)
{
    QList<domain::Contention> top;
    for (const domain::Contention &lock : costs.locks) {
        if (top.size() < kTop && lock.waits.totalUs > 0)
            top.append(lock);
    }
    return top;
}

QStringList blindOf(const protocol::WaitingPage &page)
{
    QStringList blind;
    for (const protocol::SourceWaiting &source : page.sources) {
        if (seenOf(source, {page.fromUs, page.toUs}).observedUs <= 0)
            blind.append(source.source);
    }
    return blind;
}

QList<Minute> minutesOf(const protocol::WaitingPage &page)
{
    QList<Minute> minutes;
    const QStringList blind = blindOf(page);
    const bool allBlind = blind.size() == page.sources.size();
    const qsizetype slices = page.sources.isEmpty() ? 0 : page.sources.first().waitedUs.size();
    const qint64 length = page.toUs - page.fromUs;
    for (qsizetype i = 0; i < slices; ++i) {
        Minute minute;
        minute.span = {page.fromUs + length * i / slices, page.fromUs + length * (i + 1) / slices};
        minute.waiting = 0;
        QList<ObservedTime> seen;
        for (const protocol::SourceWaiting &source : page.sources) {
            if (!allBlind && blind.contains(source.source))
                continue;
            const ObservedTime one = seenOf(source, minute.span);
            seen.append(one);
            if (one.observedUs <= 0 || i >= source.waitedUs.size())
                minute.waiting.reset();
            else if (minute.waiting)
                *minute.waiting += double(source.waitedUs.at(i)) / double(one.observedUs);
        }
        minute.observed = shareOf(seen).value_or(0);
        minutes.append(minute);
    }
    return minutes;
}

Breaks breaksOf(const protocol::AuditPage &audit, qint64 sinceUs)
{
    Breaks breaks;
    breaks.atLeast = audit.more;
    for (const domain::AuditEntry &entry : audit.entries) {
        if (entry.timeUs < sinceUs)
            breaks.atLeast = false; // the page reaches further back than requested
        if (entry.timeUs < sinceUs || !entry.isRelease() || entry.outcome == domain::Outcome::WouldRelease)
            continue;
        ++breaks.count;
        if (breaks.last.size() < kMostBreaks)
            breaks.last.append(entry);
    }
    return breaks;
}

} // namespace lockkeeper::app::overview
