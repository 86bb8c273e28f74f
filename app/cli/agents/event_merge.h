// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

#include <QList>

#include <functional>

namespace lockkeeper::app::cli {

/**
 * Merges the histories of several agents by time, page by page, so that no history has to fit into memory.
 * Each agent's own order is kept; the earliest of the agents' next events is passed on first. An agent is
 * asked for its next page once its last page is used up.
 */
class EventMerge
{
public:
    using Sink = std::function<void(qsizetype agent, const events::LockEvent &event)>;

    /** `limit`: of all events together; 0: no limit. */
    EventMerge(qsizetype agents, qint64 limit, Sink sink);

    void add(qsizetype agent, const QList<events::LockEvent> &events, std::function<void()> next);
    /** Nothing more comes from this agent. */
    void end(qsizetype agent);
    /** The limit is reached. */
    bool isFull() const { return m_left == 0; }
    bool any() const { return m_any; }

private:
    void run();

    struct Feed
    {
        QList<events::LockEvent> events;
        qsizetype at = 0;
        std::function<void()> next;
        bool ended = false;
    };
    QList<Feed> m_feeds;
    qint64 m_left; ///< −1: no limit
    Sink m_sink;
    bool m_any = false;
};

} // namespace lockkeeper::app::cli
