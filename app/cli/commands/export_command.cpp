// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/export_writer.h"
#include "app/cli/commands/locks_command.h"
#include "app/cli/past/history_command.h"
#include "app/words/error_words.h"

#include <CLI/CLI.hpp>

namespace lockkeeper::app::cli {

namespace {

/** Writes the locks once all agents have answered, or the events as they come. */
class ExportLook final : public HistoryLook
{
    Q_OBJECT

public:
    ExportLook(const LookSpec &spec, const ExportOptions &options, const std::vector<NamedAgent> &agents);
    void start() override;

private:
    void take(qsizetype agent, const events::LockEvent &event) override;
    Exit close() override;
    void begin();

    const ExportOptions &m_options;
    ExportWriter m_writer;
    bool m_begun = false;
};

qint64 limitOf(const ExportOptions &options)
{
    const auto *history = std::get_if<HistoryOptions>(&options.what);
    return history ? history->limit : 0;
}

QStringList columnsOf(const ExportOptions &options, bool severalAgents)
{
    QStringList columns = exportColumns(options);
    if (!options.ofHistory() && severalAgents)
        columns.append(QStringLiteral("also_seen_by"));
    return columns;
}

ExportLook::ExportLook(const LookSpec &spec, const ExportOptions &options,
                       const std::vector<NamedAgent> &agents)
    : HistoryLook(spec, agents, limitOf(options)),
      m_options(options),
      m_writer(options, columnsOf(options, agents.size() > 1), rows())
{
}

void ExportLook::start()
{
    const auto opened = m_writer.open();
    if (opened)
        return HistoryLook::start();
    context().out.note(words::ErrorWords::line(opened.error()));
    tellFinished(int(Exit::Failed));
}

void ExportLook::begin()
{
    if (!std::exchange(m_begun, true))
        m_writer.begin();
}

void ExportLook::take(qsizetype agent, const events::LockEvent &event)
{
    begin();
    m_writer.row(events::toJson(event, agents().part(agent).label));
}

Exit ExportLook::close()
{
    for (qsizetype i = 0; i < agents().count(); ++i) {
        if (agents().hasAnswered(i))
            begin();
    }
    if (const auto *locks = std::get_if<LocksOptions>(&m_options.what))
        eachLock(Listing(agents(), context()), *locks, [this](const QJsonObject &object) {
            m_writer.row(object);
            if (rows().areMany())
                context().out.write(rows().taken());
        });
    const Exit status = agents().status();
    if (status != Exit::Done) {
        // A partial file would outlive the exit status that reports it as incomplete.
        if (!m_options.file.isEmpty() && agents().count() > 1)
            context().out.note(tr("'%1' isn't written: not every agent has answered. Omit those agents, or "
                                  "write to standard output")
                                   .arg(base::displayText(m_options.file)));
        return status;
    }
    if (const auto committed = m_writer.commit(); !committed) {
        context().out.note(words::ErrorWords::line(committed.error()));
        return Exit::Failed;
    }
    return status;
}

class ExportSpec final : public LookSpec, public WithOptions<ExportOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"export", tr("history or live table to a file"), "export --format csv -o locks.csv",
                "export --format json --history --from 2026-11-20 -o events.jsonl"};
    }
    void declare(Arguments &arguments) override;
    void check(Arguments &arguments) override;
    QString whyOneAgent() const override { return cli::whyOneAgent(m_history); }
    std::unique_ptr<Command> make(Context &context) const override
    {
        const auto *locks = std::get_if<LocksOptions>(&options.what);
        return locks ? makeLocksCommand(*locks, context) : makeHistoryCommand(m_history, context);
    }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override
    {
        return std::make_unique<ExportLook>(*this, options, agents);
    }
    void print(Listing &) const override {} // ExportLook writes the rows

private:
    QString m_source;
    LocksOptions m_locks;
    HistoryOptions m_history;
    bool m_ofLocks = false;
    bool m_ofHistory = false;
    std::function<bool()> m_selectsLocks;
    std::function<bool()> m_selectsEvents;
};

void ExportSpec::declare(Arguments &arguments)
{
    arguments
        .choice(
            "--format", {"csv", "json"}, [this](std::size_t format) { options.csv = format == 0; },
            help("csv or json (JSON Lines)"))
        ->required();
    CLI::Option *locks = arguments.flag("--locks", m_ofLocks, help("the live table (default)"));
    arguments.flag("--history", m_ofHistory, help("events from the journal"))->excludes(locks);
    arguments.text("-o,--output", options.file,
                   help("the file, replaced as a whole (default: standard output)"));
    arguments.source(m_source);
    m_selectsLocks = arguments.group([&] { declareLocks(arguments, m_locks); });
    m_selectsEvents = arguments.group([&] { declareHistory(arguments, m_history); });
}

void ExportSpec::check(Arguments &arguments)
{
    if ((m_selectsEvents() && !m_ofHistory) || (m_selectsLocks() && m_ofHistory))
        arguments.blame("export", tr("options of the live table and of the history are mixed"),
                        tr("Use --locks with --source, --state, --name, --place, --at, --sort, or --history "
                           "with the options of 'history'"));
    m_locks.source = m_history.source = m_source;
    if (m_ofHistory)
        options.what = m_history;
    else
        options.what = m_locks;
}

} // namespace

std::unique_ptr<CommandSpec> exportCommand()
{
    return std::make_unique<ExportSpec>();
}

} // namespace lockkeeper::app::cli

#include "export_command.moc"
