// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/timeline/timeline_legend.h"

#include "app/words/words.h"

#include <QPainter>

#include <utility>

namespace lockkeeper::app::views {

namespace {
constexpr int kLegendLine = 20;
constexpr int kLegendSide = 2;
constexpr int kLegendBeside = 5;   ///< between a shape and its words
constexpr int kLegendBetween = 12; ///< between two entries
} // namespace

TimelineLegend::TimelineLegend(const presentation::Theme *theme, QWidget *parent)
    : Translated(parent), m_theme(theme)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(theme, &presentation::Theme::changed, this, qOverload<>(&QWidget::update));
    retranslate();
}

int TimelineLegend::widthOf(const LegendEntry &entry) const
{
    return charts::TimelinePainter::kSampleWidth + kLegendBeside +
           fontMetrics().horizontalAdvance(entry.words);
}

QList<QPoint> TimelineLegend::places(int width) const
{
    QList<QPoint> places;
    QPoint at(kLegendSide, 0);
    for (const LegendEntry &entry : m_entries) {
        const int wide = widthOf(entry);
        if (at.x() > kLegendSide && at.x() + wide > width - kLegendSide)
            at = {kLegendSide, at.y() + kLegendLine};
        places.append(at);
        at.rx() += wide + kLegendBetween;
    }
    return places;
}

int TimelineLegend::heightForWidth(int width) const
{
    return places(width).last().y() + kLegendLine;
}

QSize TimelineLegend::sizeHint() const
{
    int wide = 2 * kLegendSide - kLegendBetween;
    for (const LegendEntry &entry : m_entries)
        wide += widthOf(entry) + kLegendBetween;
    return {wide, kLegendLine};
}

void TimelineLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const charts::TimelinePainter shapes(m_theme->scheme(), font());
    const QList<QPoint> at = places(width());
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const int top = at.at(i).y() + (kLegendLine - timeline::LaneBox::kHold) / 2;
        shapes.paintSample(painter, QPointF(at.at(i).x(), top), m_entries.at(i).sample);
        painter.setPen(m_theme->muted());
        painter.drawText(QRect(at.at(i).x() + charts::TimelinePainter::kSampleWidth + kLegendBeside,
                               at.at(i).y(), widthOf(m_entries.at(i)), kLegendLine),
                         Qt::AlignVCenter | Qt::AlignLeft, m_entries.at(i).words);
    }
}

void TimelineLegend::retranslate()
{
    m_entries = {{Sample::Hold, tr("Hold")},
                 {Sample::Wait, tr("Wait")},
                 {Sample::Whisker, tr("Start uncertain")},
                 {Sample::Unseen, tr("Not observed")},
                 {Sample::Expired, words::Words::holdEnd("expired")},
                 {Sample::TakenOver, words::Words::holdEnd("taken_over")},
                 {Sample::Forced, words::Words::holdEnd("force_released")},
                 {Sample::Lost, words::Words::holdEnd("lost")}};
    QStringList words;
    for (const LegendEntry &entry : std::as_const(m_entries))
        words.append(entry.words);
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

} // namespace lockkeeper::app::views
