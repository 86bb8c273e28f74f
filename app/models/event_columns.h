// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "shared/events/lock_event.h"

#include <array>

namespace lockkeeper::app::models {

/** Columns of every table of events (history and the bottom dock's tail). */
enum EventColumn {
    TimeColumn = 0,  ///< the instant, the store's clock
    WindowColumn,    ///< 0 exact
    EventKindColumn, ///< events::Kind
    EventLockColumn, ///< empty for events of a source
    EventHolderColumn,
    EventWaiterColumn,
    EventTtlColumn,
    EventSourceColumn,
    SeqColumn, ///< 0: not journalled
    EventCommandColumn,
    EventByColumn, ///< empty: the audit has the user and the reason of a force-release
    EventColumnCount,
};
inline constexpr std::array<const char *, EventColumnCount> kEventColumns{
    "time", "window", "event", "lock", "holder", "waiter", "ttl", "source", "seq", "command", "by"};

/** True for events drawn as a full-width row: gaps of a source. */
inline bool isGap(const events::LockEvent &event)
{
    return event.kind == events::EventKind::GapOpened || event.kind == events::EventKind::GapClosed;
}

} // namespace lockkeeper::app::models
