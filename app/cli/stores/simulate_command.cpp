// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stores/simulate_command.h"

#include "shared/events/event_line.h"

#include <QTimer>

#include <chrono>

namespace lockkeeper::app::cli {

namespace simulation = locks::simulation;

SimulateCommand::SimulateCommand(SimulateOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

SimulateCommand::~SimulateCommand() = default;

void SimulateCommand::start()
{
    auto scenario = simulation::readScenario(m_options.scenario);
    if (!scenario) {
        for (const config::Problem &problem : scenario.error())
            context().out.note(problem.text());
        return finish(Exit::Usage);
    }
    scenario->seed = m_options.seed.value_or(scenario->seed);
    const std::optional<qint64> forUs = m_options.forUs ? m_options.forUs : scenario->forUs;
    m_workload =
        std::make_unique<simulation::Workload>(*std::move(scenario), [this](const events::LockEvent &event) {
            QByteArray line;
            events::appendLine(line, event, QStringLiteral("simulate"));
            context().out.write(line);
        });
    connect(m_workload.get(), &simulation::Workload::finished, this, &SimulateCommand::end);
    connect(&m_signals, &QuitSignals::quit, m_workload.get(), &simulation::Workload::stop);
    if (const auto started = m_workload->start(); !started)
        return fail(started.error());
    if (forUs)
        QTimer::singleShot(std::chrono::ceil<std::chrono::milliseconds>(std::chrono::microseconds(*forUs)),
                           m_workload.get(), &simulation::Workload::stop);
}

} // namespace lockkeeper::app::cli
