// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <algorithm>
#include <limits>

namespace lockkeeper::tests {

/** A row of holds or waits as stored in the file. */
struct RawSpan
{
    static constexpr qint64 kOpen = std::numeric_limits<qint64>::max();

    bool ofWait = false;
    qint64 id = 0;
    qint64 lockId = 0;
    QByteArray lock;
    QByteArray who;
    qint64 fromUs = 0;
    qint64 toUs = kOpen;
    int end = 0;

    /** The time that it shares with [from, to). */
    qint64 sharedUs(qint64 from, qint64 to, qint64 nowUs) const
    {
        return std::max<qint64>(0, std::min(toUs == kOpen ? nowUs : toUs, to) - std::max(fromUs, from));
    }
    /** Also if it ended before it began, because a clock was set back. */
    bool reaches(qint64 from, qint64 to) const { return std::min(fromUs, toUs) < to && toUs >= from; }
};

/** All of them, read row by row with a different library than the journal uses. */
QList<RawSpan> rawSpans(const QString &path);
/** The times of all events. */
QList<qint64> rawEventTimes(const QString &path);
/** Every row of roll-ups, as text: "hours 5 lock 3: 2 100 0 0 0 1 0 ids 7-9 0-0". */
QStringList rawRollups(const QString &path);
/**
 * The expected roll-ups of these spans, as far as they ended before `untilUs`. All locks belong to source 1.
 */
QStringList countedRollups(const QList<RawSpan> &spans, qint64 untilUs);
/** "+ LINE" for a line only in `told`, "- LINE" for a line only in `counted`; the first ten. */
QString differences(const QStringList &told, const QStringList &counted);
/** Fails the test where a page differs from a recount of these spans over the page's range. */
void compareWithRecount(const protocol::TimelinePage &page, const QList<RawSpan> &spans, qint64 nowUs);

/** The same of a ranking of all locks: its entries, their order, and the sum of its waits. */
void compareWithRecount(const protocol::ContentionPage &page, const QList<RawSpan> &spans);

} // namespace lockkeeper::tests
