// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/error.h"

#include <QByteArray>

namespace lockkeeper::domain {

/** An agent's part in an election among agents: only the elected (active) agent observes and releases. */
struct ElectionState
{
    bool active = false;
    /** The active agent, as the election's lock names it; empty: none, or unknown. */
    QString holder;
    /** The number under which this agent last became active. It grows each time that an agent becomes active;
     * empty: this agent never was. */
    QByteArray epoch;
    qint64 sinceWallUs = 0; ///< when the agent became active or standby
    base::Error error;      ///< why the lock can't be requested; code Unknown and no cause: it can

    bool operator==(const ElectionState &) const = default;
};

} // namespace lockkeeper::domain
