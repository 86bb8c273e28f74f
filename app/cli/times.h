// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/base/text.h"
#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::app::cli {

/** What stands where there is nothing to say. */
QString dash();

/** As the console's filter takes times (state::parseQueryTime), in the user's zone: RFC 3339, `-15m`,
 * `02:00`, `yesterday 22:00`, `2026-11-20`. Microseconds. */
base::Result<qint64> parseTime(const QString &text, qint64 nowUs);

/** "2026-11-21T02:51:13.402" in the user's zone: one word, which `--from` takes back. zoneName() says which
 * zone.
 */
QString timeText(qint64 us);
QString timeText(const domain::TimeUs &us);
/** The user's zone at this moment as "UTC+08:00". */
QString zoneName(qint64 us);

/** One word: "24.8s"; from a minute "00:14:32"; from a day "3d04:12"; "−" before what is past. */
QString durationText(qint64 us);
/** How far a time may be from what happened: "0" where exact, else "~0.5s", so much earlier at most. */
QString windowText(qint64 windowUs);
/** How long a lock has been held, and how sure that is: windowText(), "≥" where the start wasn't seen. */
QString heldText(const domain::LockState &state, qint64 nowUs);
QString heldWindowText(const domain::LockState &state);
/** What is left of a lease; past its deadline only where an observation has said so. */
QString remainingText(const domain::LockState &state, qint64 nowUs);

} // namespace lockkeeper::app::cli
