// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace lockkeeper::app::presentation {

/**
 * Fusion with visible frames around fields and boxes: Fusion's own frames are a shade of the window colour
 * and disappear in a dark palette. Every clickable control is at least 24 px high. Dialogs, docks and fields
 * have our icons, which follow the palette, instead of Qt's. GUI thread.
 */
class ConsoleStyle : public QProxyStyle
{
    Q_OBJECT

public:
    ConsoleStyle();

    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                           const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QIcon standardIcon(StandardPixmap which, const QStyleOption *option,
                       const QWidget *widget) const override;
    QPixmap standardPixmap(StandardPixmap which, const QStyleOption *option,
                           const QWidget *widget) const override;
};

} // namespace lockkeeper::app::presentation
