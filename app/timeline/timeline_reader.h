// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"
#include "app/timeline/lane_filter.h"
#include "shared/base/clock.h"

#include <QTimer>

namespace lockkeeper::app::timeline {

/**
 * Reads the agent's data for the shown range. It sends a question when its data is no longer sufficient, one
 * question of each kind at a time, and keeps its data until the answer arrives. An answer to an earlier
 * question is dropped. GUI thread.
 */
class TimelineReader : public QObject
{
    Q_OBJECT

public:
    static constexpr int kGatherMs = 60; ///< pans and zooms within this time share one question

    /** Neither is owned. */
    TimelineReader(session::AgentGroup &session, const base::Clock &clock, QObject *parent = nullptr);
    ~TimelineReader() override;

    /** Discards the data if the lanes differ. */
    void setFilter(const LaneFilter &filter);
    /** Locks whose lanes are read independent of their rank. */
    void setPins(const QList<domain::LockKey> &pins);
    /** `nowUs`: the latest moment of any source. */
    void show(const TimeRange &shown, int widthPx, qint64 nowUs);
    /** Repeats the question, after an event or at the operator's request. */
    void refresh();
    void cancel();
    /** Discards the data, for another agent. */
    void clear();

    const LaneFilter &filter() const { return m_filter; }
    /**
     * The lanes as ranked, the pinned lanes first. If the range was read up to now, it has no end: events
     * report later changes.
     */
    const Chart &chart() const { return m_chart; }
    bool hasRead() const { return m_hasRead; }
    qint64 firstUs() const { return m_firstUs; } ///< of the journal; 0: not known
    const QList<qint64> &strip() const { return m_strip; }
    const TimeRange &stripRange() const { return m_stripRange; }
    bool isLoading() const { return m_request != 0 || m_gather.isActive(); }
    const base::Error &error() const { return m_error; } ///< no cause: none

Q_SIGNALS:
    /** The chart or the strip has changed. */
    void changed();
    void stripChanged();
    /** The loading state or the error has changed. */
    void stateChanged();

private:
    bool isCovered() const;
    void ask();
    void askPins(const protocol::TimelineQuery &ranking);
    void askStrip();
    void take(const protocol::TimelinePage &page, const protocol::TimelineQuery &asked);
    void finish(const base::Error &error);

    session::AgentGroup &m_session;
    const base::Clock &m_clock;
    LaneFilter m_filter;
    QList<domain::LockKey> m_pins;
    TimeRange m_shown;
    int m_widthPx = 0;
    qint64 m_nowUs = 0;
    QTimer m_gather;
    quint64 m_request = 0;
    quint64 m_stripRequest = 0;
    quint64 m_generation = 0; ///< of the question: an answer to an older one is dropped
    bool m_failed = false;    ///< for the shown range: no automatic retry
    TimeRange m_failedAt;
    bool m_hasRead = false;
    qint64 m_readSliceUs = 0; ///< as requested: the agent may have used a wider one
    Chart m_chart;
    Chart m_coming; ///< the ranking, while the pinned lanes are read
    qint64 m_firstUs = 0;
    qint64 m_stripAtUs = 0; ///< the time of the reading, monotonic
    QList<qint64> m_strip;
    TimeRange m_stripRange;
    base::Error m_error;
};

} // namespace lockkeeper::app::timeline
