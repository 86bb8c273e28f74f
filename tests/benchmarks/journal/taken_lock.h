// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

#include <ctime>

namespace lockkeeper::bench {

inline QByteArray holderName(qint64 number)
{
    return "3b5f2c1e-9d2a-4a57-8a0e-" + QByteArray::number(100'000'000'000 + number);
}

/** An event on a Redis lock during this holder's hold; an acquisition has a state. */
inline events::LockEvent eventOf(events::EventKind kind, qint64 lock, qint64 holder, qint64 timeUs)
{
    events::LockEvent event;
    event.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:order-" + QByteArray::number(lock)};
    event.store = "redis";
    event.kind = kind;
    event.owner = holderName(holder);
    event.timeUs = timeUs;
    event.observedUs = timeUs + 800;
    if (kind != events::EventKind::Acquired)
        return event;
    event.ttlMs = 30'000;
    event.expiresUs = timeUs + 30'000'000;
    domain::LockState state;
    state.key = event.key;
    state.phase = domain::Phase::Held;
    state.owner = state.token = event.owner;
    state.acquiredUs = timeUs;
    state.acquiredBy = domain::Evidence::Observation;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = event.expiresUs;
    state.ttlMs = 30'000;
    state.expiresBy = domain::Evidence::Ttl;
    state.release.safety = domain::ReleaseSafety::Guarded;
    state.guard = QByteArray(64, 'f');
    state.seenUs = event.observedUs;
    event.after = std::move(state);
    return event;
}

/** Of this process: steadier than a clock on a busy machine. */
inline double cpuMs()
{
    return double(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

} // namespace lockkeeper::bench
