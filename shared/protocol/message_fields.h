// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/protocol/fields.h"

// The fields of the messages and their types' numbers, as PROTOCOL.md lists them.
namespace lockkeeper::protocol {

/** A message's number on the wire. Without one a message doesn't compile; none is used twice. */
template <typename M> struct TypeOf;

#define LOCKKEEPER_TYPE(message, number)                                                                     \
    template <> struct TypeOf<message>                                                                       \
    {                                                                                                        \
        static constexpr int value = number;                                                                 \
    }
LOCKKEEPER_TYPE(Hello, 1);
LOCKKEEPER_TYPE(Welcome, 2);
LOCKKEEPER_TYPE(Goodbye, 3);
LOCKKEEPER_TYPE(Ping, 4);
LOCKKEEPER_TYPE(Pong, 5);
LOCKKEEPER_TYPE(Subscribe, 10);
LOCKKEEPER_TYPE(Subscribed, 11);
LOCKKEEPER_TYPE(SnapshotPage, 12);
LOCKKEEPER_TYPE(EventBatch, 13);
LOCKKEEPER_TYPE(StateBatch, 14);
LOCKKEEPER_TYPE(LocksQuery, 20);
LOCKKEEPER_TYPE(HistoryQuery, 21);
LOCKKEEPER_TYPE(EventPage, 22);
LOCKKEEPER_TYPE(HoldsQuery, 23);
LOCKKEEPER_TYPE(HoldPage, 24);
LOCKKEEPER_TYPE(AuditQuery, 25);
LOCKKEEPER_TYPE(AuditPage, 26);
LOCKKEEPER_TYPE(StatusQuery, 27);
LOCKKEEPER_TYPE(Status, 28);
LOCKKEEPER_TYPE(Cancel, 29);
LOCKKEEPER_TYPE(Failed, 30);
LOCKKEEPER_TYPE(ChainsQuery, 31);
LOCKKEEPER_TYPE(ChainsPage, 32);
LOCKKEEPER_TYPE(ContentionQuery, 33);
LOCKKEEPER_TYPE(ContentionPage, 34);
LOCKKEEPER_TYPE(TimelineQuery, 35);
LOCKKEEPER_TYPE(TimelinePage, 36);
LOCKKEEPER_TYPE(WaitingQuery, 38);
LOCKKEEPER_TYPE(WaitingPage, 39);
LOCKKEEPER_TYPE(Inspect, 40);
LOCKKEEPER_TYPE(Inspected, 41);
LOCKKEEPER_TYPE(ForceRelease, 42);
LOCKKEEPER_TYPE(ReleaseResult, 43);
LOCKKEEPER_TYPE(ReadNow, 44);
LOCKKEEPER_TYPE(Done, 45);
LOCKKEEPER_TYPE(ProbeRequest, 46);
LOCKKEEPER_TYPE(ProbeResult, 47);
LOCKKEEPER_TYPE(DiscoverRequest, 48);
LOCKKEEPER_TYPE(DiscoverResult, 49);
LOCKKEEPER_TYPE(LoginNeeded, 60);
LOCKKEEPER_TYPE(Login, 61);
LOCKKEEPER_TYPE(WhoAmI, 70);
LOCKKEEPER_TYPE(Identified, 71);
LOCKKEEPER_TYPE(ApprovalsQuery, 72);
LOCKKEEPER_TYPE(ApprovalsPage, 73);
LOCKKEEPER_TYPE(Decision, 74);
LOCKKEEPER_TYPE(ApprovalChanged, 75);
#undef LOCKKEEPER_TYPE

template <typename A> void fields(A &a, Of<WhoAmI> auto &v)
{
    a.may(0, v.id);
}

template <typename A> void fields(A &a, Of<Identified> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.way);
    a.may(2, v.user);
    a.may(3, v.grants.list);
}

template <typename A> void fields(A &a, Of<ApprovalsQuery> auto &v)
{
    a.may(0, v.id);
}

template <typename A> void fields(A &a, Of<ApprovalsPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.requests);
}

template <typename A> void fields(A &a, Of<Decision> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.request);
    a.may(2, v.approve);
    a.may(3, v.reason);
}

template <typename A> void fields(A &a, Of<ApprovalChanged> auto &v)
{
    a.need(0, v.request);
}

template <typename A> void fields(A &a, Of<Hello> auto &v)
{
    a.need(0, v.version);
    a.need(1, v.oldest);
    a.may(2, v.program);
    a.may(3, v.user);
    a.may(4, v.features);
}

template <typename A> void fields(A &a, Of<Welcome> auto &v)
{
    a.need(0, v.version);
    a.need(1, v.agent);
    a.may(2, v.program);
    a.may(3, v.features);
    a.may(4, v.user);
    a.may(5, v.role);
    a.may(6, v.journal);
    a.may(7, v.firstSeq);
    a.may(8, v.lastSeq);
    a.may(9, v.grants.list);
}

template <typename A> void fields(A &a, Of<LoginNeeded> auto &v)
{
    a.may(0, v.ways);
}

template <typename A> void fields(A &a, Of<Login> auto &v)
{
    a.need(0, v.user);
    a.need(1, v.password);
}

template <typename A> void fields(A &a, Of<Goodbye> auto &v)
{
    a.need(0, v.error);
}

template <typename A> void fields(A &a, Of<Ping> auto &v)
{
    a.need(0, v.number);
}

template <typename A> void fields(A &a, Of<Pong> auto &v)
{
    a.need(0, v.number);
    a.may(1, v.lastSeq);
    a.may(2, v.wallUs);
}

template <typename A> void fields(A &a, Of<Subscribe> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.since);
    a.may(2, v.journal);
    a.may(3, v.snapshot, true);
    a.may(4, v.renewals);
}

template <typename A> void fields(A &a, Of<Subscribed> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.fresh);
    a.may(2, v.fromSeq);
    a.may(3, v.journal);
}

template <typename A> void fields(A &a, Of<SnapshotPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.atSeq);
    a.may(2, v.last);
    a.may(3, v.locks);
    a.may(4, v.sources);
}

template <typename A> void fields(A &a, Of<EventBatch> auto &v)
{
    a.may(0, v.events);
    a.may(1, v.afterSeq);
    a.may(2, v.throughSeq);
}

template <typename A> void fields(A &a, Of<StateBatch> auto &v)
{
    a.may(0, v.locks);
    a.may(1, v.sources);
    a.may(2, v.unjournalled);
    a.may(3, v.removed);
}

template <typename A> void fields(A &a, Of<LocksQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
    a.may(2, v.nameGlob);
    a.may(3, v.atUs);
}

template <typename A> void fields(A &a, Of<HistoryQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
    a.may(2, v.lockGlob);
    a.may(3, v.holderGlob);
    a.may(4, v.kinds);
    a.may(5, v.fromUs);
    a.may(6, v.toUs);
    a.may(7, v.afterSeq);
    a.may(8, v.beforeSeq);
    a.may(9, v.command);
    a.need(10, v.limit);
    a.may(11, v.descending);
    a.may(12, v.inSlices);
}

template <typename A> void fields(A &a, Of<EventPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.events);
    a.may(2, v.more);
    a.may(3, v.firstSeq);
    a.may(4, v.lastSeq);
    a.may(5, v.reachedSeq);
    a.may(6, v.reachedUs);
}

template <typename A> void fields(A &a, Of<HoldsQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
    a.may(2, v.lockGlob);
    a.may(3, v.key);
    a.may(4, v.fromUs);
    a.may(5, v.toUs);
    a.need(6, v.limit);
    a.may(7, v.holderGlob);
    a.may(8, v.beforeId);
}

template <typename A> void fields(A &a, Of<HoldPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.holds);
    a.may(2, v.more);
}

template <typename A> void fields(A &a, Of<AuditQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.beforeId);
    a.need(2, v.limit);
    a.may(3, v.verify);
    a.may(4, v.command);
    a.may(5, v.keyId);
}

template <typename A> void fields(A &a, Of<AuditPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.entries);
    a.may(2, v.more);
    a.may(3, v.verified);
    a.may(4, v.firstBadId);
    a.may(5, v.checkedUs);
    a.may(6, v.records);
    a.may(7, v.signature);
}

template <typename A> void fields(A &a, Of<Inspect> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.key);
}

template <typename A> void fields(A &a, Of<Inspected> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.present);
    a.need(2, v.state);
    a.may(3, v.storeUs);
    a.may(4, v.ticket);
    a.may(5, v.willRun);
    a.may(6, v.error);
    a.may(7, v.needsApproval);
    a.may(8, v.companions.count);
    a.may(9, v.companions.names);
}

template <typename A> void fields(A &a, Of<ForceRelease> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.need(2, v.key);
    a.may(3, v.ticket);
    a.may(4, v.guard);
    a.may(5, v.holder);
    a.need(6, v.because);
    a.may(7, v.ifNotRenewed);
    a.may(8, v.reason);
    a.may(9, v.dryRun);
}

template <typename A> void fields(A &a, Of<ReleaseResult> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.need(2, v.outcome);
    a.may(3, v.error);
    a.may(4, v.dryRun);
    a.may(5, v.replicated, true);
    a.may(6, v.storeUs);
    a.may(7, v.auditId);
    a.may(8, v.nodes);
    a.may(9, v.endsUs);
}

template <typename A> void fields(A &a, Of<ProbeRequest> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.need(2, v.source);
    a.need(3, v.forUs);
    a.need(4, v.mostCommands);
    a.may(5, v.reason);
}

template <typename A> void fields(A &a, Of<ProbeResult> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.may(2, v.error);
    a.may(3, v.beganUs);
    a.may(4, v.endedUs);
    a.may(5, v.commands);
    a.may(6, v.unreadable);
    a.may(7, v.end);
    a.may(8, v.counts);
    a.may(9, v.leftOut);
    a.may(10, v.auditId);
}

template <typename A> void fields(A &a, Of<DiscoverRequest> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.need(2, v.url);
    a.may(3, v.password);
    a.may(4, v.verify);
    a.may(5, v.reason);
}

template <typename A> void fields(A &a, Of<DiscoverResult> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.command);
    a.may(2, v.error);
    a.may(3, v.discovery);
    a.may(4, v.auditId);
}

template <typename A> void fields(A &a, Of<ReadNow> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
}

template <typename A> void fields(A &a, Of<Done> auto &v)
{
    a.may(0, v.id);
}

template <typename A> void fields(A &a, Of<StatusQuery> auto &v)
{
    a.may(0, v.id);
}

template <typename A> void fields(A &a, Of<Status> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.agent);
    a.may(2, v.version);
    a.may(3, v.firstSeq);
    a.may(4, v.lastSeq);
    a.may(5, v.startedWallUs);
    a.may(6, v.wallUs);
    a.may(7, v.journalBytes);
    a.may(8, v.diskFreeBytes);
    a.may(9, v.sessions);
    a.may(10, v.journalError);
    a.may(11, v.sources);
    a.may(12, v.election);
}

template <typename A> void fields(A &a, Of<ChainsQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
}

template <typename A> void fields(A &a, Of<ChainsPage> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.graphs);
}

template <typename A> void fields(A &a, Of<ContentionQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.source);
    a.may(2, v.lockGlob);
    a.may(3, v.fromUs);
    a.may(4, v.toUs);
    a.need(5, v.limit);
    a.may(6, v.byWaiter);
    a.may(7, v.sums);
}

template <typename A> void fields(A &a, Of<ContentionPage> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.fromUs);
    a.need(2, v.toUs);
    a.may(3, v.locks);
    a.may(4, v.more);
    a.may(5, v.waiters);
    a.may(6, v.waitedUs);
    a.may(7, v.waits);
    a.may(8, v.acquisitions);
    a.may(9, v.forced);
}

template <typename A> void fields(A &a, Of<TimelineQuery> auto &v)
{
    a.may(0, v.id);
    a.may(1, v.by);
    a.may(2, v.source);
    a.may(3, v.lockGlob);
    a.may(4, v.holderGlob);
    a.may(5, v.keys);
    a.need(6, v.fromUs);
    a.need(7, v.toUs);
    a.may(8, v.sliceUs);
    a.need(9, v.lanes);
    a.need(10, v.bars);
    a.may(11, v.stripSlices);
    a.may(12, v.stripFromUs);
    a.may(13, v.stripToUs);
}

template <typename A> void fields(A &a, Of<TimelinePage> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.fromUs);
    a.need(2, v.toUs);
    a.may(3, v.sliceUs);
    a.may(4, v.lanes);
    a.may(5, v.more);
    a.may(6, v.gaps);
    a.may(7, v.strip);
    a.may(8, v.firstUs);
}

template <typename A> void fields(A &a, Of<WaitingQuery> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.fromUs);
    a.need(2, v.toUs);
    a.may(3, v.slices);
}

template <typename A> void fields(A &a, Of<events::Interval> auto &v)
{
    a.need(0, v.fromUs);
    a.need(1, v.toUs);
}

template <typename A> void fields(A &a, Of<SourceWaiting> auto &v)
{
    a.need(0, v.source);
    a.need(1, v.seenUntilUs);
    a.may(2, v.gaps);
    a.may(3, v.waitedUs);
}

template <typename A> void fields(A &a, Of<WaitingPage> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.fromUs);
    a.need(2, v.toUs);
    a.may(3, v.sources);
}

template <typename A> void fields(A &a, Of<Cancel> auto &v)
{
    a.may(0, v.id);
}

template <typename A> void fields(A &a, Of<Failed> auto &v)
{
    a.may(0, v.id);
    a.need(1, v.error);
}

} // namespace lockkeeper::protocol
