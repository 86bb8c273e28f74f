// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/gap_delegate.h"

#include "app/models/event_columns.h"
#include "app/words/event_words.h"

#include <QAbstractScrollArea>
#include <QPainter>

namespace lockkeeper::app::views {

namespace {
constexpr int kPad = 8;
constexpr int kHatchAlpha = 70;
constexpr int kLookedAt = 2000; ///< rows below a gap's end for its beginning
} // namespace

GapDelegate::GapDelegate(const presentation::Theme *theme, const presentation::EventFormatter *formatter,
                         EventOf eventOf, QObject *parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_formatter(formatter), m_eventOf(std::move(eventOf))
{
}

void GapDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const events::LockEvent *event = m_eventOf(index.row());
    if (event && models::isGap(*event))
        paintGap(painter, option, *event, index.row());
    else
        QStyledItemDelegate::paint(painter, option, index);
}

/** Older rows are below; null if the gap's beginning isn't among them. */
const events::LockEvent *GapDelegate::beginning(const events::LockEvent &closed, int row) const
{
    if (closed.kind != events::EventKind::GapClosed)
        return nullptr;
    for (int i = 1; i <= kLookedAt; ++i) {
        const events::LockEvent *older = m_eventOf(row + i);
        if (!older || words::EventWords::opens(*older, closed))
            return older;
    }
    return nullptr;
}

void GapDelegate::paintGap(QPainter *painter, const QStyleOptionViewItem &option,
                           const events::LockEvent &event, int row) const
{
    const auto *area = qobject_cast<const QAbstractScrollArea *>(option.widget);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRect whole(0, option.rect.top(), area ? area->viewport()->width() : option.rect.right(),
                      option.rect.height());
    painter->save();
    painter->setClipRect(option.rect);
    painter->fillRect(option.rect,
                      option.palette.brush(selected ? QPalette::Highlight : QPalette::AlternateBase));
    QColor hatch = presentation::gapColour(m_theme->scheme());
    hatch.setAlpha(kHatchAlpha);
    painter->fillRect(option.rect, QBrush(hatch, Qt::BDiagPattern));
    const QString text = m_formatter->gapSentence(event, beginning(event, row));
    const QRect words = whole.adjusted(kPad, 0, -kPad, 0);
    const int width = option.fontMetrics.horizontalAdvance(text) + 2 * kPad;
    const QRect plate(words.center().x() - width / 2, whole.top(), width, whole.height());
    painter->fillRect(plate, option.palette.brush(selected ? QPalette::Highlight : QPalette::Base));
    painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(words, int(Qt::AlignCenter),
                      option.fontMetrics.elidedText(text, Qt::ElideRight, words.width()));
    painter->restore();
}

} // namespace lockkeeper::app::views
