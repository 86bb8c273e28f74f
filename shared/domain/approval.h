// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/release.h"

namespace lockkeeper::domain {

/** A force-release that a second person must approve, with the decision. Times by the agent's wall clock. */
struct ApprovalRequest
{
    enum class ApprovalState : quint8 {
        Open = 0,
        Approved, ///< the release follows or has followed
        Rejected,
        Ended, ///< nobody decided in time, the lock changed, or the agent restarted
    };

    qint64 id = 0; ///< id of its audit entry
    LockKey key;
    QString who; ///< user asking for the release
    QString reason;
    Because because = Because::Operator;
    bool ifNotRenewed = false;
    QByteArray holder; ///< as read at the time of the request
    QByteArray guard;  ///< digest of that acquisition; no other acquisition is released
    QByteArray command;
    qint64 askedUs = 0;
    qint64 endsUs = 0;
    ApprovalState state = ApprovalState::Open;
    QString decidedBy;
    QString detail;                     ///< why the request was rejected or ended
    Outcome outcome = Outcome::Pending; ///< result of the release, if approved

    bool isOpen() const { return state == ApprovalState::Open; }
    bool operator==(const ApprovalRequest &) const = default;
};

/** The stable name: "open", "approved", "rejected", "ended". */
QByteArrayView approvalStateName(ApprovalRequest::ApprovalState state);

} // namespace lockkeeper::domain
