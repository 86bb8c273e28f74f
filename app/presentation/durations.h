// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/domain/lock_state.h"

#include <QCoreApplication>
#include <QString>

namespace lockkeeper::app::presentation {

/** How a figure is to be read; the mark stands before it. */
enum class Mark : quint8 {
    None = 0,
    About,   ///< "~": dated with a window
    AtLeast, ///< "≥": the start wasn't seen
};

/** Durations and dashes as the tables show them. Units aren't translated: a column must not change its width.
 */
class Durations
{
    Q_DECLARE_TR_FUNCTIONS(Durations)

public:
    /** "24.8 s" below a minute, "00:14:32" below a day, "3d 04:12" from there; "−" before a negative one. */
    static QString text(qint64 us, Mark mark = Mark::None);
    /** "24.8 s" and "200 ms", for lags and ages of observations. */
    static QString shortText(qint64 us);
    /** For screen readers and sentences: "2 hours 41 minutes". */
    static QString spoken(qint64 us);

    static QString notApplicable(); ///< "—"
    static QString unknown();       ///< "?"
    static QString noExpiry();

    /** How long it has been held at `nowUs`, the store's clock. */
    static QString heldFor(const domain::LockState &state, qint64 nowUs);
    static Mark heldMark(const domain::LockState &state);
    /**
     * Time left. The countdown stops at 0.0 s: only an observation says that a lock has expired, and only
     * then the time past the deadline is shown.
     */
    static QString remaining(const domain::LockState &state, qint64 nowUs);
    static QString longestWait(const domain::LockState &state, qint64 nowUs);
    /** "exact" or "±0.5 s". */
    static QString window(qint64 windowUs);
};

} // namespace lockkeeper::app::presentation
