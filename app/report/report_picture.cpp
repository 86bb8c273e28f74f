// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_picture.h"

#include "app/timeline/ticks.h"
#include "app/words/lock_text.h"

#include <QMap>

#include <algorithm>
#include <cmath>

namespace lockkeeper::app::report {

namespace {

constexpr double kWidth = 960;
constexpr double kLeft = 92; ///< for the names of the two rows
constexpr double kRight = 48;
constexpr double kAxis = 22; ///< the height of the times
constexpr double kHoldTop = 34;
constexpr double kHoldHeight = 26;
constexpr double kWaitTop = 78;
constexpr double kWaitHeight = 64;
constexpr double kBottom = 10;
constexpr double kCharacter = 7.2; ///< px of a Latin letter; an ideograph takes two
constexpr int kTickPx = 110;

double widthOf(const QString &text)
{
    double width = 0;
    for (const QChar one : text)
        width += one.unicode() >= 0x2e80 ? 2 * kCharacter : kCharacter;
    return width;
}

QString shortened(const QString &text, double room)
{
    if (widthOf(text) <= room)
        return text;
    QString rest = text;
    while (!rest.isEmpty() && widthOf(rest) + kCharacter > room)
        rest.chop(1);
    return rest.size() < 3 ? QString() : rest + QChar(0x2026);
}

class Drawing
{
public:
    Drawing(const IncidentEvidence &evidence, const IncidentFacts &facts)
        : m_evidence(evidence), m_facts(facts), m_axis(evidence.range, kWidth - kLeft - kRight)
    {
    }

    void addTicks(const words::TimeFormat &times);
    void addGaps();
    void addHolds();
    void addWaits();
    void add(ShapeKind kind, const QRectF &rect, const QString &text = {})
    {
        m_shapes.append({kind, rect, text});
    }
    const QList<PictureShape> &shapes() const { return m_shapes; }

private:
    double xOf(qint64 us) const { return kLeft + std::clamp(m_axis.xOf(us), 0.0, m_axis.width()); }
    QRectF box(qint64 fromUs, qint64 toUs, double top, double height) const
    {
        const double x = xOf(fromUs);
        return {x, top, std::max(1.5, xOf(toUs) - x), height};
    }

    const IncidentEvidence &m_evidence;
    const IncidentFacts &m_facts;
    timeline::TimeAxis m_axis;
    QList<PictureShape> m_shapes;
};

void Drawing::addTicks(const words::TimeFormat &times)
{
    const timeline::Ticks ticks = timeline::ticksOf(m_axis, times.timeZone(), kTickPx);
    for (const timeline::Tick &tick : ticks.list) {
        const double x = xOf(tick.us);
        add(ShapeKind::Tick, {x, kAxis, 0, kWaitTop + kWaitHeight - kAxis});
        const QString format = ticks.unit <= timeline::TickUnit::Millisecond ? QStringLiteral("HH:mm:ss.zzz")
                               : ticks.unit == timeline::TickUnit::Second    ? QStringLiteral("HH:mm:ss")
                               : ticks.unit <= timeline::TickUnit::Hour && !tick.dayBegins
                                   ? QStringLiteral("HH:mm")
                                   : QStringLiteral("yyyy-MM-dd");
        constexpr double kHalf = 45;
        if (x + kHalf <= kWidth)
            add(ShapeKind::TickLabel, {x - kHalf, 0, 2 * kHalf, kAxis}, times.at(tick.us).toString(format));
    }
}

void Drawing::addGaps()
{
    for (const events::Interval &gap : m_facts.unobserved)
        add(ShapeKind::Gap, box(gap.fromUs, gap.toUs, kAxis, kWaitTop + kWaitHeight - kAxis));
}

/** The uncertain beginnings come first: none may cover an earlier hold. */
void Drawing::addHolds()
{
    for (const protocol::Hold &hold : m_facts.holds) {
        const double from = xOf(hold.fromUs - hold.fromWindowUs);
        if (const double to = xOf(hold.fromUs); to - from > 1)
            add(ShapeKind::Unsure, {from, kHoldTop, to - from, kHoldHeight});
    }
    for (const protocol::Hold &hold : m_facts.holds) {
        const events::Interval held = within(m_evidence.range, hold.fromUs, hold.toUs, m_facts.seenUntilUs);
        const QRectF bar = box(held.fromUs, held.toUs, kHoldTop, kHoldHeight);
        const double sureTo =
            hold.toUs ? std::max(bar.left(), xOf(*hold.toUs - hold.toWindowUs)) : bar.right();
        const bool unsure = bar.right() - sureTo > 1;
        add(ShapeKind::Hold, unsure ? QRectF(bar.topLeft(), QPointF(sureTo, bar.bottom())) : bar);
        if (unsure)
            add(ShapeKind::Unsure, {sureTo, kHoldTop, bar.right() - sureTo, kHoldHeight});
        if (hold.end == "force_released" && hold.toUs && m_evidence.range.contains(*hold.toUs))
            add(ShapeKind::ForcedEnd, {bar.right() - 1.5, kHoldTop - 5, 3, kHoldHeight + 10});
        const QString name =
            shortened(words::LockText::holder(hold.owner, hold.ownerKnown), bar.width() - 12);
        if (!name.isEmpty())
            add(ShapeKind::BarLabel, bar.adjusted(6, 0, -6, 0), name);
    }
}

void Drawing::addWaits()
{
    QMap<qint64, int> changes;
    for (const protocol::Wait &wait : m_facts.waits) {
        const events::Interval seen = within(m_evidence.range, wait.fromUs, wait.toUs, m_facts.seenUntilUs);
        ++changes[seen.fromUs];
        --changes[seen.toUs];
    }
    const double most = std::max(1, m_facts.peak.waiters);
    int now = 0;
    for (auto it = changes.cbegin(); it != changes.cend(); ++it) {
        now += it.value();
        const auto next = std::next(it);
        if (now <= 0 || next == changes.cend())
            continue;
        const double height = kWaitHeight * now / most;
        add(ShapeKind::Waiting, box(it.key(), next.key(), kWaitTop + kWaitHeight - height, height));
    }
}

QString escapedXml(const QString &text)
{
    return text.toHtmlEscaped();
}

QString coordinate(double value)
{
    return QString::number(std::round(value * 10) / 10);
}

QString rectOf(const char *kind, const QRectF &rect)
{
    return QStringLiteral("<rect class=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\"/>\n")
        .arg(QLatin1String(kind), coordinate(rect.x()), coordinate(rect.y()), coordinate(rect.width()),
             coordinate(rect.height()));
}

QString textOf(const char *kind, const QPointF &at, const QString &text)
{
    return QStringLiteral("<text class=\"%1\" x=\"%2\" y=\"%3\">%4</text>\n")
        .arg(QLatin1String(kind), coordinate(at.x()), coordinate(at.y() + 4), escapedXml(text));
}

QString svgShape(const PictureShape &shape)
{
    switch (shape.kind) {
    case ShapeKind::Tick:
        return QStringLiteral("<line class=\"tick\" x1=\"%1\" y1=\"%2\" x2=\"%1\" y2=\"%3\"/>\n")
            .arg(coordinate(shape.rect.x()), coordinate(shape.rect.top()), coordinate(shape.rect.bottom()));
    case ShapeKind::Gap:
        return rectOf("gap", shape.rect);
    case ShapeKind::Unsure:
        return rectOf("unsure", shape.rect);
    case ShapeKind::Hold:
        return rectOf("hold", shape.rect);
    case ShapeKind::ForcedEnd:
        return rectOf("forced", shape.rect);
    case ShapeKind::Waiting:
        return rectOf("waiting", shape.rect);
    case ShapeKind::Label:
        return textOf("name", {shape.rect.left(), shape.rect.center().y()}, shape.text);
    case ShapeKind::BarLabel:
        return textOf("inside", {shape.rect.left(), shape.rect.center().y()}, shape.text);
    case ShapeKind::TickLabel:
        break;
    }
    return textOf("time", shape.rect.center(), shape.text);
}

} // namespace

ReportPicture PictureMaker::pictureOf(const IncidentEvidence &evidence, const IncidentFacts &facts,
                                      const words::TimeFormat &times)
{
    Drawing drawing(evidence, facts);
    drawing.addGaps();
    drawing.addTicks(times);
    drawing.addHolds();
    drawing.addWaits();
    drawing.add(ShapeKind::Label, {4, kHoldTop, kLeft - 8, kHoldHeight}, tr("Held", "a row of the picture"));
    drawing.add(ShapeKind::Label, {4, kWaitTop + 12, kLeft - 8, 18}, tr("Waiting", "a row of the picture"));
    if (facts.peak.waiters > 0)
        drawing.add(ShapeKind::Label, {4, kWaitTop + 30, kLeft - 8, 18},
                    tr("up to %1", "number of waiters").arg(facts.peak.waiters));
    ReportPicture picture{kWidth, kWaitTop + kWaitHeight + kBottom, drawing.shapes(), {}};
    picture.alternative =
        tr("Timeline from %1: above, when the lock was held; below, how many clients waited; hatched, when "
           "nothing was observed.")
            .arg(times.wholeRange(evidence.range.fromUs, evidence.range.toUs));
    return picture;
}

QString svgOf(const ReportPicture &picture)
{
    QString svg =
        QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1 %2\" role=\"img\" "
                       "aria-label=\"%3\">\n")
            .arg(coordinate(picture.width), coordinate(picture.height), escapedXml(picture.alternative));
    svg +=
        QStringLiteral("<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" "
                       "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                       "<rect class=\"hatch-ground\" width=\"7\" height=\"7\"/>"
                       "<line class=\"hatch-line\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"7\"/></pattern></defs>\n");
    for (const PictureShape &shape : picture.shapes)
        svg += svgShape(shape);
    return svg + QStringLiteral("</svg>\n");
}

} // namespace lockkeeper::app::report
