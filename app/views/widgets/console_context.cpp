// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/console_context.h"

#include "app/session/agent_group.h"
#include "shared/base/clock.h"

namespace lockkeeper::app::views {

qint64 ConsoleContext::nowUs() const
{
    return clock->wallUs() - (past ? 0 : session->aheadUs());
}

} // namespace lockkeeper::app::views
