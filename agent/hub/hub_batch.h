// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/journal/audit/audit_chain.h"
#include "agent/journal/storage/event_rows.h"
#include "agent/journal/storage/hold_rows.h"
#include "shared/domain/audit_signature.h"

namespace lockkeeper::agent::hub {

/** The agent and the journal whose rows a hub receives. */
struct ForwardingAgent
{
    QString name;         ///< of the agent, as configured
    QByteArray journalId; ///< as in journal::Opened
    qint64 epoch = 0;     ///< of the agent's last election; 0: it has no standby agent
};

/** The rows of a journal that a hub has stored for good. */
struct Watermark
{
    qint64 lastSeq = 0;    ///< all events up to this number
    qint64 lastLock = 0;   ///< all lock rows up to this number that an event needed
    qint64 lastRecord = 0; ///< all records of the audit up to this number

    bool operator==(const Watermark &) const = default;
};

/** A source by its number in the journal. */
struct HubSource
{
    qint64 sourceId = 0;
    QByteArray name;
    QByteArray store;
};

/** A wait that ended. */
struct HubWait
{
    qint64 waitId = 0; ///< the number of its first event
    qint64 lockId = 0;
    QByteArray waiter;
    qint64 fromUs = 0;
    qint64 toUs = 0;
};

/** Events with the numbers [from, to] that the agent can't forward: a gap for every reader. */
struct HubHole
{
    enum HoleReason : quint8 { Deleted = 0, Unreadable = 1 };

    qint64 from = 0;
    qint64 to = 0;
    HoleReason reason = Deleted;
    qint64 fromUs = 0; ///< the last time before the hole that is known; 0: none
    qint64 toUs = 0;   ///< the first time after it
};

/**
 * Consecutive rows of a journal. Each number in [fromSeq, toSeq] is that of one event, or lies in one hole.
 * `toSeq` = `fromSeq` − 1: no events, only records of the audit.
 */
struct HubBatch
{
    qint64 fromSeq = 1;
    qint64 toSeq = 0;
    QList<HubSource> sources;                 ///< all that the events name
    QList<journal::StoredLockRow> locks;      ///< that the hub may lack, the lowest number first
    QList<journal::EventRow> events;          ///< the lowest number first
    QList<journal::HoldRow> holds;            ///< that ended with one of the events
    QList<HubWait> waits;                     ///< that ended with one of the events
    QList<HubHole> holes;                     ///< the lowest number first
    QList<journal::AuditRecord> records;      ///< following Watermark::lastRecord without a hole
    QList<domain::AuditSignature> signatures; ///< of the audit, made since; a repeated one is ignored
};

/**
 * A store that takes a journal's rows exactly once. Belongs to one thread and blocks it: at most for the
 * configured time limits, and not after interrupt().
 */
class HubSink
{
public:
    HubSink() = default;
    HubSink(const HubSink &) = delete;
    HubSink &operator=(const HubSink &) = delete;
    virtual ~HubSink() = default;

    /**
     * Connects, if necessary, and reads what the hub has of this journal; an unknown journal is registered.
     * Errors: Unreachable, Timeout, ConnectionLost and Authentication. PermissionDenied: the login belongs to
     * another agent, or a right is missing. ReadOnly: the hub has seen a newer epoch, so another agent is the
     * active one and this one must stop. Unsupported: the hub's schema is of another version.
     */
    virtual base::Result<Watermark> open(const ForwardingAgent &agent) = 0;
    /**
     * Stores the batch in one transaction and returns the new watermark. A batch that the hub has already is
     * void and returns the present watermark. Errors: those of open(), and Usage for a batch that doesn't
     * follow the watermark. After any error it isn't known whether the batch was stored: call open() again.
     */
    virtual base::Result<Watermark> write(const HubBatch &batch) = 0;
    /** From any thread: a running call and all later ones fail soon with Cancelled. */
    virtual void interrupt() = 0;
};

} // namespace lockkeeper::agent::hub
