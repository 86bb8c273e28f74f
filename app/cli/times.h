// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/base/text.h"
#include "shared/domain/lock_state.h"

#include <QString>

namespace lockkeeper::app::cli {

/** RFC 3339 ("2026-11-21T02:51:13.402Z", without a zone: the user's), or "-15m" before `nowUs`; in
 * microseconds. */
base::Result<qint64> parseTime(const QString &text, qint64 nowUs);

/** "2026-11-21 02:51:13.402" in the user's zone; zoneName() says which. */
QString timeText(qint64 us);
QString timeText(const domain::TimeUs &us);
/** The user's zone at this moment as "UTC+08:00". */
QString zoneName(qint64 us);

/** "24.8 s"; from a minute "00:14:32"; from a day "3d 04:12"; "−" before what is past. */
QString durationText(qint64 us);
/** How long a lock has been held: "~" where dated with a window, "≥" where the start wasn't seen. */
QString heldText(const domain::LockState &state, qint64 nowUs);
/** What is left of a lease; past its deadline only where an observation has said so. */
QString remainingText(const domain::LockState &state, qint64 nowUs);

} // namespace lockkeeper::app::cli
