// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/charts/slice_chart.h"
#include "app/views/overview/hours_panel.h"
#include "app/views/overview/past_reader.h"
#include "app/views/widgets/console_context.h"

namespace lockkeeper::app::views {

/**
 * Shows how many waited over the last hour, minute by minute and now, and the hour's cost beside other hours.
 */
class WaitingPanel : public QWidget
{
    Q_OBJECT

public:
    WaitingPanel(const ConsoleContext &context, const PastReader &past, QWidget *parent = nullptr);

    /** Shows the results; `slow`: the first answer is late; `old`: the hour is no longer the last hour. */
    void refresh(bool slow, bool old);
    /** How many wait now; empty if not all sources are seen. */
    void setNow(std::optional<qint64> waiting);
    const charts::SliceChart *chart() const { return m_chart; }
    const HoursPanel *hours() const { return m_hours; }

Q_SIGNALS:
    void minuteAsked(lockkeeper::events::Interval span);
    void nowAsked();
    void hourAsked(lockkeeper::events::Interval hour);

private:
    void showChart();
    QString title() const;
    void showHours();
    charts::Slice sliceOf(const overview::Minute &minute) const;
    QString spanText(events::Interval span) const;

    ConsoleContext m_context;
    const PastReader &m_past;
    charts::SliceChart *m_chart;
    HoursPanel *m_hours;
    QList<overview::Minute> m_minutes;
    std::optional<qint64> m_now;
    bool m_slow = false;
    bool m_old = false;
};

} // namespace lockkeeper::app::views
