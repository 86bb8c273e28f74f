// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/lock_key_type.h"
#include "app/models/raw_model.h"
#include "shared/events/lock_event.h"

namespace lockkeeper::app::models {

/** Columns of every table of events (history and the bottom dock's tail). */
enum EventColumn {
    TimeColumn = 0,     ///< qint64: the instant, the store's clock
    WindowColumn,       ///< qint64 µs; 0 exact
    EventKindColumn,    ///< int: events::Kind
    EventLockColumn,    ///< QByteArray; empty for events of a source
    EventHolderColumn,  ///< QByteArray; invalid: not known
    EventWaiterColumn,  ///< QByteArray; invalid: none
    EventTtlColumn,     ///< qint64 ms; invalid: none
    EventSourceColumn,  ///< QString
    SeqColumn,          ///< quint64; 0: not journalled
    EventCommandColumn, ///< QByteArray
    EventByColumn,      ///< none: who force-released and why stands in the audit
    EventColumnCount,
};
QByteArray eventColumnName(int column);
QVariant eventValue(const events::LockEvent &event, int column);
/** True for what is drawn as a full-width row: gaps of a source. */
bool isGap(const events::LockEvent &event);

/** The roles of every model of events. */
enum EventRole { KindRole = RawModel::OwnRole, GapRole, SeqRole, SourceEventRole };
QVariant eventRole(const events::LockEvent &event, int column, int role);

} // namespace lockkeeper::app::models
