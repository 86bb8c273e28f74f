// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/base/text.h"
#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::app::cli {

/** The placeholder for an empty cell. */
QString dash();

/**
 * Parses a time like the console's filter (filter::parseQueryTime), in the user's zone: RFC 3339, `-15m`,
 * `02:00`, `yesterday 22:00`, `2026-11-20`. Returns microseconds.
 */
base::Result<qint64> parseTime(const QString &text, qint64 nowUs);

/**
 * "2026-11-21T02:51:13.402" in the user's zone: one word that `--from` accepts. zoneName() names the zone.
 */
QString timeText(qint64 us);
QString timeText(const domain::TimeUs &us);
/** The user's zone at `us`, as "UTC+08:00". */
QString zoneName(qint64 us);

/**
 * One word: "24.8s"; from a minute on "00:14:32"; from a day on "3d04:12"; "−" before a negative duration.
 */
QString durationText(qint64 us);
/** For sentences, where 00:01:33 could pass for a time of day: "1 min 33 s". */
QString durationInSentence(qint64 us);
/**
 * The uncertainty of a time: "0" if exact, otherwise for example "~0.5s", the most by which the event may be
 * earlier.
 */
QString windowText(qint64 windowUs);
/**
 * heldText() is how long a lock has been held, heldWindowText() how certain that is: windowText(), or "≥" if
 * the start wasn't seen.
 */
QString heldText(const domain::LockState &state, qint64 nowUs);
QString heldWindowText(const domain::LockState &state);
/** The remaining time of a lease; negative only if an observation has confirmed it. */
QString remainingText(const domain::LockState &state, qint64 nowUs);

} // namespace lockkeeper::app::cli
