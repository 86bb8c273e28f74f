// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/fields.h"

// The fields of the messages; PROTOCOL.md lists the same fields.
namespace lockkeeper::protocol {

/** A message's number on the wire. */
template <typename M> struct TypeOf;

#define LOCKKEEPER_TYPE(message, number)                                                                     \
    template <> struct TypeOf<message> : std::integral_constant<int, number>                                 \
    {                                                                                                        \
    };
LOCKKEEPER_MESSAGES(LOCKKEEPER_TYPE)
#undef LOCKKEEPER_TYPE

template <typename A> void fields(A &a, Of<WhoAmI> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<Identified> auto &v)
{
    numbered(a, v.id, v.way, v.user, v.grants.list);
}

template <typename A> void fields(A &a, Of<ApprovalsQuery> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<ApprovalsPage> auto &v)
{
    numbered(a, v.id, v.requests);
}

template <typename A> void fields(A &a, Of<Decision> auto &v)
{
    numbered(a, v.id, need(v.request), v.approve, v.reason);
}

template <typename A> void fields(A &a, Of<ApprovalChanged> auto &v)
{
    numbered(a, need(v.request));
}

template <typename A> void fields(A &a, Of<AlertsQuery> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<AlertsPage> auto &v)
{
    numbered(a, v.id, v.alerts, v.receivers, v.nowUs, v.more);
}

template <typename A> void fields(A &a, Of<AlertAction> auto &v)
{
    numbered(a, v.id, need(v.alert), need(v.verb), v.forUs);
}

template <typename A> void fields(A &a, Of<ReceiverTest> auto &v)
{
    numbered(a, v.id, need(v.receiver));
}

template <typename A> void fields(A &a, Of<AlertChanged> auto &v)
{
    numbered(a, need(v.alert));
}

template <typename A> void fields(A &a, Of<AdviceQuery> auto &v)
{
    numbered(a, v.id, v.source, v.lockGlob, v.fromUs, v.toUs);
}

template <typename A> void fields(A &a, Of<AdvicePage> auto &v)
{
    numbered(a, v.id, v.advice, need(v.fromUs), need(v.toUs), v.observedPermille, v.locks, v.holds, v.more);
}

template <typename A> void fields(A &a, Of<HolderChecksQuery> auto &v)
{
    numbered(a, v.id, v.key);
}

template <typename A> void fields(A &a, Of<HolderChecksPage> auto &v)
{
    numbered(a, v.id, v.checks, v.nowUs);
}

template <typename A> void fields(A &a, Of<Hello> auto &v)
{
    numbered(a, need(v.version), need(v.oldest), v.program, v.user, v.features, v.agent, v.onBehalf);
}

template <typename A> void fields(A &a, Of<Welcome> auto &v)
{
    numbered(a, need(v.version), need(v.agent), v.program, v.features, v.user, v.role, v.journal, v.firstSeq,
             v.lastSeq, v.grants.list, v.agents);
}

template <typename A> void fields(A &a, Of<LoginNeeded> auto &v)
{
    numbered(a, v.ways);
}

template <typename A> void fields(A &a, Of<Login> auto &v)
{
    numbered(a, need(v.user), need(v.password));
}

template <typename A> void fields(A &a, Of<Goodbye> auto &v)
{
    numbered(a, need(v.error));
}

template <typename A> void fields(A &a, Of<Ping> auto &v)
{
    numbered(a, need(v.number));
}

template <typename A> void fields(A &a, Of<Pong> auto &v)
{
    numbered(a, need(v.number), v.lastSeq, v.wallUs);
}

template <typename A> void fields(A &a, Of<Subscribe> auto &v)
{
    numbered(a, v.id, v.since, v.journal, orElse(v.snapshot, true), v.renewals);
}

template <typename A> void fields(A &a, Of<Subscribed> auto &v)
{
    numbered(a, v.id, v.fresh, v.fromSeq, v.journal);
}

template <typename A> void fields(A &a, Of<SnapshotPage> auto &v)
{
    numbered(a, v.id, v.atSeq, v.last, v.locks, v.sources);
}

template <typename A> void fields(A &a, Of<EventBatch> auto &v)
{
    numbered(a, v.events, v.afterSeq, v.throughSeq);
}

template <typename A> void fields(A &a, Of<StateBatch> auto &v)
{
    numbered(a, v.locks, v.sources, v.unjournalled, v.removed);
}

template <typename A> void fields(A &a, Of<LocksQuery> auto &v)
{
    numbered(a, v.id, v.source, v.nameGlob, v.atUs);
}

template <typename A> void fields(A &a, Of<HistoryQuery> auto &v)
{
    numbered(a, v.id, v.source, v.lockGlob, v.holderGlob, v.kinds, v.fromUs, v.toUs, v.afterSeq, v.beforeSeq,
             v.command, need(v.limit), v.descending, v.inSlices);
}

template <typename A> void fields(A &a, Of<EventPage> auto &v)
{
    numbered(a, v.id, v.events, v.more, v.firstSeq, v.lastSeq, v.reachedSeq, v.reachedUs);
}

template <typename A> void fields(A &a, Of<HoldsQuery> auto &v)
{
    numbered(a, v.id, v.source, v.lockGlob, v.key, v.fromUs, v.toUs, need(v.limit), v.holderGlob, v.beforeId);
}

template <typename A> void fields(A &a, Of<HoldPage> auto &v)
{
    numbered(a, v.id, v.holds, v.more);
}

template <typename A> void fields(A &a, Of<AuditQuery> auto &v)
{
    numbered(a, v.id, v.beforeId, need(v.limit), v.verify, v.command, v.keyId, v.soughtHash);
}

template <typename A> void fields(A &a, Of<AuditPage> auto &v)
{
    numbered(a, v.id, v.entries, v.more, v.verified, v.firstBadId, v.checkedUs, v.records, v.signature,
             v.anchor, v.fault, v.accepted, v.hash, v.soughtRecord);
}

template <typename A> void fields(A &a, Of<Inspect> auto &v)
{
    numbered(a, v.id, need(v.key));
}

template <typename A> void fields(A &a, Of<Inspected> auto &v)
{
    numbered(a, v.id, v.present, need(v.state), v.storeUs, v.ticket, v.willRun, v.error, v.needsApproval,
             v.companions.count, v.companions.names);
}

template <typename A> void fields(A &a, Of<ForceRelease> auto &v)
{
    numbered(a, v.id, need(v.command), need(v.key), v.ticket, v.guard, v.holder, need(v.because),
             v.ifNotRenewed, v.reason, v.dryRun);
}

template <typename A> void fields(A &a, Of<ReleaseResult> auto &v)
{
    numbered(a, v.id, need(v.command), need(v.outcome), v.error, v.dryRun, orElse(v.replicated, true),
             v.storeUs, v.auditId, v.nodes, v.endsUs);
}

template <typename A> void fields(A &a, Of<ProbeRequest> auto &v)
{
    numbered(a, v.id, need(v.command), need(v.source), need(v.forUs), need(v.mostCommands), v.reason);
}

template <typename A> void fields(A &a, Of<ProbeResult> auto &v)
{
    numbered(a, v.id, need(v.command), v.error, v.beganUs, v.endedUs, v.commands, v.unreadable, v.end,
             v.counts, v.leftOut, v.auditId);
}

template <typename A> void fields(A &a, Of<DiscoverRequest> auto &v)
{
    numbered(a, v.id, need(v.command), need(v.url), v.password, v.verify, v.reason);
}

template <typename A> void fields(A &a, Of<DiscoverResult> auto &v)
{
    numbered(a, v.id, need(v.command), v.error, v.discovery, v.auditId);
}

template <typename A> void fields(A &a, Of<ReadNow> auto &v)
{
    numbered(a, v.id, v.source);
}

template <typename A> void fields(A &a, Of<Done> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<StatusQuery> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<Status> auto &v)
{
    numbered(a, v.id, need(v.agent), v.version, v.firstSeq, v.lastSeq, v.startedWallUs, v.wallUs,
             v.journalBytes, v.diskFreeBytes, v.sessions, v.journalError, v.sources, v.election);
}

template <typename A> void fields(A &a, Of<ChainsQuery> auto &v)
{
    numbered(a, v.id, v.source);
}

template <typename A> void fields(A &a, Of<ChainsPage> auto &v)
{
    numbered(a, v.id, v.graphs);
}

template <typename A> void fields(A &a, Of<ContentionQuery> auto &v)
{
    numbered(a, v.id, v.source, v.lockGlob, v.fromUs, v.toUs, need(v.limit), v.ranking, v.sums);
}

template <typename A> void fields(A &a, Of<ContentionPage> auto &v)
{
    numbered(a, v.id, need(v.fromUs), need(v.toUs), v.locks, v.more, v.waiters, v.waitedUs, v.waits,
             v.acquisitions, v.forced, v.blockers, v.unattributedUs);
}

template <typename A> void fields(A &a, Of<TimelineQuery> auto &v)
{
    numbered(a, v.id, v.by, v.source, v.lockGlob, v.holderGlob, v.keys, need(v.fromUs), need(v.toUs),
             v.sliceUs, need(v.lanes), need(v.bars), v.stripSlices, v.stripFromUs, v.stripToUs);
}

template <typename A> void fields(A &a, Of<TimelinePage> auto &v)
{
    numbered(a, v.id, need(v.fromUs), need(v.toUs), v.sliceUs, v.lanes, v.more, v.gaps, v.strip, v.firstUs);
}

template <typename A> void fields(A &a, Of<WaitingQuery> auto &v)
{
    numbered(a, v.id, need(v.fromUs), need(v.toUs), v.slices);
}

template <typename A> void fields(A &a, Of<events::Interval> auto &v)
{
    numbered(a, need(v.fromUs), need(v.toUs));
}

template <typename A> void fields(A &a, Of<SourceWaiting> auto &v)
{
    numbered(a, need(v.source), need(v.seenUntilUs), v.gaps, v.waitedUs);
}

template <typename A> void fields(A &a, Of<WaitingPage> auto &v)
{
    numbered(a, v.id, need(v.fromUs), need(v.toUs), v.sources);
}

template <typename A> void fields(A &a, Of<Cancel> auto &v)
{
    numbered(a, v.id);
}

template <typename A> void fields(A &a, Of<Failed> auto &v)
{
    numbered(a, v.id, need(v.error));
}

} // namespace lockkeeper::protocol
