// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/push.h"

#include "agent/engine/source_engine_p.h"
#include "shared/base/text.h"

#include <algorithm>
#include <utility>

/*
 * Changes that a store tells of come in its own order, and each is observed in a bracket of its own: when it
 * happened. Passes go on beside them, through another connection, and may be ahead or behind:
 *
 * - Until a first whole pass has ended (push.whole), what passes show is taken as always; a record that was
 * pushed already is newer. A pass ends only when the changes from before its end were told.
 * - From then on the changes alone make the table. Where a reading differs the change may be on its way, or
 * written to the log and not yet visible: the lock is read again after a while. Where it still differs then,
 * no change was pushed that should have been; it is journalled with its window, and counted.
 * - What needs no change is taken at once: a deadline that has passed over a row that is as it was.
 */

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::Link;
using domain::Phase;
using stores::Observation;

namespace {
constexpr qint64 kDoubtUs = 1'000'000;
constexpr qsizetype kMostAsked = 1'000;

/** The row as it was seen last. */
Observation lastSighting(const Record &record)
{
    Observation seen;
    seen.set = record.set;
    seen.held = true;
    seen.ownerKnown = record.ownerKnown;
    seen.flaw = record.flaw;
    seen.expiry = record.expiry;
    seen.expiresBy = record.expiresBy;
    seen.name = record.name().toByteArray();
    seen.owner = record.owner().toByteArray();
    seen.token = record.token().toByteArray();
    seen.identity = record.identity().toByteArray();
    seen.expiresUs = record.expiresUs;
    seen.expirySlackUs = record.slackUs;
    seen.depth = record.depth;
    return seen;
}

/** The deadline alone has passed, over the same row or over the key that the store has removed by it. */
bool isByDeadline(const Record &record, const Observation &seen, const Verdict &verdict)
{
    if (!verdict.end || !verdict.end->expired || verdict.begin)
        return false;
    return seen.present ? record.identity() == seen.identity && record.expiresUs == seen.expiresUs
                        : record.expiresBy == Evidence::Ttl;
}
} // namespace

Step SourceEngine::pushed(const stores::Push &push, Instant now)
{
    Step step;
    if (d->source.link != Link::Up || !d->push.on)
        return step;
    for (const stores::Change &change : push.changes)
        d->take(change, now, step);
    if (push.everything)
        d->takeEverything(push.sinceUs, now, step);
    d->looks.fill(d->table, step.look);
    return step;
}

void SourceEngine::Private::take(const stores::Change &change, Instant now, Step &step)
{
    const Observation &seen = change.lock;
    if (seen.set >= spec.locks.size())
        return;
    push.doubts.remove(stores::Subject{seen.set, seen.name});
    clock.note(seen.server, change.timeUs, now);
    Frame frame = frameOf({change.timeUs - change.windowUs, change.timeUs});
    if (awaitsOutcome(seen, frame)) {
        defer(
            seen, [this, change](Instant at, Step &to) { take(change, at, to); }, now, step);
        return;
    }
    quint32 index = table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    frame.pushed = isFollowed(index, {seen.set, seen.name});
    frame.saidExpired = frame.pushed && change.expired;
    frame.saidDeleted = frame.pushed && change.deleted;
    // What is left of a lock that nobody holds is no hold.
    if (!seen.present && frame.pushed &&
        (!known || table.at(index).gone || table.at(index).phase == Phase::Free)) {
        if (change.unseen)
            tellUnseen(change, frame, step);
        else
            ++push.unread;
    }
    if (!known && !seen.present) {
        rememberGone(change, frame);
        return;
    }
    if (frame.pushed && known)
        endRunOut(index, frame, now, step);
    const qsizetype from = step.events.size();
    observe(seen, frame, now, step);
    for (qsizetype i = from; change.coalesced > 0 && i < step.events.size(); ++i)
        step.events[i].detail.insert(QStringLiteral("coalesced"), qint64(change.coalesced));
    index = table.find(seen.set, seen.name);
    if (index == LockTable::kNone)
        return;
    Record &record = table.at(index);
    record.pushed = record.pushed || (record.era == era && record.seenUs == change.timeUs);
    // A lock that is gone is remembered only against pages that are under way and may be older.
    if (record.gone && push.whole && !passes.isRunning() && !record.lookAsked && !record.lookQueued)
        table.remove(index);
}

/** True where what is known of the lock is all that was pushed of it: a difference is a change since. */
bool SourceEngine::Private::isFollowed(quint32 index, const stores::Subject &lock) const
{
    if (isPolled(lock))
        return false;
    if (index == LockTable::kNone)
        return push.whole;
    const Record &record = table.at(index);
    return record.pushed || (push.whole && record.passStamp >= push.wholeAt);
}

/** Something was there for a moment and gone before it could be read: a hold of nobody knows whom. */
void SourceEngine::Private::tellUnseen(const stores::Change &change, const Frame &frame, Step &step)
{
    const Bracket &bracket = frame.bracket;
    const Begin begin{bracket.endedUs, bracket.endedUs - bracket.beganUs, Evidence::Observation, false};
    Record record;
    record.set = change.lock.set;
    record.texts.setName(change.lock.name);
    record.era = era;
    record.noteSeen(bracket);
    record.phase = Phase::Held;
    record.ownerKnown = false;
    record.acquiredUs = begin.timeUs;
    record.windowUs = begin.windowUs;
    record.acquiredBy = begin.by;
    step.events.append(builder.began(events::Kind::Acquired, record, begin, bracket.endedUs));
    const Past past = builder.pastOf(record, frame);
    record.gone = true;
    record.phase = Phase::Free;
    const End end{change.expired, begin.timeUs, begin.windowUs};
    step.events.append(builder.ended(change.expired ? events::Kind::Expired : events::Kind::Released, record,
                                     past, end, bracket.endedUs));
    step.events.last().detail.remove(QStringLiteral("last_seen_us"));
    for (qsizetype i = step.events.size() - 2; i < step.events.size(); ++i) {
        step.events[i].detail.insert(QStringLiteral("unseen"), true);
        if (change.unproven)
            step.events[i].detail.insert(QStringLiteral("may_be"), QStringLiteral("attempts"));
        if (change.coalesced > 0)
            step.events[i].detail.insert(QStringLiteral("coalesced"), qint64(change.coalesced));
    }
}

/** The table was true until then; the next pass shows what it is now, and nothing was missed meanwhile. */
void SourceEngine::Private::takeEverything(qint64 sinceUs, Instant now, Step &step)
{
    // Locks that the last time left to be read again may have changed as early as then.
    const bool settled = push.whole && (push.trueUntilUs == 0 || passes.stamp() > push.wholeAt);
    if (settled)
        push.trueUntilUs = sinceUs;
    push.whole = false;
    push.doubts.clear();
    for (quint32 index = 0; index < table.end(); ++index)
        table.at(index).pushed = false;
    push.wholeAt = passes.stamp() + 1;
    passes.hurry(now.monotonicUs);
    if (passes.isDue(now.monotonicUs))
        startPass(now, step);
}

/** A page that was read before the deletion may come after it. */
void SourceEngine::Private::rememberGone(const stores::Change &change, const Frame &frame)
{
    if (!passes.isRunning())
        return;
    Record &record = table.at(table.insert(change.lock.set, change.lock.name));
    record.gone = true;
    record.phase = Phase::Free;
    record.pushed = true;
    record.era = frame.era;
    record.server = change.lock.server;
    record.passStamp = passes.stamp();
    record.noteSeen(frame.bracket);
}

/** A lease that had run out before this change, and nobody had looked: each renewal would have been told. */
void SourceEngine::Private::endRunOut(quint32 index, const Frame &frame, Instant now, Step &step)
{
    const Record &record = table.at(index);
    const qint64 latest = record.expiresUs + record.slackUs;
    if (record.gone || record.restored || record.phase != Phase::Held || record.expiry != ExpiryKind::At ||
        record.expiresBy != Evidence::Column || latest >= frame.bracket.beganUs || frame.clientClock)
        return;
    Frame then = frame;
    then.bracket = {latest + 1, latest + 1};
    observe(lastSighting(record), then, now, step);
}

/** An observation of a pass or of a look. */
void SourceEngine::Private::look(const Observation &seen, const Frame &frame, Instant now, Step &step)
{
    if (awaitsOutcome(seen, frame)) {
        defer(
            seen, [this, seen, frame](Instant at, Step &to) { look(seen, frame, at, to); }, now, step);
        return;
    }
    // The last pass may have shown it already, in doubt: absent it was at the time of the one before.
    const qint64 sinceUs =
        push.doubts.isEmpty()
            ? frame.absentSinceUs
            : push.doubts.value({seen.set, seen.name}, {0, frame.absentSinceUs, false}).absentSinceUs;
    const Doubt doubt = push.on ? doubtOf(seen, frame) : Doubt::None;
    if (doubt == Doubt::Wait)
        return;
    Frame wider = frame;
    wider.absentSinceUs = std::min(sinceUs, frame.absentSinceUs);
    if (const quint32 index = table.find(seen.set, seen.name);
        push.on && index != LockTable::kNone && !isFollowed(index, {seen.set, seen.name}))
        wider.trueUntilUs = push.trueUntilUs;
    const qsizetype from = step.events.size();
    observe(seen, wider, now, step);
    if (doubt == Doubt::Missed)
        noteMissed(from, step);
}

Doubt SourceEngine::Private::doubtOf(const Observation &seen, const Frame &frame)
{
    if (seen.set >= spec.locks.size())
        return Doubt::None;
    const quint32 index = table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    const stores::Subject subject{seen.set, seen.name};
    bool claims = false;
    if (isFollowed(index, subject) && (known || seen.present)) {
        const Verdict verdict = diff(known ? &table.at(index) : nullptr, seen, frame);
        const bool differs = verdict.reading == Reading::Changed || verdict.reading == Reading::Forget;
        const bool says =
            verdict.begin || verdict.end || verdict.renewed || verdict.reading == Reading::Forget;
        claims = differs && says && !(known && isByDeadline(table.at(index), seen, verdict));
    }
    if (!claims) {
        push.doubts.remove(subject);
        return Doubt::None;
    }
    if (const auto it = push.doubts.constFind(subject); it == push.doubts.constEnd()) {
        push.doubts.insert(subject, {frame.bracket.endedUs, frame.absentSinceUs, false});
        push.askAtUs = std::min(push.askAtUs, frame.bracket.endedUs + kDoubtUs + 1);
    } else if (frame.bracket.beganUs > it->sinceUs + kDoubtUs) {
        push.doubts.erase(it);
        return Doubt::Missed;
    }
    if (known) {
        Record &record = table.at(index);
        looks.settle(record);
        record.passStamp = passes.stamp();
    }
    return Doubt::Wait;
}

void SourceEngine::Private::noteMissed(qsizetype from, Step &step)
{
    ++push.missed;
    for (qsizetype i = from; i < step.events.size(); ++i)
        step.events[i].detail.insert(QStringLiteral("missed"), true);
}

void SourceEngine::Private::askDoubts(Instant now, Step &step)
{
    const qint64 storeUs = clock.nowUs(now.monotonicUs);
    if (storeUs < push.askAtUs)
        return;
    push.askAtUs = kNever;
    for (auto it = push.doubts.begin(); it != push.doubts.end(); ++it) {
        if (it->asked)
            continue;
        const qint64 due = it->sinceUs + kDoubtUs + 1;
        if (due > storeUs || step.look.size() >= kMostAsked) {
            push.askAtUs = std::min(push.askAtUs, std::max(due, storeUs + 1'000));
            continue;
        }
        it->asked = true;
        step.look.append(it.key());
    }
}

/** While every change is pushed the source is being seen, and not only when a pass ends. */
void SourceEngine::Private::noteContinuous(const stores::Page &page, Instant now, Step &step)
{
    push.pageSeen = push.pageSeen || page.request != 0;
    if (!push.on || !push.whole || source.gapSinceUs || page.request != 0)
        return;
    source.lastSeenUs = page.endedUs;
    source.lastSeenWallUs = now.wallUs;
    step.sourceChanged = true;
}

Step SourceEngine::pushStateChanged(const stores::PushState &state, Instant now)
{
    Step step;
    if (d->source.link != Link::Up)
        return step;
    step.sourceChanged = true;
    if (!state.on)
        d->endPush(state, now, step);
    else if (state.blind)
        d->beginAfresh(state, now, step);
    else
        d->goOn(step);
    d->push.stateSeen = true;
    d->source.mode = d->push.on ? domain::ObservationMode::Push : domain::ObservationMode::Poll;
    d->source.error = d->warning;
    d->setPace();
    return step;
}

/** From where the changes ended that the table knows: what comes now is all that happened since. */
void SourceEngine::Private::goOn(Step &step)
{
    push.on = push.whole = true;
    push.gapUnsaid = false;
    push.wholeAt = 0;
    warning = push.linkWarning;
    for (quint32 index = 0; index < table.end(); ++index) {
        if (!table.isUsed(index))
            continue;
        Record &record = table.at(index);
        const bool otherInstance = record.era < restartEra;
        record.era = era;
        if (otherInstance && !record.gone)
            step.updates.append(builder.stateOf(record)); // its guard names the server's new instance now
    }
}

/** Since when changes may have been missed. */
qint64 SourceEngine::Private::lostSinceUs(const stores::PushState &state) const
{
    return state.toldUntilUs > 0 ? state.toldUntilUs
                                 : std::max(clock.lastUs(), source.lastSeenUs.value_or(0));
}

void SourceEngine::Private::beginAfresh(const stores::PushState &state, Instant now, Step &step)
{
    const bool wasOn = std::exchange(push.on, true);
    if (std::exchange(push.gapUnsaid, false))
        openGap(source.lastSeenUs.value_or(0), QStringLiteral("agent_restarted"), step);
    else if (wasOn)
        openGap(lostSinceUs(state), QStringLiteral("push_lost"), step);
    if (wasOn)
        ++era;
    if (!step.events.isEmpty() && !state.why.cause.isEmpty())
        step.events.last().detail.insert(QStringLiteral("message"), base::singleLine(state.why.cause));
    push.whole = false;
    push.trueUntilUs = 0;
    push.doubts.clear();
    warning = push.linkWarning;
    for (quint32 index = 0; index < table.end(); ++index)
        table.at(index).pushed = false;
    // A pass that has shown anything yet began before the changes did.
    const bool soonEnough = passes.isRunning() && !push.pageSeen && !push.stateSeen;
    push.wholeAt = passes.stamp() + (soonEnough ? 0 : 1);
    if (!soonEnough)
        passes.hurry(now.monotonicUs);
}

void SourceEngine::Private::endPush(const stores::PushState &state, Instant now, Step &step)
{
    const bool wasOn = std::exchange(push.on, false);
    if (std::exchange(push.gapUnsaid, false))
        openGap(source.lastSeenUs.value_or(0), QStringLiteral("agent_restarted"), step);
    else if (wasOn && state.blind)
        openGap(lostSinceUs(state), QStringLiteral("push_lost"), step);
    if (wasOn)
        ++era;
    if (!step.events.isEmpty() && !state.why.cause.isEmpty())
        step.events.last().detail.insert(QStringLiteral("message"), base::singleLine(state.why.cause));
    push.whole = false;
    push.trueUntilUs = 0;
    push.doubts.clear();
    if (!state.why.cause.isEmpty())
        warning = state.why;
    if (!wasOn)
        return;
    push.wholeAt = passes.stamp() + 1;
    passes.hurry(now.monotonicUs);
}

bool SourceEngine::canResume() const
{
    return d->push.whole && !d->hasDeferred();
}

quint64 SourceEngine::missedPushes() const
{
    return d->push.missed;
}

quint64 SourceEngine::unreadPushes() const
{
    return d->push.unread;
}

} // namespace lockkeeper::agent::engine
