// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/figure_tile.h"

#include "app/views/overview/card.h"
#include "app/views/widgets/plain_label.h"

#include <QPainter>

namespace lockkeeper::app::views {

namespace {
constexpr int kTilePad = 12;
constexpr int kTileStripe = 3;
} // namespace

FigureTile::FigureTile(const presentation::Theme *theme, QWidget *parent)
    : QAbstractButton(parent), m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

void FigureTile::show(const QString &figure, const QString &word, std::optional<replica::Badge> accent,
                      const QString &what)
{
    setToolTip(plainToolTip(what));
    const QString name = tr("%1: %2", "word, figure").arg(word, figure);
    if (name != accessibleName())
        setAccessibleName(name);
    setAccessibleDescription(what);
    if (m_figure == figure && m_word == word && m_accent == accent)
        return;
    m_figure = figure;
    m_word = word;
    m_accent = accent;
    update();
}

void FigureTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintCard(&painter, *this, isDown() || underMouse());
    if (m_accent)
        painter.fillRect(QRect(1, 1, kTileStripe, height() - 2), m_theme->badge(*m_accent).border);
    QFont large = presentation::digitFont(font());
    large.setPointSizeF(font().pointSizeF() * 1.5);
    large.setBold(m_accent.has_value());
    const QRect inner = rect().adjusted(kTilePad, 6, -kTilePad, -6);
    if (QFontMetrics(large).horizontalAdvance(m_figure) > inner.width()) // a duration in a narrow window
        large.setPointSizeF(font().pointSizeF());
    painter.setFont(large);
    painter.setPen(m_accent ? palette().color(QPalette::Text) : m_theme->muted());
    painter.drawText(inner, int(Qt::AlignLeft | Qt::AlignTop), m_figure);
    painter.setFont(font());
    painter.setPen(m_theme->muted());
    painter.drawText(inner, int(Qt::AlignLeft | Qt::AlignBottom),
                     fontMetrics().elidedText(m_word, Qt::ElideRight, inner.width()));
}

void FigureTile::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void FigureTile::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace lockkeeper::app::views
