// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chains_command.h"

#include "app/cli/chains_text.h"
#include "app/cli/tables.h"
#include "app/records/records.h"
#include "app/state/past_chains.h"
#include "shared/base/text.h"

namespace lockkeeper::app::cli {

using namespace records;

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
    const QList<domain::WaitGraph> graphs = state::pastGraphs(m_past.locks(), atUs);
    print(graphs);
    if (graphs.isEmpty())
        context().out.note(tr("no waiter for a lock of a connection is known at that time"));
}

} // namespace lockkeeper::app::cli
