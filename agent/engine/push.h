// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/store.h"

#include <QHash>

#include <limits>

namespace lockkeeper::agent::engine {

/** What a reading that differs from the pushed changes is worth. */
enum class Doubt : quint8 {
    None,   ///< it may be taken as it is
    Wait,   ///< the change that explains it may be on its way: it is read again a little later
    Missed, ///< it is so, and no change was pushed that says so
};

/** What the engine knows of a store's pushing. */
struct PushSide
{
    struct Doubtful
    {
        qint64 sinceUs = 0;       ///< the store's time of the first reading that differed
        qint64 absentSinceUs = 0; ///< of a lock that wasn't known then
        bool asked = false;
    };

    bool on = false;
    /** Every change since the table was true has come, or will: a pass has proved it, or the last process
     * did. */
    bool whole = false;
    bool gapUnsaid =
        false; ///< restarted: whether there is a gap isn't known until the store has gone on or not
    bool pageSeen = false;  ///< since the connection was made
    bool stateSeen = false; ///< the store has said whether it pushes, since then
    /** The pass that began after what was missed: its end makes the table whole, and ends a gap. */
    quint32 wholeAt = 0;
    /** Everything may have changed at once, and no lock did before this time; 0: not so. */
    qint64 trueUntilUs = 0;
    quint64 missed = 0;
    quint64 unread = 0; ///< notifications of locks that were free before and after, of which no hold is told
    QHash<stores::Subject, Doubtful> doubts;
    qint64 askAtUs =
        std::numeric_limits<qint64>::max(); ///< when the next doubt is to be read again; the store's time
    base::Error linkWarning;                ///< what the connection itself had to say
};

} // namespace lockkeeper::agent::engine
