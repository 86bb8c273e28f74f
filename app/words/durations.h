// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::words {

/** The precision of a figure; the mark precedes it. */
enum class Mark : quint8 {
    None = 0,
    About,   ///< "~": dated with a window
    AtLeast, ///< "≥": the start wasn't seen
};

/**
 * Durations and dashes in the format of the tables. Units aren't translated: the width of a column must not
 * change.
 */
class Durations
{
    Q_DECLARE_TR_FUNCTIONS(Durations)

public:
    /** "24.8 s" below a minute, "00:14:32" below a day, "3d 04:12" above; "−" before a negative duration. */
    static QString text(qint64 us, Mark mark = Mark::None);
    /** "24.8 s" and "200 ms", for lags and ages of observations. */
    static QString shortText(qint64 us);
    /** For sentences: "24.8 s", "1 min 33 s", "2 h 41 min", "3 d 4 h". Before "ago", text() would read as a
     * time of day. */
    static QString inSentence(qint64 us);
    /** For screen readers: "2 hours 41 minutes". */
    static QString spoken(qint64 us);

    static QString notApplicable(); ///< "—"
    static QString unknown();       ///< "?"
    static QString noExpiry();

    /** How long the lock has been held at `nowUs`, the store's clock. */
    static QString heldFor(const domain::LockState &state, qint64 nowUs);
    static Mark heldMark(const domain::LockState &state);
    /**
     * Time left. The countdown stops at 0.0 s: only an observation proves that a lock has expired, and only
     * then the time past the deadline is shown.
     */
    static QString remaining(const domain::LockState &state, qint64 nowUs);
    static QString longestWait(const domain::LockState &state, qint64 nowUs);
    /** "exact" or "±0.5 s". */
    static QString window(qint64 windowUs);
};

} // namespace lockkeeper::app::words
