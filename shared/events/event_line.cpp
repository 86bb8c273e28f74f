// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/event_line.h"

#include "shared/base/json_line.h"

namespace lockkeeper::events {

void appendLine(QByteArray &out, const LockEvent &event, const QString &agent)
{
    const bool ofLock = !event.isSourceEvent();
    base::JsonLine line(out);
    line.text("agent", agent.toUtf8());
    line.textOrNull("command", event.command, !event.command.isEmpty());
    line.value("detail", event.detail.toJson());
    line.text("event", kindName(event.kind));
    line.number("expires_us", event.expiresUs);
    line.textOrNull("lock", event.key.name, ofLock);
    line.number("observed_us", event.observedUs);
    line.textOrNull("owner", event.owner, ofLock && event.ownerKnown && !event.owner.isEmpty());
    line.textOrNull("place", event.key.place, !event.key.place.isEmpty());
    line.textOrNull("scheme", event.key.scheme, !event.key.scheme.isEmpty());
    line.number("seq", event.seq ? std::optional(qint64(event.seq)) : std::nullopt);
    line.text("source", event.key.source.toUtf8());
    line.text("store", QString::fromLatin1(event.store).toUtf8());
    line.number("t_us", event.timeUs);
    line.number("ttl_ms", event.ttlMs);
    line.textOrNull("waiter", event.waiter.value_or(QByteArray()), event.waiter.has_value());
    line.number("window_us", event.windowUs);
}

} // namespace lockkeeper::events
