// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/verdict_band.h"

#include "app/presentation/icons.h"
#include "app/views/widgets/wrapped_label.h"

#include <QHBoxLayout>
#include <QPainter>

namespace lockkeeper::app::views {

namespace {
constexpr int kBandStripe = 4;
constexpr int kBandIcon = 24;
constexpr int kBandLeft = 16;
} // namespace

VerdictBand::VerdictBand(const presentation::Theme *theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_sentence(new WrappedLabel)
{
    m_sentence->setObjectName(QStringLiteral("verdict"));
    m_sentence->setFont(presentation::titleFont(font()));
    m_sentence->setSelectable(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kBandLeft + kBandIcon + 12, 4, 16, 4);
    row->addWidget(m_sentence);
    setMinimumHeight(2 * QFontMetrics(m_sentence->font()).lineSpacing() + 8); // two lines, so nothing jumps
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

replica::Badge VerdictBand::worstOf(const overview::Overview &overview)
{
    using replica::Badge;
    if (overview.stuck > 0)
        return Badge::Stuck;
    if (overview.expired > 0)
        return Badge::Expired;
    if (!overview.unseen.isEmpty() || !overview.doubted.isEmpty() || overview.unreadable > 0)
        return Badge::Unknown;
    return overview.contended > 0 ? Badge::Contended : Badge::Held;
}

void VerdictBand::show(const QString &sentence, replica::Badge worst)
{
    if (sentence != m_sentence->text()) // setting the same text would lose a selection
        m_sentence->setText(sentence);
    if (worst == m_worst)
        return;
    m_worst = worst;
    update();
}

QString VerdictBand::sentence() const
{
    return m_sentence->text();
}

void VerdictBand::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const QColor ink = m_theme->badge(m_worst).border;
    painter.fillRect(QRect(0, 0, kBandStripe, height()), ink);
    const QString icon =
        m_worst == replica::Badge::Held ? QStringLiteral("dialog-ok") : presentation::badgeIconName(m_worst);
    painter.drawPixmap(kBandLeft, (height() - kBandIcon) / 2,
                       presentation::iconPixmap(icon, ink, kBandIcon, devicePixelRatioF()));
}

} // namespace lockkeeper::app::views
