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

/** The data of one slice of time. */
struct Slice
{
    QString label;              ///< its time, for the tool tip
    double observed = 1;        ///< observed share of the time; the rest is hatched
    std::optional<double> low;  ///< empty: nothing was observed
    std::optional<double> high; ///< the upper bound or percentile; empty: same as `low`
    QString text;               ///< the figures in words
};

/**
 * Bars over time, one per slice: solid up to `low`, pale from there to `high`. Unobserved time is hatched,
 * and a slice without events is blank. Left and Right, Home and End move through the slices. For some hundred
 * slices at most. GUI thread.
 */
class SliceChart : public QWidget
{
    Q_OBJECT

public:
    explicit SliceChart(const presentation::Theme *theme, QWidget *parent = nullptr);

    /**
     * `value` formats a figure for the axis. `first` and `last` are the times of the range's ends; `least` is
     * the minimum upper end of the axis.
     */
    void show(const QString &title, const QList<Slice> &slices, const std::function<QString(double)> &value,
              const QString &first, const QString &last, double least = 0);
    /** Shows sentences instead of bars if there is nothing to draw. */
    void showNothing(const QString &title, const QString &why);
    /** Aligns the title with the content beside the chart. */
    void setTitleHeight(int height) { m_titleLabel->setFixedHeight(height); }
    void setLeastPlot(int height) { m_view->setMinimumHeight(height); }
    QString title() const { return m_title; }
    const QList<Slice> &slices() const { return m_slices; }
    double top() const { return m_top; } ///< of the axis
    /** The texts beside the axis, from the top. */
    QStringList scale() const;
    QRectF plot() const; ///< in the coordinates of this widget
    /** The heights of the bars as drawn, pale parts on top. */
    const QStackedBarSeries *bars() const { return m_bars; }
    /** Hatched stretches, as shares of the range. */
    QList<std::pair<double, double>> hatched() const;

Q_SIGNALS:
    /** A click on a slice, or Enter at the keyboard position. */
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
    void label(const std::function<QString(double)> &value, double top);
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
    int m_current = -1; ///< the keyboard position
    QLabel *m_titleLabel;
    QLabel *m_topLabel; ///< the axis: its upper end, its middle, zero
    QLabel *m_middleLabel;
    QLabel *m_zeroLabel;
    QLabel *m_whyLabel;
    QLabel *m_firstLabel;
    QLabel *m_lastLabel;
    QChartView *m_view;
    QStackedBarSeries *m_bars;
    QBarSet *m_low;
    QBarSet *m_high; ///< the part above `low`
    QValueAxis *m_across;
    QValueAxis *m_up;
    QList<QAreaSeries *> m_blind;
    QGraphicsRectItem *m_mark;
};

} // namespace lockkeeper::app::charts
