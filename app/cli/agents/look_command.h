// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/event_merge.h"
#include "app/cli/agents/fan_out.h"
#include "app/cli/agents/merge.h"
#include "app/cli/export_writer.h"

namespace lockkeeper::app::cli {

/**
 * A read-only command at one agent or several: their answers are printed as one listing. Anything that an
 * agent couldn't answer is reported on standard error and by the exit status, never left out silently.
 */
class LookCommand final : public Task
{
    Q_OBJECT

public:
    LookCommand(CommandOptions options, std::vector<NamedAgent> agents);
    void start() override;

private:
    void take(qsizetype agent, const events::LockEvent &event);
    void takePage(qsizetype agent, const QList<events::LockEvent> &events, const std::function<void()> &next);
    void flush();
    void onEnded(qsizetype agent);
    void conclude();
    void print();
    void beginExport();
    Exit endExport();
    Context &context() { return m_named.front().context; }

    CommandOptions m_options;
    std::vector<NamedAgent> m_named;
    FanOut m_agents;
    std::optional<EventMerge> m_merge; ///< of histories
    QList<Merged<events::LockEvent>> m_events;
    Rows m_rows; ///< of histories and exports
    std::optional<ExportWriter> m_export;
    bool m_exportBegun = false;
    std::unique_ptr<QuitSignals> m_signals;
};

} // namespace lockkeeper::app::cli
