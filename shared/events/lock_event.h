// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/event_detail.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::events {

/** The kind of an event. The names by kindName() are stable, because scripts read them. */
enum class EventKind : quint8 {
    Acquired = 0,
    Renewed,
    Released,
    Expired,
    TakenOver,
    WaitStart,
    WaitEnd,
    Stuck,
    Unstuck,
    ForceReleased,
    GapOpened,
    GapClosed,
    SourceUp,
    SourceDown,
    /** The store came back without the lock, after a restart or as another server in its place. It isn't
     * known whether the holder had released it before. */
    Lost,
    /** The lock's state changed, but nobody acquired or released it. Examples: the row of an expired lock
     * disappeared, the agent can't read a value, a client set a deadline or shortened it. */
    Changed,
};

inline constexpr EventKind kLastKind = EventKind::Changed;

QByteArrayView kindName(EventKind kind);
std::optional<EventKind> kindFromName(QByteArrayView name);

/**
 * One change, as journalled and streamed. `seq` is 0 until the journal's commit has made the event durable.
 * In an event of a source (gaps, up, down) the scheme, place and name of `key` are empty.
 */
struct LockEvent
{
    quint64 seq = 0;
    domain::LockKey key;
    QByteArray store; ///< "redis", "mysql"
    EventKind kind = EventKind::Acquired;
    bool ownerKnown = true; ///< false: null in JSON
    QByteArray owner;
    qint64 timeUs = 0;     ///< best known time of the change, by the store's clock
    qint64 windowUs = 0;   ///< it happened in [timeUs − windowUs, timeUs]
    qint64 observedUs = 0; ///< when the agent observed it, by the store's clock
    std::optional<qint64> ttlMs;
    std::optional<qint64> expiresUs;
    std::optional<QByteArray> waiter;
    QByteArray command; ///< id of the force-release that caused it; empty: none
    EventDetail detail;

    /** The lock after the event; empty if it was removed from the table, and for events of a source. */
    std::optional<domain::LockState> after;

    bool isSourceEvent() const { return kind >= EventKind::GapOpened && kind <= EventKind::SourceDown; }
    bool operator==(const LockEvent &) const = default;
};

/** The event as `--json` prints it ("seq" is null for 0). `agent` is the agent's configured name. */
QJsonObject toJson(const LockEvent &event, const QString &agent);

} // namespace lockkeeper::events

Q_DECLARE_TYPEINFO(lockkeeper::events::LockEvent, Q_RELOCATABLE_TYPE);
