// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/history/time_scale.h"
#include "app/words/time_format.h"

#include <QWidget>

namespace lockkeeper::app::views {

/**
 * The journal's time from its newest event (top) to its oldest, with the density of the events that were read
 * so far and a frame around those in sight. A click asks for that time. GUI thread.
 */
class TimeBar : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kWidth = 36;
    static constexpr int kStep = 3;

    /** Neither is owned. */
    TimeBar(const presentation::Theme *theme, const words::TimeFormat *times, QWidget *parent = nullptr);

    void setRange(qint64 oldestUs, qint64 newestUs);
    /** The times of the events that were read so far. */
    void setEvents(const QList<qint64> &timesUs);
    /** The first and last event in sight; equal: none. */
    void setWindow(qint64 newestUs, qint64 oldestUs);
    TimeScale scale() const;
    QSize sizeHint() const override { return {kWidth, 200}; }

Q_SIGNALS:
    /** The operator clicked on a time. */
    void timeAsked(qint64 timeUs);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    const presentation::Theme *m_theme;
    const words::TimeFormat *m_times;
    qint64 m_oldestUs = 0;
    qint64 m_newestUs = 0;
    QList<qint64> m_events;
    qint64 m_windowNewestUs = 0;
    qint64 m_windowOldestUs = 0;
};

} // namespace lockkeeper::app::views
