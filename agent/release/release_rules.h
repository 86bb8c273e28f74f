// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/release/permissions.h"
#include "agent/release/ticket_box.h"
#include "shared/protocol/messages.h"
#include "shared/stores/store.h"

#include <memory>
#include <optional>

namespace lockkeeper::agent::release {

/** The asker's identity and grants, and the readings that its session was shown. */
struct Asker
{
    access::Identity identity;
    domain::Grants grants;
    std::shared_ptr<TicketBox> tickets;

    const QString &user() const { return identity.user; }
};

/** A release that ends before the store is asked: the outcome and why. */
struct EarlyOutcome
{
    domain::Outcome outcome = domain::Outcome::Refused;
    base::Error error;
    bool operator==(const EarlyOutcome &) const = default;
};

/** A command id is 16 bytes as 32 lower-case hex digits. With any other id a repeat couldn't be distinguished
 * from a second act, so the request is refused without an audit entry under this id. */
std::optional<base::Error> checkCommandId(QByteArrayView id);

/** Refuses a request that is wrong whatever the store says: without a reason, or without any guard. */
std::optional<EarlyOutcome> checkRequest(const protocol::ForceRelease &request);

/** Refuses a ticket whose reading is void: of another lock, older than 5 s, or the link was lost since. */
std::optional<EarlyOutcome> checkTicket(const std::optional<LockReading> &reading, const domain::LockKey &key,
                                        qint64 nowMonotonicUs, quint64 linkNow);

/**
 * Compares the asker's conditions (digest, holder) and claims (expired, stuck) with a fresh reading. `live`
 * is the engine's state of the lock: only the engine's history shows that a lock is stuck.
 */
std::optional<EarlyOutcome> checkReading(const protocol::ForceRelease &request, const LockReading &reading,
                                         const stores::LockSet &set,
                                         const std::optional<domain::LockState> &live);

/** For the reaper's requests: refuses if, by this reading, the lock hasn't been expired as long as its policy
 * wants. The holder may have renewed it and missed the new deadline since the reaper looked. */
std::optional<EarlyOutcome> checkDelay(const protocol::ForceRelease &request, const LockReading &reading,
                                       const stores::ReaperPolicy &policy);

/**
 * For the reaper's requests: refuses one for a stuck lock whose policy's condition isn't true now. The
 * verdict of a liveness probe counts only where the policy says `dead`, and then nothing else does.
 */
std::optional<EarlyOutcome> checkPolicyClaim(const protocol::ForceRelease &request,
                                             const LockReading &reading, const stores::ReaperPolicy &policy,
                                             const std::optional<domain::LockState> &live,
                                             bool isHolderFreshlyDead);

/** Whether a release needs a second person's approval: by the lock set, and for "live" by the reading. */
bool needsApproval(stores::ApprovalMode mode, const LockReading &reading,
                   const std::optional<domain::LockState> &live);
/** Returns an error if the asker can't even request approval. */
std::optional<EarlyOutcome> checkRequestable(const LockReading &reading);

/** The order for the store, once all checks have passed. */
stores::ReleaseOrder orderFor(const protocol::ForceRelease &request, const LockReading &reading);

/** The audit intent. The reason is cut at its limit, so that the intent of a refused request can be written
 * too. */
domain::AuditEntry intentFor(const protocol::ForceRelease &request, const std::optional<LockReading> &reading,
                             const Asker &asker, qint64 wallUs);

/** The intent of an act other than a release; the reason is cut at its limit. */
domain::AuditEntry intentOf(const Asker &asker, QByteArrayView scheme, const QString &reason,
                            const QByteArray &command, qint64 wallUs);
/** The outcome of an act that only reads and ended with this error. `mayHaveRead`: it may have read
 * something. */
domain::Outcome outcomeOf(const base::Error &error, bool mayHaveRead);

/** The error for a reason why release is off. */
base::Error errorOf(domain::ReleaseOff why);

} // namespace lockkeeper::agent::release
