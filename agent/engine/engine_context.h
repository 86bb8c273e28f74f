// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"
#include "agent/engine/pacing.h"
#include "agent/engine/source_engine.h"
#include "agent/engine/state_builder.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

/** What the parts of one source's engine share. */
struct EngineContext
{
    explicit EngineContext(stores::SourceSpec given) : spec(std::move(given)), builder(spec) {}

    stores::SourceSpec spec;
    StateBuilder builder;
    LockTable table;
    StoreClock clock;
    domain::SourceState source;
    quint16 epoch = 0;        ///< counts connections and what breaks off within one: an epoch
    quint16 restartEpoch = 0; ///< the epoch in which the server was found restarted
    quint16 rewoundEpoch = 0; ///< the one in which its data were found older than what was seen
    stores::Standing standing;
    base::Error warning;     ///< what limits the view now
    base::Error linkWarning; ///< what the connection itself had to say of that

    /** How old at most is what a reading of this bracket shows. */
    qint64 staleUs(const Bracket &bracket) const
    {
        if (!standing.replica)
            return 0;
        return std::max<qint64>(0, bracket.beganUs - standing.asOfUs.value_or(0));
    }
    /** The store's time; without any reading of its clock the agent's own is all there is to date a failure.
     */
    qint64 eventTimeUs(Instant now) const
    {
        return clock.isKnown() ? clock.nowUs(now.monotonicUs) : now.wallUs;
    }
};

} // namespace lockkeeper::agent::engine
