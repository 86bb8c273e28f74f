// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/lease_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>

namespace lockkeeper::app::charts {

namespace {

constexpr double kUsPerMinute = 60e6;
constexpr std::array kSpans{1, 5, 15}; ///< selectable spans in minutes
constexpr qsizetype kMaxGaps = 40;     // in 15 minutes; more would merge into one grey area

double minutesAgo(qint64 atUs, qint64 nowUs)
{
    return double(atUs - nowUs) / kUsPerMinute;
}

/**
 * The lease's remaining seconds at an instant: between two corners, the line falls by one second per second.
 */
double secondsAt(const QList<models::LeaseTrajectory::Point> &points, qint64 atUs)
{
    const auto after = std::upper_bound(points.cbegin(), points.cend(), atUs,
                                        [](qint64 at, const auto &point) { return at < point.atUs; });
    if (after == points.cbegin())
        return 0;
    const auto &before = *std::prev(after);
    return double(before.remainingUs - (atUs - before.atUs)) / 1e6;
}

} // namespace

LeaseChart::LeaseChart(const presentation::Theme *theme, QWidget *parent)
    : QChartView(new QChart, parent),
      m_theme(theme),
      m_line(new QLineSeries(this)),
      m_renewed(new QScatterSeries(this)),
      m_missed(new QScatterSeries(this)),
      m_minutes(new QValueAxis(this)),
      m_seconds(new QValueAxis(this))
{
    chart()->legend()->hide();
    chart()->setMargins(QMargins(0, 4, 6, 0));
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    m_minutes->setRange(-15, 0);
    m_minutes->setTickCount(4);
    m_minutes->setLabelFormat(QStringLiteral("%g min"));
    m_seconds->setLabelFormat(QStringLiteral("%g s"));
    m_seconds->setTickCount(3);
    chart()->addAxis(m_minutes, Qt::AlignBottom);
    chart()->addAxis(m_seconds, Qt::AlignLeft);
    for (QXYSeries *series : {static_cast<QXYSeries *>(m_line), static_cast<QXYSeries *>(m_renewed),
                              static_cast<QXYSeries *>(m_missed)}) {
        chart()->addSeries(series);
        series->attachAxis(m_minutes);
        series->attachAxis(m_seconds);
    }
    m_renewed->setMarkerSize(4);
    m_missed->setMarkerSize(7);
    connect(theme, &presentation::Theme::changed, this, &LeaseChart::recolour);
    recolour();
}

void LeaseChart::recolour()
{
    const QPalette palette = presentation::paletteOf(m_theme->scheme());
    const QColor line = presentation::holdColour(m_theme->scheme());
    const QColor base = palette.color(QPalette::Window);
    chart()->setBackgroundBrush(base);
    chart()->setPlotAreaBackgroundBrush(palette.color(QPalette::Base));
    chart()->setPlotAreaBackgroundVisible(true);
    setBackgroundBrush(base);
    QFont small = font();
    small.setPointSizeF(std::max(7.0, font().pointSizeF() - 2));
    for (QValueAxis *axis : {m_minutes, m_seconds}) {
        axis->setLabelsBrush(m_theme->muted());
        axis->setLabelsFont(small);
        axis->setGridLineColor(palette.color(QPalette::Mid));
        axis->setLinePenColor(palette.color(QPalette::Mid));
    }
    m_line->setPen(QPen(line, 1.5));
    m_renewed->setBrush(line);
    m_renewed->setPen(QPen(line));
    m_missed->setBrush(palette.color(QPalette::Base));
    m_missed->setPen(QPen(m_theme->badge(replica::Badge::Stuck).border, 1.5));
    const QColor hatch = presentation::gapColour(m_theme->scheme());
    for (QAreaSeries *gap : std::as_const(m_gaps)) {
        gap->setBrush(QBrush(hatch, Qt::BDiagPattern));
        gap->setPen(Qt::NoPen);
    }
}

int LeaseChart::pointCount() const
{
    return int(m_line->count());
}

void LeaseChart::show(const models::LeaseTrajectory &trajectory, qint64 nowUs)
{
    const auto &points = trajectory.points();
    QList<QPointF> line;
    line.reserve(points.size() + 2);
    double top = 1;
    double bottom = 0;
    for (const auto &point : points) {
        const double x = minutesAgo(point.atUs, nowUs);
        if (point.startsAnew && !line.isEmpty()) {
            line.append({line.last().x(), 0});
            line.append({x, 0});
        }
        const double y = double(point.remainingUs) / 1e6;
        line.append({x, y});
        top = std::max(top, y);
        bottom = std::min(bottom, y);
    }
    QList<QPointF> renewed;
    QList<QPointF> missed;
    for (const auto &renewal : trajectory.renewals(nowUs)) {
        const QPointF at(minutesAgo(renewal.atUs, nowUs), secondsAt(points, renewal.atUs));
        (renewal.missed ? missed : renewed).append(at);
    }
    // Shows only the known time; otherwise the line would be a speck at the right.
    const double oldest = line.isEmpty() ? 0.0 : -line.first().x();
    const auto span =
        std::find_if(kSpans.cbegin(), kSpans.cend(), [oldest](int one) { return one >= oldest; });
    const int minutes = span == kSpans.cend() ? kSpans.back() : *span;
    m_minutes->setRange(-minutes, 0);
    m_minutes->setTickCount(minutes == 15 ? 4 : 3);
    m_line->replace(line);
    m_renewed->replace(renewed);
    m_missed->replace(missed);
    m_seconds->setTickCount(3);
    m_seconds->setRange(bottom, top);
    m_seconds->applyNiceNumbers();
    showGaps(trajectory.gaps(), nowUs, m_seconds->max());
    describe(trajectory, int(renewed.size()), int(missed.size()));
}

void LeaseChart::showGaps(const QList<models::LeaseTrajectory::UnseenSpan> &gaps, qint64 nowUs, double top)
{
    const auto shown = std::min(gaps.size(), kMaxGaps);
    while (m_gaps.size() < shown) {
        auto *area = new QAreaSeries(new QLineSeries(this), new QLineSeries(this));
        area->setParent(this);
        chart()->addSeries(area);
        area->attachAxis(m_minutes);
        area->attachAxis(m_seconds);
        m_gaps.append(area);
        recolour();
    }
    for (qsizetype i = 0; i < m_gaps.size(); ++i) {
        m_gaps.at(i)->setVisible(i < shown);
        if (i >= shown)
            continue;
        const auto &gap = gaps.at(gaps.size() - shown + i);
        const double from = std::max(-15.0, minutesAgo(gap.fromUs, nowUs));
        const double to = gap.toUs ? minutesAgo(*gap.toUs, nowUs) : 0.0;
        m_gaps.at(i)->upperSeries()->replace(QList<QPointF>{{from, top}, {to, top}});
        m_gaps.at(i)->lowerSeries()->replace(QList<QPointF>{{from, 0}, {to, 0}});
    }
}

void LeaseChart::describe(const models::LeaseTrajectory &trajectory, int renewed, int missed)
{
    const QString renewals = tr("%n renewal(s) seen", nullptr, renewed);
    const QString misses = tr("%n renewal(s) missed", nullptr, missed);
    const QString gaps = tr("%n gap(s)", nullptr, int(trajectory.gaps().size()));
    m_summary =
        tr("Remaining time of the lease over the last 15 minutes: %1; %2; %3").arg(renewals, misses, gaps);
    setAccessibleName(m_summary);
    setToolTip(m_summary);
}

void LeaseChart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        recolour();
    QChartView::changeEvent(event);
}

} // namespace lockkeeper::app::charts
