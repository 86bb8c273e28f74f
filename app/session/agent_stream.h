// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::app::session {

/**
 * The state of a subscription: the last number passed on, its journal, and if a snapshot is in progress.
 * Pure: it decides which messages are passed on and when the session has to subscribe again.
 */
class AgentStream
{
public:
    enum class StreamAction : quint8 {
        Drop = 0, ///< old, or of another subscription
        Pass,     ///< pass it on
        Complete, ///< pass it on; the table is complete now
        Broken,   ///< a gap, or out of order: subscribe again since seq()
    };

    /** The next subscription: since the last number if there is one, otherwise from the start. */
    protocol::Subscribe subscribe(quint64 id);
    /** The link ended: a half-read table is void. */
    void interrupt();
    /** Discards the state, for another agent. */
    void forget();

    /** Pass: a fresh start (the table is void); Complete: resumed, nothing was missed. */
    StreamAction take(const protocol::Subscribed &message);
    StreamAction take(const protocol::SnapshotPage &message);
    /** Leaves only new events in `message`, in order; Drop if there are none. */
    StreamAction take(protocol::EventBatch &message);
    /** True once the table is complete; unsequenced states apply only then. */
    bool isLive() const { return m_phase == StreamPhase::Live; }
    quint64 seq() const { return m_seq; }
    quint64 subscription() const { return m_id; }

private:
    StreamAction takePart(protocol::EventBatch &message);
    enum class StreamPhase : quint8 { Idle = 0, Asked, Snapshot, Live };

    StreamPhase m_phase = StreamPhase::Idle;
    quint64 m_id = 0;
    quint64 m_seq = 0;
    QByteArray m_journal;
    bool m_known = false; ///< a whole table was passed on as of m_seq
};

} // namespace lockkeeper::app::session
