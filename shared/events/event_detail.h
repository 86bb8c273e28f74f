// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"
#include "shared/domain/lock_state.h"

#include <QJsonObject>

#include <optional>

namespace lockkeeper::events {

/** Why an event happened, or why a source wasn't observed. PROTOCOL.md describes each by its causeName(). */
enum class EventCause : quint8 {
    None = 0,
    Gap, ///< it happened while nobody observed
    Failover,
    Restart,
    WentBack,
    ServerRestarted,
    LostInFailover,
    AgentRestarted,
    Reloaded,
    Standby,
    SourceDown,
    ScansFailed,
    AgentStalled,
    NotConfigured,
    Journal,
    PushLost,
    SlotsMoving,
    NotPermitted,
    SetUnread,
};
inline constexpr EventCause kLastCause = EventCause::SetUnread;

QByteArrayView causeName(EventCause cause);
/** None: no cause has this name. */
EventCause causeFromName(const QString &name);

/** How a wait ended, as far as two observations show. */
enum class WaitOutcome : quint8 {
    Acquired = 0, ///< the waiter holds the lock now
    Left,         ///< the waiter left; it may have held the lock in between
    LockGone,     ///< the lock is gone
};

/** How the table shows a lock from a `changed` event on. */
enum class TableState : quint8 { Free = 0, Held, Expired, Optimistic, Unknown, Gone };

/**
 * The part of an event that only some kinds have. PROTOCOL.md lists the kinds of each member under its JSON
 * name. Times are microseconds by the store's clock.
 */
struct EventDetail
{
    std::optional<std::optional<QString>> previous; ///< the holder before; inner empty: not known
    std::optional<qint64> lastSeenUs;
    std::optional<qint64> sinceUs;
    qint64 dropped = 0;   ///< events that the journal lost
    qint64 coalesced = 0; ///< further changes that nobody could read
    QString node;
    QString slotRanges; ///< "slots"
    QString message;    ///< the store's own words, on one line
    std::optional<WaitOutcome> outcome;
    std::optional<TableState> state;
    std::optional<base::ErrorCode> error; ///< "cause" of source_down
    domain::StuckReason reason = domain::StuckReason::None;
    EventCause cause = EventCause::None;
    bool firstSeen = false;
    bool cameBack = false;
    bool partial = false;
    bool unseen = false;
    bool mayBeReleased = false; ///< "may_be": "released"
    bool missed = false;
    QJsonObject others; ///< keys, or values of the keys above, of a newer agent: shown as they are

    QJsonObject toJson() const;
    static EventDetail fromJson(const QJsonObject &object);
    /** The text of "cause"; empty: none. */
    QString causeText() const;
    bool operator==(const EventDetail &) const = default;
};

} // namespace lockkeeper::events
