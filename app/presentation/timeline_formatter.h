// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/timeline/bars_model.h"
#include "app/timeline/moments.h"
#include "app/timeline/ticks.h"
#include "app/words/time_format.h"

#include <QCoreApplication>

namespace lockkeeper::app::presentation {

/**
 * The texts of the timeline: its lanes, a sentence for each bar, the state at a moment, and the cells of the
 * equivalent table. Plain text.
 */
class TimelineFormatter : public models::Formatter
{
    Q_DECLARE_TR_FUNCTIONS(TimelineFormatter)

public:
    /** `times` isn't owned. */
    explicit TimelineFormatter(const words::TimeFormat *times) : m_times(times) {}

    QVariant cell(const QModelIndex &index, int role) const override;
    QVariant header(int column, int role) const override;

    static QString lane(const protocol::TimelineLane &lane);
    /** The numbers of drawn and hidden waits: "waiting: 5 (+7)"; empty without waits. */
    static QString waiting(const timeline::LaneBox &box, const protocol::TimelineLane &lane);
    /**
     * The text below the name of a lane of many locks: "Holds 12 (00:03:10)", and a line for waits if there
     * are any.
     */
    static QString briefSums(const timeline::LaneSums &sums);
    static QString sums(const timeline::LaneSums &sums);
    QString hold(const protocol::Hold &hold) const;
    QString wait(const protocol::Wait &wait) const;
    QString slice(const protocol::TimelineSlice &slice, qint64 sliceUs) const;
    QString dense(qint64 fromUs, qint64 toUs, qint64 bars, bool waits) const;
    QString gap(const protocol::TimelineGap &gap) const;
    /** "02:51:13.402 UTC+8", with the date if it differs from that of `nowUs`. */
    QString exactTime(qint64 us, qint64 nowUs) const;
    /** "2026-11-20 02:40:00 – 03:40:00 UTC+8 (01:00:00)", for today without the date. */
    QString range(const timeline::TimeRange &range) const;
    /**
     * The same for a narrow place: to the minute from an hour on, only dates from a month on, and no repeated
     * date or zone.
     */
    QString shortRange(const timeline::TimeRange &range, qint64 nowUs) const;
    /** The state of the lane: "lock:a held by w1, 3 waiting". */
    QString moment(const timeline::Chart &chart, qsizetype lane, const timeline::Moment &moment) const;
    /** The text of a tick in a header that shows the date separately: "02:40", "11-20". */
    static QString tick(const timeline::Tick &tick, timeline::TickUnit unit, const QTimeZone &zone);
    QString date(qint64 us) const;
    QTimeZone zone() const { return m_times->timeZone(); }
    QString zoneOf(qint64 us) const { return m_times->zoneText(us); }

private:
    QString text(const timeline::BarsModel &model, const timeline::BarRow &row, int column) const;
    QString sentence(const timeline::BarsModel &model, const timeline::BarRow &row) const;
    static QString kind(timeline::BarKind kind);

    const words::TimeFormat *m_times;
};

} // namespace lockkeeper::app::presentation
