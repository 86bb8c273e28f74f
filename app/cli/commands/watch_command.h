// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/events/lock_event.h"

#include <optional>

namespace lockkeeper::app::cli {

struct WatchOptions
{
    std::optional<qint64> since;
    std::optional<qint64> forUs;
    bool renewals = false;
    bool reconnect = true;
    QString source;                         ///< empty: all
    QByteArray lockGlob;                    ///< empty: all
    QList<events::EventKind> kinds;         ///< empty: all
    std::optional<domain::Condition> state; ///< only events that bring a lock into this state
};

} // namespace lockkeeper::app::cli
