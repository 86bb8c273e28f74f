// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/scene.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace lockkeeper::app::timeline {

namespace {

constexpr double kNarrow = 2;   ///< px: anything narrower isn't a separate bar
constexpr double kOutside = 16; ///< px: anything further outside is cut off
constexpr double kNearlyAll = 0.6;
constexpr double kFullWaiters = 5; ///< a column of waits as high as its sub-lanes

/** Sums the bars on the same two pixels. Add them in the order of time. */
class PixelColumns
{
public:
    PixelColumns(LaneScene &scene, const TimeAxis &axis, bool wait, double top, double height)
        : m_scene(scene), m_axis(axis), m_wait(wait), m_top(top), m_height(height)
    {
    }
    ~PixelColumns() { flush(); }
    PixelColumns(const PixelColumns &) = delete;
    PixelColumns &operator=(const PixelColumns &) = delete;

    /** `ofUs`: the length of time that the values describe; 0 for a bar, because nothing is beside it. */
    void add(const TimeRange &span, qint64 busyUs, qint64 bars, bool forced, qint64 ofUs = 0)
    {
        const double x = m_axis.xOf(span.fromUs);
        const double end = m_axis.xOf(span.toUs);
        const bool wide = end - x > kNarrow;
        // On whole pixels, so that adjacent blocks have no seam.
        const double left = wide ? std::round(x) : std::floor(x / kNarrow) * kNarrow;
        if (m_pending.rect.isNull() || left != m_pending.rect.left() || wide) {
            flush();
            m_pending.rect = {left, m_top, wide ? std::round(end) - left : kNarrow, m_height};
            m_pending.fromUs = span.fromUs;
        }
        m_pending.toUs = std::max(m_pending.toUs, span.toUs);
        m_busyUs += busyUs;
        m_toldUs += ofUs;
        m_pending.bars += bars;
        m_pending.forced = m_pending.forced || forced;
        if (wide)
            flush();
    }
    void flush()
    {
        if (m_pending.rect.isNull())
            return;
        // Sometimes three slices begin on two pixels, sometimes four: that mustn't change how full they look.
        const double whole = std::max(1.0, m_pending.rect.width() * m_axis.usPerPixel());
        const bool told = double(m_toldUs) > whole * kNearlyAll;
        m_pending.share = double(m_busyUs) / (told ? double(m_toldUs) : whole);
        m_pending.wait = m_wait;
        if (m_wait) { // grows with the number of waiters
            const double part = std::clamp(m_pending.share / kFullWaiters, 0.0, 1.0);
            m_pending.rect.setTop(m_pending.rect.bottom() - std::max(2.0, m_height * part));
        } else {
            m_pending.share = std::min(1.0, m_pending.share);
        }
        if (m_busyUs > 0 || m_pending.bars > 0)
            m_scene.dense.append(m_pending);
        m_pending = {};
        m_busyUs = 0;
        m_toldUs = 0;
    }

private:
    LaneScene &m_scene;
    const TimeAxis &m_axis;
    bool m_wait;
    double m_top;
    double m_height;
    DenseShape m_pending;
    qint64 m_busyUs = 0;
    qint64 m_toldUs = 0;
};

bool isOutside(const TimeAxis &axis, double from, double to)
{
    return to < -kOutside || from > axis.width() + kOutside;
}

QRectF cut(const TimeAxis &axis, double from, double to, double top, double height)
{
    from = std::max(from, -kOutside);
    to = std::min(to, axis.width() + kOutside);
    return {from, top, to - from, height};
}

/**
 * Adds the lease from its last renewal on. A hold that continued past its lease's end was renewed after the
 * last journalled renewal: its lease is unknown.
 */
void addLease(BarShape &shape, const protocol::Hold &hold, const TimeRange &span, const TimeAxis &axis)
{
    const bool wentOn = hold.expiresUs && span.toUs > *hold.expiresUs && hold.end != "expired";
    if (!hold.renewedUs || !hold.expiresUs || wentOn || *hold.expiresUs <= *hold.renewedUs)
        return;
    const qint64 endUs = hold.toUs ? std::min(*hold.toUs, *hold.expiresUs) : *hold.expiresUs;
    shape.renewed = std::clamp(axis.xOf(*hold.renewedUs), -kOutside, axis.width() + kOutside);
    shape.leaseTo = std::clamp(axis.xOf(endUs), *shape.renewed, axis.width() + kOutside);
}

/**
 * Adds each journalled renewal, except the last if the lease already has its tick; none if they would touch.
 */
void addRenewals(LaneScene &scene, const BarShape &shape, const protocol::Hold &hold, const TimeAxis &axis)
{
    double before = -kOutside;
    const qsizetype first = scene.renewals.size();
    for (const qint64 us : hold.renewalsUs) {
        const double x = axis.xOf(us);
        if (x < shape.rect.left() || x >= shape.rect.right() || (shape.renewed && us == *hold.renewedUs))
            continue;
        if (x - before < kNarrow) {
            scene.renewals.resize(first);
            return;
        }
        scene.renewals.append({x, shape.rect.top()});
        before = x;
    }
}

void addHolds(LaneScene &scene, const protocol::TimelineLane &lane, const LaneBox &box, const TimeAxis &axis,
              const SeenUntil &seen)
{
    for (int track = 0; track < box.holdRows; ++track) {
        PixelColumns narrow(scene, axis, false, box.holdTop(track), LaneBox::kHold);
        for (int i = 0; i < lane.holds.size(); ++i) {
            const protocol::Hold &hold = lane.holds.at(i);
            if (box.holdTracks.value(i, 0) != track)
                continue;
            const TimeRange span = spanOf(hold, seen);
            const double from = axis.xOf(span.fromUs);
            const double to = axis.xOf(span.toUs);
            const double softFrom = axis.xOf(span.fromUs - (hold.startSeen ? hold.fromWindowUs : 0));
            if (isOutside(axis, softFrom, to))
                continue;
            const BarEnd end = hold.toUs ? barEndOf(hold.end) : BarEnd::Open;
            if (to - softFrom < kNarrow && hold.toUs) {
                narrow.add(span, span.lengthUs(), 1, end == BarEnd::Forced);
                continue;
            }
            BarShape shape;
            shape.rect = cut(axis, from, std::max(to, from + 1), box.holdTop(track), LaneBox::kHold);
            shape.softFrom = std::max(softFrom, -kOutside);
            const double softTo = axis.xOf(span.toUs - (hold.toUs ? hold.toWindowUs : 0));
            shape.softTo = std::clamp(softTo, shape.rect.left(), shape.rect.right());
            shape.bar = i;
            shape.startSeen = hold.startSeen;
            shape.end = end;
            addLease(shape, hold, span, axis);
            addRenewals(scene, shape, hold, axis);
            scene.bars.append(shape);
        }
    }
}

void addWaits(LaneScene &scene, const protocol::TimelineLane &lane, const LaneBox &box, const TimeAxis &axis,
              const SeenUntil &seen)
{
    for (int track = 0; track < box.waitRows; ++track) {
        PixelColumns narrow(scene, axis, true, box.waitTop(track), LaneBox::kWait);
        for (int i = 0; i < lane.waits.size(); ++i) {
            if (box.waitTracks.value(i, 0) != track)
                continue;
            const TimeRange span = spanOf(lane.waits.at(i), seen);
            const double from = axis.xOf(span.fromUs);
            const double to = axis.xOf(span.toUs);
            if (isOutside(axis, from, to))
                continue;
            if (to - from < kNarrow && lane.waits.at(i).toUs) {
                narrow.add(span, span.lengthUs(), 1, false);
                continue;
            }
            BarShape shape;
            shape.rect = cut(axis, from, std::max(to, from + 1), box.waitTop(track), LaneBox::kWait);
            shape.softFrom = shape.rect.left();
            shape.softTo = shape.rect.right();
            shape.bar = i;
            shape.wait = true;
            shape.end = lane.waits.at(i).toUs ? BarEnd::Released : BarEnd::Open;
            scene.bars.append(shape);
        }
    }
}

void addSlices(LaneScene &scene, const protocol::TimelineLane &lane, const LaneBox &box, const TimeAxis &axis,
               qint64 sliceUs)
{
    const double waitTop = box.waitTop(0);
    PixelColumns holds(scene, axis, false, box.holdTop(0),
                       box.holdRows * (LaneBox::kHold + LaneBox::kBetween) - LaneBox::kBetween);
    PixelColumns waits(scene, axis, true, waitTop,
                       std::max(1, box.waitRows * (LaneBox::kWait + LaneBox::kBetween) - LaneBox::kBetween));
    for (const protocol::TimelineSlice &slice : lane.slices) {
        const TimeRange span{slice.fromUs, slice.fromUs + sliceUs};
        if (isOutside(axis, axis.xOf(span.fromUs), axis.xOf(span.toUs)))
            continue;
        if (slice.heldUs > 0 || slice.holds > 0)
            holds.add(span, slice.heldUs, slice.holds, slice.forced > 0, sliceUs);
        if (slice.waitUs > 0)
            waits.add(span, slice.waitUs, slice.waits, false, sliceUs);
    }
}

} // namespace

BarEnd barEndOf(const QByteArray &code)
{
    if (code == "released") // the usual case, thousands in a frame
        return BarEnd::Released;
    static const QHash<QByteArray, BarEnd> kEnds{
        {"released", BarEnd::Released},     {"expired", BarEnd::Expired}, {"taken_over", BarEnd::TakenOver},
        {"force_released", BarEnd::Forced}, {"lost", BarEnd::Lost},       {"gap", BarEnd::Gap}};
    return kEnds.value(code, BarEnd::Released);
}

LaneScene sceneOf(const protocol::TimelineLane &lane, const LaneBox &box, const TimeAxis &axis,
                  const SeenUntil &seen, qint64 sliceUs)
{
    LaneScene scene;
    if (!axis.isValid())
        return scene;
    addSlices(scene, lane, box, axis, sliceUs);
    addHolds(scene, lane, box, axis, seen);
    addWaits(scene, lane, box, axis, seen);
    return scene;
}

Hit hitAt(const QPointF &at, const Chart &chart, const LaneLayout &layout, const QList<LaneScene> &scenes,
          const TimeAxis &axis, const SeenUntil &seen)
{
    Hit hit;
    hit.lane = layout.laneAt(int(std::floor(at.y())));
    if (hit.lane < 0 || hit.lane >= chart.lanes.size() || hit.lane >= scenes.size())
        return {};
    hit.on = Hit::On::Lane;
    const QPointF inLane(at.x(), at.y() - layout.boxes().at(hit.lane).top);
    const LaneScene &scene = scenes.at(hit.lane);
    double nearest = kNarrow;
    for (const BarShape &shape : scene.bars) {
        const QRectF rect = shape.rect.adjusted(shape.softFrom - shape.rect.left(), 0, 0, 0);
        if (inLane.y() < rect.top() - 1 || inLane.y() > rect.bottom() + 1)
            continue;
        const double away = std::max({0.0, rect.left() - inLane.x(), inLane.x() - rect.right()});
        if (away > nearest || (away == nearest && hit.index >= 0))
            continue;
        nearest = away;
        hit.on = shape.wait ? Hit::On::Wait : Hit::On::Hold;
        hit.index = shape.bar;
    }
    if (hit.index >= 0)
        return hit;
    for (qsizetype i = 0; i < scene.dense.size(); ++i) {
        if (scene.dense.at(i).rect.adjusted(0, -1, 0, 1).contains(inLane)) {
            hit.on = Hit::On::Dense;
            hit.index = i;
            return hit;
        }
    }
    const qint64 us = axis.timeAt(at.x());
    for (qsizetype i = 0; i < chart.gaps.size(); ++i) {
        if (chart.gaps.at(i).source == sourceOf(chart.lanes.at(hit.lane)) &&
            spanOf(chart.gaps.at(i), seen).contains(us)) {
            hit.on = Hit::On::Gap;
            hit.index = i;
            return hit;
        }
    }
    return hit;
}

} // namespace lockkeeper::app::timeline
