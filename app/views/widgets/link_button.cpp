// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/link_button.h"

#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace lockkeeper::app::views {

LinkButton::LinkButton(QWidget *parent) : QPushButton(parent)
{
    setFlat(true);
    setFixedHeight(kHeight);
}

QSize LinkButton::sizeHint() const
{
    return {std::max(kHeight, fontMetrics().horizontalAdvance(text()) + 2 * kPad), kHeight};
}

void LinkButton::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.palette.setColor(QPalette::ButtonText, palette().color(QPalette::Link));
    painter.drawControl(QStyle::CE_PushButton, option);
}

} // namespace lockkeeper::app::views
