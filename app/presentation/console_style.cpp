// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/console_style.h"

#include "app/presentation/colours.h"

#include <QListView>
#include <QPainter>
#include <QStyleOption>

namespace lockkeeper::app::presentation {

namespace {

constexpr int kLeastTarget = 24; ///< high enough to click
constexpr int kAroundWords = 16; ///< of a button, both sides together

/** The pen of a field's frame, painted over Fusion's; none for a disabled field. */
QPen framePen(const QStyleOption &option)
{
    if (!option.state.testFlag(QStyle::State_Enabled))
        return Qt::NoPen;
    return option.state.testFlag(QStyle::State_HasFocus) ? option.palette.color(QPalette::Link)
                                                         : fieldLine(option.palette);
}

void drawFrame(QPainter *painter, const QStyleOption &option, const QRectF &rect, qreal radius)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(framePen(option));
    painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

} // namespace

ConsoleStyle::ConsoleStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

QSize ConsoleStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                     const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (item && item->menuItemType == QStyleOptionMenuItem::Separator)
        return result;
    switch (type) {
    case CT_PushButton:
        result = result.expandedTo({size.width() + kAroundWords, kLeastTarget});
        break;
    case CT_ItemViewItem:
        if (!qobject_cast<const QListView *>(widget)) // tables set the height of their rows
            break;
        [[fallthrough]];
    case CT_ToolButton:
    case CT_CheckBox:
    case CT_RadioButton:
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_MenuItem:
    case CT_MenuBarItem:
    case CT_TabBarTab:
    case CT_HeaderSection:
        result = result.expandedTo({0, kLeastTarget});
        break;
    default:
        break;
    }
    return result;
}

void ConsoleStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                 const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_FrameLineEdit:
        drawFrame(painter, *option, option->rect, 2);
        break;
    case PE_IndicatorCheckBox:
        drawFrame(painter, *option, option->rect, 0);
        break;
    case PE_IndicatorRadioButton:
        drawFrame(painter, *option, option->rect, option->rect.width() / 2.0);
        break;
    default:
        break;
    }
}

void ConsoleStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                      QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option); box && box->frame)
        // A box that isn't editable is drawn as a button, whose frame begins one pixel lower.
        drawFrame(painter, *option, box->editable ? box->rect : box->rect.adjusted(0, 1, 0, 0), 2);
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option); spin && spin->frame)
        drawFrame(painter, *option, spin->rect, 2);
}

} // namespace lockkeeper::app::presentation
