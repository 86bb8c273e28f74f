// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/filter/query.h"

namespace lockkeeper::app::filter {

/**
 * Parses a time of a filter to µs since the epoch. Accepts `-15m` (before now), `02:40` or `02:40:13` (its
 * most recent occurrence), `yesterday 22:00`, `2026-11-20`, and `2026-11-20T02:40` (or a space). `Z` or an
 * offset may follow. nullopt: not a time.
 */
std::optional<qint64> parseQueryTime(const QString &text, const QueryClock &clock);

/** A time in the filter's syntax, to the millisecond, independent of the displayed zone. */
QString queryTime(qint64 us);

} // namespace lockkeeper::app::filter
