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

bool sameDeadline(const LockRecord &a, const LockRecord &b)
{
    return a.expiry == domain::ExpiryKind::At && b.expiry == a.expiry && a.server == b.server &&
           a.expiresUs <= b.expiresUs + b.noiseUs && b.expiresUs <= a.expiresUs + a.noiseUs;
}
} // namespace

SourceEngine::Private::Private(stores::SourceSpec given, quint64 seed)
    : context(std::move(given)),
      scheduler(context, seed),
      releases(context, scheduler),
      gaps(context, scheduler),
      observer(context, scheduler, releases, gaps),
      follower(context, scheduler, releases, gaps, observer),
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

quint64 SourceEngine::missedPushes() const
{
    return d->follower.missed();
}

quint64 SourceEngine::unreadPushes() const
{
    return d->follower.unread();
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
    if (const auto lock = subjectOf(key))
        d->releases.sent(key, *lock, identity, now);
}

void SourceEngine::releaseUnanswered(const domain::LockKey &key, const QByteArray &identity,
                                     const QByteArray &command)
{
    if (const auto lock = subjectOf(key))
        d->releases.unanswered(*lock, identity, command);
}

void SourceEngine::releaseAnsweredLate(const domain::LockKey &key, const QByteArray &identity, bool released,
                                       Instant now)
{
    if (const auto lock = subjectOf(key))
        d->releases.answeredLate(*lock, identity, released, now);
}

EngineStep SourceEngine::releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                                           const QByteArray &command, Instant now)
{
    EngineStep step;
    const auto lock = subjectOf(key);
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
    const auto lock = subjectOf(key);
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

QList<LockState> SourceEngine::locks() const
{
    quint32 place = 0;
    return locksFrom(place, kNoPlace);
}

QList<LockState> SourceEngine::locksFrom(quint32 &place, quint32 count) const
{
    const LockTable &table = d->context.table;
    QList<LockState> some;
    some.reserve(std::min<qsizetype>(count, table.size()));
    const quint32 end = table.end();
    for (; count > 0 && place < end; --count, ++place) {
        if (table.isUsed(place) && !table.at(place).gone)
            some.append(d->context.builder.stateOf(table.at(place)));
    }
    if (place >= end)
        place = kNoPlace;
    return some;
}

QList<LockState> SourceEngine::journalled() const
{
    QList<LockState> some;
    const LockTable &table = d->context.table;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (table.isUsed(index) && table.at(index).journalled)
            some.append(d->context.builder.stateOf(table.at(index)));
    }
    return some;
}

domain::WaitGraph SourceEngine::queues() const
{
    constexpr qsizetype kMostEdges = 10'000;
    const LockTable &table = d->context.table;
    domain::WaitGraph graph;
    graph.source = d->context.spec.name;
    graph.beganUs = graph.endedUs = d->context.source.lastSeenUs.value_or(0);
    if (d->context.source.counts.contended == 0)
        return graph;
    QByteArrayList evidence;
    QSet<QByteArray> involved;
    const auto involve = [&graph, &involved](const QByteArray &id) {
        if (involved.contains(id))
            return;
        involved.insert(id);
        graph.sessions.emplaceBack().id = id;
    };
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index) || !table.at(index).extras)
            continue;
        const LockRecord &record = table.at(index);
        QByteArray before = record.isOccupied() ? record.owner().toByteArray() : QByteArray();
        const bool held = !before.isEmpty();
        const bool registered = d->context.spec.locks.at(record.set).waitersRegistered; // in no order
        const QByteArray read = registered ? "registered" : "redisson_lock_queue";
        for (const domain::Waiter &waiter : record.extras->waiters) {
            if (graph.edges.size() == kMostEdges) {
                graph.truncated = true;
                return graph;
            }
            if (!before.isEmpty()) {
                if (!evidence.contains(read))
                    evidence.append(read);
                graph.evidence = evidence.join('+');
                involve(before);
                involve(waiter.id);
                graph.edges.append(
                    {waiter.id, before, d->context.builder.keyOf(record), waiter.sinceUs, waiter.windowUs});
            }
            if (!held && !registered)
                before = waiter.id; // nobody holds it: the first waiter is next
        }
    }
    return graph;
}

void SourceEngine::dateWaits(domain::WaitGraph &graph) const
{
    QHash<domain::LockKey, QHash<QByteArray, const domain::Waiter *>> known;
    for (domain::WaitEdge &edge : graph.edges) {
        if (edge.sinceUs)
            continue;
        auto waiters = known.find(edge.lock);
        if (waiters == known.end()) {
            waiters = known.insert(edge.lock, {});
            const auto subject = subjectOf(edge.lock);
            const Extras *extras =
                subject ? d->context.table.at(d->context.table.find(subject->set, subject->name)).extras.get()
                        : nullptr;
            for (qsizetype i = 0; extras && i < extras->waiters.size(); ++i)
                waiters->insert(extras->waiters.at(i).id, &extras->waiters.at(i));
        }
        const domain::Waiter *waiter = waiters->value(edge.waiterId.isEmpty() ? edge.waiter : edge.waiterId);
        if (!waiter)
            continue;
        edge.sinceUs = waiter->sinceUs;
        edge.windowUs = waiter->windowUs;
    }
}

std::optional<stores::Subject> SourceEngine::subjectOf(const domain::LockKey &key) const
{
    const LockTable &table = d->context.table;
    for (const quint16 set : d->context.builder.setsOf(key)) {
        const QByteArray name = d->context.builder.subjectNameOf(set, key);
        const quint32 index = table.find(set, name);
        if (index != LockTable::kNone && !table.at(index).gone)
            return stores::Subject{set, name};
    }
    return std::nullopt;
}

std::optional<LockState> SourceEngine::lock(const domain::LockKey &key) const
{
    const LockTable &table = d->context.table;
    const auto subject = subjectOf(key);
    if (!subject)
        return std::nullopt;
    return d->context.builder.stateOf(table.at(table.find(subject->set, subject->name)));
}

LockState SourceEngine::stateOf(const stores::Inspection &inspection) const
{
    const LockTable &table = d->context.table;
    const stores::Observation &seen = inspection.lock;
    const quint32 index = table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    LockRecord record = known ? table.at(index).clone() : LockRecord();
    record.unseen = false;
    if (!known) {
        record.texts.setName(seen.name);
        record.set = seen.set;
    }
    const Frame frame = d->follower.frameOf({inspection.storeUs, inspection.storeUs});
    const bool any = seen.present || known;
    if (seen.flaw == stores::Flaw::Indeterminate ||
        (any && mayBeRenewed(known ? &record : nullptr, seen, frame))) {
        LockObserver::showIndeterminate(record, seen);
    } else if (any) {
        record.indeterminate = false;
        record.seenUs = std::min(record.seenUs, inspection.storeUs);
        Verdict verdict = diff(known ? &record : nullptr, seen, frame);
        if (verdict.reading == Interpretation::ReadAgain)
            verdict.end = HoldEnding{};
        absorb(record, seen, frame, verdict);
        Waits waits = waitsOf(known ? &table.at(index) : nullptr, seen, frame, verdict);
        absorbDetails(record, seen, frame, waits);
        noteFreshness(record, seen, frame, !known || verdict.begin);
        if (seen.set < d->context.spec.locks.size())
            record.stuck = stuckReason(record, d->context.spec.locks.at(seen.set), inspection.storeUs);
    }
    // If this may be the table's deadline, it is: some servers recompute it for every reading.
    if (known && sameDeadline(table.at(index), record)) {
        record.expiresUs = table.at(index).expiresUs;
        record.slackUs = table.at(index).slackUs;
    }
    LockState state = d->context.builder.stateOf(record);
    if (!state.guard.isEmpty())
        state.guard = StateBuilder::digestOf(record, inspection.guard);
    return state;
}

qint64 SourceEngine::storeNowUs(Instant now) const
{
    return d->context.clock.nowUs(now.monotonicUs);
}

qint64 SourceEngine::lastSeenUs() const
{
    const domain::SourceState &source = d->context.source;
    // The pages of an unfinished scan cover only a part of the locks.
    if (!source.lastSeenUs || source.gapSinceUs)
        return source.lastSeenUs.value_or(0);
    return std::max(d->context.clock.lastUs(), *source.lastSeenUs);
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

Ages SourceEngine::ages(Instant now) const
{
    const qint64 nowUs = d->context.eventTimeUs(now);
    const LockTable &table = d->context.table;
    Ages ages;
    for (quint32 index = 0; index < table.end(); ++index) {
        const LockRecord &record = table.at(index);
        if (!table.isUsed(index) || record.gone || !record.isOccupied())
            continue;
        if (record.acquiredUs > 0)
            ages.holdUs = std::max(ages.holdUs, nowUs - record.acquiredUs);
        if (!record.extras)
            continue;
        for (const domain::Waiter &waiter : record.extras->waiters)
            ages.waitUs = std::max(ages.waitUs, nowUs - waiter.sinceUs.value_or(nowUs));
    }
    return ages;
}

} // namespace lockkeeper::agent::engine
