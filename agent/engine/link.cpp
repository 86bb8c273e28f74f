// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine_p.h"
#include "shared/base/text.h"
#include "shared/stores/set_owners.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::engine {

using domain::Link;
using domain::LockState;
using events::EventKind;

namespace {

constexpr qint64 kStateWithinUs = 5'000'000; ///< the time for a store to report whether it pushes

bool isOfTable(const QByteArray &setPlace, const QByteArray &table)
{
    return setPlace.endsWith(table) || setPlace.endsWith(table + '/');
}

/** A record as the journal remembers it; its identity stays unknown until it is seen again. */
void fillFrom(LockRecord &record, const LockState &state, qint64 lastSeenUs)
{
    record.texts.set({}, state.owner, state.token);
    record.restored = true;
    record.ownerKnown = state.ownerKnown;
    record.phase = state.phase;
    record.stuck = state.stuck;
    record.holderGone = state.stuck == domain::StuckReason::HolderGone;
    record.acquiredUs = state.acquiredUs.value_or(0);
    record.acquiredBy = state.acquiredUs ? state.acquiredBy : domain::Evidence::None;
    record.windowUs = state.windowUs;
    record.renewedUs = state.renewedUs.value_or(0);
    record.renewals = state.renewedUs ? state.renewals : 0;
    record.longestGapUs = state.longestRenewalGapUs;
    record.expiry = state.expiry == domain::ExpiryKind::At && !state.expiresUs ? domain::ExpiryKind::Unknown
                                                                               : state.expiry;
    record.expiresUs = state.expiresUs.value_or(0);
    record.expiresBy = state.expiresBy;
    record.ttlMs = state.ttlMs;
    record.depth = state.depth;
    record.waitersVisible = state.waitersVisible;
    if (!state.waiters.isEmpty()) {
        record.extras = std::make_unique<Extras>();
        record.extras->waiters = state.waiters;
    }
    record.seenUs = std::max(lastSeenUs != 0 ? lastSeenUs : state.seenUs.value_or(0), record.acquiredUs);
    record.quietSinceUs = std::max(record.acquiredUs, record.renewedUs);
}

bool isOtherServer(const stores::Standing &before, const stores::Standing &now)
{
    return before.server != now.server || before.branch != now.branch;
}

} // namespace

QByteArrayList watchedSets(const stores::SourceSpec &spec)
{
    QByteArrayList sets;
    const stores::SetOwners owners(spec.locks);
    for (qsizetype i = 0; i < spec.locks.size(); ++i) {
        const stores::LockSet &set = spec.locks.at(i);
        QByteArrayList parts{stores::displayAddress(spec.url).toUtf8(),
                             set.scheme,
                             set.preset.toUtf8(),
                             set.table.table.toUtf8(),
                             set.names.join(' '),
                             set.match};
        parts += owners.narrower(quint16(i)); // if a narrower set is removed, its locks are new to this set
        sets.append(parts.join('\n'));
    }
    return sets;
}

void SourceEngine::Private::restore(const Restored &restored, EngineStep &step)
{
    const stores::SetOwners owners(context.spec.locks);
    for (const LockState &state : restored.locks) {
        const QByteArray place = stores::setPlaceOf(state.key.scheme, state.key.place);
        const QByteArray name = stores::subjectNameOf(place, state.key).value_or(state.key.name);
        for (qsizetype i = 0; i < context.spec.locks.size(); ++i) {
            const stores::LockSet &set = context.spec.locks.at(i);
            if (state.key.source != context.spec.name || state.key.scheme != set.scheme ||
                !base::globMatches(set.match, state.key.name) || !owners.owns(quint16(i), name) ||
                (!set.table.table.isEmpty() && !isOfTable(place, set.table.table.toUtf8())) ||
                context.table.find(quint16(i), name) != LockTable::kNone)
                continue;
            context.builder.assumePlace(quint16(i), place);
            LockRecord &record = context.table.at(context.table.insert(quint16(i), name));
            fillFrom(record, state, restored.lastSeenUs);
            record.journalled = true;
            observer.count(record, 1);
            break;
        }
    }
    const qint64 sinceUs = restored.gapSinceUs != 0 ? restored.gapSinceUs : restored.lastSeenUs;
    if (restored.gapOpen && sinceUs != 0)
        context.source.gapSinceUs = sinceUs;
    if (restored.lastSeenUs == 0) {
        gaps.open(sinceUs, restored.cause, step);
        return;
    }
    context.source.lastSeenUs = restored.lastSeenUs;
    context.source.instance = restored.server.instance;
    context.standing = restored.server.standing;
    scannedSets = restored.sets;
    QList<quint16> unseen;
    for (qsizetype i = 0; i < sets.size() && !scannedSets.isEmpty(); ++i) {
        if (!scannedSets.contains(sets.at(i)))
            unseen.append(quint16(i));
    }
    // The last scan may have read a place before something happened there.
    scheduler.setAbsentSinceUs(restored.lastSeenUs - context.spec.pollMs * 1000, unseen);
    if (restored.gapOpen)
        return;
    if (!restored.position.isEmpty() && unseen.isEmpty() && (context.spec.binlog || context.spec.push))
        follower.resume(restored.cause); // no gap if the store can resume there
    else
        gaps.open(restored.lastSeenUs, restored.cause, step);
}

void SourceEngine::Private::linkUp(const stores::ServerInfo &info, Instant now, EngineStep &step)
{
    ++context.epoch;
    keepServer();
    const stores::Standing before = std::exchange(context.standing, info.standing);
    const bool wentBack = before.mayHaveLost(info.standing);
    const bool otherRun = !context.source.instance.isEmpty() && context.source.instance != info.instance;
    if (wentBack)
        context.rewoundEpoch = context.epoch;
    if (otherRun) {
        ++restarts;
        restartedUs = context.eventTimeUs(now);
    }
    if (otherRun || wentBack)
        instanceChanged(info.failover || (wentBack && isOtherServer(before, info.standing)), wentBack);
    context.builder.setServer(info, context.epoch);
    context.builder.setLinkUp(true);
    if (context.source.link != Link::Up) {
        context.source.sinceWallUs = now.wallUs;
        const qint64 at = context.eventTimeUs(now);
        step.events.append(context.builder.ofSource(EventKind::SourceUp, at, at));
    }
    context.source.link = Link::Up;
    context.source.store = info.store;
    context.source.server = info.server;
    context.source.instance = info.instance;
    context.source.access = info.access;
    context.source.error = context.warning = context.linkWarning = info.warning;
    releases.linkMade(now);
    follower.linkMade();
    scheduler.linkMade();
    gaps.linkMade();
    if (follower.awaitsState())
        scheduler.beginScanAt(now.monotonicUs + kStateWithinUs);
    else
        scheduler.beginScan(now, step);
}

void SourceEngine::Private::instanceChanged(bool failover, bool wentBack)
{
    context.restartEpoch = context.epoch;
    context.builder.setFailover(failover);
    gaps.instanceChanged(failover   ? Return::Failover
                         : wentBack ? Return::WentBack
                                    : Return::Restart,
                         wentBack);
}

/** Handles a change within one connection: the state that was seen may be newer than the server's present
 * data. */
void SourceEngine::Private::takeStanding(const stores::Standing &standing, Instant now, EngineStep &step)
{
    keepServer();
    const stores::Standing before = std::exchange(context.standing, standing);
    if (standing.replica && !standing.asOfUs) // keep the last known time
        context.standing.asOfUs = before.asOfUs;
    context.builder.setReplica(standing.replica);
    step.sourceChanged =
        step.sourceChanged || before.replica != standing.replica || before.stalled != standing.stalled;
    if (!before.mayHaveLost(standing))
        return;
    gaps.wentBack(step);
    context.rewoundEpoch = context.epoch;
    instanceChanged(isOtherServer(before, standing), true);
    follower.scanAnew(now);
}

void SourceEngine::Private::linkDown(const base::Error &error, Instant now, EngineStep &step)
{
    qint64 lastUs = context.clock.lastUs();
    if (!context.source.lastSeenUs) // never seen as a whole: unseen since its source_up
        lastUs = context.source.link == Link::Up ? context.source.sinceWallUs : 0;
    if (context.source.link != Link::Down) {
        context.source.sinceWallUs = now.wallUs;
        const qint64 at = context.eventTimeUs(now);
        events::LockEvent event = context.builder.ofSource(EventKind::SourceDown, at, at);
        event.detail.error = error.code;
        event.detail.message = base::singleLine(error.cause);
        step.events.append(event);
    }
    follower.linkFailed(lastUs, step);
    context.source.link = Link::Down;
    context.source.error = error;
    observer.forgetClients();
    found.clear(); // the store can't be asked: they are unknown
    context.builder.setLinkUp(false);
    scheduler.linkFailed(now, base::isTransient(error.code));
}

} // namespace lockkeeper::agent::engine
