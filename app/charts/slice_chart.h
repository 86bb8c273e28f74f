// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"

#include <QChartView>
#include <QLabel>
#include <QWidget>

#include <functional>
#include <optional>

class QAreaSeries;
class QBarSet;
class QStackedBarSeries;
class QValueAxis;

namespace lockkeeper::app::charts {

/** What a chart shows of one stretch of time. */
struct Slice
{
    QString label;              ///< its time, for the tool tip
    double observed = 1;        ///< share of it; the rest is hatched
    std::optional<double> low;  ///< empty: nothing was seen in it
    std::optional<double> high; ///< what it is at most, or the upper percentile; empty: as `low`
    QString text;               ///< the figures in words
};

/**
 * Bars over time, one a slice: full up to `low`, pale from there to `high`. What nobody observed is hatched,
 * and a slice in which nothing happened is blank. Left and Right, Home and End go through the slices. For
 * some hundred slices at most. GUI thread.
 */
class SliceChart : public QWidget
{
    Q_OBJECT

public:
    explicit SliceChart(const presentation::Theme *theme, QWidget *parent = nullptr);

    /** `value` words a figure for the axis. `first` and `last` are the times of the range's ends; `least` is
     * what the axis reaches up to at least. */
    void show(const QString &title, const QList<Slice> &slices, const std::function<QString(double)> &value,
              const QString &first, const QString &last, double least = 0);
    /** Sentences instead of bars, where there is nothing to draw. */
    void showNothing(const QString &title, const QString &why);
    /** For a title that stands level with what is beside the chart. */
    void setTitleHeight(int height) { m_titleLabel->setFixedHeight(height); }
    QString title() const { return m_title; }
    const QList<Slice> &slices() const { return m_slices; }
    double top() const { return m_top; } ///< of the axis
    /** The heights of the bars as they are drawn, pale parts on top. */
    const QStackedBarSeries *bars() const { return m_bars; }
    /** Hatched stretches, as shares of the range. */
    QList<std::pair<double, double>> hatched() const;

Q_SIGNALS:
    /** A click on a slice, or Enter where the keyboard stands. */
    void activated(int slice);

protected:
    bool event(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void recolour();
    void draw();
    void fitTitle();
    void hatch();
    void addHatched(double from, double to);
    void mark();
    QRectF placeOf(qsizetype slice) const;
    void describe();
    int sliceAt(int x) const;
    void goTo(int slice);
    void showTip(int slice, const QPoint &at);

    const presentation::Theme *m_theme;
    QString m_title;
    QString m_why;
    QList<Slice> m_slices;
    double m_top = 0;
    int m_current = -1; ///< where the keyboard stands
    QLabel *m_titleLabel;
    QLabel *m_topLabel;
    QLabel *m_whyLabel;
    QLabel *m_firstLabel;
    QLabel *m_lastLabel;
    QChartView *m_view;
    QStackedBarSeries *m_bars;
    QBarSet *m_low;
    QBarSet *m_high; ///< what is above `low`
    QValueAxis *m_across;
    QValueAxis *m_up;
    QList<QAreaSeries *> m_blind;
    QGraphicsRectItem *m_mark;
};

} // namespace lockkeeper::app::charts
