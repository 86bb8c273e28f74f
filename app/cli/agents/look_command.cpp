// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"

#include "app/cli/agents/merged_listings.h"
#include "app/findings/error_words.h"
#include "app/records/csv_lines.h"
#include "shared/base/text.h"

#include <utility>

namespace lockkeeper::app::cli {

using namespace records;

namespace {

constexpr qsizetype kRowsAtOnce = 1000;

/** Prints what the agents answered to one kind of question. */
struct Printer
{
    const Agents &agents;
    Context &context;
    MergedListings listings;

    void operator()(const StatusOptions &) { listings.status(); }
    void operator()(const LocksOptions &o) { listings.locks(o); }
    void operator()(const HoldsOptions &o) { listings.holds(o); }
    void operator()(const ContentionOptions &o) { listings.contention(o); }
    void operator()(const ApprovalsOptions &) { listings.approvals(); }
    void operator()(const AuditOptions &o)
    {
        listings.audit(o);
        for (qsizetype i = 0; i < agents.count(); ++i)
            context.out.write(agents.written(i)); // the verdict on its chain
    }
    /** Output that isn't merged: one agent after the other. */
    template <typename O> void operator()(const O &)
    {
        bool any = false;
        for (qsizetype i = 0; i < agents.count(); ++i) {
            if (!agents.hasAnswered(i) || agents.written(i).isEmpty())
                continue;
            if (std::is_same_v<O, OverviewOptions> && !context.json && std::exchange(any, true))
                context.out.write("\n");
            context.out.write(agents.written(i));
        }
    }
};

} // namespace

LookCommand::LookCommand(CommandOptions options, std::vector<NamedAgent> agents)
    : m_options(std::move(options)),
      m_named(std::move(agents)),
      m_agents(m_named, m_named.front().context.out, std::holds_alternative<WatchOptions>(m_options))
{
    connect(&m_agents, &Agents::ended, this, &LookCommand::onEnded);
    connect(&m_agents, &Agents::finished, this, &LookCommand::conclude);
    if (std::holds_alternative<WatchOptions>(m_options)) {
        m_signals = std::make_unique<QuitSignals>();
        connect(m_signals.get(), &QuitSignals::quit, &m_agents, &Agents::end);
    }
    if (const auto *exporting = std::get_if<ExportOptions>(&m_options)) {
        QStringList columns = exportColumns(*exporting);
        if (!exporting->ofHistory() && m_agents.count() > 1)
            columns.append(QStringLiteral("also_seen_by"));
        m_export.emplace(*exporting, columns, m_rows);
    }
}

void LookCommand::start()
{
    if (m_export) {
        if (const auto opened = m_export->open(); !opened) {
            context().out.note(findings::ErrorWords::line(opened.error()));
            tellFinished(int(Exit::Failed));
            return;
        }
    }
    const auto *exporting = std::get_if<ExportOptions>(&m_options);
    if (const auto *history = exporting ? std::get_if<HistoryOptions>(&exporting->what)
                                        : std::get_if<HistoryOptions>(&m_options)) {
        m_merge.emplace(m_agents.count(), history->limit,
                        [this](qsizetype agent, const events::LockEvent &event) { take(agent, event); });
        for (qsizetype i = 0; i < m_agents.count(); ++i)
            m_agents.part(i).takeEvents = [this, i](const auto &events, auto next) {
                takePage(i, events, next);
            };
    }
    m_agents.ask(m_options);
}

/** Requests the next page once the events of the previous pages are written. */
void LookCommand::takePage(qsizetype agent, const QList<events::LockEvent> &events,
                           const std::function<void()> &next)
{
    const auto written = [this, next] { write(context().out, m_rows.taken(), next); };
    m_merge->add(agent, events, next ? written : std::function<void()>());
    if (m_merge->isFull())
        m_agents.end();
}

void LookCommand::take(qsizetype agent, const events::LockEvent &event)
{
    if (m_export) {
        beginExport();
        m_export->row(events::toJson(event, m_agents.part(agent).label));
        return;
    }
    m_events.append({agent, event});
    if (m_events.size() == kRowsAtOnce)
        flush();
}

void LookCommand::flush()
{
    if (!m_events.isEmpty())
        m_rows.write(MergedListings(m_agents, context()).events(std::exchange(m_events, {})));
}

void LookCommand::onEnded(qsizetype agent)
{
    if (m_merge) {
        m_merge->end(agent);
        if (m_merge->isFull())
            m_agents.end();
    }
    const auto *watch = std::get_if<WatchOptions>(&m_options);
    if (watch && !watch->reconnect && m_agents.status() != Exit::Done)
        m_agents.end(); // with --no-reconnect, a broken link ends the command
}

void LookCommand::conclude()
{
    Exit status = m_agents.status();
    if (m_export)
        status = endExport();
    else
        print();
    if (!m_rows.kept.isEmpty())
        write(context().out, m_rows.taken());
    tellFinished(int(status));
}

void LookCommand::print()
{
    if (!m_merge) {
        std::visit(Printer{m_agents, context(), MergedListings(m_agents, context())}, m_options);
        return;
    }
    flush();
    if (!m_merge->any() && !context().json && m_agents.status() == Exit::Done)
        context().out.note(tr("no event matches"));
}

void LookCommand::beginExport()
{
    if (!std::exchange(m_exportBegun, true))
        m_export->begin();
}

Exit LookCommand::endExport()
{
    const auto &options = std::get<ExportOptions>(m_options);
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        if (m_agents.hasAnswered(i))
            beginExport();
    }
    if (const auto *locks = std::get_if<LocksOptions>(&options.what))
        MergedListings(m_agents, context()).eachLock(*locks, [this](const QJsonObject &object) {
            m_export->row(object);
            if (m_rows.areMany())
                context().out.write(m_rows.taken());
        });
    const Exit status = m_agents.status();
    if (status != Exit::Done) {
        // A partial file would outlive the exit status that reports it as incomplete.
        if (!options.file.isEmpty() && m_agents.count() > 1)
            context().out.note(tr("'%1' isn't written: not every agent has answered. Omit those agents, or "
                                  "write to standard output")
                                   .arg(base::displayText(options.file)));
        return status;
    }
    if (const auto committed = m_export->commit(); !committed) {
        context().out.note(findings::ErrorWords::line(committed.error()));
        return Exit::Failed;
    }
    return status;
}

} // namespace lockkeeper::app::cli
