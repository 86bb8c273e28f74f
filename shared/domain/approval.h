// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

namespace lockkeeper::domain {

/** A force-release that waits for a second person's word, or has got it. Times by the agent's wall clock. */
struct ApprovalRequest
{
    enum class State : quint8 {
        Open = 0,
        Approved, ///< the release follows, or has
        Rejected,
        Ended, ///< nobody decided in time, the lock changed, or the agent was started again
    };

    qint64 id = 0; ///< of its audit entry
    LockKey key;
    QString who; ///< asks
    QString reason;
    Because because = Because::Operator;
    bool ifNotRenewed = false;
    QByteArray holder; ///< as it was read when it was asked for
    QByteArray guard;  ///< the digest of that acquisition: no other one is released
    QByteArray command;
    qint64 askedUs = 0;
    qint64 endsUs = 0;
    State state = State::Open;
    QString decidedBy;
    QString detail;                     ///< why it was rejected, or ended
    Outcome outcome = Outcome::Pending; ///< of an approved one: what became of the release

    bool isOpen() const { return state == State::Open; }
    bool operator==(const ApprovalRequest &) const = default;
};

/** The stable name: "open", "approved", "rejected", "ended". */
QByteArrayView approvalStateName(ApprovalRequest::State state);

} // namespace lockkeeper::domain
