// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

#include <QList>

#include <functional>

namespace lockkeeper::app::cli {

/**
 * Merges the histories of several agents in order of time while they come, page by page, so that no history
 * has to fit into memory: each agent's order stays, and of the next ones the earliest is handed on. An agent
 * is asked for its next page once its last one is used up.
 */
class EventMerge
{
public:
    using Sink = std::function<void(qsizetype agent, const events::LockEvent &event)>;

    /** `limit`: of all; 0: none. */
    EventMerge(qsizetype agents, qint64 limit, Sink sink);

    void add(qsizetype agent, const QList<events::LockEvent> &events, std::function<void()> next);
    /** Nothing more comes from this agent. */
    void end(qsizetype agent);
    /** As many as were asked for have been handed on. */
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
