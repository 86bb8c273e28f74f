// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/events/apply.h"

namespace lockkeeper::events {

Applied advance(const LockEvent &event, quint64 &seq)
{
    if (event.seq <= seq)
        return Applied::Duplicate;
    if (event.seq != seq + 1)
        return Applied::Gap;
    seq = event.seq;
    return event.isSourceEvent() ? Applied::NoChange : Applied::Changed;
}

Applied apply(const LockEvent &event, AppliedLocks &table)
{
    const Applied applied = advance(event, table.seq);
    if (applied == Applied::Changed && event.after)
        table.locks.insert(event.key, *event.after);
    else if (applied == Applied::Changed)
        table.locks.remove(event.key);
    return applied;
}

Applied applyUpdate(const domain::LockState &state, AppliedLocks &table)
{
    const auto it = table.locks.find(state.key);
    const bool there = it != table.locks.end();
    if (state.phase == domain::Phase::Free && !state.seenUs) {
        if (!there || it->phase == domain::Phase::Held)
            return Applied::NoChange;
        table.locks.erase(it);
        return Applied::Changed;
    }
    if (there ? *it == state : state.phase == domain::Phase::Held)
        return Applied::NoChange;
    table.locks.insert(state.key, state);
    return Applied::Changed;
}

} // namespace lockkeeper::events
