// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/conditions.h"
#include "agent/engine/source_engine_p.h"
#include "shared/base/text.h"

namespace lockkeeper::agent::engine {

using domain::Phase;
using domain::StuckReason;
using events::Kind;
using stores::Observation;

Frame SourceEngine::Private::frameOf(const Bracket &bracket) const
{
    return Frame{bracket, absentSinceUs, era, restartEra};
}

void SourceEngine::Private::count(const Record &record, int sign)
{
    if (record.gone)
        return;
    source.counts.total += sign;
    switch (record.phase) {
    case Phase::Held:
        source.counts.held += sign;
        break;
    case Phase::Expired:
        source.counts.expired += sign;
        break;
    case Phase::Free:
    case Phase::Optimistic:
        source.counts.free += sign;
        break;
    case Phase::Unknown:
        break;
    }
    if (record.stuck != StuckReason::None)
        source.counts.stuck += sign;
}

void SourceEngine::Private::observe(const Observation &seen, const Frame &frame, Instant now, Step &step)
{
    if (seen.set >= spec.locks.size())
        return;
    quint32 index = table.find(seen.set, seen.name);
    if (index == LockTable::kNone) {
        if (!seen.present)
            return;
        const Verdict verdict = diff(nullptr, seen, frame);
        change(table.insert(seen.set, seen.name), seen, frame, verdict, now, step);
        return;
    }
    Record &record = table.at(index);
    looks.settle(record);
    if (seen.present)
        record.passStamp = passes.stamp();
    const Verdict verdict = diff(&record, seen, frame);
    switch (verdict.reading) {
    case Reading::Ignore:
        return;
    case Reading::LookAgain:
        looks.add(record, index);
        return;
    case Reading::Changed:
    case Reading::Forget:
        change(index, seen, frame, verdict, now, step);
        return;
    case Reading::Same:
        break;
    }
    keep(index, frame, step);
}

/** Seen again as it was. */
void SourceEngine::Private::keep(quint32 index, const Frame &frame, Step &step)
{
    Record &record = table.at(index);
    const qint64 windowUs = frame.bracket.endedUs - record.seenBeganUs();
    const bool newInstance = record.era < restartEra && !record.gone;
    // Only a later sighting moves the time: of two that overlap, the end of either will do.
    if (frame.bracket.endedUs >= record.seenUs)
        record.noteSeen(frame.bracket);
    record.era = frame.era;
    if (!judgeStuck(record, frame, windowUs, step) && newInstance)
        step.updates.append(builder.stateOf(record)); // its guard names the server's new instance now
    schedule(record, index);
}

void SourceEngine::Private::change(quint32 index, const Observation &seen, const Frame &frame,
                                   const Verdict &verdict, Instant now, Step &step)
{
    Record &record = table.at(index);
    if (verdict.reading == Reading::Forget) {
        step.updates.append(builder.forgotten(record));
        count(record, -1);
        table.remove(index);
        return;
    }
    const bool isNew = record.seenUs == 0;
    const qint64 windowUs = isNew ? 0 : frame.bracket.endedUs - record.seenBeganUs();
    const bool hadEnd = verdict.end && record.isOccupied();
    const Past past = hadEnd ? builder.pastOf(record, frame) : Past();
    const std::optional<Forced> cause = hadEnd ? takeForced(record, now) : std::nullopt;
    if (!isNew)
        count(record, -1);
    absorb(record, seen, frame, verdict);
    record.passStamp = passes.stamp();
    count(record, 1);
    const bool told = emitChange(record, past, frame, verdict, cause ? &*cause : nullptr, step);
    const bool judged = judgeStuck(record, frame, windowUs, step);
    if (verdict.renewed)
        emitRenewal(record, frame, step);
    if (!told && !judged && !(verdict.renewed && spec.journalRenewals) && !record.gone)
        step.updates.append(builder.stateOf(record));
    schedule(record, index);
}

/** True where an event carries the record's state already. */
bool SourceEngine::Private::emitChange(const Record &record, const Past &past, const Frame &frame,
                                       const Verdict &verdict, const Forced *cause, Step &step)
{
    const qint64 observedUs = frame.bracket.endedUs;
    bool told = false;
    if (verdict.end && (!verdict.takenOver || cause)) {
        const Kind kind = cause ? Kind::ForceReleased : verdict.end->expired ? Kind::Expired : Kind::Released;
        events::LockEvent event = builder.ended(kind, record, past, *verdict.end, observedUs);
        if (cause)
            event.command = cause->command;
        if (verdict.takenOver)
            event.after = builder.freeMoment(record, past);
        step.events.append(event);
        told = true;
    }
    if (verdict.begin) {
        const bool takenOver = verdict.takenOver && !cause;
        events::LockEvent event =
            builder.began(takenOver ? Kind::TakenOver : Kind::Acquired, record, *verdict.begin, observedUs);
        if (takenOver)
            event.detail.insert(QStringLiteral("previous"),
                                past.ownerKnown ? QJsonValue(base::textOf(past.owner)) : QJsonValue());
        step.events.append(event);
        told = true;
    }
    if (verdict.endAfter) {
        Past unseen = builder.pastOf(record, frame);
        unseen.ttlMs.reset();
        unseen.expiresUs.reset();
        unseen.seenUs = verdict.begin->timeUs;
        step.events.append(builder.ended(verdict.endAfter->expired ? Kind::Expired : Kind::Released, record,
                                         unseen, *verdict.endAfter, observedUs));
    }
    return told;
}

/** True where an event was made of it. */
bool SourceEngine::Private::judgeStuck(Record &record, const Frame &frame, qint64 windowUs, Step &step)
{
    const stores::LockSet &set = spec.locks.at(record.set);
    const StuckReason reason = stuckReason(record, set, frame.bracket.beganUs);
    if (reason == record.stuck)
        return false;
    const StuckReason before = record.stuck;
    count(record, -1);
    record.stuck = reason;
    count(record, 1);
    if (!record.isOccupied())
        return false; // its end has told already
    const bool now = reason != StuckReason::None;
    events::LockEvent event = builder.event(now ? Kind::Stuck : Kind::Unstuck, record, frame.bracket.endedUs);
    event.timeUs = now ? record.quietSinceUs + patienceUs(set) : frame.bracket.endedUs;
    event.windowUs = now ? 0 : windowUs;
    event.detail.insert(QStringLiteral("reason"),
                        QString::fromLatin1(domain::stuckReasonName(now ? reason : before).toByteArray()));
    step.events.append(event);
    return true;
}

std::optional<Forced> SourceEngine::Private::takeForced(const Record &record, Instant now)
{
    if (forced.isEmpty())
        return std::nullopt;
    const auto it = forced.constFind(stores::Subject{record.set, record.name().toByteArray()});
    if (it == forced.constEnd() || it->identity != record.part(record.identity) ||
        it->untilUs < now.monotonicUs)
        return std::nullopt;
    const Forced found = *it;
    forced.erase(it);
    return found;
}

void SourceEngine::Private::emitRenewal(const Record &record, const Frame &frame, Step &step)
{
    events::LockEvent event = builder.event(Kind::Renewed, record, frame.bracket.endedUs);
    event.timeUs = record.renewedUs;
    (spec.journalRenewals ? step.events : step.renewals).append(event);
}

} // namespace lockkeeper::agent::engine
