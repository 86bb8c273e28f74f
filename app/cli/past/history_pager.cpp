// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/past/history_pager.h"

#include "app/cli/command.h"
#include "app/cli/times.h"

#include <algorithm>

namespace lockkeeper::app::cli {

namespace {
constexpr qint64 kPage = 1000;
constexpr quint64 kReach = 1'000; ///< the id of the question
} // namespace

HistoryPager::HistoryPager(HistoryOptions options)
    : m_options(std::move(options)), m_left(m_options.limit == 0 ? -1 : m_options.limit)
{
    if (m_options.afterSeq)
        m_afterSeq = quint64(*m_options.afterSeq);
}

protocol::HistoryQuery HistoryPager::query() const
{
    protocol::HistoryQuery query;
    query.id = 1;
    query.source = m_options.source;
    query.lockGlob = m_options.lockGlob;
    query.kinds = m_options.kinds;
    query.fromUs = m_options.fromUs;
    query.toUs = m_options.toUs;
    query.afterSeq = m_afterSeq;
    if (m_options.beforeSeq)
        query.beforeSeq = quint64(*m_options.beforeSeq);
    query.inSlices = true;
    query.limit = int(m_left < 0 ? kPage : std::min(kPage, m_left));
    return query;
}

bool HistoryPager::advance(const protocol::EventPage &page)
{
    m_afterSeq = page.goOnFrom();
    if (m_left >= 0)
        m_left = std::max<qint64>(0, m_left - page.events.size());
    return m_afterSeq && m_left != 0;
}

protocol::HistoryQuery reachQuery()
{
    protocol::HistoryQuery oldest;
    oldest.id = kReach;
    oldest.limit = 1;
    return oldest;
}

bool isReach(const protocol::EventPage &page)
{
    return page.id == kReach;
}

QString reachNote(const protocol::EventPage &oldest, qint64 fromUs)
{
    if (oldest.events.isEmpty())
        return tr("the journal has no events: what was before isn't known");
    const qint64 firstUs = oldest.events.constFirst().timeUs;
    return fromUs >= firstUs ? QString()
                             : tr("the journal begins at %1 %2: what was before isn't known")
                                   .arg(timeText(firstUs), zoneName(firstUs));
}

} // namespace lockkeeper::app::cli
