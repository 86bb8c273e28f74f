// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"

#include <QWidget>

#include <optional>

namespace lockkeeper::app::charts {

/** One hour of one day. */
struct HeatCell
{
    bool inRange = false;        ///< false: not requested and not drawn
    bool observed = false;       ///< false: hatched
    std::optional<double> value; ///< empty or 0: blank
    QString text;                ///< short, printed in the cell
    QString tip;
};

/**
 * Days by hours, in the colours of cividis, which are distinguishable with every kind of colour vision and in
 * grey. Each value is printed. An unobserved hour is hatched; an hour without events is blank. The arrow keys
 * move through the hours of the range. GUI thread.
 */
class HeatMap : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kHours = 24;

    explicit HeatMap(const presentation::Theme *theme, QWidget *parent = nullptr);

    struct Day
    {
        QString label;
        QList<HeatCell> hours; ///< kHours of them
    };
    void show(const QString &title, const QList<Day> &days);
    const QList<Day> &days() const { return m_days; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

    /** The colour of a share from 0 to 1. Pure. */
    static QColor cividis(double share);
    QRect placeOf(int day, int hour) const;

Q_SIGNALS:
    /** A click on an hour of the range, or Enter at the keyboard position. */
    void activated(int day, int hour);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct HeatSlot
    {
        int day = -1;
        int hour = -1;
    };
    bool isInRange(HeatSlot at) const;
    HeatSlot cellAt(const QPoint &point) const;
    void step(int days, int hours);
    void goTo(HeatSlot at);
    void showTip(HeatSlot at, const QPoint &point);
    int rowHeight() const;
    int labelWidth() const;
    void paintCell(QPainter &painter, const QRect &place, const HeatCell &cell, double most) const;

    const presentation::Theme *m_theme;
    QString m_title;
    QList<Day> m_days;
    HeatSlot m_current; ///< the keyboard position
};

} // namespace lockkeeper::app::charts
