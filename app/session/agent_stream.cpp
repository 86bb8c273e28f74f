// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/agent_stream.h"

#include <algorithm>

namespace lockkeeper::app::session {

protocol::Subscribe AgentStream::subscribe(quint64 id)
{
    m_id = id;
    m_phase = StreamPhase::Asked;
    protocol::Subscribe message;
    message.id = id;
    if (m_known) {
        message.since = m_seq;
        message.journal = m_journal;
    }
    return message;
}

void AgentStream::interrupt()
{
    // A half-received table was already announced as void: only a whole table can be resumed.
    if (m_phase == StreamPhase::Snapshot)
        m_known = false;
    m_phase = StreamPhase::Idle;
}

void AgentStream::forget()
{
    *this = {};
}

AgentStream::StreamAction AgentStream::take(const protocol::Subscribed &message)
{
    if (message.id != m_id || m_phase == StreamPhase::Idle)
        return StreamAction::Drop;
    if (!message.fresh) {
        if (!m_known || message.journal != m_journal || message.fromSeq > m_seq) {
            m_known = false;
            return StreamAction::Broken;
        }
        m_phase = StreamPhase::Live;
        return StreamAction::Complete;
    }
    m_known = false;
    m_seq = message.fromSeq;
    m_journal = message.journal;
    m_phase = StreamPhase::Snapshot;
    return StreamAction::Pass;
}

AgentStream::StreamAction AgentStream::take(const protocol::SnapshotPage &message)
{
    if (message.id != m_id || m_phase != StreamPhase::Snapshot)
        return StreamAction::Drop;
    if (message.atSeq != m_seq)
        return StreamAction::Broken;
    if (!message.last)
        return StreamAction::Pass;
    m_phase = StreamPhase::Live;
    m_known = true;
    return StreamAction::Complete;
}

AgentStream::StreamAction AgentStream::take(protocol::EventBatch &message)
{
    if (m_phase != StreamPhase::Live)
        return StreamAction::Drop;
    if (message.throughSeq)
        return takePart(message);
    const auto next = [this, first = message.events.constData()](const events::LockEvent &event) {
        return event.seq == m_seq + 1 + quint64(&event - first);
    };
    if (std::all_of(message.events.cbegin(), message.events.cend(), next)) { // almost always; avoids a copy
        m_seq += quint64(message.events.size());
        return message.events.isEmpty() ? StreamAction::Drop : StreamAction::Pass;
    }
    QList<events::LockEvent> fresh;
    fresh.reserve(message.events.size());
    StreamAction step = StreamAction::Pass;
    for (events::LockEvent &event : message.events) {
        if (event.seq <= m_seq)
            continue; // Seen before, or an unsequenced renewal.
        if (event.seq != m_seq + 1) {
            step = StreamAction::Broken;
            break;
        }
        m_seq = event.seq;
        fresh.append(std::move(event));
    }
    message.events = std::move(fresh);
    if (step == StreamAction::Pass && message.events.isEmpty())
        return StreamAction::Drop;
    return step;
}

/** For a user who sees only a part, the batch itself has the range of its numbers. */
AgentStream::StreamAction AgentStream::takePart(protocol::EventBatch &message)
{
    if (message.afterSeq.value_or(0) > m_seq) {
        message.events.clear();
        return StreamAction::Broken;
    }
    message.events.removeIf([this](const events::LockEvent &event) { return event.seq <= m_seq; });
    m_seq = std::max(m_seq, *message.throughSeq);
    return message.events.isEmpty() ? StreamAction::Drop : StreamAction::Pass;
}

} // namespace lockkeeper::app::session
