// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/lock_delegate.h"

#include "app/views/widgets/badge.h"

#include <QApplication>
#include <QPainter>

namespace lockkeeper::app::views {

LockDelegate::LockDelegate(const models::LocksProxy *proxy, const presentation::Theme *theme,
                           const presentation::LockFormatter *formatter, QObject *parent)
    : QStyledItemDelegate(parent), m_proxy(proxy), m_theme(theme), m_formatter(formatter)
{
}

QSize LockDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {40, m_rowHeight};
}

std::optional<double> LockDelegate::barShare(const models::LockRow &row, qint64 nowUs)
{
    const domain::LockState state = row.lock.peek();
    if (row.stale || !state.isHeld() || state.phase == domain::Phase::Expired || state.ttlMs <= 0)
        return std::nullopt;
    const auto left = domain::remainingUs(state, nowUs);
    if (!left)
        return std::nullopt;
    return std::clamp(double(*left) / (double(state.ttlMs) * 1000.0), 0.0, 1.0);
}

void LockDelegate::paintBar(QPainter *painter, const QRect &cell, double share, bool selected) const
{
    const QRect track(cell.left() + kBarPad, cell.top() + (cell.height() - kBarHeight) / 2, kBarWidth,
                      kBarHeight);
    QColor fill = presentation::barColour(m_theme->scheme(), share < 0.2);
    QColor ground = presentation::barTrack(m_theme->scheme());
    if (selected) {
        fill = QApplication::palette().color(QPalette::HighlightedText);
        ground = fill;
        ground.setAlphaF(0.35F);
    }
    painter->fillRect(track, ground);
    painter->fillRect(QRect(track.topLeft(), QSize(qRound(kBarWidth * share), kBarHeight)), fill);
}

void LockDelegate::paintText(QPainter *painter, const QStyleOptionViewItem &option, const QRect &rect,
                             const QModelIndex &index, const models::LockRow &row) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool token = index.column() == models::TokenColumn || index.column() == models::FencingColumn;
    QFont font = token ? presentation::codeFont(option.font) : option.font;
    const bool faint = row.stale || row.gone;
    font.setItalic(faint);
    QColor ink = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    if (faint && !selected)
        ink = row.gone ? option.palette.color(QPalette::Disabled, QPalette::Text) : m_theme->muted();
    painter->setFont(font);
    painter->setPen(ink);
    const bool right = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>().testFlag(Qt::AlignRight);
    const auto elide = index.column() == models::NameColumn ? Qt::ElideMiddle : Qt::ElideRight;
    const QString text = QFontMetrics(font).elidedText(index.data().toString(), elide, rect.width());
    painter->drawText(
        rect, int(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::TextSingleLine), text);
}

void LockDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                         const QModelIndex &index) const
{
    const models::LockRow *row = m_proxy->lockAt(index.row());
    if (!row)
        return;
    painter->save();
    painter->setClipRect(option.rect);
    if (option.state.testFlag(QStyle::State_Selected)) // overrides the tint
        painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
    if (index.column() == models::StateColumn) {
        const int height = std::min(option.rect.height() - 4, badgeSize().height());
        const QRect badge(option.rect.left() + 4, option.rect.top() + (option.rect.height() - height) / 2,
                          std::min(badgeSize().width(), option.rect.width() - 8), height);
        painter->setOpacity(row->gone ? 0.5 : 1.0);
        // A lock with a pending request of this console is shown as Releasing, like a release under way.
        const auto awaited = m_formatter->awaitedUs(*row);
        const state::Badge shown = awaited ? state::Badge::Releasing : row->badge;
        paintBadge(painter, badge, shown, m_theme->badge(shown), option.font,
                   painter->device()->devicePixelRatioF(),
                   awaited ? presentation::LockFormatter::awaitingBriefly(*awaited) : QString());
        painter->restore();
        return;
    }
    QRect text = option.rect.adjusted(kPad, 0, -kPad, 0);
    if (index.column() == models::RemainingColumn) {
        const auto share = row->gone ? std::nullopt : barShare(*row, m_proxy->source().context(*row).nowUs);
        if (share) {
            paintBar(painter, option.rect, *share, option.state.testFlag(QStyle::State_Selected));
            text.setLeft(option.rect.left() + kBarPad + kBarWidth + 2);
        }
    }
    paintText(painter, option, text, index, *row);
    painter->restore();
}

} // namespace lockkeeper::app::views
