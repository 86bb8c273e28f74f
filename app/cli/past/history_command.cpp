// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/past/history_command.h"

#include "app/cli/tables.h"
#include "shared/events/event_line.h"

namespace lockkeeper::app::cli {

namespace {

constexpr qsizetype kRowsAtOnce = 1000;

/**
 * Events of the journal, page by page. It resumes at its position after the link is lost or the process is
 * stopped.
 */
class HistoryCommand final : public Command
{
    Q_OBJECT

public:
    HistoryCommand(const HistoryOptions &options, Context &context) : Command(context), m_pager(options) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void ask();

    HistoryPager m_pager;
    QByteArray m_journal;
    bool m_any = false;
    bool m_knowsReach = false; ///< the agent has reported the time of its oldest event
    bool m_resumes = false;    ///< a page has arrived since the connection was made
    bool m_writes = false;     ///< a write is in progress
};

void HistoryCommand::connected(const protocol::Welcome &welcome)
{
    const QByteArray before = std::exchange(m_journal, welcome.journal);
    if (!before.isEmpty() && before != m_journal)
        fail({base::ErrorCode::ConnectionLost, tr("the agent has started a new journal"), tr("Ask again")});
    else if (!m_writes)
        ask();
}

void HistoryCommand::ask()
{
    send(m_knowsReach || !m_pager.fromUs() ? m_pager.query() : reachQuery());
}

void HistoryCommand::lost(const base::Error &error)
{
    if (std::exchange(m_resumes, false))
        reopen();
    else
        fail(error);
}

void HistoryCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::EventPage>(&message);
    if (!page)
        return;
    if (isReach(*page)) {
        if (const QString note = reachNote(*page, *m_pager.fromUs()); !note.isEmpty())
            context().out.note(note);
        m_knowsReach = true;
        return ask();
    }
    if (context().part) {
        const bool more = m_pager.advance(*page);
        context().part->takeEvents(page->events,
                                   more ? [this] { send(m_pager.query()); } : std::function<void()>());
        return more ? void() : finish(Exit::Done);
    }
    m_any = m_any || !page->events.isEmpty();
    QByteArray lines;
    if (context().json) {
        for (const events::LockEvent &event : page->events)
            events::appendLine(lines, event, agent());
    } else if (!page->events.isEmpty()) {
        lines =
            eventsTable(page->events).render(context().terminal.width, context().terminal.colours).toUtf8();
    }
    if (m_pager.advance(*page)) {
        m_resumes = true;
        m_writes = true;
        write(lines, [this] {
            m_writes = false;
            send(m_pager.query());
        });
        return;
    }
    write(lines);
    if (!m_any && !context().json)
        context().out.note(tr("no event matches"));
    finish(Exit::Done);
}

QByteArray rowsOf(Listing &listing, const QList<Merged<events::LockEvent>> &list)
{
    QByteArray lines;
    for (const auto &[agent, event] : list) {
        if (listing.isJson())
            events::appendLine(lines, event, listing.label(agent));
        else
            listing.add(eventsTable({event}), listing.label(agent));
    }
    return lines + listing.takeTable();
}

class HistorySpec final : public LookSpec, public WithOptions<HistoryOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"history", tr("events from the journal, oldest first"),
                "history --lock payment:70310 --from 02:00 --to 04:00",
                "history --event force_released --from 'yesterday 22:00'"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.source(options.source);
        declareHistory(arguments, options);
    }
    QString whyOneAgent() const override { return cli::whyOneAgent(options); }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return makeHistoryCommand(options, context);
    }
    std::unique_ptr<Task> task(std::vector<NamedAgent> &agents) const override
    {
        if (agents.size() == 1)
            return make(agents.front().context);
        return std::make_unique<HistoryLook>(*this, agents, options.limit);
    }
    void print(Listing &) const override {} // HistoryLook prints the events as they come
};

} // namespace

HistoryLook::HistoryLook(const LookSpec &spec, const std::vector<NamedAgent> &agents, qint64 limit)
    : LookCommand(spec, agents),
      m_merge(qsizetype(agents.size()), limit,
              [this](qsizetype agent, const events::LockEvent &event) { take(agent, event); })
{
}

void HistoryLook::start()
{
    for (qsizetype i = 0; i < agents().count(); ++i)
        agents().part(i).takeEvents = [this, i](const auto &events, auto next) { takePage(i, events, next); };
    LookCommand::start();
}

void HistoryLook::takePage(qsizetype agent, const QList<events::LockEvent> &events,
                           const std::function<void()> &next)
{
    const auto written = [this, next] { write(context().out, m_rows.taken(), next); };
    m_merge.add(agent, events, next ? written : std::function<void()>());
    if (m_merge.isFull())
        agents().end();
}

void HistoryLook::take(qsizetype agent, const events::LockEvent &event)
{
    m_events.append({agent, event});
    if (m_events.size() == kRowsAtOnce)
        flush();
}

void HistoryLook::flush()
{
    Listing listing(agents(), context());
    if (!m_events.isEmpty())
        m_rows.write(rowsOf(listing, std::exchange(m_events, {})));
}

void HistoryLook::ended(qsizetype agent)
{
    m_merge.end(agent);
    if (m_merge.isFull())
        agents().end();
}

void HistoryLook::conclude()
{
    const Exit status = close();
    if (!m_rows.kept.isEmpty())
        write(context().out, m_rows.taken());
    tellFinished(int(status));
}

Exit HistoryLook::close()
{
    flush();
    if (!m_merge.any() && !context().json && agents().status() == Exit::Done)
        context().out.note(tr("no event matches"));
    return agents().status();
}

void declareHistory(Arguments &arguments, HistoryOptions &options)
{
    arguments.lockGlob(options.lockGlob);
    arguments.kinds(options.kinds);
    arguments.span(options.fromUs, options.toUs);
    arguments.number("--after", options.afterSeq, help("only events with a greater sequence number"));
    arguments.number("--before", options.beforeSeq, help("only events with a smaller sequence number"));
    arguments.number("--limit", options.limit, help("maximum number, 0: all (default 1000)"));
}

QString whyOneAgent(const HistoryOptions &options)
{
    return options.afterSeq || options.beforeSeq ? tr("--after, --before: each agent numbers its own events. "
                                                      "Use --from and --to, or query one agent")
                                                 : QString();
}

std::unique_ptr<Command> makeHistoryCommand(const HistoryOptions &options, Context &context)
{
    return std::make_unique<HistoryCommand>(options, context);
}

std::unique_ptr<CommandSpec> historyCommand()
{
    return std::make_unique<HistorySpec>();
}

} // namespace lockkeeper::app::cli

#include "history_command.moc"
