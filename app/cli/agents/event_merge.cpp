// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/event_merge.h"

#include <utility>

namespace lockkeeper::app::cli {

EventMerge::EventMerge(qsizetype agents, qint64 limit, Sink sink)
    : m_feeds(agents), m_left(limit == 0 ? -1 : limit), m_sink(std::move(sink))
{
}

void EventMerge::add(qsizetype agent, const QList<events::LockEvent> &events, std::function<void()> next)
{
    Feed &feed = m_feeds[agent];
    feed.events.remove(0, feed.at);
    feed.at = 0;
    feed.events += events;
    feed.ended = !next;
    feed.next = std::move(next);
    run();
}

void EventMerge::end(qsizetype agent)
{
    m_feeds[agent].ended = true;
    m_feeds[agent].next = {};
    run();
}

/** Continues until an agent's next event is unknown. */
void EventMerge::run()
{
    while (m_left != 0) {
        qsizetype first = -1;
        bool waits = false;
        for (qsizetype i = 0; i < m_feeds.size(); ++i) {
            Feed &feed = m_feeds[i];
            if (feed.at == feed.events.size()) {
                waits = waits || !feed.ended;
                if (const auto next = std::exchange(feed.next, {}))
                    next();
                continue;
            }
            const auto timeAt = [this](qsizetype of) {
                return m_feeds.at(of).events.at(m_feeds.at(of).at).timeUs;
            };
            if (first < 0 || timeAt(i) < timeAt(first))
                first = i;
        }
        if (waits || first < 0)
            return;
        Feed &feed = m_feeds[first];
        m_any = true;
        m_left -= m_left > 0 ? 1 : 0;
        m_sink(first, feed.events.at(feed.at++));
    }
}

} // namespace lockkeeper::app::cli
