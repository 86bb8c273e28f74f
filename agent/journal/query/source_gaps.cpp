// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/query/source_gaps.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::journal {

namespace {

constexpr qsizetype kApart = 1000;   ///< gaps of a source that are listed separately
constexpr qint64 kScreenWide = 2000; ///< parts of the range; further gaps nearer than one part merge

} // namespace

void SourceGaps::add(const events::LockEvent &event)
{
    using events::EventCause;
    const EventCause cause = event.detail.cause;
    Open gap{event.timeUs, {}, event.detail.causeText()};
    if (event.detail.partial) {
        const QString ranges = event.detail.slotRanges;
        gap.part = event.detail.node;
        gap.part += ranges.isEmpty() ? QString() : QLatin1Char(' ') + ranges;
    }
    // Gaps of dropped events are kept apart from gaps in which the engine saw nothing.
    const QString what = cause == EventCause::Journal ? QStringLiteral("\njournal") : gap.part;
    if (event.kind == events::EventKind::GapOpened) {
        // Nothing is left that would close these gaps.
        if (cause == EventCause::AgentRestarted || cause == EventCause::Reloaded ||
            cause == EventCause::Standby || cause == EventCause::NotConfigured) {
            for (const Open &left : std::exchange(m_open, {}))
                close(left, event.timeUs);
        }
        if (!m_open.contains(what))
            m_open.insert(what, gap);
        return;
    }
    if (m_open.contains(what))
        close(m_open.take(what), event.timeUs);
    else if (event.detail.sinceUs)
        close({*event.detail.sinceUs, gap.part, {}}, event.timeUs);
}

void SourceGaps::close(const Open &open, qint64 toUs)
{
    toUs = std::max(open.fromUs, toUs); // the clock may have been set back
    if (open.fromUs >= m_range.toUs || toUs <= m_range.fromUs)
        return;
    const qsizetype last = m_last.value(open.part, -1);
    const qint64 nearUs = (m_range.toUs - m_range.fromUs) / kScreenWide;
    if (last >= 0 && m_gaps.size() >= kApart && open.fromUs - *m_gaps[last].toUs < nearUs) {
        m_gaps[last].toUs = std::max(*m_gaps[last].toUs, toUs);
        return;
    }
    m_last.insert(open.part, m_gaps.size());
    m_gaps.append({m_source, open.fromUs, toUs, open.part, open.cause});
}

QList<protocol::TimelineGap> SourceGaps::result(std::optional<qint64> openSinceUs)
{
    if (openSinceUs && !m_open.contains({}))
        m_open.insert({}, {*openSinceUs, {}, {}});
    QList<protocol::TimelineGap> gaps = m_gaps;
    for (const Open &open : std::as_const(m_open)) {
        if (open.fromUs < m_range.toUs)
            gaps.append({m_source, open.fromUs, std::nullopt, open.part, open.cause});
    }
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const auto &a, const auto &b) { return a.fromUs < b.fromUs; });
    return gaps;
}

base::Result<void> addGaps(QueryContext &context, qint64 sourceId, SourceGaps &gaps)
{
    SqliteStatement &rows = context.connection().statement("source_gaps");
    return context.each(rows.bind(sourceId), [&] {
        return readEvent(rows, false).map([&](const EventRow &row) { gaps.add(row.event); });
    });
}

} // namespace lockkeeper::agent::journal
