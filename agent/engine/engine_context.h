// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/engine/lock_table.h"
#include "agent/engine/pacing.h"
#include "agent/engine/source_engine.h"
#include "agent/engine/state_builder.h"

#include <algorithm>

namespace lockkeeper::agent::engine {

/** The state that the parts of one source's engine share. */
struct EngineContext
{
    explicit EngineContext(stores::SourceSpec given) : spec(std::move(given)), builder(spec) {}

    stores::SourceSpec spec;
    StateBuilder builder;
    LockTable table;
    StoreClock clock;
    domain::SourceState source;
    quint16 epoch = 0;        ///< counts connections, and breaks within a connection
    quint16 restartEpoch = 0; ///< the epoch in which the server was found restarted
    quint16 rewoundEpoch = 0; ///< the epoch in which its data were found older than already seen
    stores::Standing standing;
    base::Error warning;     ///< why the view is limited now
    base::Error linkWarning; ///< the connection's warning

    /** The greatest age of the state that a reading in this bracket shows. */
    qint64 staleUs(const Bracket &bracket) const
    {
        if (!standing.replica)
            return 0;
        return std::max<qint64>(0, bracket.beganUs - standing.asOfUs.value_or(0));
    }
    /** The store's time. Before the first reading of its clock, a failure is dated by the agent's clock. */
    qint64 eventTimeUs(Instant now) const
    {
        return clock.isKnown() ? clock.nowUs(now.monotonicUs) : now.wallUs;
    }
};

} // namespace lockkeeper::agent::engine
