// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/messages.h"

#include <concepts>
#include <type_traits>

// The fields of the values that messages carry, each once, for Writer and Reader alike. Keys ascend and are
// never given a second meaning; PROTOCOL.md lists the same numbers.
namespace lockkeeper::protocol {

/** A value, const for the writer and not for the reader. */
template <typename T, typename Value>
concept Of = std::same_as<std::remove_const_t<T>, Value>;

template <typename A> void fields(A &a, Of<base::Error> auto &v)
{
    a.may(0, v.code);
    a.may(1, v.cause);
    a.may(2, v.remedy);
}

template <typename A> void fields(A &a, Of<domain::Grant> auto &v)
{
    a.need(0, v.role);
    a.may(1, v.sources);
    a.may(2, v.locks);
}

template <typename A> void fields(A &a, Of<domain::ApprovalRequest> auto &v)
{
    a.need(0, v.id);
    a.need(1, v.key);
    a.may(2, v.who);
    a.may(3, v.reason);
    a.may(4, v.because);
    a.may(5, v.ifNotRenewed);
    a.may(6, v.holder);
    a.may(7, v.guard);
    a.may(8, v.command);
    a.may(9, v.askedUs);
    a.may(10, v.endsUs);
    a.need(11, v.state);
    a.may(12, v.decidedBy);
    a.may(13, v.detail);
    a.may(14, v.outcome, domain::Outcome::Pending);
}

template <typename A> void fields(A &a, Of<domain::Waiter> auto &v)
{
    a.need(0, v.id);
    a.may(1, v.sinceUs);
    a.may(2, v.detail);
    a.may(3, v.windowUs);
}

template <typename A> void fields(A &a, Of<domain::Session> auto &v)
{
    a.need(0, v.id);
    a.may(1, v.user);
    a.may(2, v.client);
    a.may(3, v.program);
    a.may(4, v.transaction);
    a.may(5, v.transactionSinceUs);
    a.may(6, v.idleSinceUs);
    a.may(7, v.statement);
    a.may(8, v.statementCut);
    a.may(9, v.protectedAs);
    a.may(10, v.rowsLocked);
    a.may(11, v.rowsChanged);
}

template <typename A> void fields(A &a, Of<domain::NodeView> auto &v)
{
    a.need(0, v.node);
    a.need(1, v.holds);
    a.may(2, v.token);
    a.may(3, v.expiresUs);
}

template <typename A> void fields(A &a, Of<domain::NodeOutcome> auto &v)
{
    a.need(0, v.node);
    a.need(1, v.outcome);
    a.may(2, v.error);
}

template <typename A> void fields(A &a, Of<domain::AuditSignature> auto &v)
{
    a.need(0, v.records);
    a.need(1, v.hash);
    a.need(2, v.timeUs);
    a.need(3, v.keyId);
    a.need(4, v.signature);
}

/** As it differs from `base`, where there is one: what equals it is left out. */
template <typename A>
void fields(A &a, Of<domain::LockState> auto &v, const domain::LockState *base = nullptr)
{
    const domain::LockState none;
    const domain::LockState &b = base ? *base : none;
    if (base)
        a.may(0, v.key, b.key);
    else
        a.need(0, v.key);
    a.need(1, v.phase);
    a.may(2, v.stuck);
    a.may(3, v.ownerKnown, b.ownerKnown);
    a.may(4, v.owner, b.owner);
    a.may(5, v.token, b.token);
    a.may(6, v.acquiredUs, b.acquiredUs);
    a.may(7, v.windowUs, b.windowUs);
    a.may(8, v.acquiredBy);
    a.may(9, v.renewedUs);
    a.may(10, v.renewals);
    a.may(11, v.longestRenewalGapUs);
    a.may(12, v.expiry);
    a.may(13, v.expiresUs, b.expiresUs);
    a.may(14, v.ttlMs, b.ttlMs);
    a.may(15, v.expiresBy);
    a.may(16, v.depth);
    a.may(17, v.fencing);
    a.may(18, v.waitersVisible);
    a.may(19, v.waiters);
    a.may(20, v.release.safety);
    a.may(21, v.release.why);
    a.may(22, v.guard);
    a.may(23, v.seenUs, b.seenUs);
    a.may(24, v.session);
    a.may(25, v.changesPerMinute);
    a.may(26, v.nodes);
    a.may(27, v.waiting);
    a.may(28, v.mode);
    a.may(29, v.pinsDeadline);
    a.may(30, v.mayHaveChanged);
}

/** Inside an event the key, owner and deadline that equal the event's are left out. */
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
    a.may(0, v.seq);
    a.need(1, v.key);
    a.may(2, v.store);
    a.need(3, v.kind);
    a.may(4, v.ownerKnown, true);
    a.may(5, v.owner);
    a.need(6, v.timeUs);
    a.may(7, v.windowUs);
    a.need(8, v.observedUs);
    a.may(9, v.ttlMs);
    a.may(10, v.expiresUs);
    a.may(11, v.waiter);
    a.may(12, v.command);
    a.may(13, v.detail);
    a.within(14, v.after, v);
}

template <typename A> void fields(A &a, Of<domain::Access> auto &v)
{
    a.need(0, v.need);
    a.may(1, v.granted);
    a.may(2, v.forBreaking);
    a.may(3, v.remedy);
}

template <typename A> void fields(A &a, Of<domain::Counts> auto &v)
{
    a.may(0, v.total);
    a.may(1, v.held);
    a.may(2, v.free);
    a.may(3, v.expired);
    a.may(4, v.stuck);
    a.may(5, v.contended);
}

template <typename A> void fields(A &a, Of<domain::Finding> auto &v)
{
    a.need(0, v.code);
    a.may(1, v.severity);
    a.may(2, v.value);
    a.may(3, v.whenUs);
    a.may(4, v.node);
}

template <typename A> void fields(A &a, Of<domain::ElectionState> auto &v)
{
    a.may(0, v.active);
    a.may(1, v.holder);
    a.may(2, v.epoch);
    a.may(3, v.sinceWallUs);
    a.may(4, v.error);
}

template <typename A> void fields(A &a, Of<domain::SourceState> auto &v)
{
    // To a peer that knows no standby the source is down.
    bool standby = v.link == domain::Link::Standby;
    domain::Link link = standby ? domain::Link::Down : v.link;
    a.need(0, v.name);
    a.may(1, v.store);
    a.may(2, v.address);
    a.need(3, link);
    a.may(4, v.sinceWallUs);
    a.may(5, v.lastSeenUs);
    a.may(6, v.lastSeenWallUs);
    a.may(7, v.gapSinceUs);
    a.may(8, v.retryWallUs);
    a.may(9, v.mode);
    a.may(10, v.pollMs);
    a.may(11, v.passUs);
    a.may(12, v.clockOffsetUs);
    a.may(13, v.clockUncertaintyUs);
    a.may(14, v.server);
    a.may(15, v.instance);
    a.may(16, v.counts);
    a.may(17, v.schemes);
    a.may(18, v.access);
    a.may(19, v.error);
    a.may(20, v.findings);
    a.may(21, standby);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>)
        v.link = standby ? domain::Link::Standby : link;
}

template <typename A> void fields(A &a, Of<domain::AuditEntry> auto &v)
{
    a.need(0, v.id);
    a.need(1, v.timeUs);
    a.may(2, v.who);
    a.may(3, v.role);
    a.need(4, v.key);
    a.may(5, v.holder);
    a.may(6, v.reason);
    a.may(7, v.because);
    a.may(8, v.guard);
    a.need(9, v.outcome);
    a.may(10, v.outcomeTimeUs);
    a.may(11, v.detail);
    a.may(12, v.command);
    a.may(13, v.approver);
    a.may(14, v.intact, true);
}

template <typename A> void fields(A &a, Of<Hold> auto &v)
{
    a.need(0, v.key);
    a.may(1, v.ownerKnown, true);
    a.may(2, v.owner);
    a.need(3, v.fromUs);
    a.may(4, v.fromWindowUs);
    a.may(5, v.startSeen, true);
    a.may(6, v.toUs);
    a.may(7, v.toWindowUs);
    a.may(8, v.end);
    a.may(9, v.renewals);
    a.may(10, v.longestRenewalGapUs);
    a.may(11, v.id);
    a.may(12, v.waitedUs);
    a.may(13, v.waitSeen, true);
    a.may(14, v.command);
    a.may(15, v.by);
    a.may(16, v.role);
    a.may(17, v.reason);
    a.may(18, v.mayBe);
    a.may(19, v.renewedUs);
    a.may(20, v.expiresUs);
    a.may(21, v.renewalsUs);
}

template <typename A> void fields(A &a, Of<Wait> auto &v)
{
    a.need(0, v.key);
    a.need(1, v.waiter);
    a.need(2, v.fromUs);
    a.may(3, v.toUs);
    a.may(4, v.id);
}

template <typename A> void fields(A &a, Of<TimelineSlice> auto &v)
{
    a.need(0, v.fromUs);
    a.may(1, v.heldUs);
    a.may(2, v.waitUs);
    a.may(3, v.holds);
    a.may(4, v.waits);
    a.may(5, v.forced);
}

template <typename A> void fields(A &a, Of<TimelineLane> auto &v)
{
    a.may(0, v.key);
    a.may(1, v.source);
    a.may(2, v.holder);
    a.may(3, v.waitUs);
    a.may(4, v.holds);
    a.may(5, v.waits);
    a.may(6, v.slices);
}

template <typename A> void fields(A &a, Of<TimelineGap> auto &v)
{
    a.need(0, v.source);
    a.need(1, v.fromUs);
    a.may(2, v.toUs);
    a.may(3, v.part);
    a.may(4, v.cause);
}

template <typename A> void fields(A &a, Of<domain::Spread> auto &v)
{
    a.may(0, v.count);
    a.may(1, v.totalUs);
    a.may(2, v.p50Us);
    a.may(3, v.p95Us);
    a.may(4, v.maxUs);
}

template <typename A> void fields(A &a, Of<domain::WaiterCost> auto &v)
{
    a.need(0, v.source);
    a.need(1, v.waiter);
    a.may(2, v.locks);
    a.may(3, v.waits);
    a.may(4, v.totalUs);
    a.may(5, v.maxUs);
    a.may(6, v.observedUs);
}

template <typename A> void fields(A &a, Of<domain::Contention> auto &v)
{
    a.need(0, v.key);
    a.may(1, v.waitersVisible);
    a.may(2, v.acquisitions);
    a.may(3, v.takeovers);
    a.may(4, v.expiries);
    a.may(5, v.forced);
    a.may(6, v.waits);
    a.may(7, v.holds);
    a.may(8, v.handoverLow);
    a.may(9, v.handoverHigh);
    a.may(10, v.heldLowUs);
    a.may(11, v.heldHighUs);
    a.may(12, v.observedUs);
}

template <typename A> void fields(A &a, Of<domain::ProbeCount> auto &v)
{
    a.need(0, v.lock);
    a.need(1, v.client);
    a.may(2, v.attempts);
    a.may(3, v.failed);
    a.may(4, v.uncertain);
}

template <typename A> void fields(A &a, Of<domain::discovery::Setting> auto &v)
{
    a.need(0, v.key);
    a.may(1, v.value);
}

template <typename A> void fields(A &a, Of<domain::discovery::Reason> auto &v)
{
    a.need(0, v.code);
    a.may(1, v.points);
    a.may(2, v.column);
    a.may(3, v.value);
}

template <typename A> void fields(A &a, Of<domain::discovery::TableMapping> auto &v)
{
    a.may(0, v.table);
    a.may(1, v.name);
    a.may(2, v.id);
    a.may(3, v.holder);
    a.may(4, v.acquiredAt);
    a.may(5, v.renewedAt);
    a.may(6, v.expiresAt);
    a.may(7, v.timeout);
    a.may(8, v.count);
    a.may(9, v.version);
    a.may(10, v.request);
    a.may(11, v.status);
    a.may(12, v.heldValue);
    a.may(13, v.freeValue);
    QList<domain::discovery::Setting> units = v.unitList();
    a.may(14, units);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(v)>>)
        v.setUnits(units);
    a.may(15, v.leaseUs);
}

template <typename A> void fields(A &a, Of<domain::discovery::Candidate> auto &v)
{
    a.may(0, v.schema);
    a.may(1, v.table);
    a.may(2, v.match);
    a.may(3, v.keys);
    a.may(4, v.scheme);
    a.may(5, v.preset);
    a.may(6, v.mapping);
    a.may(7, v.config);
    a.may(8, v.neverBroken);
    a.may(9, v.settings);
    a.need(10, v.score);
    a.may(11, v.reasons);
    a.may(12, v.missing);
    a.may(13, v.access);
    a.may(14, v.refusal);
}

template <typename A> void fields(A &a, Of<domain::discovery::Discovery> auto &v)
{
    a.need(0, v.store);
    a.may(1, v.server);
    a.may(2, v.database);
    a.may(3, v.tables);
    a.may(4, v.allSeen, true);
    a.may(5, v.found);
    a.may(6, v.near);
    a.may(7, v.rest);
}

template <typename A> void fields(A &a, Of<domain::WaitEdge> auto &v)
{
    a.need(0, v.waiter);
    a.need(1, v.blocker);
    a.need(2, v.lock);
    a.may(3, v.sinceUs);
    a.may(4, v.windowUs);
}

template <typename A> void fields(A &a, Of<domain::WholeTableLock> auto &v)
{
    a.need(0, v.session);
    a.need(1, v.place);
    a.may(2, v.rows);
}

template <typename A> void fields(A &a, Of<domain::WaitGraph> auto &v)
{
    a.need(0, v.source);
    a.may(1, v.beganUs);
    a.may(2, v.endedUs);
    a.may(3, v.evidence);
    a.may(4, v.sessions);
    a.may(5, v.edges);
    a.may(6, v.wholeTables);
    a.may(7, v.truncated);
}

} // namespace lockkeeper::protocol
