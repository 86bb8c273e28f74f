// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QByteArray>

namespace lockkeeper::domain {

/** How an agent stands among those that elect one of them: that one alone observes and releases. */
struct ElectionState
{
    bool active = false;
    /** Who is active, as its lock names it; empty: nobody, or it isn't known. */
    QString holder;
    /** Grows each time that an agent becomes active, and is told of the last time that this one did; empty:
     * it never did. */
    QByteArray epoch;
    qint64 sinceWallUs = 0; ///< active or standby since then
    base::Error error;      ///< why the lock can't be asked for; code Unknown and no cause: it can

    bool operator==(const ElectionState &) const = default;
};

} // namespace lockkeeper::domain
