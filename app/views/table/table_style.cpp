// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/table_style.h"

#include <QHeaderView>
#include <QStyleOption>
#include <QTableView>

namespace lockkeeper::app::views {

namespace {
constexpr int kMarkSize = 10; ///< of the header's sort mark
}

void TableStyle::applyTo(QTableView *table)
{
    auto *style = new TableStyle;
    style->setParent(table);
    table->setStyle(style);
    table->horizontalHeader()->setStyle(style);
}

int TableStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_HeaderMargin:
        return kPad;
    case PM_HeaderMarkSize:
        return kMarkSize;
    case PM_FocusFrameHMargin:
        return kPad - 1; // an item's margin is one more
    default:
        return ConsoleStyle::pixelMetric(metric, option, widget);
    }
}

/** The mark of a sorted column lies in the padding behind its title, which keeps all of its room. */
QRect TableStyle::headerRect(SubElement element, const QRect &section)
{
    if (element == SE_HeaderLabel)
        return section.adjusted(kPad, 0, -kPad, 0);
    return {section.right() - kPad + 1, section.center().y() - kMarkSize / 2, kPad, kMarkSize};
}

/** An icon and a check box have the padding on both sides already: once is enough before what follows. */
QRect TableStyle::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    if (element == SE_HeaderArrow || element == SE_HeaderLabel)
        return headerRect(element, option->rect);
    QRect rect = ConsoleStyle::subElementRect(element, option, widget);
    const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
    if (!item)
        return rect;
    const bool checked = item->features.testFlag(QStyleOptionViewItem::HasCheckIndicator);
    const bool decorated = item->features.testFlag(QStyleOptionViewItem::HasDecoration);
    const int before = (checked ? 1 : 0) + (decorated ? 1 : 0);
    if (element == SE_ItemViewItemText)
        rect.setLeft(rect.left() - before * kPad);
    else if (element == SE_ItemViewItemDecoration && checked)
        rect.translate(-kPad, 0);
    return rect;
}

void TableStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                               const QWidget *widget) const
{
    if (element == PE_FrameFocusRect && option->state.testFlag(State_Selected))
        return;
    ConsoleStyle::drawPrimitive(element, option, painter, widget);
}

} // namespace lockkeeper::app::views
