// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/state/query.h"

namespace lockkeeper::app::state {

/**
 * A time of a filter as µs since the epoch: `-15m` (before now), `02:40` or `02:40:13` (the last time that it
 * was so late), `yesterday 22:00`, `2026-11-20`, `2026-11-20T02:40` (or a space), with `Z` or an offset where
 * wished. nullopt: not a time.
 */
std::optional<qint64> parseQueryTime(const QString &text, const QueryClock &clock);

/** A time as a filter takes it, to the millisecond, whatever zone is shown. */
QString queryTime(qint64 us);

} // namespace lockkeeper::app::state
