// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/event_strip.h"

#include <limits>

namespace lockkeeper::agent::journal {

namespace {

constexpr int kEventsBetweenLooks = 8192; ///< at the clock

} // namespace

EventStrip::EventStrip(QueryContext &context, const protocol::TimelineQuery &query, qint64 parts,
                       qint64 rolledSeq)
    : m_context(context),
      m_range{query.stripFromUs, query.stripToUs},
      m_rolledSeq(rolledSeq),
      m_parts(parts, 0)
{
    if (!query.source.isEmpty())
        m_only = QStringLiteral(" AND source_id IN (%1)").arg(context.sourceList(query.source));
    m_events = prepared("event_times");
}

std::unique_ptr<Statement> EventStrip::prepared(const char *name) const
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
    const auto some = [this](events::Interval range, qint64 lowSeq, qint64 highSeq) {
        return countEvents(range, lowSeq, highSeq).map([](qint64) {});
    };
    constexpr qint64 kLast = std::numeric_limits<qint64>::max();
    if (minutes.fromUs >= minutes.toUs)
        return some(m_range, 0, kLast);
    return countMinutes(minutes)
        .and_then([&] {
            return some({m_range.fromUs, minutes.fromUs}, 0, m_rolledSeq);
        })
        .and_then([&] {
            return some({minutes.toUs, m_range.toUs}, 0, m_rolledSeq);
        })
        .and_then([&] { return some(m_range, m_rolledSeq, kLast); });
}

base::Result<qint64> EventStrip::countEvents(events::Interval range, qint64 lowSeq, qint64 highSeq)
{
    m_events->bind(range.fromUs).bind(range.toUs).bind(lowSeq).bind(highSeq);
    if (!m_context.connection().run(*m_events))
        return tl::unexpected(m_context.connection().error());
    qint64 counted = 0;
    base::Result<void> done;
    for (; done && m_events->next(); ++counted) {
        ++m_parts[partOf(m_events->integer(0))];
        if (counted % kEventsBetweenLooks == kEventsBetweenLooks - 1)
            done = m_context.checkTime();
    }
    m_events->finish();
    return done.map([counted] { return counted; });
}

base::Result<void> EventStrip::countMinutes(events::Interval minutes)
{
    const auto rows = prepared("event_minutes");
    if (!m_context.connection().run(rows->bind(minutes.fromUs / kMinuteUs).bind(minutes.toUs / kMinuteUs)))
        return tl::unexpected(m_context.connection().error());
    QMap<qint64, qint64> cut; // of all sources: their events are read once
    for (int looked = 1; rows->next(); ++looked) {
        const Minute minute{rows->integer(0) * kMinuteUs, rows->integer(1)};
        const qint64 part = partOf(minute.fromUs);
        if (part == partOf(minute.fromUs + kMinuteUs - 1))
            m_parts[part] += minute.events;
        else
            cut[minute.fromUs] += minute.events;
        if (looked % kEventsBetweenLooks == 0) {
            if (auto time = m_context.checkTime(); !time)
                return time;
        }
    }
    for (auto it = cut.cbegin(); it != cut.cend(); ++it) {
        const auto found = countEvents({it.key(), it.key() + kMinuteUs}, 0, m_rolledSeq);
        if (!found)
            return tl::unexpected(found.error());
        m_parts[partOf(it.key())] += it.value() - *found; // those that are no longer kept
    }
    return {};
}

} // namespace lockkeeper::agent::journal
