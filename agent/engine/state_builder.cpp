// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/state_builder.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::engine {

using domain::Evidence;
using domain::ExpiryKind;
using domain::LockState;
using domain::Phase;
using domain::ReleaseOff;
using domain::ReleaseSafety;
using events::EventKind;
using events::LockEvent;
using stores::Flaw;

namespace {

ReleaseOff offOfFlaw(Flaw flaw)
{
    switch (flaw) {
    case Flaw::Truncated:
        return ReleaseOff::Truncated;
    case Flaw::WrongType:
        return ReleaseOff::WrongType;
    case Flaw::BadTime:
    case Flaw::Malformed:
        return ReleaseOff::Malformed;
    case Flaw::NullIdentity:
    case Flaw::Indeterminate: // no record has this flaw: see indeterminate.cpp
    case Flaw::None:
        break;
    }
    return ReleaseOff::None;
}

/** Shares the bytes of the owner if they are equal: a million states may be copied at once. */
QByteArray tokenOf(const LockRecord &record, const QByteArray &owner)
{
    return record.token() == owner ? owner : record.token().toByteArray();
}

/**
 * Redisson's clients wait in a queue (fair locks), as subscribers (which `waiting` counts), or by retrying
 * (spin locks): an empty list of waiters proves nothing.
 */
bool mayWaitUnseen(const stores::LockSet &set)
{
    return set.scheme == "redis.redisson";
}

/** Nobody holds the lock, but some servers still have traces of it, which may block the next holder. */
bool hasLeftovers(const LockRecord &record)
{
    return record.phase == Phase::Free && record.extras && domain::hasTraces(record.extras->nodes);
}

} // namespace

StateBuilder::StateBuilder(const stores::SourceSpec &spec)
    : m_source(spec.name),
      m_sets(spec.locks),
      m_places(spec.locks.size()),
      m_permitted(spec.locks.size(), true),
      m_store(stores::storeKind(spec.url).value_or(QByteArray()))
{
}

void StateBuilder::reconfigure(const stores::SourceSpec &spec)
{
    if (spec.locks.size() == m_sets.size())
        m_sets = spec.locks;
}

void StateBuilder::setServer(const stores::ServerInfo &info, quint16 epoch)
{
    m_store = info.store;
    if (m_instance != info.instance) {
        m_lastInstance = std::exchange(m_instance, info.instance);
        m_instanceEpoch = epoch;
    }
    m_readOnly = info.readOnly;
    m_replica = info.standing.replica;
    m_instanceOf = info.instanceOf;
    for (qsizetype i = 0; i < m_sets.size(); ++i)
        m_places[i] = info.places.value(i);
    for (qsizetype i = 0; i < m_sets.size(); ++i) {
        m_permitted[i] = true;
        for (const domain::Access &access : info.access) {
            // The observations report a missing instrument themselves. Without the right to wake, a waiter
            // only sleeps a little longer.
            const bool right = !access.need.startsWith("instrument:") && access.need != "wake";
            if (access.forBreaking && right && !access.granted && concerns(access, i))
                m_permitted[i] = false;
        }
    }
}

/** A missing right that names a scheme ("break:sql.row") or a table ("break:shedlock") concerns the sets of
 * that scheme or table; any other missing right concerns all sets. */
bool StateBuilder::concerns(const domain::Access &missing, qsizetype set) const
{
    const QByteArray what = missing.need.mid(missing.need.indexOf(':') + 1);
    const bool namesScheme = std::any_of(m_sets.cbegin(), m_sets.cend(),
                                         [&what](const stores::LockSet &any) { return any.scheme == what; });
    if (namesScheme)
        return m_sets.at(set).scheme == what;
    const QByteArray &place = m_places.at(set);
    const QByteArray table = '.' + what;
    const bool namesTable = std::any_of(m_places.cbegin(), m_places.cend(),
                                        [&table](const QByteArray &any) { return any.endsWith(table); });
    return !namesTable || place.endsWith(table);
}

QList<quint16> StateBuilder::setsOf(const domain::LockKey &key) const
{
    QList<quint16> sets;
    for (qsizetype i = 0; i < m_sets.size(); ++i) {
        if (key.source == m_source && key.scheme == m_sets.at(i).scheme &&
            stores::subjectNameOf(m_places.at(i), key))
            sets.append(quint16(i));
    }
    return sets;
}

domain::LockKey StateBuilder::keyOf(const LockRecord &record) const
{
    return stores::keyOf(m_source, m_sets.at(record.set).scheme, m_places.at(record.set), record.name());
}

domain::ReleaseCapability StateBuilder::capability(const LockRecord &record) const
{
    const stores::BreakMode mode = m_sets.at(record.set).breakMode;
    if (m_up && m_replica && mode != stores::BreakMode::Never)
        return {ReleaseSafety::Off, ReleaseOff::ReadOnly};
    if (record.gone || (record.phase == Phase::Free && !hasLeftovers(record)))
        return {ReleaseSafety::Off, ReleaseOff::Free};
    if (mode == stores::BreakMode::Never)
        return {ReleaseSafety::Off, ReleaseOff::BreakNever};
    if (record.phase == Phase::Optimistic)
        return {ReleaseSafety::Off, ReleaseOff::Unsupported};
    if (record.off == ReleaseOff::NotPermitted) // its flaw couldn't be read
        return {ReleaseSafety::Off, record.off};
    if (const ReleaseOff off = offOfFlaw(record.flaw); off != ReleaseOff::None)
        return {ReleaseSafety::Off, off};
    if (!m_up || record.unseen)
        return {ReleaseSafety::Off, ReleaseOff::SourceDown};
    if (m_readOnly)
        return {ReleaseSafety::Off, ReleaseOff::ReadOnly};
    if (record.off != ReleaseOff::None)
        return {ReleaseSafety::Off, record.off};
    if (!m_permitted.at(record.set))
        return {ReleaseSafety::Off, ReleaseOff::NotPermitted};
    if ((!record.identity().isEmpty() && record.isDistinct()) || record.restored)
        return {ReleaseSafety::Guarded, ReleaseOff::None};
    if (mode == stores::BreakMode::Unsafe)
        return {ReleaseSafety::Unsafe, ReleaseOff::None};
    return {ReleaseSafety::Off, ReleaseOff::NoIdentity};
}

QByteArray StateBuilder::instanceOf(const LockRecord &record) const
{
    if (m_instanceOf)
        return m_instanceOf({record.set, record.name().toByteArray()});
    return record.epoch < m_instanceEpoch ? m_lastInstance : m_instance;
}

LockState StateBuilder::stateOf(const LockRecord &record) const
{
    LockState state;
    state.key = keyOf(record);
    state.phase = record.unseen ? Phase::Unknown : record.shownPhase();
    state.ownerKnown = record.ownerKnown;
    state.owner = record.owner().toByteArray();
    state.release = capability(record);
    state.seenUs = record.seenUs;
    const bool queued = record.extras && !record.extras->waiters.isEmpty();
    state.waitersVisible = record.waitersVisible && (queued || !mayWaitUnseen(m_sets.at(record.set)));
    if (record.extras)
        state.nodes = record.extras->nodes;
    if (record.phase == Phase::Free) {
        if (hasLeftovers(record)) {
            state.token = tokenOf(record, state.owner);
            state.guard =
                digestOf(record, {state.key, instanceOf(record), record.identity().toByteArray(), {}});
        }
        return state;
    }
    if (const Extras *extras = record.extras.get()) {
        state.waiters = extras->waiters;
        state.fencing = extras->fencing;
        state.waiting = extras->waiting;
        state.mode = extras->mode;
        if (extras->session)
            state.session = *extras->session;
        if (extras->rate)
            state.changesPerMinute = extras->rate->perMinute();
    }
    state.stuck = record.stuck;
    state.token = tokenOf(record, state.owner);
    if (record.acquiredBy != Evidence::None) {
        state.acquiredUs = record.acquiredUs;
        state.windowUs = record.windowUs;
        state.acquiredBy = record.acquiredBy;
    }
    if (record.renewals > 0)
        state.renewedUs = record.renewedUs;
    state.renewals = record.renewals;
    state.longestRenewalGapUs = record.longestGapUs;
    state.expiry = record.expiry;
    state.expiresBy = record.expiresBy;
    if (record.expiry == ExpiryKind::At) {
        state.expiresUs = record.expiresUs;
        state.ttlMs = record.ttlMs;
    }
    state.depth = record.depth;
    state.pinsDeadline = !record.ownIdentity;
    state.guard = digestOf(record, {state.key, instanceOf(record), record.identity().toByteArray(), {}});
    return state;
}

QByteArray StateBuilder::digestOf(const LockRecord &record, domain::Guard guard)
{
    if (record.flaw != Flaw::None || record.isYoung() || !record.isDistinct())
        return {};
    if (!record.ownIdentity)
        guard.pin =
            QByteArray::number(record.acquiredUs) + '/' +
            (record.expiry == ExpiryKind::At ? QByteArray::number(record.expiresUs) : QByteArray("-"));
    return guard.digest();
}

LockState StateBuilder::forgotten(const LockRecord &record) const
{
    LockState state;
    state.key = keyOf(record);
    state.phase = Phase::Free;
    return state;
}

std::optional<LockState> StateBuilder::freeMoment(const LockRecord &record, const Past &past) const
{
    if (!past.keepsRow)
        return std::nullopt;
    LockState state = forgotten(record);
    state.ownerKnown = past.ownerKnown;
    state.owner = past.owner;
    state.release.why = ReleaseOff::Free;
    state.seenUs = past.seenUs;
    return state;
}

/** Rows of tables survive a restart of their server; keys and the locks of sessions may not. */
bool StateBuilder::mayLose(const LockRecord &record) const
{
    const QByteArray &scheme = m_sets.at(record.set).scheme;
    return !scheme.startsWith("sql.") || scheme == "sql.row" || scheme == "sql.advisory";
}

Past StateBuilder::pastOf(const LockRecord &record, const Frame &frame) const
{
    Past past;
    past.phase = record.phase;
    past.ownerKnown = record.ownerKnown;
    past.owner = record.owner().toByteArray();
    if (record.expiry == ExpiryKind::At) {
        past.expiresUs = record.expiresUs;
        if (record.ttlMs > 0)
            past.ttlMs = record.ttlMs;
    }
    past.seenUs = record.seenUs;
    past.previous = record.previous;
    past.otherEpoch = record.epoch != frame.epoch;
    const bool restarted = record.epoch < frame.restartEpoch;
    past.rewound = record.epoch < frame.rewoundEpoch;
    past.beforeRestart = past.rewound || ((restarted || record.serverGone != 0) && mayLose(record));
    past.inFailover = record.serverGone == 2 || (restarted && m_failover);
    past.keepsRow = record.expiresBy == Evidence::Column;
    return past;
}

LockEvent StateBuilder::event(EventKind kind, const LockRecord &record, qint64 observedUs) const
{
    LockEvent event;
    event.key = keyOf(record);
    event.store = m_store;
    event.kind = kind;
    event.ownerKnown = record.ownerKnown;
    event.timeUs = event.observedUs = observedUs;
    if (record.expiry == ExpiryKind::At && record.phase != Phase::Free) {
        event.expiresUs = record.expiresUs;
        if (record.ttlMs > 0)
            event.ttlMs = record.ttlMs;
    }
    if (!record.gone)
        event.after = stateOf(record);
    event.owner = event.after ? event.after->owner : record.owner().toByteArray();
    return event;
}

LockEvent StateBuilder::began(EventKind kind, const LockRecord &record, const Begin &begin,
                              qint64 observedUs) const
{
    LockEvent event = this->event(kind, record, observedUs);
    event.timeUs = begin.timeUs;
    event.windowUs = begin.windowUs;
    if (begin.firstSeen)
        event.detail.firstSeen = true;
    if (record.isOccupied())
        return event;
    // The hold began and ended unseen: show the state between its beginning and its end.
    LockState held = event.after.value_or(LockState());
    held.phase = Phase::Held;
    held.acquiredUs = begin.timeUs;
    held.windowUs = begin.windowUs;
    held.acquiredBy = begin.by;
    held.release = {ReleaseSafety::Off, ReleaseOff::SourceDown};
    event.after = held;
    return event;
}

LockEvent StateBuilder::ended(EventKind kind, const LockRecord &record, const Past &past,
                              const HoldEnding &end, qint64 observedUs) const
{
    LockEvent event = this->event(kind, record, observedUs);
    event.ownerKnown = past.ownerKnown;
    event.owner = past.owner;
    event.timeUs = end.timeUs;
    event.windowUs = end.windowUs;
    event.ttlMs = past.ttlMs;
    event.expiresUs = past.expiresUs;
    event.detail.lastSeenUs = past.seenUs;
    if (end.maybeReleased)
        event.detail.mayBeReleased = true;
    if (kind == EventKind::Lost)
        event.detail.cause = past.inFailover ? events::EventCause::LostInFailover
                             : past.rewound  ? events::EventCause::WentBack
                                             : events::EventCause::ServerRestarted;
    else if (past.otherEpoch)
        event.detail.cause = events::EventCause::Gap;
    return event;
}

LockEvent StateBuilder::waited(const WaitChange &change, const LockRecord &record, bool otherEpoch,
                               qint64 observedUs) const
{
    LockEvent event =
        this->event(change.began ? EventKind::WaitStart : EventKind::WaitEnd, record, observedUs);
    event.waiter = change.id;
    event.timeUs = change.timeUs;
    event.windowUs = change.windowUs;
    if (change.began) {
        if (change.firstSeen)
            event.detail.firstSeen = true;
        return event;
    }
    event.detail.outcome = change.outcome;
    event.detail.sinceUs = change.sinceUs;
    if (otherEpoch)
        event.detail.cause = events::EventCause::Gap;
    return event;
}

LockEvent StateBuilder::ofSource(EventKind kind, qint64 timeUs, qint64 observedUs) const
{
    LockEvent event;
    event.key.source = m_source;
    event.store = m_store;
    event.kind = kind;
    event.timeUs = timeUs;
    event.observedUs = observedUs;
    return event;
}

} // namespace lockkeeper::agent::engine
