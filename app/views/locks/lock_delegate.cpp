// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/locks/lock_delegate.h"

#include "app/presentation/icons.h"
#include "app/views/locks/column_layout.h"
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

int LockDelegate::barWidth(const QRect &cell)
{
    constexpr int beside = 72; ///< "01:59:56" and the paddings
    return std::clamp(cell.width() - beside, kBarWidth / 2, kBarWidth);
}

void LockDelegate::paintBar(QPainter *painter, const QRect &cell, double share, bool selected) const
{
    const QRect track(cell.left() + kBarPad, cell.top() + (cell.height() - kBarHeight) / 2, barWidth(cell),
                      kBarHeight);
    QColor fill = presentation::barColour(m_theme->scheme(), share < 0.2);
    QColor ground = presentation::barTrack(m_theme->scheme());
    if (selected) {
        fill = QApplication::palette().color(QPalette::HighlightedText);
        ground = fill;
        ground.setAlphaF(0.35F);
    }
    painter->fillRect(track, ground);
    painter->fillRect(QRect(track.topLeft(), QSize(qRound(track.width() * share), kBarHeight)), fill);
}

QRect LockDelegate::paintVerdict(QPainter *painter, const QStyleOptionViewItem &option, const QRect &text,
                                 const QString &icon) const
{
    constexpr int size = 14;
    const bool alone = option.rect.width() < ColumnLayout::kIconOnly;
    if (icon.isEmpty())
        return alone ? option.rect.adjusted(kBarPad, 0, -kBarPad, 0) : text;
    QColor ink = option.palette.color(QPalette::Text);
    if (option.state.testFlag(QStyle::State_Selected))
        ink = option.palette.color(QPalette::HighlightedText);
    else if (icon == QLatin1String("alive-silent") || icon == QLatin1String("release-unsafe"))
        ink = presentation::barColour(m_theme->scheme(), true);
    else if (icon == QLatin1String("state-unknown") || icon == QLatin1String("release-off"))
        ink = m_theme->muted();
    const int left = alone ? option.rect.left() + (option.rect.width() - size) / 2 : text.left();
    painter->drawPixmap(left, option.rect.top() + (option.rect.height() - size) / 2,
                        presentation::iconPixmap(icon, ink, size, painter->device()->devicePixelRatioF()));
    return alone ? QRect() : text.adjusted(size + 6, 0, 0, 0);
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
        const replica::Badge shown = awaited ? replica::Badge::Releasing : row->badge;
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
            text.setLeft(option.rect.left() + kBarPad + barWidth(option.rect) + 2);
        }
    }
    if (index.column() == models::AliveColumn || index.column() == models::ReleaseColumn)
        text = paintVerdict(painter, option, text,
                            presentation::LockFormatter::iconName(*row, index.column(),
                                                                  m_proxy->source().context(*row).nowUs));
    if (!text.isEmpty())
        paintText(painter, option, text, index, *row);
    painter->restore();
}

} // namespace lockkeeper::app::views
