// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/overview/source_chip.h"

#include "app/presentation/icons.h"
#include "app/views/overview/card.h"
#include "app/views/widgets/plain_label.h"
#include "shared/base/text.h"

#include <QPainter>

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kChipPad = 8;
constexpr int kChipIcon = 16;
constexpr int kHourHeight = 6;
} // namespace

SourceChip::SourceChip(const presentation::Theme *theme, QWidget *parent)
    : QAbstractButton(parent), m_theme(theme)
{
    setFocusPolicy(Qt::StrongFocus);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
}

void SourceChip::show(const domain::SourceState &source, bool well, const QString &seen, const QString &state)
{
    m_source = source.name;
    m_name = base::displayText(source.name);
    m_seen = seen;
    m_state = state;
    m_well = well;
    describe();
    update();
}

void SourceChip::showGaps(events::Interval hour, const std::optional<QList<events::Interval>> &gaps,
                          const QString &words)
{
    m_hour = hour;
    m_gaps = gaps;
    m_gapWords = words;
    describe();
    update();
}

void SourceChip::describe()
{
    const QString name = tr("%1: %2, %3", "source, state, when seen").arg(m_name, m_state, m_seen);
    if (name != accessibleName())
        setAccessibleName(name);
    setAccessibleDescription(m_gapWords);
    setToolTip(plainToolTip(m_gapWords.isEmpty() ? name : name + QLatin1Char('\n') + m_gapWords));
}

void SourceChip::paintHour(QPainter *painter, const QRect &strip) const
{
    painter->fillRect(strip, presentation::barColour(m_theme->scheme(), false));
    const double span = double(std::max<qint64>(1, m_hour.toUs - m_hour.fromUs));
    for (const events::Interval &gap : *m_gaps) {
        const int left = int(double(gap.fromUs - m_hour.fromUs) / span * strip.width());
        const int right = int(double(gap.toUs - m_hour.fromUs) / span * strip.width());
        const QRect blind(strip.left() + left, strip.top(), std::max(2, right - left), strip.height());
        // Hollow, so that a gap differs from observed time without its colour.
        painter->fillRect(blind & strip, palette().color(QPalette::Base));
        painter->setPen(presentation::gapColour(m_theme->scheme()));
        painter->drawRect((blind & strip).adjusted(0, 0, -1, -1));
    }
}

void SourceChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintCard(&painter, *this, isDown() || underMouse());
    const QColor ink = m_well ? m_theme->muted() : m_theme->badge(replica::Badge::Expired).border;
    const int line = fontMetrics().lineSpacing();
    painter.drawPixmap(
        kChipPad, 6 + (line - kChipIcon) / 2,
        presentation::iconPixmap(m_well ? QStringLiteral("dialog-ok") : QStringLiteral("dialog-warning"), ink,
                                 kChipIcon, devicePixelRatioF()));
    const QRect words = rect().adjusted(kChipPad + kChipIcon + 4, 4, -kChipPad, -6 - kHourHeight);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(words, int(Qt::AlignLeft | Qt::AlignTop),
                     fontMetrics().elidedText(m_name, Qt::ElideMiddle, words.width()));
    painter.setPen(m_well ? m_theme->muted() : palette().color(QPalette::Text));
    painter.drawText(words, int(Qt::AlignLeft | Qt::AlignBottom),
                     fontMetrics().elidedText(m_seen, Qt::ElideRight, words.width()));
    if (m_gaps)
        paintHour(&painter, QRect(kChipPad, height() - kHourHeight - 4, width() - 2 * kChipPad, kHourHeight));
}

void SourceChip::enterEvent(QEnterEvent *event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void SourceChip::leaveEvent(QEvent *event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace lockkeeper::app::views
