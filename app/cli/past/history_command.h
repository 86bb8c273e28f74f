// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/agents/event_merge.h"
#include "app/cli/agents/look_command.h"
#include "app/cli/past/history_pager.h"

#include <utility>

namespace lockkeeper::app::cli {

/** Collects rows for standard output. */
struct Rows final : Output
{
    void write(const QByteArray &bytes) override { kept += bytes; }
    void note(const QString &) override {}
    QByteArray taken() { return std::exchange(kept, {}); }
    /** True if the collected bytes are worth a separate write. */
    bool areMany() const { return kept.size() >= 64 * 1024; }
    QByteArray kept;
};

/** Merges the events of the agents by time, and asks each for its next page once the rows are written. */
class HistoryLook : public LookCommand
{
    Q_OBJECT

public:
    HistoryLook(const LookSpec &spec, const std::vector<NamedAgent> &agents, qint64 limit);
    void start() override;

protected:
    void ended(qsizetype agent) override;
    void conclude() override;
    /** The next event. */
    virtual void take(qsizetype agent, const events::LockEvent &event);
    /** Writes the rows that are left; the command's status. */
    virtual Exit close();
    Rows &rows() { return m_rows; }

private:
    void takePage(qsizetype agent, const QList<events::LockEvent> &events, const std::function<void()> &next);
    void flush();

    EventMerge m_merge;
    QList<Merged<events::LockEvent>> m_events;
    Rows m_rows;
};

/** Declares the options that select events. */
void declareHistory(Arguments &arguments, HistoryOptions &options);
/** The reason why these options fit a single agent only; empty: they fit several. */
QString whyOneAgent(const HistoryOptions &options);
/** The part of the command at one agent. */
std::unique_ptr<Command> makeHistoryCommand(const HistoryOptions &options, Context &context);

} // namespace lockkeeper::app::cli
