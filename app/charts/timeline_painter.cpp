// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/timeline_painter.h"

#include "app/presentation/timeline_formatter.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockkeeper::app::charts {

using presentation::Badge;
using presentation::TimelineFormatter;
using timeline::BarEnd;
using timeline::BarShape;
using timeline::DenseShape;
using timeline::LaneBox;
using timeline::Range;
using timeline::Tick;
using timeline::Ticks;
using timeline::TickUnit;
using timeline::TimeAxis;

namespace {

constexpr qint64 kStaleUs = 5'000'000; ///< an observed source reports every few seconds
constexpr double kSoftAlpha = 0.45;
constexpr double kLeastDense = 0.35;
constexpr double kRoomForTick = 12; ///< px: upright lines closer together would hide the holds

QColor faded(QColor colour, double alpha)
{
    colour.setAlphaF(float(alpha));
    return colour;
}

/** The result of painting `colour` with `alpha` over `ground`. */
QColor mixed(const QColor &colour, const QColor &ground, double alpha)
{
    const auto of = [alpha](int over, int under) {
        return int(std::lround(over * alpha + under * (1 - alpha)));
    };
    return {of(colour.red(), ground.red()), of(colour.green(), ground.green()),
            of(colour.blue(), ground.blue())};
}

} // namespace

TimelinePainter::TimelinePainter(presentation::Scheme scheme, const QFont &font)
    : m_scheme(scheme),
      m_palette(presentation::paletteOf(scheme)),
      m_font(font),
      m_hold(presentation::holdColour(scheme)),
      m_soft(faded(m_hold, kSoftAlpha)),
      m_wait(presentation::waitColour(scheme)),
      m_waitGround(faded(m_wait, 0.3)),
      m_waitFill(m_wait, Qt::BDiagPattern),
      m_gapGround(faded(m_palette.color(QPalette::Base), 0.72)),
      m_gapFill(faded(presentation::gapColour(scheme), 0.8), Qt::BDiagPattern)
{
}

int TimelinePainter::leastTickPx() const
{
    return QFontMetrics(m_font).horizontalAdvance(QStringLiteral("00:00:00.000")) + 12;
}

void TimelinePainter::paintLaneGround(QPainter &painter, const QRect &rect, bool odd, bool current) const
{
    painter.fillRect(rect, m_palette.color(odd ? QPalette::AlternateBase : QPalette::Base));
    if (current)
        painter.fillRect(rect, faded(m_palette.color(QPalette::Highlight), 0.14));
}

namespace {

/** Fills a range of time over the whole height of a lane, as far as it is within the axis. */
void fillTime(QPainter &painter, const TimelinePicture &picture, qsizetype lane, const TimeRange &range,
              const QBrush &brush)
{
    const LaneBox &box = picture.layout->boxes().at(lane);
    const double from = std::max(0.0, picture.axis.xOf(range.fromUs));
    const double to = std::min(picture.axis.width(), picture.axis.xOf(range.toUs));
    if (to > from)
        painter.fillRect(QRectF(from, box.top, std::max(1.0, to - from), box.height), brush);
}

} // namespace

/** Paints the future. */
void TimelinePainter::paintBlank(QPainter &painter, const TimelinePicture &picture, qsizetype lane) const
{
    const QColor blank = m_palette.color(QPalette::Window);
    const QString source = timeline::sourceOf(picture.chart->lanes.at(lane));
    const TimeRange &shown = picture.axis.range();
    fillTime(painter, picture, lane, {std::max(picture.seen.nowUs, picture.seen.of(source)), shown.toUs},
             blank);
}

/** Paints unobserved times, also those before the journal, over the bars: a hold observed on both sides
 * wasn't observed in between. */
void TimelinePainter::paintUnseen(QPainter &painter, const TimelinePicture &picture, qsizetype lane) const
{
    const QString source = timeline::sourceOf(picture.chart->lanes.at(lane));
    const auto hatch = [&](const TimeRange &range) {
        fillTime(painter, picture, lane, range, m_gapGround);
        fillTime(painter, picture, lane, range, m_gapFill);
    };
    for (const protocol::TimelineGap &gap : picture.chart->gaps) {
        if (gap.source == source)
            hatch(timeline::spanOf(gap, picture.seen));
    }
    if (picture.chart->firstUs > 0)
        hatch({picture.axis.range().fromUs, picture.chart->firstUs});
    if (picture.seen.of(source) < picture.seen.nowUs - kStaleUs)
        hatch({picture.seen.of(source), picture.seen.nowUs});
}

void TimelinePainter::paintDense(QPainter &painter, const DenseShape &shape) const
{
    if (shape.wait)
        painter.fillRect(shape.rect, m_wait);
    else
        painter.fillRect(shape.rect, faded(m_hold, kLeastDense + (1 - kLeastDense) * shape.share));
}

void TimelinePainter::paintDiamond(QPainter &painter, const QPointF &centre, double radius) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_palette.color(QPalette::Base), 1));
    painter.setBrush(presentation::dangerColours(m_scheme).fill);
    const QPointF points[]{centre + QPointF(0, -radius), centre + QPointF(radius, 0),
                           centre + QPointF(0, radius), centre + QPointF(-radius, 0)};
    painter.drawPolygon(points, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/** Slits: the bar continues beyond the observed time. */
void TimelinePainter::paintOpenSide(QPainter &painter, const QRectF &bar, bool left) const
{
    const QColor ground = m_palette.color(QPalette::Base);
    for (int i = 0; i < 3; ++i) {
        const double away = 2 + 3 * i;
        if (away + 1 >= bar.width())
            return;
        const double x = left ? bar.left() + away : bar.right() - away - 1;
        painter.fillRect(QRectF(x, bar.top(), 1, bar.height()), ground);
    }
}

void TimelinePainter::paintEnd(QPainter &painter, const BarShape &shape) const
{
    const QRectF &bar = shape.rect;
    switch (shape.end) {
    case BarEnd::Open:
    case BarEnd::Released:
        return;
    case BarEnd::Expired: {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(presentation::badgeColours(m_scheme, Badge::Expired).border, 1));
        painter.setBrush(presentation::badgeColours(m_scheme, Badge::Expired).fill);
        const QPointF points[]{bar.topRight() + QPointF(0, 0.5),
                               {bar.right() + 7, bar.center().y()},
                               bar.bottomRight() - QPointF(0, 0.5)};
        painter.drawPolygon(points, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    case BarEnd::TakenOver:
        if (bar.width() < kRoomForTick) {
            painter.fillRect(QRectF(bar.right() - 1, bar.top() - 3, 1, 3), m_palette.color(QPalette::Text));
            return;
        }
        painter.fillRect(QRectF(bar.right() - 1, bar.top() - 3, 2, bar.height() + 6),
                         m_palette.color(QPalette::Text));
        return;
    case BarEnd::Forced:
        paintDiamond(painter, {bar.right(), bar.center().y()}, bar.height() / 2 + 1);
        return;
    case BarEnd::Lost:
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(m_palette.color(QPalette::Text), 1.5));
        painter.setBrush(m_palette.color(QPalette::Base));
        painter.drawEllipse(QPointF(bar.right(), bar.center().y()), 4, 4);
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    case BarEnd::Gap:
        paintOpenSide(painter, bar, false);
        return;
    }
}

/** A short stroke at the bar's lower edge. */
void TimelinePainter::paintRenewal(QPainter &painter, double x, double bottom) const
{
    painter.fillRect(QRectF(x, bottom - 5, 1, 5), m_palette.color(QPalette::Base));
}

void TimelinePainter::paintHold(QPainter &painter, const BarShape &shape, bool current) const
{
    const QRectF &bar = shape.rect;
    const double solidTo = std::max(bar.left(), shape.softTo);
    // A pixel of ground between two holds, so that a hand-over shows.
    const double cut = bar.width() > 4 && shape.end != BarEnd::Open ? 1 : 0;
    painter.fillRect(QRectF(bar.left(), bar.top(), std::max(1.0, solidTo - bar.left() - cut), bar.height()),
                     m_hold);
    if (shape.softTo < bar.right())
        painter.fillRect(QRectF(solidTo, bar.top(), bar.right() - solidTo - cut, bar.height()), m_soft);
    if (shape.softFrom < bar.left() - 0.5) { // a whisker to the earliest possible beginning
        const double middle = bar.center().y();
        painter.fillRect(QRectF(shape.softFrom, middle - 0.5, bar.left() - shape.softFrom, 1), m_hold);
        painter.fillRect(QRectF(shape.softFrom, middle - 3.5, 1, 7), m_hold);
    }
    if (!shape.startSeen)
        paintOpenSide(painter, bar, true);
    if (shape.renewed) { // a tick for the last renewal, and below the bar how far the lease reaches from it
        paintRenewal(painter, *shape.renewed, bar.bottom());
        painter.fillRect(
            QRectF(*shape.renewed, bar.bottom() + 1, std::max(1.0, shape.leaseTo - *shape.renewed), 1),
            m_hold);
        painter.fillRect(QRectF(shape.leaseTo - 1, bar.bottom() - 2, 1, 4), m_hold);
    }
    if (current) {
        painter.setPen(QPen(m_palette.color(QPalette::Text), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(-1, -2, 1, 2));
    }
}

void TimelinePainter::paintWait(QPainter &painter, const BarShape &shape, bool current) const
{
    painter.fillRect(shape.rect, m_waitGround);
    painter.fillRect(shape.rect, m_waitFill);
    const double right = shape.rect.right() - 1;
    painter.fillRect(QRectF(shape.rect.left(), shape.rect.top(), 1, shape.rect.height()), m_wait);
    if (shape.end != BarEnd::Open)
        painter.fillRect(QRectF(right, shape.rect.top(), 1, shape.rect.height()), m_wait);
    painter.fillRect(QRectF(shape.rect.left(), shape.rect.top(), shape.rect.width(), 1), m_wait);
    painter.fillRect(QRectF(shape.rect.left(), shape.rect.bottom() - 1, shape.rect.width(), 1), m_wait);
    if (current) {
        painter.setPen(QPen(m_palette.color(QPalette::Text), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(shape.rect.adjusted(-1, -1, 1, 1));
    }
}

void TimelinePainter::paintSample(QPainter &painter, const QPointF &topLeft, LegendSample sample) const
{
    const QRectF whole(topLeft, QSizeF(kSampleWidth, LaneBox::kHold));
    BarShape shape;
    shape.rect = whole;
    if (sample == LegendSample::Wait) {
        shape.rect =
            QRectF(whole.left(), whole.center().y() - LaneBox::kWait / 2.0, whole.width(), LaneBox::kWait);
    } else if (sample == LegendSample::Whisker) {
        shape.rect.setLeft(whole.center().x());
    } else if (sample >= LegendSample::Expired) {
        static constexpr std::array<BarEnd, 4> kEnds{BarEnd::Expired, BarEnd::TakenOver, BarEnd::Forced,
                                                     BarEnd::Lost};
        shape.end = kEnds.at(size_t(sample) - size_t(LegendSample::Expired));
        shape.rect.setRight(whole.right() - 8);
    }
    shape.softFrom = whole.left();
    shape.softTo = shape.rect.right();
    if (sample == LegendSample::Unseen) {
        painter.fillRect(whole, m_gapGround);
        painter.fillRect(whole, m_gapFill);
    } else if (sample == LegendSample::Wait) {
        paintWait(painter, shape, false);
    } else {
        paintHold(painter, shape, false);
        paintEnd(painter, shape);
    }
}

void TimelinePainter::paintLanes(QPainter &painter, const TimelinePicture &picture, qsizetype first,
                                 qsizetype last) const
{
    using On = timeline::Hit::On;
    const auto &boxes = picture.layout->boxes();
    last = std::min({last, boxes.size() - 1, picture.scenes->size() - 1});
    for (qsizetype lane = std::max<qsizetype>(0, first); lane <= last; ++lane) {
        paintBlank(painter, picture, lane);
        const bool here = picture.current.lane == lane;
        painter.save();
        painter.translate(0, boxes.at(lane).top);
        for (const DenseShape &shape : picture.scenes->at(lane).dense)
            paintDense(painter, shape);
        for (const DenseShape &shape : picture.scenes->at(lane).dense) { // keep force-releases visible
            if (shape.forced)
                paintDiamond(painter, shape.rect.center(), 6);
        }
        for (const BarShape &shape : picture.scenes->at(lane).bars) {
            const bool current = here && picture.current.index == shape.bar &&
                                 picture.current.on == (shape.wait ? On::Wait : On::Hold);
            shape.wait ? paintWait(painter, shape, current) : paintHold(painter, shape, current);
        }
        for (const QPointF &tick : picture.scenes->at(lane).renewals)
            paintRenewal(painter, tick.x(), tick.y() + LaneBox::kHold);
        for (const BarShape &shape : picture.scenes->at(lane).bars) { // over the next bar
            if (!shape.wait)
                paintEnd(painter, shape);
        }
        painter.restore();
        paintUnseen(painter, picture, lane);
    }
}

void TimelinePainter::paintGrid(QPainter &painter, const Ticks &ticks, const TimeAxis &axis, int top,
                                int bottom) const
{
    // Solid: Qt cuts what is blended over so many rows up for several threads, and waiting for them is most
    // of it.
    const QColor line = mixed(m_palette.color(QPalette::Mid), m_palette.color(QPalette::Base), 0.6);
    for (const Tick &tick : ticks.list) {
        const bool strong = tick.dayBegins && ticks.unit < TickUnit::Day;
        painter.fillRect(QRectF(axis.xOf(tick.us), top, 1, bottom - top),
                         strong || tick.clockSet ? m_palette.color(QPalette::Mid) : line);
    }
}

void TimelinePainter::paintHeader(QPainter &painter, const Ticks &ticks, const TimeAxis &axis,
                                  const QTimeZone &zone, const QString &zoneText) const
{
    painter.setFont(m_font);
    const QFontMetrics metrics(m_font);
    const int half = kHeaderHeight / 2;
    const QColor muted = presentation::mutedInk(m_scheme);
    const auto dateOf = [&zone](qint64 us) {
        return QDateTime::fromMSecsSinceEpoch(us / 1000, zone).toString(QStringLiteral("yyyy-MM-dd"));
    };
    const int zoneWidth = metrics.horizontalAdvance(zoneText) + 8;
    painter.setPen(muted);
    painter.drawText(QRectF(axis.width() - zoneWidth, 0, zoneWidth - 4, half),
                     Qt::AlignVCenter | Qt::AlignRight, zoneText);
    // The date is shown at the left and at each new day.
    double dateEnd = 0;
    const auto upper = [&](double x, const QString &text, const QColor &ink) {
        const int width = metrics.horizontalAdvance(text);
        if (x < dateEnd || x + width > axis.width() - zoneWidth - 4)
            return;
        painter.setPen(ink);
        painter.drawText(QRectF(x, 0, width + 1, half), Qt::AlignVCenter | Qt::AlignLeft, text);
        dateEnd = x + width + 12;
    };
    const bool dates = ticks.unit < TickUnit::Day;
    const auto next =
        std::find_if(ticks.list.cbegin(), ticks.list.cend(), [](const Tick &tick) { return tick.dayBegins; });
    const double room = next == ticks.list.cend() ? axis.width() : axis.xOf(next->us);
    const QString firstDate = dates ? dateOf(axis.range().fromUs)
                                    : QDateTime::fromMSecsSinceEpoch(axis.range().fromUs / 1000, zone)
                                          .toString(QStringLiteral("yyyy"));
    if (room > metrics.horizontalAdvance(firstDate) + 12)
        upper(4, firstDate, m_palette.color(QPalette::Text));
    for (const Tick &tick : ticks.list) {
        const double x = axis.xOf(tick.us);
        if (tick.clockSet) {
            const int offset = QDateTime::fromMSecsSinceEpoch(tick.us / 1000, zone).offsetFromUtc() / 60;
            upper(x + 3,
                  QStringLiteral("UTC%1%2%3")
                      .arg(offset < 0 ? QStringLiteral("−") : QStringLiteral("+"))
                      .arg(std::abs(offset) / 60)
                      .arg(offset % 60 == 0
                               ? QString()
                               : QStringLiteral(":%1").arg(std::abs(offset) % 60, 2, 10, QLatin1Char('0'))),
                  m_palette.color(QPalette::Text));
        } else if (tick.dayBegins && dates) {
            upper(x + 3, dateOf(tick.us), m_palette.color(QPalette::Text));
        }
        painter.fillRect(QRectF(x, kHeaderHeight - 5, 1, 5), muted);
        const QString text = TimelineFormatter::tick(tick, ticks.unit, zone);
        if (x + 3 + metrics.horizontalAdvance(text) <= axis.width() + 8) {
            painter.setPen(m_palette.color(QPalette::Text));
            painter.drawText(QRectF(x + 4, half - 1, axis.width(), half - 2),
                             Qt::AlignVCenter | Qt::AlignLeft, text);
        }
    }
}

} // namespace lockkeeper::app::charts
