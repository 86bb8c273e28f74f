// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::bench {

/** Seconds by the clock and of processor time, all threads together: the latter is steadier on a busy
 * machine. */
struct Took
{
    double wall = -1; ///< negative: failed, and the cause is on standard error
    double cpu = 0;
};

/**
 * The floor: reads every row that the journal wrote to `source` into memory, then writes the same rows to a
 * new file with the same schema and pragmas. It uses the plain C interface, in batches of 1,000 events with
 * the holds that belong to them. Times of the writing alone.
 */
Took writeRaw(const QString &source, const QString &target, int batch);

} // namespace lockkeeper::bench
