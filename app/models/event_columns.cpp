// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/event_columns.h"

#include <array>

namespace lockkeeper::app::models {

namespace {
constexpr std::array<const char *, EventColumnCount> kEventColumns{
    "time", "window", "event", "lock", "holder", "waiter", "ttl", "source", "seq", "command", "by"};
}

QByteArray eventColumnName(int column)
{
    return column >= 0 && column < EventColumnCount ? QByteArray(kEventColumns[size_t(column)])
                                                    : QByteArray();
}

QVariant eventValue(const events::LockEvent &event, int column)
{
    switch (column) {
    case TimeColumn:
        return event.timeUs;
    case WindowColumn:
        return event.windowUs;
    case EventKindColumn:
        return int(event.kind);
    case EventLockColumn:
        return event.key.name;
    case EventHolderColumn:
        return event.ownerKnown && !event.isSourceEvent() ? QVariant(event.owner) : QVariant();
    case EventWaiterColumn:
        return event.waiter ? QVariant(*event.waiter) : QVariant();
    case EventTtlColumn:
        return event.ttlMs ? QVariant(*event.ttlMs) : QVariant();
    case EventSourceColumn:
        return event.key.source;
    case SeqColumn:
        return event.seq;
    case EventCommandColumn:
        return event.command;
    default:
        return {};
    }
}

bool isGap(const events::LockEvent &event)
{
    return event.kind == events::Kind::GapOpened || event.kind == events::Kind::GapClosed;
}

QVariant eventRole(const events::LockEvent &event, int column, int role)
{
    switch (role) {
    case RawModel::ValueRole:
        return eventValue(event, column);
    case RawModel::KeyRole:
        return event.isSourceEvent() ? QVariant() : QVariant::fromValue(event.key);
    case KindRole:
        return int(event.kind);
    case GapRole:
        return isGap(event);
    case SeqRole:
        return event.seq;
    case SourceEventRole:
        return event.isSourceEvent();
    default:
        return {};
    }
}

} // namespace lockkeeper::app::models
