// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/server/page_writer.h"
#include "agent/server/publisher.h"
#include "shared/base/bounded_queue.h"

#include <functional>
#include <memory>

namespace lockkeeper::agent::server {

inline constexpr qint64 kSessionQueue = 4 * 1024 * 1024;

/**
 * One session's subscription. Invariant: every journalled event after `fromSeq` is sent once and in order,
 * and the data that waits to be sent is bounded. Only the numbers decide: m_queued is the last number that
 * was queued or sent. A batch before it is dropped; a batch that leaves a hole starts catching up from the
 * journal. A slow session's queue is discarded: with a table, the stream restarts once the channel has
 * drained; without a table, it catches up from the journal.
 */
class SessionStream : public QObject
{
    Q_OBJECT

public:
    /** `sight` returns what the user may see; it is called again whenever something is sent. */
    SessionStream(transport::Channel &channel, Publisher &publisher, journal::Journal &journal,
                  std::function<domain::Sight()> sight);
    ~SessionStream() override;

    void subscribe(const protocol::Subscribe &request);
    void stop();
    quint64 requestId() const { return m_request.id; }
    bool isActive() const { return m_state != StreamState::Off; }
    /** Sends a message after everything that is queued now, even if that is discarded. */
    void sendInOrder(const protocol::Message &message);
    qint64 waitingBytes() const { return m_queue.cost() + m_stateBytes; }

private:
    enum class StreamState {
        Off,
        Copying,    ///< waits for a snapshot
        Paging,     ///< its pages are being sent
        CatchingUp, ///< reads the journal
        Live,
        Behind, ///< queue discarded: waits until the peer has taken everything that was sent
    };
    struct QueuedFrame
    {
        QByteArray frame;
        quint64 lastSeq = 0; ///< 0: not events
    };

    void restart();
    void copied(const SnapshotPtr &snapshot);
    void catchUp();
    void readOn();
    void refresh();
    void replayed(const base::Result<protocol::EventPage> &page);
    void onPublished(const BatchPtr &batch);
    void offer(const Batch &batch);
    void overflow();
    void letGo();
    void fallBehind();
    void onStates(const StatesPtr &all);
    void merge(const States &states);
    void sendMerged();
    void clearMerged();
    void drained();
    void pump();
    bool reaches(quint64 since) const;
    /** The frame of the batch's events that are neither queued nor sent yet. */
    QByteArray frameOfNew(const Batch &batch) const;

    transport::Channel &m_channel;
    Publisher &m_publisher;
    journal::Journal &m_journal;
    const std::function<domain::Sight()> m_sight;
    protocol::Subscribe m_request;
    StreamState m_state = StreamState::Off;
    quint64 m_generation = 0;  ///< answers for an earlier generation are dropped
    std::stop_source m_tables; ///< cancels the tables that this generation asked for
    quint64 m_queued = 0;
    quint64 m_sent = 0;
    bool m_missed = false; ///< while Paging: events were dropped; read them from the journal afterwards
    bool m_reading = false;
    bool m_refreshDue = false; ///< resumed with a table: a whole table follows, for changes without an event
    base::BoundedQueue<QueuedFrame> m_queue{kSessionQueue};
    std::unique_ptr<PageWriter> m_pages;
    QHash<domain::LockKey, domain::LockState> m_states; ///< coalesced while the peer is slow
    QSet<domain::LockKey> m_removed;
    QHash<QString, domain::SourceState> m_sourceStates;
    bool m_unjournalled = false;
    qint64 m_stateBytes = 0;
};

} // namespace lockkeeper::agent::server
