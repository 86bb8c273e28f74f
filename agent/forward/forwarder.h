// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/forward_settings.h"
#include "agent/forward/forward_course.h"
#include "agent/forward/journal_outbox.h"
#include "agent/forward/sink_thread.h"
#include "agent/journal/journal.h"
#include "shared/base/clock.h"

#include <QTimer>

#include <functional>

namespace lockkeeper::agent::forward {

/** How far one hub has followed the journal. */
struct ForwardState
{
    QString name;
    std::optional<hub::Watermark> watermark; ///< empty: the hub wasn't reached since the agent's start
    qint64 unforwarded = 0;                  ///< events that the hub lacks; all, while that isn't known
    qint64 behindUs = 0;                     ///< age of the oldest of them; 0: the hub has all
    qint64 failures = 0;                     ///< since the agent's start
    base::Error error; ///< why the last attempt failed; code Unknown and no cause: it didn't
};

/** The forwarding agent, and a function that returns the epoch of its last election. */
struct ForwardingSender
{
    QString agentName;
    std::function<qint64()> epoch;
};

/**
 * Copies the journal to one hub: reads a batch after the hub's watermark, has its thread write it, and goes
 * on from the watermark in the answer. The journal waits for nothing. Events are sent at the latest a second
 * after their commit; after a failure the forwarder waits, longer each time. Lives in the journal's thread.
 */
class Forwarder : public QObject
{
    Q_OBJECT

public:
    /** `journal` and `clock` must outlive this. */
    Forwarder(config::ForwardSettings settings, ForwardingSender sender, std::unique_ptr<hub::HubSink> sink,
              journal::Journal &journal, const base::Clock &clock, QObject *parent = nullptr);
    ~Forwarder() override;

    const config::ForwardSettings &settings() const { return m_settings; }
    /** Call it once the journal is open. */
    void start();
    /** Notes new events of the journal. */
    void take(const QList<events::LockEvent> &committed);
    ForwardState state() const;
    /** Interrupts the call under way. The destructor waits until `deadline` for its end. */
    void stop(QDeadlineTimer deadline);

private:
    void proceed();
    void open();
    void read();
    void taken(const base::Result<OutboxReading> &reading);
    void answered(const SinkAnswer &answer);
    void settle(const base::Result<hub::Watermark> &answer);
    void noteHoles() const;
    void noteBehind();
    void giveUp(qint64 newestSeq);
    void fail(const base::Error &error);
    void recover();

    const config::ForwardSettings m_settings;
    const ForwardingSender m_sender;
    journal::Journal &m_journal;
    const base::Clock &m_clock;
    ForwardCourse m_course;
    SinkThread m_sink;
    QTimer m_timer;
    std::stop_source m_question; ///< cancels the question to the journal
    bool m_isStopped = true;
    bool m_isOpening = false; ///< the call under way opens the hub
    bool m_isForeign = false; ///< the hub's events are of another history of this journal
    qint64 m_openedEpoch = 0;
    qint64 m_signedRecords = -1;           ///< see OutboxPosition
    OutboxReading m_reading;               ///< on its way to the hub
    std::optional<qint64> m_behindSinceUs; ///< wall clock: the oldest event that the hub lacks; empty: none
    qint64 m_failures = 0;
    base::Error m_error;
};

} // namespace lockkeeper::agent::forward
