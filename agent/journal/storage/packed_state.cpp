// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/storage/packed_state.h"

#include "shared/protocol/codec.h"

namespace lockkeeper::agent::journal {

namespace {

constexpr char kPacked = 1; ///< first byte; a whole state begins with a CBOR map instead
constexpr qsizetype kDigest = 32;

} // namespace

QByteArray packState(const domain::LockState &state, const domain::LockState &base)
{
    domain::LockState packed = state;
    const QByteArray digest = QByteArray::fromHex(state.guard);
    if (digest.size() == kDigest && digest.toHex() == state.guard)
        packed.guard = digest;
    return kPacked + protocol::encodeDifference(packed, base);
}

base::Result<domain::LockState> unpackState(const QByteArray &packed, const domain::LockState &base)
{
    if (!packed.startsWith(kPacked))
        return protocol::decodeState(packed);
    auto state = protocol::decodeDifference(QByteArrayView(packed).sliced(1), base);
    if (state && state->guard.size() == kDigest)
        state->guard = state->guard.toHex();
    return state;
}

domain::LockState stateBy(const events::LockEvent &event)
{
    using events::Kind;
    const bool begins = event.kind == EventKind::Acquired || event.kind == EventKind::TakenOver;
    domain::LockState state;
    state.seenUs = event.observedUs;
    state.ownerKnown = event.ownerKnown;
    state.owner = event.owner;
    state.expiresUs = event.expiresUs;
    if (begins || event.kind == EventKind::Renewed) {
        state.token = event.owner;
        state.ttlMs = event.ttlMs.value_or(0);
    }
    if (begins) {
        state.acquiredUs = event.timeUs;
        state.windowUs = event.windowUs;
    }
    return state;
}

domain::LockState stateBy(const protocol::Hold &hold)
{
    domain::LockState state;
    state.ownerKnown = hold.ownerKnown;
    state.owner = state.token = hold.owner;
    state.acquiredUs = hold.fromUs;
    state.windowUs = hold.fromWindowUs;
    return state;
}

} // namespace lockkeeper::agent::journal
