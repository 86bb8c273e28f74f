// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/liveness/holder_probe.h"

namespace lockkeeper::agent::liveness {

/** Whether what runs now already ran when the lock was acquired. */
enum class StartOrder : quint8 {
    Before = 0, ///< it ran: it may be the holder
    After,      ///< it started later, with a margin for errors of clocks: it isn't the holder
    Unclear,
};

/** Compares the first and the last start of several processes with the acquisition; µs by the agent's clock.
 * Pure. */
StartOrder startOrder(qint64 firstUs, qint64 lastUs, const AcquiredWhen &acquired, qint64 marginUs);

} // namespace lockkeeper::agent::liveness
