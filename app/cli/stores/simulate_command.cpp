// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_spec.h"
#include "shared/events/event_line.h"
#include "shared/locks/simulation/workload.h"

#include <QTimer>

#include <CLI/CLI.hpp>
#include <chrono>

namespace lockkeeper::app::cli {

namespace simulation = locks::simulation;

namespace {

/** A workload of locks, from a scenario. */
struct SimulateOptions
{
    QString scenario; ///< file
    std::optional<qint64> seed;
    std::optional<qint64> forUs;
};

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
    if (m_options.seed)
        scenario->seed = quint32(*m_options.seed);
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

class SimulateSpec final : public CommandSpec, public WithOptions<SimulateOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"simulate", tr("acquire and release locks by a scenario, and print the events"),
                "simulate workload.toml --for 30s", "simulate workload.toml --seed 7 > truth.jsonl"};
    }
    void declare(Arguments &arguments) override
    {
        arguments
            .text("SCENARIO", options.scenario,
                  help("a TOML file: stores, locks, workers and their behaviour"))
            ->required();
        arguments.number("--seed", options.seed, help("the random seed (default: the scenario's)"));
        arguments.duration("--for", options.forUs,
                           help("end after this long (default: the scenario's, or never)"),
                           Arguments::kLongestTimerUs);
    }
    bool asksAgent() const override { return false; }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<SimulateCommand>(options, context);
    }
};

} // namespace

std::unique_ptr<CommandSpec> simulateCommand()
{
    return std::make_unique<SimulateSpec>();
}

} // namespace lockkeeper::app::cli

#include "simulate_command.moc"
