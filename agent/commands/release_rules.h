// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/access/identity.h"
#include "agent/commands/permissions.h"
#include "agent/commands/ticket_box.h"
#include "shared/protocol/messages.h"
#include "shared/stores/store.h"

#include <memory>
#include <optional>

namespace lockkeeper::agent::commands {

/** Who asks, and the readings that this session was shown. */
struct Asker
{
    access::Identity identity;
    domain::Grants grants;
    std::shared_ptr<TicketBox> tickets;
    bool knowsApprovals = false; ///< its session has the feature: else a release that needs one is refused

    const QString &user() const { return identity.user; }
};

/** A release that ends before the store is asked: the outcome and why. */
struct Verdict
{
    domain::Outcome outcome = domain::Outcome::Refused;
    base::Error error;
    bool operator==(const Verdict &) const = default;
};

/** A command id is 16 bytes as 32 lower-case hex digits. Where it isn't, a repeat couldn't be told from a
 * second act: neither is done nor audited. */
std::optional<base::Error> checkCommandId(QByteArrayView id);

/** What is wrong with the request itself, whatever the store says: no reason, no guard at all. */
std::optional<Verdict> checkRequest(const protocol::ForceRelease &request);

/** What makes a ticket's reading void now: another lock, older than 5 s, or the link was lost since. */
std::optional<Verdict> checkTicket(const std::optional<Reading> &reading, const domain::LockKey &key,
                                   qint64 nowMonotonicUs, quint64 linkNow);

/**
 * Compares what the asker pinned (digest, holder) and what it claims (expired, stuck) with a fresh reading.
 * `live` is the engine's own state of the lock: only its history can tell that a lock is stuck.
 */
std::optional<Verdict> checkReading(const protocol::ForceRelease &request, const Reading &reading,
                                    const stores::LockSet &set, const std::optional<domain::LockState> &live);

/** Of the reaper's own requests: by this reading the lock hasn't been expired for as long as its policy
 * wants. A holder may have renewed it and gone past its new deadline since the reaper looked. */
std::optional<Verdict> checkDelay(const protocol::ForceRelease &request, const Reading &reading,
                                  const stores::ReaperPolicy &policy);

/** Whether breaking this takes a second person: by the lock set, and for "live" by what was read. */
bool needsApproval(stores::ApprovalMode mode, const Reading &reading,
                   const std::optional<domain::LockState> &live);
/** Why an asker's request for approval can't even be made. */
std::optional<Verdict> checkRequestable(const Reading &reading, const Asker &asker);

/** The order for the store, once all checks have passed. */
stores::ReleaseOrder orderFor(const protocol::ForceRelease &request, const Reading &reading);

/** The audit intent; the reason cut at its limit, so that a refused one can be written too. */
domain::AuditEntry intentFor(const protocol::ForceRelease &request, const std::optional<Reading> &reading,
                             const Asker &asker, qint64 wallUs);

/** The intent of what isn't a release; the reason cut at its limit. */
domain::AuditEntry intentOf(const Asker &asker, QByteArrayView scheme, const QString &reason,
                            const QByteArray &command, qint64 wallUs);
/** How what only reads ended with this error; `mayHaveRead`: some of it. */
domain::Outcome outcomeOf(const base::Error &error, bool mayHaveRead);

/** The error that a reason for "release is off" stands for. */
base::Error errorOf(domain::ReleaseOff why);

} // namespace lockkeeper::agent::commands
