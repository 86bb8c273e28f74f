// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/line_list.h"

#include "app/presentation/theme.h"
#include "app/views/widgets/plain_label.h"
#include "app/views/widgets/wrapped_label.h"

#include <QPainter>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kLineHeight = 24;
constexpr int kLinePad = 8;
} // namespace

class LineList::LineButton final : public QAbstractButton
{
public:
    LineButton(const QList<LineColumn> &columns, QWidget *parent)
        : QAbstractButton(parent), m_columns(columns)
    {
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        connect(this, &QAbstractButton::clicked, this, [this] { m_line.open(); });
    }

    void show(const ListLine &line, const QList<int> &widths)
    {
        m_line = line;
        m_widths = widths;
        setAccessibleName(line.sentence);
        setToolTip(plainToolTip(line.sentence));
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const bool hot = isDown() || underMouse();
        if (hot)
            painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
        painter.setPen(palette().color(QPalette::Text));
        int fixed = 0;
        for (const int width : std::as_const(m_widths))
            fixed += width;
        int left = kLinePad;
        for (qsizetype i = 0; i < m_columns.size(); ++i) {
            const LineColumn &column = m_columns.at(i);
            const int width =
                column.width > 0 ? m_widths.at(i) : std::max(0, this->width() - 2 * kLinePad - fixed);
            const bool right = column.alignment.testFlag(Qt::AlignRight);
            const QRect cell(left, 0, width - (right ? 0 : kLinePad), height());
            painter.drawText(cell, int(Qt::AlignVCenter | column.alignment | Qt::TextSingleLine),
                             fontMetrics().elidedText(m_line.cells.value(i), Qt::ElideMiddle, cell.width()));
            left += width;
        }
        if (hasFocus()) {
            painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
            painter.drawRect(rect().adjusted(1, 1, -1, -1));
        }
    }

private:
    QList<LineColumn> m_columns;
    QList<int> m_widths;
    ListLine m_line;
};

LineList::LineList(const QList<LineColumn> &columns, int lines, QWidget *parent)
    : QWidget(parent), m_columns(columns), m_why(new WrappedLabel({}, this))
{
    for (int i = 0; i < lines; ++i) {
        m_buttons.append(new LineButton(columns, this));
        m_buttons.last()->hide();
    }
    m_why->setMuted(true);
    m_why->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    setFont(presentation::digitFont(font()));
    shrinkTo(lines);
}

QList<int> LineList::widthsOf(const QList<ListLine> &lines) const
{
    QList<int> widths;
    for (qsizetype i = 0; i < m_columns.size(); ++i) {
        int widest = 0;
        for (const ListLine &line : lines)
            widest = std::max(widest, fontMetrics().horizontalAdvance(line.cells.value(i)));
        widths.append(std::min(m_columns.at(i).width, widest + 2 * kLinePad));
    }
    return widths;
}

void LineList::shrinkTo(int lines)
{
    setFixedHeight(lines * kLineHeight + 2);
}

void LineList::show(const QList<ListLine> &lines)
{
    m_why->hide();
    const QList<int> widths = widthsOf(lines);
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        if (i < lines.size())
            m_buttons.at(i)->show(lines.at(i), widths);
        m_buttons.at(i)->setVisible(i < lines.size());
    }
}

void LineList::showNothing(const QString &why)
{
    for (LineButton *button : std::as_const(m_buttons))
        button->hide();
    m_why->setText(why);
    m_why->show();
}

QList<QAbstractButton *> LineList::lines() const
{
    QList<QAbstractButton *> shown;
    for (LineButton *button : m_buttons) {
        if (!button->isHidden())
            shown.append(button);
    }
    return shown;
}

void LineList::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void LineList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    for (qsizetype i = 0; i < m_buttons.size(); ++i)
        m_buttons.at(i)->setGeometry(1, 1 + int(i) * kLineHeight, width() - 2, kLineHeight);
    m_why->setGeometry(rect().adjusted(kLinePad, 5, -kLinePad, -5));
}

} // namespace lockkeeper::app::views
