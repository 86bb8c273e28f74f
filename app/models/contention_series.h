// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/agent_group.h"
#include "shared/events/observed.h"

#include <QTimer>

namespace lockkeeper::app::models {

/** One slice of a range: the cost of a lock in it. */
struct ContentionSlice
{
    events::Interval span;
    qint64 observedUs = 0; ///< of the span, in which the source was observed
    bool read = false;     ///< false: not requested yet
    /** Empty: nobody waited for the lock, and it didn't change hands. */
    std::optional<domain::Contention> figures;
};

/** The ends of a range's slices: whole multiples of `stepUs` by a clock that is `offsetUs` ahead of UTC, and
 * the range's own ends. Pure. */
QList<events::Interval> slicesOf(events::Interval range, qint64 stepUs, qint64 offsetUs);

/**
 * One lock's history over a range. It requests the slices from the agent one by one, so that each answer is
 * cheap and a question about another lock can replace it at any time. It reads the source's gaps first, then
 * the observed slices. GUI thread.
 */
class ContentionSeries : public QObject
{
    Q_OBJECT

public:
    explicit ContentionSeries(session::AgentGroup &session, QObject *parent = nullptr);

    /** Cancels an earlier question. `seenUntilUs`: the source's last observation. */
    void ask(const domain::LockKey &key, const QList<events::Interval> &spans, qint64 seenUntilUs);
    void cancel();

    const std::optional<domain::LockKey> &key() const { return m_key; }
    const QList<ContentionSlice> &slices() const { return m_slices; }
    bool isReading() const { return m_request != 0; }
    const base::Error &error() const { return m_error; } ///< no cause: none

Q_SIGNALS:
    void changed(); ///< a few times a second at most while it reads, and at the end

private:
    void askOldest();
    void askMarks(quint64 afterSeq);
    void tookMarks(const base::Result<session::EventsRead> &page);
    void askNext();
    void tookSlice(qsizetype slice, const base::Result<protocol::ContentionPage> &page);
    void observe();
    bool fails(const base::Error *error);
    void finish();

    session::AgentGroup &m_session;
    std::optional<domain::LockKey> m_key;
    QList<ContentionSlice> m_slices;
    QList<events::SourceMark> m_marks;
    qint64 m_oldestUs = 0;
    qint64 m_seenUntilUs = 0;
    qsizetype m_next = 0;
    quint64 m_request = 0;
    base::Error m_error;
    QTimer m_tell;
};

} // namespace lockkeeper::app::models
