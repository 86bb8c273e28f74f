// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockkeeper::base {
class Clock;
}
namespace lockkeeper::app::session {
class AgentGroup;
}
namespace lockkeeper::app::replica {
class AlertBoard;
class HolderChecks;
class Replica;
class Selection;
} // namespace lockkeeper::app::replica
namespace lockkeeper::app::settings {
class Settings;
}
namespace lockkeeper::app::presentation {
class Theme;
} // namespace lockkeeper::app::presentation

namespace lockkeeper::app::words {
class TimeFormat;
}

namespace lockkeeper::app::views {

class Requests;

/**
 * The objects that every view works with. Nothing is owned; the composition root keeps all of it alive for
 * longer than any view. No pointer is null.
 */
struct ConsoleContext
{
    session::AgentGroup *session = nullptr;
    replica::Replica *replica = nullptr;
    replica::Selection *selection = nullptr;
    settings::Settings *settings = nullptr;
    const base::Clock *clock = nullptr;
    presentation::Theme *theme = nullptr;
    words::TimeFormat *times = nullptr;
    Requests *requests = nullptr;
    replica::AlertBoard *alerts = nullptr;
    replica::HolderChecks *holders = nullptr;
    bool past = false; ///< the replica shows the past moment of `clock`: no counters run, and nothing is
                       ///< released or stored

    /** The present time for a range of time, by the agent's clock, which dates the journal. */
    qint64 nowUs() const;
};

} // namespace lockkeeper::app::views
