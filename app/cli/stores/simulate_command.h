// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "shared/locks/simulation/workload.h"

namespace lockkeeper::app::cli {

/** Lets a scenario's workers acquire and release locks, and prints each action as an event object. */
class SimulateCommand final : public Command
{
    Q_OBJECT

public:
    SimulateCommand(SimulateOptions options, Context &context);
    ~SimulateCommand() override;

    void start() override;

private:
    SimulateOptions m_options;
    std::unique_ptr<locks::simulation::Workload> m_workload;
    QuitSignals m_signals;
};

} // namespace lockkeeper::app::cli
