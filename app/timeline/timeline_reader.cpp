// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/timeline/timeline_reader.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::app::timeline {

namespace {
constexpr int kMostToFilter = 200; ///< lanes to read if the agent can't apply the whole filter
constexpr qint64 kStripEveryUs = 60ll * 1'000'000; ///< its slices are hours of a journal
constexpr qint64 kForever = std::numeric_limits<qint64>::max();
} // namespace

TimelineReader::TimelineReader(session::AgentGroup &session, const base::Clock &clock, QObject *parent)
    : QObject(parent), m_session(session), m_clock(clock)
{
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGatherMs);
    connect(&m_gather, &QTimer::timeout, this, &TimelineReader::ask);
}

TimelineReader::~TimelineReader() = default;

void TimelineReader::setFilter(const LaneFilter &filter)
{
    if (filter == m_filter)
        return;
    const bool others = filter.lanes != m_filter.lanes || filter.rest != m_filter.rest;
    m_filter = filter;
    if (!others)
        return;
    cancel();
    m_hasRead = false;
    m_chart = {};
    m_error = {};
    m_failed = false;
    Q_EMIT changed();
    if (!m_shown.isEmpty())
        ask();
}

void TimelineReader::setPins(const QList<domain::LockKey> &pins)
{
    m_pins = pins; // shown lanes stay; a new pin appears with the next reading
}

bool TimelineReader::isCovered() const
{
    return m_hasRead && serves(m_chart.range, m_readSliceUs, m_shown, m_widthPx, m_nowUs);
}

void TimelineReader::show(const TimeRange &shown, int widthPx, qint64 nowUs)
{
    // A range that follows the present isn't a new range: a failed question isn't repeated each second.
    if (shown.lengthUs() != m_failedAt.lengthUs() ||
        qAbs(shown.fromUs - m_failedAt.fromUs) > shown.lengthUs() / 4)
        m_failed = false;
    m_shown = shown;
    m_widthPx = widthPx;
    m_nowUs = nowUs;
    if (m_shown.isEmpty() || widthPx <= 0 || m_failed || isCovered() || m_gather.isActive())
        return;
    if (m_hasRead || m_request) {
        m_gather.start(); // the existing picture moves in the meantime
        Q_EMIT stateChanged();
    } else {
        ask();
    }
}

void TimelineReader::refresh()
{
    m_failed = false;
    if (!m_shown.isEmpty() && m_widthPx > 0)
        ask();
}

void TimelineReader::cancel()
{
    m_gather.stop();
    ++m_generation;
    if (m_request)
        m_session.cancel(m_request);
    m_request = 0;
    Q_EMIT stateChanged();
}

void TimelineReader::clear()
{
    cancel();
    if (m_stripRequest)
        m_session.cancel(m_stripRequest);
    m_stripRequest = 0;
    m_hasRead = false;
    m_failed = false;
    m_chart = {};
    m_strip.clear();
    m_stripRange = {};
    m_stripAtUs = 0;
    m_firstUs = 0;
    m_error = {};
    Q_EMIT changed();
    Q_EMIT stripChanged();
}

void TimelineReader::ask()
{
    m_gather.stop();
    if (m_request)
        m_session.cancel(m_request);
    m_request = 0;
    ++m_generation;
    if (m_filter.lanes.exactly && m_filter.lanes.keys.isEmpty()) { // nothing is selected
        m_chart = {};
        m_hasRead = true;
        m_chart.range = {0, kForever};
        finish({});
        Q_EMIT changed();
        return;
    }
    protocol::TimelineQuery query = questionFor(m_filter.lanes, m_shown, m_widthPx, {}, m_nowUs);
    if (!m_filter.rest.isEmpty())
        query.lanes = kMostToFilter;
    m_request = m_session.timeline(
        query, this, [this, query, number = m_generation](const base::Result<protocol::TimelinePage> &page) {
            if (number != m_generation)
                return;
            if (!page)
                return finish(page.error());
            take(*page, query);
        });
    Q_EMIT stateChanged();
}

void TimelineReader::take(const protocol::TimelinePage &page, const protocol::TimelineQuery &asked)
{
    m_coming = {};
    m_coming.by = asked.by;
    m_coming.range = {asked.fromUs, asked.toUs > m_nowUs ? kForever : asked.toUs};
    m_coming.firstUs = page.firstUs;
    m_coming.sliceUs = page.sliceUs > 0 ? page.sliceUs : asked.sliceUs;
    m_coming.gaps = page.gaps;
    m_coming.more = page.more;
    for (const protocol::TimelineLane &lane : page.lanes) {
        if (!fits(m_filter.rest, lane, m_session.agentOf(lane.key ? lane.key->source : lane.source)))
            continue;
        if (m_filter.lanes.keys.isEmpty() && m_coming.lanes.size() == kMostLanes) {
            m_coming.more = true;
            break;
        }
        m_coming.lanes.append(lane);
    }
    m_firstUs = page.firstUs;
    m_readSliceUs = asked.sliceUs;
    askPins(asked);
}

void TimelineReader::askPins(const protocol::TimelineQuery &ranking)
{
    QList<domain::LockKey> missing = m_pins;
    missing.removeIf([this](const domain::LockKey &key) {
        return std::any_of(m_coming.lanes.cbegin(), m_coming.lanes.cend(),
                           [&key](const protocol::TimelineLane &lane) { return lane.key == key; });
    });
    if (missing.isEmpty() || ranking.by != protocol::TimelineLanes::Lock || m_filter.lanes.exactly)
        return finish({});
    protocol::TimelineQuery query = ranking;
    query.lockGlob.clear();
    query.holderGlob.clear();
    query.source.clear();
    query.keys = missing;
    query.lanes = int(missing.size());
    m_request = m_session.timeline(
        query, this, [this, number = m_generation](const base::Result<protocol::TimelinePage> &page) {
            if (number != m_generation)
                return;
            if (!page)
                return finish(page.error());
            // Sums can only be drawn with one slice length: the wider of the two is used, and the other lanes
            // wait.
            if (page->sliceUs == m_coming.sliceUs || page->sliceUs == 0)
                m_coming.lanes = page->lanes + m_coming.lanes;
            finish({});
        });
}

void TimelineReader::finish(const base::Error &error)
{
    m_request = 0;
    m_error = error;
    m_failed = !error.cause.isEmpty();
    m_failedAt = m_shown;
    if (!m_failed && !(m_filter.lanes.exactly && m_filter.lanes.keys.isEmpty())) {
        const bool differs = !m_hasRead || m_coming != m_chart;
        m_chart = std::exchange(m_coming, {});
        m_hasRead = true;
        if (differs)
            Q_EMIT changed();
        askStrip();
    }
    Q_EMIT stateChanged();
}

void TimelineReader::askStrip()
{
    const qint64 now = m_clock.monotonicUs();
    const bool recent = !m_strip.isEmpty() && now - m_stripAtUs < kStripEveryUs;
    if (m_firstUs <= 0 || m_stripRequest || recent)
        return;
    protocol::TimelineQuery query;
    const TimeRange range{std::min(m_firstUs, m_nowUs - kShortestRangeUs), m_nowUs};
    query.fromUs = m_nowUs - 1;
    query.toUs = m_nowUs;
    query.sliceUs = 1;
    query.lanes = 1;
    query.bars = 1;
    query.source = m_filter.lanes.source;
    query.stripSlices = kStripSlices;
    query.stripFromUs = range.fromUs;
    query.stripToUs = range.toUs;
    m_stripAtUs = now;
    m_stripRequest =
        m_session.timeline(query, this, [this, range](const base::Result<protocol::TimelinePage> &page) {
            m_stripRequest = 0;
            if (!page)
                return;
            m_strip = page->strip;
            m_stripRange = range;
            Q_EMIT stripChanged();
        });
}

} // namespace lockkeeper::app::timeline
