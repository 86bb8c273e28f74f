// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_spec.h"

namespace lockkeeper::app::cli {

namespace {
using Factory = std::unique_ptr<CommandSpec>();
}

// Each is defined in its command's file.
Factory adviseCommand, alertsCommand, approvalsCommand, approveCommand, auditCommand, bridgeCommand,
    chainsCommand, completionCommand, contentionCommand, discoverCommand, exportCommand, historyCommand,
    holdsCommand, locksCommand, overviewCommand, probeCommand, rejectCommand, releaseCommand, reportCommand,
    runCommand, simulateCommand, statusCommand, watchCommand, whoAmICommand;

std::vector<std::unique_ptr<CommandSpec>> allCommands()
{
    std::vector<std::unique_ptr<CommandSpec>> commands;
    for (Factory *factory :
         {statusCommand,  overviewCommand, locksCommand,      watchCommand,     historyCommand,
          holdsCommand,   chainsCommand,   contentionCommand, reportCommand,    alertsCommand,
          adviseCommand,  probeCommand,    releaseCommand,    whoAmICommand,    approvalsCommand,
          approveCommand, rejectCommand,   auditCommand,      exportCommand,    discoverCommand,
          runCommand,     simulateCommand, bridgeCommand,     completionCommand})
        commands.push_back(factory());
    return commands;
}

} // namespace lockkeeper::app::cli
