// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/past/history_pager.h"
#include "app/cli/tables.h"
#include "app/records/records.h"

namespace lockkeeper::app::cli {

namespace {

struct HoldsOptions
{
    QString source;
    QByteArray lockGlob;
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    qint64 limit = 200;
};

/** Intervals in which locks were held. */
class HoldsCommand final : public Command
{
    Q_OBJECT

public:
    HoldsCommand(HoldsOptions options, Context &context) : Command(context), m_options(std::move(options)) {}

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void ask();

    HoldsOptions m_options;
};

void HoldsCommand::connected(const protocol::Welcome &)
{
    if (m_options.fromUs)
        send(reachQuery());
    else
        ask();
}

void HoldsCommand::ask()
{
    protocol::HoldsQuery query;
    query.id = 1;
    query.source = m_options.source;
    query.lockGlob = m_options.lockGlob;
    query.fromUs = m_options.fromUs;
    query.toUs = m_options.toUs;
    query.limit = int(m_options.limit);
    send(query);
}

void HoldsCommand::received(const protocol::Message &message)
{
    if (const auto *reach = std::get_if<protocol::EventPage>(&message)) {
        if (const QString note = reachNote(*reach, *m_options.fromUs); !note.isEmpty())
            context().out.note(note);
        return ask();
    }
    const auto *page = std::get_if<protocol::HoldPage>(&message);
    if (!page)
        return;
    context().part->holds = page->holds;
    context().part->more = page->more;
    finish(Exit::Done);
}

class HoldsSpec final : public LookSpec, public WithOptions<HoldsOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"holds", tr("who held a lock, from when to when, how it ended"), "holds --lock payment:70310",
                "holds --lock 'job:*' --source orders-db --from -24h"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.bytes("--lock", options.lockGlob, help("locks whose names match this glob"))->required();
        arguments.source(options.source);
        arguments.span(options.fromUs, options.toUs);
        arguments.number("--limit", options.limit,
                         help("maximum number, newest first (default 200, at most 1000)"));
    }
    void check(Arguments &arguments) override
    {
        if (options.limit < 1 || options.limit > 1000)
            arguments.blame("--limit", tr("holds come at most 1000 at a time"), tr("Narrow --from and --to"));
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<HoldsCommand>(options, context);
    }
    void print(Listing &listing) const override;
};

void HoldsSpec::print(Listing &listing) const
{
    const auto later = [](const protocol::Hold &a, const protocol::Hold &b) { return a.fromUs > b.fromUs; };
    const auto merged = listing.merge<protocol::Hold>(
        listing.answered(),
        [](const AgentPart &part) {
            return Answers<protocol::Hold>{part.holds, part.more};
        },
        later, options.limit);
    for (const Merged<protocol::Hold> &one : merged.list) {
        if (listing.isJson())
            listing.write(records::holdObject(one.item), one.agent);
        else
            listing.add(holdsTable({one.item}), listing.label(one.agent));
    }
    if (!listing.isJson())
        listing.show(tr("no hold matches"));
    if (merged.more)
        listing.context().out.note(tr("there are more: narrow them with --from and --to, or raise --limit"));
}

} // namespace

std::unique_ptr<CommandSpec> holdsCommand()
{
    return std::make_unique<HoldsSpec>();
}

} // namespace lockkeeper::app::cli

#include "holds_command.moc"
