// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/plain_label.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QTextLayout>
#include <QToolTip>
#include <QtMath>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {

/** From the top to the base of a label's first line, which is higher where a word needs another font. */
int ascentOf(const QLabel &label)
{
    constexpr int kNarrowest = 120; ///< before the label was laid out
    QTextLayout layout(label.text(), label.font());
    layout.beginLayout();
    QTextLine line = layout.createLine();
    if (line.isValid())
        line.setLineWidth(label.wordWrap() ? std::max(kNarrowest, label.width()) : label.sizeHint().width());
    layout.endLayout();
    return line.isValid() ? qCeil(line.ascent()) : 0;
}

} // namespace

PlainLabel::PlainLabel(const QString &text, QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setText(text);
}

void PlainLabel::setSelectable(bool selectable)
{
    setTextInteractionFlags(selectable ? Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard
                                       : Qt::NoTextInteraction);
}

void PlainLabel::setBold()
{
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
}

void PlainLabel::setMuted(bool muted)
{
    setForegroundRole(muted ? QPalette::PlaceholderText : QPalette::NoRole);
}

ElidedLabel::ElidedLabel(const QString &text, QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setText(text);
}

void ElidedLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    setToolTip(plainToolTip(text));
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 6, fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(m_text, Qt::ElideMiddle, width());
    style()->drawItemText(&painter, rect(), int(Qt::AlignLeft | Qt::AlignVCenter), palette(), isEnabled(),
                          shown, foregroundRole());
}

void alignBases(PlainLabel *left, PlainLabel *right)
{
    const int difference = ascentOf(*right) - ascentOf(*left);
    left->setContentsMargins(0, std::max(0, difference), 0, 0);
    right->setContentsMargins(0, std::max(0, -difference), 0, 0);
}

void keepSpace(QWidget *widget)
{
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(policy);
}

QString plainToolTip(const QString &text)
{
    constexpr qsizetype kLongest = 120; // characters; Qt wraps the lines of rich text alone
    const QStringList lines = text.split(QLatin1Char('\n'));
    const bool wraps =
        std::any_of(lines.cbegin(), lines.cend(), [](const QString &line) { return line.size() > kLongest; });
    if (!wraps && !Qt::mightBeRichText(text))
        return text;
    // Rich text whose only element is the escaped plain text: the one way to a tooltip that shows "<b>" as it
    // is.
    return QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(text.toHtmlEscaped());
}

bool showPlainToolTip(const QAbstractItemView *view, const QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto *help = static_cast<const QHelpEvent *>(event);
    const QModelIndex index = view->indexAt(help->pos());
    QToolTip::showText(help->globalPos(), plainToolTip(index.data(Qt::ToolTipRole).toString()),
                       view->viewport(), view->visualRect(index));
    return true;
}

} // namespace lockkeeper::app::views
