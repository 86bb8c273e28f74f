// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/console_style.h"

class QTableView;

namespace lockkeeper::app::views {

/**
 * The console's style with cells that pad 8 px, headers that start where the cells' text does, and no focus
 * frame over a selected row, whose ink it would take away. GUI thread.
 */
class TableStyle : public presentation::ConsoleStyle
{
    Q_OBJECT

public:
    static constexpr int kPad = 8; ///< px at either side of a cell

    /** Gives `table` and its header a style of this kind, which the table owns. */
    static void applyTo(QTableView *table);

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option,
                         const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;

private:
    static QRect headerRect(SubElement element, const QRect &section);
};

} // namespace lockkeeper::app::views
