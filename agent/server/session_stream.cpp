// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/server/session_stream.h"

#include "agent/journal/query/queries.h"

#include <QTimer>

#include <chrono>
#include <utility>

namespace lockkeeper::agent::server {

using namespace std::chrono_literals;

namespace {
constexpr int kReplayPage = 500;
constexpr auto kReplayRetry = 1s;
} // namespace

SessionStream::SessionStream(transport::Channel &channel, Publisher &publisher, journal::Journal &journal,
                             std::function<domain::Sight()> sight)
    : m_channel(channel), m_publisher(publisher), m_journal(journal), m_sight(std::move(sight))
{
    connect(&m_publisher, &Publisher::published, this, &SessionStream::onPublished);
    connect(&m_publisher, &Publisher::statesChanged, this, &SessionStream::onStates);
    connect(&m_publisher, &Publisher::restarted, this, [this] {
        if (m_state != StreamState::Off && m_request.snapshot)
            restart();
    });
    connect(&m_channel, &transport::Channel::drained, this, &SessionStream::drained);
}

SessionStream::~SessionStream() = default;

bool SessionStream::reaches(quint64 since) const
{
    const bool same = m_request.journal.isEmpty() || m_request.journal == m_journal.id();
    if (!same || since > m_publisher.lastSeq())
        return false;
    return since == m_publisher.lastSeq() || (m_journal.firstSeq() > 0 && since + 1 >= m_journal.firstSeq());
}

void SessionStream::subscribe(const protocol::Subscribe &request)
{
    stop();
    m_request = request;
    if (request.snapshot && (!request.since || !reaches(*request.since))) {
        restart();
        return;
    }
    protocol::Subscribed answer{request.id, false, 0, m_journal.id()};
    if (!request.since) {
        answer.fresh = true;
        answer.fromSeq = m_publisher.lastSeq();
    } else if (reaches(*request.since)) {
        answer.fromSeq = *request.since;
        m_refreshDue = request.snapshot;
    } else {
        // Events only, and the journal doesn't reach back that far: send all that it has.
        answer.fresh = true;
        answer.fromSeq = std::max<quint64>(m_journal.firstSeq(), 1) - 1;
    }
    m_queued = m_sent = answer.fromSeq;
    m_channel.send(answer);
    catchUp();
}

void SessionStream::stop()
{
    ++m_generation;
    std::exchange(m_tables, {}).request_stop();
    m_state = StreamState::Off;
    if (m_pages) {
        m_pages->cancel();
        m_pages->disconnect(this);
        m_pages.release()->deleteLater(); // it may be the caller
    }
    letGo();
    clearMerged();
    m_reading = false;
    m_missed = false;
    m_refreshDue = false;
}

void SessionStream::restart()
{
    stop();
    m_state = StreamState::Copying;
    m_publisher.takeSnapshot(
        this, [this](const SnapshotPtr &snapshot) { copied(snapshot); }, {{}, {}, m_sight()},
        m_tables.get_token());
}

void SessionStream::copied(const SnapshotPtr &snapshot)
{
    m_state = StreamState::Paging;
    clearMerged(); // older than the copy
    m_queued = m_sent = snapshot->seq;
    m_channel.send(protocol::Subscribed{m_request.id, true, snapshot->seq, m_journal.id()});
    m_pages = std::make_unique<PageWriter>(m_channel, m_request.id, snapshot);
    connect(m_pages.get(), &PageWriter::finished, this, [this] {
        m_pages.release()->deleteLater();
        if (m_missed) {
            m_missed = false;
            catchUp();
        } else {
            m_state = StreamState::Live;
            pump();
        }
    });
    connect(m_pages.get(), &PageWriter::stalled, this, &SessionStream::fallBehind);
    m_pages->start();
}

void SessionStream::catchUp()
{
    m_state = StreamState::CatchingUp;
    readOn();
}

void SessionStream::readOn()
{
    if (m_state != StreamState::CatchingUp || m_reading || !m_queue.isEmpty() ||
        m_channel.pendingBytes() >= kChannelHigh)
        return;
    if (m_queued >= m_publisher.lastSeq()) {
        m_state = StreamState::Live;
        pump();
        return;
    }
    m_reading = true;
    QPointer<SessionStream> self(this);
    m_journal.ask(
        [after = m_queued](journal::Queries &queries) { return queries.events.replay(after, kReplayPage); },
        [self, generation = m_generation](const base::Result<protocol::EventPage> &page) {
            if (self && generation == self->m_generation) {
                self->m_reading = false;
                self->replayed(page);
            }
        });
}

/** Takes a whole table: the journal has neither renewals nor locks that left the table without an event. */
void SessionStream::refresh()
{
    m_refreshDue = false;
    m_publisher.takeSnapshot(
        this,
        [this](const SnapshotPtr &snapshot) {
            if (m_state == StreamState::Live && m_queue.isEmpty())
                copied(snapshot);
            else
                m_refreshDue = true; // send the waiting events first, then a later table
        },
        {{}, {}, m_sight()}, m_tables.get_token());
}

void SessionStream::replayed(const base::Result<protocol::EventPage> &page)
{
    if (!page && page.error().code == base::ErrorCode::Corrupt) {
        // A retry can't read damaged rows. A stream with a table restarts without them; a stream of events
        // alone fails.
        if (m_request.snapshot) {
            restart();
        } else {
            m_channel.send(protocol::Failed{m_request.id, page.error()});
            stop();
        }
        return;
    }
    if (!page || page->events.isEmpty()) {
        QTimer::singleShot(kReplayRetry, this, &SessionStream::readOn);
        return;
    }
    if (page->events.constFirst().seq != m_queued + 1) {
        // Retention deleted events while we read: the missing events are lost.
        m_request.since = m_queued;
        m_request.journal.clear();
        subscribe(protocol::Subscribe(m_request));
        return;
    }
    for (const BatchPtr &batch : batchesOf(page->events)) {
        const QByteArray frame = frameOfNew(*batch);
        if (!m_queue.push({frame, batch->lastSeq()}, frame.size()))
            break; // read the rest again once these are sent
        m_queued = batch->lastSeq();
    }
    pump();
}

void SessionStream::onPublished(const BatchPtr &batch)
{
    if (!m_states.isEmpty() || !m_removed.isEmpty()) {
        for (const events::LockEvent &event : batch->events()) {
            m_states.remove(event.key); // older than this event's own state
            m_removed.remove(event.key);
        }
    }
    if (m_state == StreamState::Live || m_state == StreamState::Paging)
        offer(*batch);
}

void SessionStream::offer(const Batch &batch)
{
    if (batch.lastSeq() <= m_queued || m_missed)
        return;
    if (batch.firstSeq() > m_queued + 1) {
        if (m_state == StreamState::Paging)
            m_missed = true;
        else
            catchUp();
        return;
    }
    const QByteArray frame = frameOfNew(batch);
    if (!m_queue.push({frame, batch.lastSeq()}, frame.size())) {
        overflow();
        return;
    }
    m_queued = batch.lastSeq();
    if (m_state == StreamState::Live)
        pump();
}

QByteArray SessionStream::frameOfNew(const Batch &batch) const
{
    if (const domain::Sight sight = m_sight(); !sight.isWhole())
        return batch.frameAfter(m_queued, sight);
    return batch.firstSeq() == m_queued + 1 ? batch.frame() : batch.frameAfter(m_queued);
}

/** Discards the queued events and sends the queued answers: only answers can't be obtained again. */
void SessionStream::letGo()
{
    while (!m_queue.isEmpty()) {
        if (const QueuedFrame item = m_queue.pop(); item.lastSeq == 0)
            m_channel.sendFrame(item.frame);
    }
}

void SessionStream::overflow()
{
    letGo();
    m_queued = m_sent;
    if (m_state == StreamState::Paging) {
        m_missed = true;
    } else if (m_request.snapshot) {
        fallBehind();
    } else {
        catchUp();
    }
}

void SessionStream::fallBehind()
{
    stop();
    m_state = StreamState::Behind;
    if (m_channel.pendingBytes() == 0)
        QMetaObject::invokeMethod(this, &SessionStream::drained, Qt::QueuedConnection);
}

void SessionStream::onStates(const StatesPtr &all)
{
    if (m_state == StreamState::Off || m_state == StreamState::Behind || m_state == StreamState::Copying)
        return; // the next table contains them
    const domain::Sight sight = m_sight();
    const StatesPtr states = sight.isWhole() ? all : all->shown(sight);
    const bool ready =
        m_state == StreamState::Live && m_queue.isEmpty() && m_channel.pendingBytes() < kChannelHigh;
    if (m_request.renewals && ready) {
        for (const QByteArray &frame : states->renewalFrames())
            m_channel.sendFrame(frame);
    }
    if (!m_request.snapshot || states->isEmpty())
        return;
    if (!ready || m_stateBytes > 0) {
        merge(*states);
        if (ready)
            sendMerged();
        return;
    }
    for (const QByteArray &frame : states->frames())
        m_channel.sendFrame(frame);
}

void SessionStream::merge(const States &states)
{
    for (const domain::LockState &state : states.locks) {
        m_removed.remove(state.key);
        const auto it = m_states.find(state.key);
        if (it == m_states.end()) {
            m_stateBytes += weightOf(state);
            m_states.insert(state.key, state);
        } else {
            *it = state;
        }
    }
    for (const domain::LockKey &key : states.removed) {
        m_states.remove(key);
        m_removed.insert(key);
        m_stateBytes += key.name.size() + 64;
    }
    for (const domain::SourceState &source : states.sources)
        m_sourceStates.insert(source.name, source);
    m_stateBytes = std::max<qint64>(m_stateBytes, 1);
    m_unjournalled = m_unjournalled || states.unjournalled;
    if (m_stateBytes > kSessionQueue && (m_state == StreamState::Live || m_state == StreamState::CatchingUp))
        fallBehind();
}

void SessionStream::sendMerged()
{
    States states;
    states.locks = m_states.values();
    states.removed = QList<domain::LockKey>(m_removed.cbegin(), m_removed.cend());
    states.sources = m_sourceStates.values();
    states.unjournalled = m_unjournalled;
    clearMerged();
    for (const QByteArray &frame : states.frames())
        m_channel.sendFrame(frame);
}

void SessionStream::clearMerged()
{
    m_states.clear();
    m_removed.clear();
    m_sourceStates.clear();
    m_unjournalled = false;
    m_stateBytes = 0;
}

void SessionStream::sendInOrder(const protocol::Message &message)
{
    const QByteArray frame = frameOf(message);
    if (m_queue.isEmpty() || !m_queue.push({frame, 0}, frame.size()))
        m_channel.sendFrame(frame);
}

void SessionStream::drained()
{
    if (m_state == StreamState::Behind)
        restart();
    else
        pump();
}

void SessionStream::pump()
{
    if (m_state != StreamState::Live && m_state != StreamState::CatchingUp)
        return;
    while (!m_queue.isEmpty() && m_channel.pendingBytes() < kChannelHigh) {
        const QueuedFrame item = m_queue.pop();
        m_sent = std::max(m_sent, item.lastSeq);
        m_channel.sendFrame(item.frame);
    }
    if (!m_queue.isEmpty())
        return;
    if (m_state == StreamState::CatchingUp) {
        readOn();
        return;
    }
    if (m_refreshDue)
        refresh();
    if (m_stateBytes > 0 && m_channel.pendingBytes() < kChannelHigh)
        sendMerged();
}

} // namespace lockkeeper::agent::server
