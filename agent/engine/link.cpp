// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/source_engine_p.h"
#include "shared/base/text.h"

#include <utility>

namespace lockkeeper::agent::engine {

using domain::Link;
using domain::LockState;
using events::Kind;

namespace {

bool isOfTable(const QByteArray &setPlace, const QByteArray &table)
{
    return setPlace.endsWith(table) || setPlace.endsWith(table + '/');
}

/** A record as the journal remembers it; its identity stays unknown until it is seen again. */
void fillFrom(Record &record, const LockState &state, qint64 lastSeenUs)
{
    record.texts.set({}, state.owner, state.token);
    record.restored = true;
    record.ownerKnown = state.ownerKnown;
    record.phase = state.phase;
    record.stuck = state.stuck;
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
    record.seenUs = std::max(lastSeenUs, record.acquiredUs);
    record.quietSinceUs = std::max(record.acquiredUs, record.renewedUs);
}

} // namespace

qint64 SourceEngine::Private::eventTimeUs(Instant now) const
{
    // Without any reading of the store's clock the agent's own is all there is to date a failure.
    return clock.isKnown() ? clock.nowUs(now.monotonicUs) : now.wallUs;
}

void SourceEngine::Private::openGap(qint64 timeUs, const QString &cause, Step &step)
{
    if (source.gapSinceUs || timeUs == 0)
        return;
    source.gapSinceUs = timeUs;
    events::LockEvent event = builder.ofSource(Kind::GapOpened, timeUs, timeUs);
    event.detail.insert(QStringLiteral("cause"), cause);
    step.events.append(event);
}

void SourceEngine::Private::restore(const Restored &restored, Step &step)
{
    for (const LockState &state : restored.held) {
        const QByteArray place = stores::setPlaceOf(state.key.scheme, state.key.place);
        const QByteArray name = stores::subjectNameOf(place, state.key).value_or(state.key.name);
        for (qsizetype i = 0; i < spec.locks.size(); ++i) {
            const stores::LockSet &set = spec.locks.at(i);
            if (state.key.source != spec.name || state.key.scheme != set.scheme ||
                !base::globMatches(set.match, state.key.name) ||
                (!set.table.table.isEmpty() && !isOfTable(place, set.table.table.toUtf8())) ||
                table.find(quint16(i), name) != LockTable::kNone)
                continue;
            builder.assumePlace(quint16(i), place);
            Record &record = table.at(table.insert(quint16(i), name));
            fillFrom(record, state, restored.lastSeenUs);
            count(record, 1);
            break;
        }
    }
    if (restored.lastSeenUs == 0)
        return;
    source.lastSeenUs = restored.lastSeenUs;
    // The pass that was the last may have read a place before something happened there.
    absentSinceUs = wholeSinceUs = restored.lastSeenUs - spec.pollMs * 1000;
    if (restored.gapOpen)
        source.gapSinceUs = restored.lastSeenUs;
    else if (!restored.position.isEmpty() && (spec.binlog || spec.push))
        push.gapUnsaid = push.whole = true; // none, if the store can go on from there
    else
        openGap(restored.lastSeenUs, QStringLiteral("agent_restarted"), step);
}

void SourceEngine::Private::linkUp(const stores::ServerInfo &info, Instant now, Step &step)
{
    ++era;
    if (!source.instance.isEmpty() && source.instance != info.instance) {
        restartEra = era;
        returned.append({info.failover, {}, passes.stamp()});
        ++restarts;
        restartedUs = eventTimeUs(now);
    }
    builder.setServer(info, era);
    builder.setLinkUp(true);
    if (source.link != Link::Up) {
        source.sinceWallUs = now.wallUs;
        const qint64 at = eventTimeUs(now);
        step.events.append(builder.ofSource(Kind::SourceUp, at, at));
    }
    source.link = Link::Up;
    source.store = info.store;
    source.server = info.server;
    source.instance = info.instance;
    source.access = info.access;
    source.error = warning = push.linkWarning = info.warning;
    push.pageSeen = push.stateSeen = false;
    push.wholeAt = 0;
    source.retryWallUs.reset();
    retryUs = kNever;
    passes.stop();
    dropDeferred();
    for (BlindPart &part : blind) // those that are down are told again
        part.up = true;
    startPass(now, step);
}

void SourceEngine::Private::linkDown(const base::Error &error, Instant now, Step &step)
{
    if (source.link != Link::Down) {
        source.sinceWallUs = now.wallUs;
        const qint64 at = eventTimeUs(now);
        events::LockEvent event = builder.ofSource(Kind::SourceDown, at, at);
        event.detail.insert(QStringLiteral("cause"),
                            QString::fromLatin1(base::errorName(error.code).toByteArray()));
        event.detail.insert(QStringLiteral("message"), base::singleLine(error.cause));
        step.events.append(event);
    }
    if (std::exchange(push.gapUnsaid, false))
        openGap(source.lastSeenUs.value_or(0), QStringLiteral("agent_restarted"), step);
    else
        openGap(clock.lastUs(), QStringLiteral("source_down"), step);
    push.on = false;
    push.doubts.clear();
    dropDeferred();
    source.mode = domain::ObservationMode::Poll;
    passes.setPollUs(spec.pollMs * 1000);
    source.link = Link::Down;
    source.error = error;
    clients.forget();
    lens.clear(); // what a store can't be asked for isn't known
    builder.setLinkUp(false);
    passes.stop();
    looks.clear(table);
    const qint64 wait = backoff.nextUs(base::isTransient(error.code));
    retryUs = now.monotonicUs + wait;
    source.retryWallUs = now.wallUs + wait;
}

} // namespace lockkeeper::agent::engine
