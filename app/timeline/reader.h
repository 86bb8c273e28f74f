// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agents.h"
#include "app/timeline/lane_filter.h"
#include "shared/base/clock.h"

#include <QTimer>

namespace lockkeeper::app::timeline {

/**
 * What the agent tells of the range that is shown: asks when what was read doesn't serve any longer, one
 * question of a kind at a time, and keeps what there is until the answer has come. An answer to an earlier
 * question is dropped. GUI thread.
 */
class Reader : public QObject
{
    Q_OBJECT

public:
    static constexpr int kGatherMs = 60; ///< pans and zooms within that time ask once

    /** Neither is owned. */
    Reader(session::Agents &session, const base::Clock &clock, QObject *parent = nullptr);
    ~Reader() override;

    /** Forgets what was read where the lanes differ. */
    void setFilter(const LaneFilter &filter);
    /** Locks whose lanes come whatever their rank. */
    void setPins(const QList<domain::LockKey> &pins);
    /** `nowUs`: the latest moment of any source. */
    void show(const Range &shown, int widthPx, qint64 nowUs);
    /** Asks again: something has happened, or the operator wants it. */
    void refresh();
    void cancel();
    /** Another agent: nothing that was read is about it. */
    void clear();

    const LaneFilter &filter() const { return m_filter; }
    /** As ranked, the pinned ones first. Its range has no end where it was read up to now: what comes later
     * is told by events. */
    const Chart &chart() const { return m_chart; }
    bool hasRead() const { return m_hasRead; }
    qint64 firstUs() const { return m_firstUs; } ///< of the journal; 0: not known
    const QList<qint64> &strip() const { return m_strip; }
    const Range &stripRange() const { return m_stripRange; }
    bool isLoading() const { return m_request != 0 || m_gather.isActive(); }
    const base::Error &error() const { return m_error; } ///< no cause: none

Q_SIGNALS:
    /** Another chart, or another strip. */
    void changed();
    void stripChanged();
    /** Loading, or an error. */
    void stateChanged();

private:
    bool isCovered() const;
    void ask();
    void askPins(const protocol::TimelineQuery &ranking);
    void askStrip();
    void take(const protocol::TimelinePage &page, const protocol::TimelineQuery &asked);
    void finish(const base::Error &error);

    session::Agents &m_session;
    const base::Clock &m_clock;
    LaneFilter m_filter;
    QList<domain::LockKey> m_pins;
    Range m_shown;
    int m_widthPx = 0;
    qint64 m_nowUs = 0;
    QTimer m_gather;
    quint64 m_request = 0;
    quint64 m_stripRequest = 0;
    quint64 m_generation = 0; ///< of the question: an answer to an older one is dropped
    bool m_failed = false;    ///< the range that is shown: not asked for again by itself
    Range m_failedAt;
    bool m_hasRead = false;
    qint64 m_readSliceUs = 0; ///< as asked for: the agent may have taken a wider one
    Chart m_chart;
    Chart m_coming; ///< the ranking, while the pinned ones are read
    qint64 m_firstUs = 0;
    qint64 m_stripAtUs = 0; ///< when it was read, monotonic
    QList<qint64> m_strip;
    Range m_stripRange;
    base::Error m_error;
};

} // namespace lockkeeper::app::timeline
