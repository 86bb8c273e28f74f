// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/timeline/time_axis.h"

#include <QWidget>

namespace lockkeeper::app::views {

/**
 * The whole journal at a glance: the number of events over time, and a frame around the shown range. A press
 * or a drag moves the frame there. GUI thread.
 */
class TimelineStrip : public QWidget
{
    Q_OBJECT

public:
    TimelineStrip(const presentation::Theme *theme, int left, QWidget *parent = nullptr);

    /**
     * `counts`: the events in equal parts of `range`. `words`: the beginning of the range, for the left
     * column.
     */
    void setDensity(const timeline::TimeRange &range, const QList<qint64> &counts, const QString &words);
    void setWindow(const timeline::TimeRange &window);

Q_SIGNALS:
    /** The requested middle of the shown range. */
    void centreAsked(qint64 us);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    timeline::TimeAxis axis() const;
    void ask(QMouseEvent *event);

    const presentation::Theme *m_theme;
    int m_left; ///< where the axis begins
    timeline::TimeRange m_range;
    timeline::TimeRange m_window;
    QList<qint64> m_counts;
    QString m_words;
};

} // namespace lockkeeper::app::views
