// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine.h"

#include "agent/engine/conditions.h"
#include "agent/engine/findings.h"
#include "agent/engine/source_engine_p.h"

#include <QSet>

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Link;
using domain::LockState;

namespace {
constexpr qint64 kLateUs = 5'000'000;        ///< how late a store may report; more is a clock set back
constexpr qint64 kStoodStillUs = 30'000'000; ///< a scan or answer this late means a stopped process

} // namespace

SourceEngine::Private::Private(stores::SourceSpec given, quint64 seed)
    : context(std::move(given)),
      scheduler(context, seed),
      releases(context, scheduler),
      gaps(context, scheduler),
      observer(context, scheduler, releases, gaps),
      follower(context, scheduler, releases, gaps, observer),
      table(context, follower),
      sets(watchedSets(context.spec))
{
    const stores::SourceSpec &spec = context.spec;
    domain::SourceState &source = context.source;
    scheduler.setPollUs(spec.pollMs * 1000);
    source.name = spec.name;
    source.store = context.builder.store();
    source.address = stores::displayAddress(spec.url);
    source.pollMs = spec.pollMs;
    for (const stores::LockSet &set : spec.locks) {
        if (!source.schemes.contains(set.scheme))
            source.schemes.append(set.scheme);
    }
}

SourceEngine::SourceEngine(stores::SourceSpec spec, quint64 seed)
    : d(std::make_unique<Private>(std::move(spec), seed))
{
}

SourceEngine::~SourceEngine() = default;

EngineStep SourceEngine::start(const Restored &restored, Instant now)
{
    EngineStep step;
    d->context.source.sinceWallUs = now.wallUs;
    d->restore(restored, step);
    step.open = true;
    step.sourceChanged = true;
    return step;
}

EngineStep SourceEngine::opened(const stores::ServerInfo &info, Instant now)
{
    EngineStep step;
    d->linkUp(info, now, step);
    step.sourceChanged = true;
    return step;
}

EngineStep SourceEngine::failed(const base::Error &error, Instant now)
{
    EngineStep step;
    d->linkDown(error, now, step);
    step.sourceChanged = true;
    return step;
}

EngineStep SourceEngine::pointsRead(const QList<stores::Subject> &asked)
{
    EngineStep step;
    LockTable &table = d->context.table;
    for (const stores::Subject &lock : asked) {
        if (const quint32 index = table.find(lock.set, lock.name); index != LockTable::kNone)
            d->scheduler.reads().settle(table.at(index));
    }
    d->scheduler.reads().fill(table, step.pointReads);
    return step;
}

EngineStep SourceEngine::takePage(const stores::Page &page, bool unasked, Instant now)
{
    EngineStep step;
    const Bracket bracket{page.beganUs, std::max(page.beganUs, page.endedUs)};
    if (d->context.source.link != Link::Up || page.endedUs <= 0)
        return step;
    // Restored, and the store's clock was set back in the meantime.
    const qint64 restoredUs = d->context.clock.isKnown() ? 0 : d->context.source.lastSeenUs.value_or(0);
    if (restoredUs > bracket.endedUs)
        d->scheduler.clockSetBack(bracket.beganUs - std::max<qint64>(0, now.wallUs - restoredUs));
    const bool isLate = !unasked && d->polls() && d->context.clock.ageUs(bracket, now) > kStoodStillUs;
    if (unasked && page.locks.isEmpty() && page.endedUs + kLateUs > d->context.clock.lastUs())
        d->context.clock.reached(page.endedUs, now);
    else if (d->context.clock.read(bracket, now, page.locks.isEmpty() ? 0 : page.locks.constFirst().server))
        d->scheduler.clockSetBack(bracket.beganUs);
    const Frame frame = d->follower.frameOf(bracket);
    for (const stores::Observation &seen : page.locks)
        d->follower.takeReading(seen, frame, now, step);
    d->follower.noteContinuous(page, unasked, now, step);
    if (isLate) { // the page waited while this process was stopped: it was true only when it was read
        d->gaps.stoodStill(step);
        d->follower.scanAnew(now);
    }
    d->scheduler.reads().fill(d->context.table, step.pointReads);
    d->context.source.clockOffsetUs = d->context.clock.offsetUs();
    d->context.source.clockUncertaintyUs = d->context.clock.uncertaintyUs();
    return step;
}

EngineStep SourceEngine::scanEnded(const stores::ScanEnd &end, Instant now)
{
    EngineStep step;
    if (!d->scheduler.endScan(now))
        return step;
    step.sourceChanged = true;
    if (!end.complete) {
        d->context.source.error = end.error;
        if (!d->follower.isFollowing())
            d->gaps.scanFailed(end.error, step);
        return step;
    }
    if (end.endedUs > 0 && d->context.clock.read({end.beganUs, end.endedUs}, now))
        d->scheduler.clockSetBack(end.endedUs);
    d->context.source.lastSeenWallUs = now.wallUs;
    d->context.source.error = d->context.warning;
    d->scheduler.finish(end, d->context.staleUs({end.beganUs, end.endedUs}),
                        d->gaps.hasPolled()
                            ? [this](const stores::Subject &lock) { return d->gaps.isPolled(lock); }
                            : std::function<bool(const stores::Subject &)>());
    if (!end.covers)
        d->scannedSets = d->sets;
    d->context.source.lastSeenUs = end.endedUs;
    d->context.source.passUs = end.endedUs - end.beganUs;
    d->follower.scanFinished(end, step);
    d->gaps.scanFinished(end, step);
    d->follower.setPace();
    d->scheduler.reads().fill(d->context.table, step.pointReads);
    return step;
}

bool SourceEngine::canResume() const
{
    return d->follower.isWhole() && !d->releases.hasDeferred();
}

EngineStep SourceEngine::pushed(const stores::Push &push, Instant now)
{
    EngineStep step;
    if (d->context.source.link == Link::Up)
        d->follower.pushed(push, now, step);
    return step;
}

EngineStep SourceEngine::pushStateChanged(const stores::PushState &state, Instant now)
{
    EngineStep step;
    if (d->context.source.link != Link::Up)
        return step;
    step.sourceChanged = true;
    d->follower.stateChanged(state, now, step);
    return step;
}

void SourceEngine::releaseSent(const domain::LockKey &key, const QByteArray &identity, Instant now)
{
    if (const auto lock = d->table.subjectOf(key))
        d->releases.sent(key, *lock, identity, now);
}

void SourceEngine::releaseUnanswered(const domain::LockKey &key, const QByteArray &identity,
                                     const QByteArray &command)
{
    if (const auto lock = d->table.subjectOf(key))
        d->releases.unanswered(*lock, identity, command);
}

void SourceEngine::releaseAnsweredLate(const domain::LockKey &key, const QByteArray &identity, bool released,
                                       Instant now)
{
    if (const auto lock = d->table.subjectOf(key))
        d->releases.answeredLate(*lock, identity, released, now);
}

EngineStep SourceEngine::releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                           const QByteArray &command, Instant now)
{
    EngineStep step;
    const auto lock = d->table.subjectOf(key);
    if (!lock)
        return step;
    d->releases.succeeded(*lock, identity, command, now);
    if (d->context.source.link == Link::Up)
        step.pointReads.append(*lock);
    return step;
}

EngineStep SourceEngine::holderChecked(const domain::LockKey &key, const QByteArray &guard, bool isGone,
                                       Instant now)
{
    EngineStep step;
    const auto lock = d->table.subjectOf(key);
    if (lock && d->context.source.link == Link::Up)
        d->observer.noteHolder(d->context.table.find(lock->set, lock->name), guard, isGone,
                               d->context.eventTimeUs(now), step);
    return step;
}

EngineStep SourceEngine::releaseAnswered(const domain::LockKey &key, qint64 storeUs, Instant now)
{
    EngineStep step;
    d->releases.answered(key, storeUs, now, step);
    return step;
}

EngineStep SourceEngine::shardChanged(const stores::ShardState &part, Instant now)
{
    EngineStep step;
    if (d->context.source.link != domain::Link::Up)
        return step;
    if (part.up)
        d->gaps.shardUp(part);
    else
        d->gaps.shardDown(part, now, step);
    if (!part.up && !part.polled && part.holds)
        d->observer.hide(part.holds, step);
    if (part.polled && !part.up) {
        d->follower.setPace();
        d->scheduler.hurry(now);
    }
    step.sourceChanged = true;
    return step;
}

EngineStep SourceEngine::tick(Instant now)
{
    EngineStep step;
    if (d->polls() && now.monotonicUs - d->scheduler.scanDueUs() > kStoodStillUs)
        d->gaps.stoodStill(step);
    d->readOn(now, step);
    return step;
}

void SourceEngine::Private::readOn(Instant now, EngineStep &step)
{
    scheduler.retry(now, step);
    if (context.source.link != Link::Up)
        return;
    if (follower.awaitsState()) {
        if (!scheduler.isScanDue(now))
            return;
        follower.giveUpWaiting(step);
    }
    scheduler.readDue(now, step);
    follower.askDoubts(now, step);
    if (scheduler.isScanDue(now))
        scheduler.beginScan(now, step);
    releases.expire(now);
}

EngineStep SourceEngine::readNow(Instant now)
{
    if (d->context.source.link != Link::Up)
        d->scheduler.hurryRetry(now);
    else if (!d->follower.awaitsState())
        d->scheduler.hurry(now);
    EngineStep step;
    d->readOn(now, step);
    return step;
}

void SourceEngine::reconfigure(const stores::SourceSpec &spec)
{
    const QList<stores::LockSet> sets =
        spec.locks.size() == d->context.spec.locks.size() ? spec.locks : d->context.spec.locks;
    d->context.spec = spec;
    d->context.spec.locks = sets;
    d->context.builder.reconfigure(d->context.spec);
    d->follower.setPace();
    d->context.source.pollMs = spec.pollMs;
    d->scheduler.scheduleAll();
}

qint64 SourceEngine::nextTickUs() const
{
    if (d->context.source.link != Link::Up)
        return d->scheduler.retryUs();
    if (d->follower.awaitsState())
        return d->scheduler.scanDueUs();
    return d->scheduler.nextTickUs(d->follower.askAtUs());
}

const ObservedTable &SourceEngine::table() const
{
    return d->table;
}

domain::SourceState SourceEngine::state(Instant now) const
{
    domain::SourceState state = d->context.source;
    state.findings = d->findings(now);
    return state;
}

EngineStep SourceEngine::standingRead(const stores::Standing &standing, Instant now)
{
    EngineStep step;
    if (d->context.source.link == Link::Up)
        d->takeStanding(standing, now, step);
    return step;
}

EngineStep SourceEngine::findingsRead(const QList<domain::Finding> &findings, Instant)
{
    EngineStep step;
    if (d->context.source.link != Link::Up)
        return step;
    step.sourceChanged = d->found != findings;
    d->found = findings;
    return step;
}

QList<domain::Finding> SourceEngine::Private::findings(Instant now) const
{
    OwnEvidence own;
    own.clockKnown = context.clock.isKnown();
    own.clockOffsetUs = context.source.clockOffsetUs;
    own.clientsOffUs = observer.clientsOffUs();
    own.withoutExpiry = observer.withoutExpiry();
    own.restarts = restarts;
    own.restartedUs = restartedUs;
    own.nowUs = context.eventTimeUs(now);
    own.pollUs = context.spec.pollMs * 1000;
    own.standing = context.source.link == Link::Up ? context.standing : stores::Standing();
    return findingsOf(own, found + gaps.unseenParts());
}

const QByteArrayList &SourceEngine::scannedSets() const
{
    return d->scannedSets;
}

LastServer SourceEngine::lastServer() const
{
    return d->gaps.awaitsReturned() ? d->serverBefore : d->presentServer();
}

qint64 SourceEngine::memoryBytes() const
{
    return d->context.table.bytes() + d->scheduler.bytes();
}

} // namespace lockkeeper::agent::engine
