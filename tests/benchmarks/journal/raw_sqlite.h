// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockkeeper::bench {

/**
 * The floor: reads every row that the journal wrote to `source` into memory, then writes the same rows to a
 * new file with the same schema and pragmas by the plain C interface, in batches of 1,000 events with the
 * holds that belong to them. Seconds of the writing alone; negative: failed, and the cause is on standard
 * error.
 */
double writeRaw(const QString &source, const QString &target, int batch);

} // namespace lockkeeper::bench
