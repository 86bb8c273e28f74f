// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/badge.h"

#include "app/presentation/icons.h"
#include "app/words/words.h"

#include <QPainter>

namespace lockkeeper::app::views {

namespace {
constexpr QSize kBadge(108, 20);
}

QSize badgeSize()
{
    return {presentation::zoomed(kBadge.width()), presentation::zoomed(kBadge.height())};
}

void paintBadge(QPainter *painter, const QRect &rect, replica::Badge badge,
                const presentation::BadgeColours &colours, const QFont &font, qreal ratio,
                const QString &word)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(colours.border);
    painter->setBrush(colours.fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    constexpr int icon = 14;
    const QPoint at(rect.left() + 5, rect.top() + (rect.height() - icon + 1) / 2);
    painter->drawPixmap(
        at, presentation::iconPixmap(presentation::badgeIconName(badge), colours.ink, icon, ratio));
    painter->setPen(colours.ink);
    painter->setFont(font);
    const QRect words = rect.adjusted(5 + icon + 4, 0, -4, 0);
    painter->drawText(words, int(Qt::AlignVCenter | Qt::AlignLeft),
                      QFontMetrics(font).elidedText(word.isEmpty() ? replica::badgeText(badge) : word,
                                                    Qt::ElideRight, words.width()));
    painter->restore();
}

BadgeWidget::BadgeWidget(const presentation::Theme *theme, QWidget *parent)
    : Translated(parent), m_theme(theme)
{
    setFixedSize(badgeSize());
    connect(theme, &presentation::Theme::changed, this, [this] {
        setFixedSize(badgeSize());
        update();
    });
}

void BadgeWidget::setBadge(replica::Badge badge)
{
    m_badge = badge;
    setAccessibleName(replica::badgeText(badge));
    update();
}

void BadgeWidget::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintBadge(&painter, rect(), m_badge, m_theme->badge(m_badge), font(), devicePixelRatioF());
}

} // namespace lockkeeper::app::views
