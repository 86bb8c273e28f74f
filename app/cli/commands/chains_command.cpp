// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/look_command.h"
#include "app/cli/commands/chains_text.h"
#include "app/cli/tables.h"
#include "app/records/records.h"
#include "app/replica/past_chains.h"
#include "shared/base/text.h"

namespace lockkeeper::app::cli {

using namespace records;

namespace {

struct ChainsOptions
{
    QString source;             ///< empty: all
    std::optional<qint64> atUs; ///< empty: now
};

/**
 * Shows the wait chains, as the agent's sources last read them or as the journal recorded them for a past
 * moment.
 */
class ChainsCommand final : public Command
{
    Q_OBJECT

public:
    ChainsCommand(ChainsOptions options, Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void print(const QList<domain::WaitGraph> &graphs);
    void printPast(qint64 atUs);

    ChainsOptions m_options;
    LiveTable m_past;
};

ChainsCommand::ChainsCommand(ChainsOptions options, Context &context)
    : Command(context), m_options(std::move(options))
{
}

void ChainsCommand::connected(const protocol::Welcome &)
{
    if (m_options.atUs)
        send(protocol::LocksQuery{1, m_options.source, {}, m_options.atUs});
    else
        send(protocol::ChainsQuery{1, m_options.source});
}

void ChainsCommand::received(const protocol::Message &message)
{
    if (const auto *locks = std::get_if<protocol::SnapshotPage>(&message); locks && m_options.atUs) {
        if (!m_past.add(*locks))
            return;
        printPast(*m_options.atUs);
    } else if (const auto *page = std::get_if<protocol::ChainsPage>(&message)) {
        print(page->graphs);
        if (page->graphs.isEmpty())
            context().out.note(tr("no source that is observed now shows chains"));
    } else {
        return;
    }
    finish(Exit::Done);
}

void ChainsCommand::print(const QList<domain::WaitGraph> &graphs)
{
    for (const domain::WaitGraph &graph : graphs) {
        if (!context().json) {
            domain::WaitGraph shown = graph;
            if (context().part)
                shown.source.prepend(agent() + QLatin1Char('/'));
            context().out.text(chainsText(shown, context().terminal.width));
            continue;
        }
        for (const QJsonObject &object : chainObjects(graph, agent(), m_options.atUs))
            context().out.write(jsonLine(object));
    }
}

void ChainsCommand::printPast(qint64 atUs)
{
    const QString prefix = context().part ? base::displayText(agent()) + QLatin1Char('/') : QString();
    if (!context().json)
        context().out.text(momentText(atUs, m_past.sources(), m_options.source, prefix));
    const QList<domain::WaitGraph> graphs = replica::pastGraphs(m_past.locks(), atUs);
    print(graphs);
    if (graphs.isEmpty())
        context().out.note(tr("no waiter for a lock of a connection is known at that time"));
}

class ChainsSpec final : public LookSpec, public WithOptions<ChainsOptions>
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli)

public:
    Summary summary() const override
    {
        return {"chains",
                tr("waiters and the holders that block them, if the store shows them: sessions, queues, "
                   "registered waiters"),
                "chains", "chains --source orders-db --json"};
    }
    void declare(Arguments &arguments) override
    {
        arguments.source(options.source);
        arguments.pastTime("--at", options.atUs,
                           help("as it was at this time, by the locks' holders and waiters"));
    }
    std::unique_ptr<Command> make(Context &context) const override
    {
        return std::make_unique<ChainsCommand>(options, context);
    }
    bool printsAlone(const Context &) const override { return true; }
    void print(Listing &listing) const override { listing.showUnmerged(); }
};

} // namespace

std::unique_ptr<CommandSpec> chainsCommand()
{
    return std::make_unique<ChainsSpec>();
}

} // namespace lockkeeper::app::cli

#include "chains_command.moc"
