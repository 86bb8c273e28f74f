// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/card.h"

#include <QPainter>
#include <QWidget>

namespace lockkeeper::app::views {

void paintCard(QPainter *painter, const QWidget &widget, bool hot)
{
    const QPalette &colours = widget.palette();
    const QRect frame = widget.rect().adjusted(0, 0, -1, -1);
    painter->fillRect(widget.rect(), colours.color(hot ? QPalette::AlternateBase : QPalette::Base));
    painter->setPen(colours.color(QPalette::Mid));
    painter->drawRect(frame);
    if (!widget.hasFocus())
        return;
    painter->setPen(QPen(colours.color(QPalette::Highlight), 2));
    painter->drawRect(frame.adjusted(1, 1, 0, 0));
}

} // namespace lockkeeper::app::views
