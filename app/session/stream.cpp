// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/stream.h"

#include <algorithm>

namespace lockkeeper::app::session {

protocol::Subscribe Stream::subscribe(quint64 id)
{
    m_id = id;
    m_phase = Phase::Asked;
    protocol::Subscribe message;
    message.id = id;
    if (m_known) {
        message.since = m_seq;
        message.journal = m_journal;
    }
    return message;
}

void Stream::interrupt()
{
    // A half-received table was already announced as void: only a whole table can be resumed.
    if (m_phase == Phase::Snapshot)
        m_known = false;
    m_phase = Phase::Idle;
}

void Stream::forget()
{
    *this = {};
}

Stream::Step Stream::take(const protocol::Subscribed &message)
{
    if (message.id != m_id || m_phase == Phase::Idle)
        return Step::Drop;
    if (!message.fresh) {
        if (!m_known || message.journal != m_journal || message.fromSeq > m_seq) {
            m_known = false;
            return Step::Broken;
        }
        m_phase = Phase::Live;
        return Step::Complete;
    }
    m_known = false;
    m_seq = message.fromSeq;
    m_journal = message.journal;
    m_phase = Phase::Snapshot;
    return Step::Pass;
}

Stream::Step Stream::take(const protocol::SnapshotPage &message)
{
    if (message.id != m_id || m_phase != Phase::Snapshot)
        return Step::Drop;
    if (message.atSeq != m_seq)
        return Step::Broken;
    if (!message.last)
        return Step::Pass;
    m_phase = Phase::Live;
    m_known = true;
    return Step::Complete;
}

Stream::Step Stream::take(protocol::EventBatch &message)
{
    if (m_phase != Phase::Live)
        return Step::Drop;
    if (message.throughSeq)
        return takePart(message);
    const auto next = [this, first = message.events.constData()](const events::LockEvent &event) {
        return event.seq == m_seq + 1 + quint64(&event - first);
    };
    if (std::all_of(message.events.cbegin(), message.events.cend(), next)) { // almost always; avoids a copy
        m_seq += quint64(message.events.size());
        return message.events.isEmpty() ? Step::Drop : Step::Pass;
    }
    QList<events::LockEvent> fresh;
    fresh.reserve(message.events.size());
    Step step = Step::Pass;
    for (events::LockEvent &event : message.events) {
        if (event.seq <= m_seq)
            continue; // Seen before, or an unsequenced renewal.
        if (event.seq != m_seq + 1) {
            step = Step::Broken;
            break;
        }
        m_seq = event.seq;
        fresh.append(std::move(event));
    }
    message.events = std::move(fresh);
    if (step == Step::Pass && message.events.isEmpty())
        return Step::Drop;
    return step;
}

/** For a user who sees only a part, the batch itself has the range of its numbers. */
Stream::Step Stream::takePart(protocol::EventBatch &message)
{
    if (message.afterSeq.value_or(0) > m_seq) {
        message.events.clear();
        return Step::Broken;
    }
    message.events.removeIf([this](const events::LockEvent &event) { return event.seq <= m_seq; });
    m_seq = std::max(m_seq, *message.throughSeq);
    return message.events.isEmpty() ? Step::Drop : Step::Pass;
}

} // namespace lockkeeper::app::session
