// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lease_trajectory.h"
#include "app/presentation/theme.h"

#include <QChartView>

class QAreaSeries;
class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace lockkeeper::app::charts {

/**
 * The remaining time of one lease over the last 15 minutes: a line, filled dots for renewals, hollow ones
 * where a renewal was missed, hatched where nothing was observed. While the lock isn't held the line is at
 * zero. The trajectory limits the number of points to 2,000.
 */
class LeaseChart : public QChartView
{
    Q_OBJECT

public:
    /** `theme` isn't owned. */
    explicit LeaseChart(const presentation::Theme *theme, QWidget *parent = nullptr);

    /** Draws it as of `nowUs`, the store's clock. Cheap enough for once a second. */
    void show(const models::LeaseTrajectory &trajectory, qint64 nowUs);
    /** The same in words, for screen readers and the tooltip. */
    QString summary() const { return m_summary; }
    int pointCount() const;

    QSize sizeHint() const override { return {260, 132}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void recolour();
    void showGaps(const QList<models::LeaseTrajectory::UnseenSpan> &gaps, qint64 nowUs, double top);
    void describe(const models::LeaseTrajectory &trajectory, int renewed, int missed);

    const presentation::Theme *m_theme;
    QLineSeries *m_line;
    QScatterSeries *m_renewed;
    QScatterSeries *m_missed;
    QList<QAreaSeries *> m_gaps;
    QValueAxis *m_minutes;
    QValueAxis *m_seconds;
    QString m_summary;
};

} // namespace lockkeeper::app::charts
