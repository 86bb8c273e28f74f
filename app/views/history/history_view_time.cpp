// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of HistoryView about its time bar.
#include "app/models/history_model.h"
#include "app/session/agent_group.h"
#include "app/views/history/history_view.h"
#include "app/views/history/time_bar.h"
#include "app/views/table/data_table.h"
#include "app/views/widgets/named.h"

#include <algorithm>

namespace lockkeeper::app::views {

namespace {
constexpr int kTimeBarMs = 250; // many rows at once draw the bar once
}

void HistoryView::buildTimeBar()
{
    m_timeBar = named("timeBar", new TimeBar(context().theme, context().times));
    m_timeBarLater.setSingleShot(true);
    m_timeBarLater.setInterval(kTimeBarMs);
    connect(&m_timeBarLater, &QTimer::timeout, this, &HistoryView::showTimeBar);
    connect(m_timeBar, &TimeBar::timeAsked, this, [this](qint64 timeUs) { m_model->goTo(timeUs); });
}

void HistoryView::showTimeBarLater()
{
    if (!m_timeBarLater.isActive())
        m_timeBarLater.start();
}

void HistoryView::askOldest()
{
    // Retention removes the oldest events, so each reading from the start asks for the oldest event again.
    protocol::HistoryQuery query;
    query.limit = 1;
    context().session->history(query, this, [this](const base::Result<session::EventsRead> &page) {
        if (!page || page->events.isEmpty())
            return;
        m_oldestUs = page->events.first().timeUs;
        showTimeBarLater();
    });
}

void HistoryView::showTimeBar()
{
    QList<qint64> times;
    times.reserve(m_model->rowCount());
    qint64 newest = context().nowUs();
    qint64 oldest = m_oldestUs > 0 ? m_oldestUs : newest;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (const events::LockEvent *event = m_model->at(row)) {
            times.append(event->timeUs);
            newest = std::max(newest, event->timeUs);
            oldest = std::min(oldest, event->timeUs);
        }
    }
    m_timeBar->setRange(oldest, newest);
    m_timeBar->setEvents(times);
    const events::LockEvent *top = m_model->at(m_events->table()->rowAt(0));
    const int last = m_events->table()->rowAt(m_events->table()->viewport()->height() - 1);
    const events::LockEvent *bottom = m_model->at(last < 0 ? m_model->rowCount() - 1 : last);
    m_timeBar->setWindow(top ? top->timeUs : 0, bottom ? bottom->timeUs : 0);
}

} // namespace lockkeeper::app::views
