// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

namespace lockkeeper::app::session {

/**
 * Where a subscription stands: which number was handed on last, of which journal, and whether a snapshot is
 * under way. Pure: decides what is passed on and when the stream has to be asked for again.
 */
class Stream
{
public:
    enum class Step : quint8 {
        Drop = 0, ///< old, or of another subscription
        Pass,     ///< hand it on
        Complete, ///< hand it on; the table is whole now
        Broken,   ///< a hole, or out of turn: subscribe again since seq()
    };

    /** The next subscription: since the last number where there is one, else from the start. */
    protocol::Subscribe subscribe(quint64 id);
    /** A link ended: a half-read table is void. */
    void interrupt();
    /** Another agent: nothing is known any more. */
    void forget();

    /** Pass: a fresh start (the table is void); Complete: resumed, nothing was missed. */
    Step take(const protocol::Subscribed &message);
    Step take(const protocol::SnapshotPage &message);
    /** Leaves in `message` what is new, in order: Drop where that is nothing. */
    Step take(protocol::EventBatch &message);
    /** On a whole table: unsequenced states count on no other. */
    bool isLive() const { return m_phase == Phase::Live; }
    quint64 seq() const { return m_seq; }
    quint64 subscription() const { return m_id; }

private:
    Step takePart(protocol::EventBatch &message);
    enum class Phase : quint8 { Idle = 0, Asked, Snapshot, Live };

    Phase m_phase = Phase::Idle;
    quint64 m_id = 0;
    quint64 m_seq = 0;
    QByteArray m_journal;
    bool m_known = false; ///< a whole table was handed on as of m_seq
};

} // namespace lockkeeper::app::session
