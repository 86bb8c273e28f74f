// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine.h"

#include "agent/engine/conditions.h"
#include "agent/engine/findings.h"
#include "agent/engine/source_engine_p.h"
#include "agent/engine/undecided.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

using domain::Link;
using domain::LockState;

namespace {
constexpr qint64 kLateUs = 5'000'000;
constexpr qint64 kSlowUs = 50'000;

bool sameDeadline(const Record &a, const Record &b)
{
    return a.expiry == domain::ExpiryKind::At && b.expiry == a.expiry && a.server == b.server &&
           a.expiresUs <= b.expiresUs + b.slackUs && b.expiresUs <= a.expiresUs + a.slackUs;
}
} // namespace

SourceEngine::Private::Private(stores::SourceSpec given, quint64 seed)
    : spec(std::move(given)), builder(spec), backoff(seed)
{
    passes.setPollUs(spec.pollMs * 1000);
    source.name = spec.name;
    source.store = builder.store();
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

Step SourceEngine::start(const Restored &restored, Instant now)
{
    Step step;
    d->source.sinceWallUs = now.wallUs;
    d->restore(restored, step);
    step.open = true;
    step.sourceChanged = true;
    return step;
}

Step SourceEngine::opened(const stores::ServerInfo &info, Instant now)
{
    Step step;
    d->linkUp(info, now, step);
    step.sourceChanged = true;
    return step;
}

Step SourceEngine::failed(const base::Error &error, Instant now)
{
    Step step;
    d->linkDown(error, now, step);
    step.sourceChanged = true;
    return step;
}

Step SourceEngine::pageRead(const stores::Page &page, Instant now)
{
    Step step;
    const Bracket bracket{page.beganUs, std::max(page.beganUs, page.endedUs)};
    if (d->source.link != Link::Up || page.endedUs <= 0)
        return step;
    // A store that only says what it has told by then may say it after a later reading, or later than it was.
    const qint64 leastUs = std::max(d->clock.lastUs(), d->clock.nowUs(now.monotonicUs) - kSlowUs);
    const bool late = page.request == 0 && page.locks.isEmpty() && page.endedUs < leastUs &&
                      page.endedUs + kLateUs > d->clock.lastUs();
    const quint16 server = page.locks.isEmpty() ? 0 : page.locks.constFirst().server;
    if (!late && d->clock.read(bracket, now, server))
        d->clockSetBack(bracket.beganUs);
    const Frame frame = d->frameOf(bracket);
    for (const stores::Observation &seen : page.locks)
        d->look(seen, frame, now, step);
    d->noteContinuous(page, now, step);
    d->looks.fill(d->table, step.look);
    d->source.clockOffsetUs = d->clock.offsetUs();
    d->source.clockUncertaintyUs = d->clock.uncertaintyUs();
    return step;
}

Step SourceEngine::passEnded(const stores::PassEnd &end, Instant now)
{
    Step step;
    if (!d->passes.isRunning())
        return step;
    d->passes.end(now.monotonicUs);
    d->looks.checkStalled(d->table);
    step.sourceChanged = true;
    if (!end.complete) {
        d->source.error = end.error;
        return step;
    }
    if (end.endedUs > 0 && d->clock.read({end.beganUs, end.endedUs}, now))
        d->clockSetBack(end.endedUs);
    d->source.lastSeenWallUs = now.wallUs;
    d->source.error = d->warning;
    d->finishPass(end, step);
    d->looks.fill(d->table, step.look);
    return step;
}

Step SourceEngine::partChanged(const stores::PartState &part, Instant now)
{
    Step step;
    if (d->source.link != domain::Link::Up)
        return step;
    if (part.up)
        d->partUp(part);
    else
        d->partDown(part, now, step);
    step.sourceChanged = true;
    return step;
}

Step SourceEngine::tick(Instant now)
{
    Step step;
    if (d->retryUs <= now.monotonicUs) {
        d->retryUs = kNever;
        d->source.retryWallUs.reset();
        step.open = true;
        step.sourceChanged = true;
    }
    if (d->source.link != Link::Up)
        return step;
    d->dueLooks(now, step);
    d->askDoubts(now, step);
    if (d->passes.isDue(now.monotonicUs))
        d->startPass(now, step);
    for (auto it = d->forced.begin(); it != d->forced.end();)
        it = it->untilUs < now.monotonicUs ? d->forced.erase(it) : std::next(it);
    return step;
}

Step SourceEngine::readNow(Instant now)
{
    if (d->source.link == Link::Up)
        d->passes.hurry(now.monotonicUs);
    else if (d->retryUs != kNever)
        d->retryUs = now.monotonicUs;
    return tick(now);
}

void SourceEngine::reconfigure(const stores::SourceSpec &spec)
{
    const QList<stores::LockSet> sets =
        spec.locks.size() == d->spec.locks.size() ? spec.locks : d->spec.locks;
    d->spec = spec;
    d->spec.locks = sets;
    d->builder.reconfigure(d->spec);
    d->setPace();
    d->source.pollMs = spec.pollMs;
    for (quint32 index = 0; index < d->table.end(); ++index) {
        if (d->table.isUsed(index))
            d->schedule(d->table.at(index), index);
    }
}

qint64 SourceEngine::nextTickUs() const
{
    if (d->source.link != Link::Up)
        return d->retryUs;
    if (d->looks.isReady())
        return 0;
    const qint64 nextUs = std::min(d->deadlines.nextUs(), d->push.askAtUs);
    return std::min(d->passes.dueUs(), d->clock.monotonicAt(nextUs));
}

domain::SourceState SourceEngine::state(Instant now) const
{
    domain::SourceState state = d->source;
    state.findings = d->findings(now);
    return state;
}

Step SourceEngine::lensRead(const QList<domain::Finding> &findings, Instant)
{
    Step step;
    if (d->source.link != Link::Up)
        return step;
    step.sourceChanged = d->lens != findings;
    d->lens = findings;
    return step;
}

QList<domain::Finding> SourceEngine::Private::findings(Instant now) const
{
    OwnEvidence own;
    own.clockKnown = clock.isKnown();
    own.clockOffsetUs = source.clockOffsetUs;
    own.clientsOffUs = clients.offUs();
    own.withoutExpiry = withoutExpiry;
    own.restarts = restarts;
    own.restartedUs = restartedUs;
    own.nowUs = eventTimeUs(now);
    return findingsOf(own, lens);
}

QList<LockState> SourceEngine::locks() const
{
    const LockTable &table = d->table;
    QList<LockState> all;
    all.reserve(d->source.counts.total);
    for (quint32 index = 0; index < table.end(); ++index) {
        if (table.isUsed(index) && !table.at(index).gone)
            all.append(d->builder.stateOf(table.at(index)));
    }
    return all;
}

QList<LockState> SourceEngine::locksFrom(quint32 &place, quint32 count) const
{
    const LockTable &table = d->table;
    QList<LockState> some;
    const quint32 end = table.end();
    for (; count > 0 && place < end; --count, ++place) {
        if (table.isUsed(place) && !table.at(place).gone)
            some.append(d->builder.stateOf(table.at(place)));
    }
    if (place >= end)
        place = kNoPlace;
    return some;
}

std::optional<stores::Subject> SourceEngine::subjectOf(const domain::LockKey &key) const
{
    const LockTable &table = d->table;
    for (const quint16 set : d->builder.setsOf(key)) {
        const QByteArray name = d->builder.subjectNameOf(set, key);
        const quint32 index = table.find(set, name);
        if (index != LockTable::kNone && !table.at(index).gone)
            return stores::Subject{set, name};
    }
    return std::nullopt;
}

std::optional<LockState> SourceEngine::lock(const domain::LockKey &key) const
{
    const LockTable &table = d->table;
    const auto subject = subjectOf(key);
    if (!subject)
        return std::nullopt;
    return d->builder.stateOf(table.at(table.find(subject->set, subject->name)));
}

LockState SourceEngine::stateOf(const stores::Inspection &inspection) const
{
    const LockTable &table = d->table;
    const stores::Observation &seen = inspection.lock;
    const quint32 index = table.find(seen.set, seen.name);
    const bool known = index != LockTable::kNone;
    Record record = known ? table.at(index).clone() : Record();
    if (!known) {
        record.texts.setName(seen.name);
        record.set = seen.set;
    }
    if (seen.present || known) {
        const Frame frame = d->frameOf({inspection.storeUs, inspection.storeUs});
        if (seen.flaw == stores::Flaw::Undecided) {
            showUndecided(record, seen);
            LockState undecided = d->builder.stateOf(record);
            undecided.guard = inspection.guard.digest();
            return undecided;
        }
        record.undecided = false;
        record.seenUs = std::min(record.seenUs, inspection.storeUs);
        Verdict verdict = diff(known ? &record : nullptr, seen, frame);
        if (verdict.reading == Reading::LookAgain)
            verdict.end = End{};
        absorb(record, seen, frame, verdict);
        record.repeatable = record.repeatable || d->tokens.contains(record.identity());
        Waits waits = waitsOf(known ? &table.at(index) : nullptr, seen, frame, verdict);
        absorbDetails(record, seen, frame, waits);
        noteFreshness(record, seen, frame, !known || verdict.begin);
        if (seen.set < d->spec.locks.size())
            record.stuck = stuckReason(record, d->spec.locks.at(seen.set), inspection.storeUs);
    }
    // A deadline that may be the one the table has is that one: some servers tell it anew with every reading.
    if (known && sameDeadline(table.at(index), record)) {
        record.expiresUs = table.at(index).expiresUs;
        record.slackUs = table.at(index).slackUs;
    }
    LockState state = d->builder.stateOf(record);
    domain::Guard guard = inspection.guard;
    guard.pin = StateBuilder::pinOf(record);
    state.guard = record.repeatable && guard.pin.isEmpty() ? QByteArray() : guard.digest();
    return state;
}

qint64 SourceEngine::storeNowUs(Instant now) const
{
    return d->clock.nowUs(now.monotonicUs);
}

qint64 SourceEngine::lastSeenUs() const
{
    return std::max(d->clock.lastUs(), d->source.lastSeenUs.value_or(0));
}

qint64 SourceEngine::lockCount() const
{
    return d->source.counts.total;
}

qint64 SourceEngine::memoryBytes() const
{
    return d->table.bytes() + d->deadlines.bytes();
}

} // namespace lockkeeper::agent::engine
