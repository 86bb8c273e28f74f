// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <concepts>
#include <type_traits>

// The fields of the values that messages carry, named once for both Writer and Reader. Keys ascend and are
// never reused with another meaning; PROTOCOL.md lists the same numbers. In numbered() a field's position is
// its key: append new fields at the end, and never move or remove a field.
namespace lockkeeper::protocol {

/** Matches `Value`, const or not: the writer passes it const, the reader doesn't. */
template <typename T, typename Value>
concept Of = std::same_as<std::remove_const_t<T>, Value>;

/** A field that is always written; reading fails if it is missing. */
template <typename T> struct Needed
{
    T &item;
};
template <typename T> Needed<T> need(T &item)
{
    return {item};
}

/** A field that is omitted if it equals `missing`, instead of its type's default. Used within one statement.
 */
template <typename T> struct Defaulted
{
    T &item;
    const std::remove_const_t<T> &missing;
};
template <typename T> Defaulted<T> orElse(T &item, const std::type_identity_t<T> &missing)
{
    return {item, missing};
}

template <typename A, typename T> void field(A &a, quint64 key, T &item)
{
    a.may(key, item);
}
template <typename A, typename T> void field(A &a, quint64 key, Needed<T> &needed)
{
    a.need(key, needed.item);
}
template <typename A, typename T> void field(A &a, quint64 key, Defaulted<T> &defaulted)
{
    a.may(key, defaulted.item, defaulted.missing);
}

/** Visits fields with the keys First, First + 1 …, in the order of the arguments. */
template <quint64 First = 0, typename A, typename... Fields> void numbered(A &a, Fields &&...each)
{
    quint64 key = First;
    (field(a, key++, each), ...);
}

template <typename A> void fields(A &a, Of<base::Error> auto &v)
{
    numbered(a, v.code, v.cause, v.remedy);
}

template <typename A> void fields(A &a, Of<domain::Grant> auto &v)
{
    numbered(a, need(v.role), v.sources, v.locks);
}

template <typename A> void fields(A &a, Of<domain::ApprovalRequest> auto &v)
{
    numbered(a, need(v.id), need(v.key), v.who, v.reason, v.because, v.ifNotRenewed, v.holder, v.guard,
             v.command, v.askedUs, v.endsUs, need(v.state), v.decidedBy, v.detail,
             orElse(v.outcome, domain::Outcome::Pending));
}

template <typename A> void fields(A &a, Of<domain::Alert> auto &v)
{
    numbered(a, need(v.id), need(v.rule), need(v.condition), need(v.severity), v.source, v.lock, v.holder,
             v.sinceUs, v.firedUs, v.resolvedUs, v.value, v.threshold, v.repeats, v.detail, v.acknowledgedBy,
             v.acknowledgedUs, v.snoozedBy, v.snoozedUntilUs);
}

template <typename A> void fields(A &a, Of<AlertReceiver> auto &v)
{
    numbered(a, need(v.name), v.type, v.deliveredUs, v.failingSinceUs, v.error, v.waiting);
}

template <typename A> void fields(A &a, Of<domain::Advice> auto &v)
{
    numbered(a, need(v.code), v.confidence, v.lock, v.other, v.holder, v.statement, v.figures, v.ttlUs,
             v.fromUs, v.toUs);
}

template <typename A> void fields(A &a, Of<domain::HolderCheck> auto &v)
{
    numbered(a, v.lock, v.guard, v.holder, v.rule, v.method, v.verdict, need(v.evidence), v.target, v.number,
             v.error, v.checkedUs);
}

template <typename A> void fields(A &a, Of<OnBehalf> auto &v)
{
    numbered(a, need(v.user), v.way, need(v.issuedUs), need(v.signature));
}

template <typename A> void fields(A &a, Of<domain::Waiter> auto &v)
{
    numbered(a, need(v.id), v.sinceUs, v.detail, v.windowUs);
}

template <typename A> void fields(A &a, Of<domain::Session> auto &v)
{
    numbered(a, need(v.id), v.user, v.client, v.program, v.transaction, v.transactionSinceUs, v.idleSinceUs,
             v.statement, v.statementCut, v.protectedAs, v.rowsLocked, v.rowsChanged);
}

template <typename A> void fields(A &a, Of<domain::NodeView> auto &v)
{
    numbered(a, need(v.node), need(v.holds), v.token, v.expiresUs);
}

template <typename A> void fields(A &a, Of<domain::NodeOutcome> auto &v)
{
    numbered(a, need(v.node), need(v.outcome), v.error);
}

template <typename A> void fields(A &a, Of<domain::AuditSignature> auto &v)
{
    numbered(a, need(v.records), need(v.hash), need(v.timeUs), need(v.keyId), need(v.signature));
}

/** With `base`, omits the fields that equal those of `base`. */
template <typename A>
void fields(A &a, Of<domain::LockState> auto &v, const domain::LockState *base = nullptr)
{
    static const domain::LockState none;
    const domain::LockState &b = base ? *base : none;
    if (base)
        a.may(0, v.key, b.key);
    else
        a.need(0, v.key);
    numbered<1>(a, need(v.phase), v.stuck, orElse(v.ownerKnown, b.ownerKnown), orElse(v.owner, b.owner),
                orElse(v.token, b.token), orElse(v.acquiredUs, b.acquiredUs), orElse(v.windowUs, b.windowUs),
                v.acquiredBy, v.renewedUs, v.renewals, v.longestRenewalGapUs, v.expiry,
                orElse(v.expiresUs, b.expiresUs), orElse(v.ttlMs, b.ttlMs), v.expiresBy, v.depth, v.fencing,
                v.waitersVisible, v.waiters, v.release.safety, v.release.why, v.guard,
                orElse(v.seenUs, b.seenUs), v.session, v.changesPerMinute, v.nodes, v.waiting, v.mode,
                v.pinsDeadline, v.mayHaveChanged);
}

/** Inside an event, omits the key, owner and deadline if they equal the event's. */
template <typename A> void fields(A &a, Of<domain::LockState> auto &v, const events::LockEvent *around)
{
    domain::LockState base;
    base.key = around->key;
    base.owner = around->owner;
    base.expiresUs = around->expiresUs;
    fields(a, v, &base);
}

template <typename A> void fields(A &a, Of<events::LockEvent> auto &v)
{
    numbered(a, v.seq, need(v.key), v.store, need(v.kind), orElse(v.ownerKnown, true), v.owner,
             need(v.timeUs), v.windowUs, need(v.observedUs), v.ttlMs, v.expiresUs, v.waiter, v.command,
             v.detail);
    a.within(14, v.after, v);
}

template <typename A> void fields(A &a, Of<domain::Access> auto &v)
{
    numbered(a, need(v.need), v.granted, v.forBreaking, v.remedy);
}

template <typename A> void fields(A &a, Of<domain::Counts> auto &v)
{
    numbered(a, v.total, v.held, v.free, v.expired, v.stuck, v.contended);
}

template <typename A> void fields(A &a, Of<domain::Finding> auto &v)
{
    numbered(a, need(v.code), v.severity, v.value, v.whenUs, v.node);
}

template <typename A> void fields(A &a, Of<domain::ElectionState> auto &v)
{
    numbered(a, v.active, v.holder, v.epoch, v.sinceWallUs, v.error);
}

template <typename A> void fields(A &a, Of<domain::SourceState> auto &v)
{
    // Send Standby as Down plus a flag: an older peer, which doesn't know Standby, then shows the source as
    // down.
    bool standby = v.link == domain::Link::Standby;
    domain::Link link = standby ? domain::Link::Down : v.link;
    numbered(a, need(v.name), v.store, v.address, need(link), v.sinceWallUs, v.lastSeenUs, v.lastSeenWallUs,
             v.gapSinceUs, v.retryWallUs, v.mode, v.pollMs, v.passUs, v.clockOffsetUs, v.clockUncertaintyUs,
             v.server, v.instance, v.counts, v.schemes, v.access, v.error, v.findings, standby);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>)
        v.link = standby ? domain::Link::Standby : link;
}

template <typename A> void fields(A &a, Of<domain::AuditEntry> auto &v)
{
    numbered(a, need(v.id), need(v.timeUs), v.who, v.role, need(v.key), v.holder, v.reason, v.because,
             v.guard, need(v.outcome), v.outcomeTimeUs, v.detail, v.command, v.approver,
             orElse(v.intact, true));
}

template <typename A> void fields(A &a, Of<Hold> auto &v)
{
    numbered(a, need(v.key), orElse(v.ownerKnown, true), v.owner, need(v.fromUs), v.fromWindowUs,
             orElse(v.startSeen, true), v.toUs, v.toWindowUs, v.end, v.renewals, v.longestRenewalGapUs, v.id,
             v.waitedUs, orElse(v.waitSeen, true), v.command, v.by, v.role, v.reason, v.mayBe, v.renewedUs,
             v.expiresUs, v.renewalsUs);
}

template <typename A> void fields(A &a, Of<Wait> auto &v)
{
    numbered(a, need(v.key), need(v.waiter), need(v.fromUs), v.toUs, v.id);
}

template <typename A> void fields(A &a, Of<TimelineSlice> auto &v)
{
    numbered(a, need(v.fromUs), v.heldUs, v.waitUs, v.holds, v.waits, v.forced);
}

template <typename A> void fields(A &a, Of<TimelineLane> auto &v)
{
    numbered(a, v.key, v.source, v.holder, v.waitUs, v.holds, v.waits, v.slices);
}

template <typename A> void fields(A &a, Of<TimelineGap> auto &v)
{
    numbered(a, need(v.source), need(v.fromUs), v.toUs, v.part, v.cause);
}

template <typename A> void fields(A &a, Of<domain::Spread> auto &v)
{
    numbered(a, v.count, v.totalUs, v.p50Us, v.p95Us, v.maxUs);
}

template <typename A> void fields(A &a, Of<domain::WaiterCost> auto &v)
{
    numbered(a, need(v.source), need(v.waiter), v.locks, v.waits, v.totalUs, v.maxUs, v.observedUs);
}

template <typename A> void fields(A &a, Of<domain::BlockerCost> auto &v)
{
    numbered(a, need(v.source), v.holder, v.statement, v.locks, v.waiters, v.waits, v.totalUs, v.maxUs,
             v.observedUs);
}

template <typename A> void fields(A &a, Of<domain::Contention> auto &v)
{
    numbered(a, need(v.key), v.waitersVisible, v.acquisitions, v.takeovers, v.expiries, v.forced, v.waits,
             v.holds, v.handoverLow, v.handoverHigh, v.heldLowUs, v.heldHighUs, v.observedUs);
}

template <typename A> void fields(A &a, Of<domain::ProbeCount> auto &v)
{
    numbered(a, need(v.lock), need(v.client), v.attempts, v.failed, v.uncertain);
}

template <typename A> void fields(A &a, Of<domain::discovery::Setting> auto &v)
{
    numbered(a, need(v.key), v.value);
}

template <typename A> void fields(A &a, Of<domain::discovery::Reason> auto &v)
{
    numbered(a, need(v.code), v.points, v.column, v.value);
}

template <typename A> void fields(A &a, Of<domain::discovery::TableMapping> auto &v)
{
    QList<domain::discovery::Setting> units = v.unitList();
    numbered(a, v.table, v.name, v.id, v.holder, v.acquiredAt, v.renewedAt, v.expiresAt, v.timeout, v.count,
             v.version, v.request, v.status, v.heldValue, v.freeValue, units, v.leaseUs);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>)
        v.setUnits(units);
}

template <typename A> void fields(A &a, Of<domain::discovery::Candidate> auto &v)
{
    numbered(a, v.schema, v.table, v.match, v.keys, v.scheme, v.preset, v.mapping, v.config, v.neverBroken,
             v.settings, need(v.score), v.reasons, v.missing, v.access, v.refusal);
}

template <typename A> void fields(A &a, Of<domain::discovery::Discovery> auto &v)
{
    numbered(a, need(v.store), v.server, v.database, v.tables, orElse(v.allSeen, true), v.found, v.near,
             v.rest);
}

template <typename A> void fields(A &a, Of<domain::WaitEdge> auto &v)
{
    numbered(a, need(v.waiter), need(v.blocker), need(v.lock), v.sinceUs, v.windowUs);
}

template <typename A> void fields(A &a, Of<domain::WholeTableLock> auto &v)
{
    numbered(a, need(v.session), need(v.place), v.rows);
}

template <typename A> void fields(A &a, Of<domain::WaitGraph> auto &v)
{
    numbered(a, need(v.source), v.beganUs, v.endedUs, v.evidence, v.sessions, v.edges, v.wholeTables,
             v.truncated);
}

} // namespace lockkeeper::protocol
