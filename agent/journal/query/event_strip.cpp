// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_strip.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockkeeper::agent::journal {

EventStrip::EventStrip(QueryContext &context, const protocol::TimelineQuery &query, qint64 parts,
                       qint64 rolledSeq)
    : m_context(context),
      m_range{query.stripFromUs, query.stripToUs},
      m_rolledSeq(rolledSeq),
      m_parts(parts, 0)
{
    if (!query.source.isEmpty() || !context.sight().isWhole())
        m_only = QStringLiteral(" AND source_id IN (%1)").arg(sqlList(context.seenSourceIds(query.source)));
    m_events = prepared("event_times");
}

std::unique_ptr<SqliteStatement> EventStrip::prepared(const char *name) const
{
    return m_context.connection().prepare(statementText(name).trimmed() + m_only);
}

qint64 EventStrip::partOf(qint64 timeUs) const
{
    return (timeUs - m_range.fromUs) * m_parts.size() / (m_range.toUs - m_range.fromUs);
}

base::Result<void> EventStrip::count()
{
    const events::Interval minutes{ceilTo(m_range.fromUs, kMinuteUs), floorTo(m_range.toUs, kMinuteUs)};
    base::Result<void> done;
    if (minutes.fromUs >= minutes.toUs) {
        addCut({m_range.fromUs, m_range.toUs, {}});
    } else {
        addCut({m_range.fromUs, minutes.fromUs, {}});
        done = addMinutes(minutes);
        addCut({minutes.toUs, m_range.toUs, {}});
    }
    return done.and_then([this] { return countCuts(); }).and_then([this] {
        return countEvents(m_rolledSeq, std::numeric_limits<qint64>::max(), [this](qint64 timeUs) {
            return timeUs >= m_range.fromUs && timeUs < m_range.toUs;
        });
    });
}

base::Result<void> EventStrip::addMinutes(events::Interval minutes)
{
    const auto rows = prepared("event_minutes");
    rows->bind(minutes.fromUs / kMinuteUs).bind(minutes.toUs / kMinuteUs);
    return m_context.each(*rows, [&] {
        const qint64 fromUs = rows->integer(0) * kMinuteUs;
        const qint64 part = partOf(fromUs);
        if (part == partOf(fromUs + kMinuteUs - 1))
            m_parts[part] += rows->integer(1);
        else
            addCut({fromUs, fromUs + kMinuteUs, rows->integer(1)});
    });
}

void EventStrip::addCut(StripCut cut)
{
    if (!m_cuts.isEmpty() && m_cuts.constLast().fromUs == cut.fromUs)
        *m_cuts.last().rolled += *cut.rolled; // the same minute of another source
    else if (cut.fromUs < cut.toUs)
        m_cuts.append(cut);
}

QList<EventStrip::StripCut>::iterator EventStrip::cutAfter(qint64 timeUs)
{
    return std::upper_bound(m_cuts.begin(), m_cuts.end(), timeUs,
                            [](qint64 time, const StripCut &cut) { return time < cut.toUs; });
}

base::Result<void> EventStrip::countCuts()
{
    SqliteStatement &blocks = m_context.connection().statement("event_blocks");
    const auto countOf = [this](qint64 timeUs) {
        const auto its = cutAfter(timeUs);
        const bool fits = its != m_cuts.end() && its->fromUs <= timeUs;
        if (fits)
            ++its->found;
        return fits;
    };
    qint64 lowSeq = 0;
    auto done = m_context.each(blocks, [&]() -> base::Result<void> {
        const qint64 beforeSeq = std::exchange(lowSeq, blocks.integer(0));
        const auto cut = cutAfter(blocks.integer(1));
        if (cut == m_cuts.end() || cut->fromUs > blocks.integer(2))
            return {};
        return countEvents(beforeSeq, lowSeq, countOf);
    });
    for (const StripCut &cut : std::as_const(m_cuts)) {
        if (cut.rolled)
            m_parts[partOf(cut.fromUs)] += *cut.rolled - cut.found; // events that are no longer kept
    }
    return done;
}

template <typename Fits>
base::Result<void> EventStrip::countEvents(qint64 lowSeq, qint64 highSeq, const Fits &fits)
{
    const auto count = [&] {
        if (const qint64 timeUs = m_events->integer(0); fits(timeUs))
            ++m_parts[partOf(timeUs)];
    };
    return m_context.each(m_events->bind(lowSeq).bind(highSeq), count).and_then([this] {
        return m_context.checkTime();
    });
}

} // namespace lockkeeper::agent::journal
