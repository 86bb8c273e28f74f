// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chains_command.h"

#include "app/cli/chains_text.h"
#include "app/cli/json_lines.h"

namespace lockkeeper::app::cli {

ChainsCommand::ChainsCommand(ChainsOptions options, Context &context)
    : Command(context, {QString::fromLatin1(protocol::kFeatureChains)}), m_options(std::move(options))
{
}

void ChainsCommand::connected(const protocol::Welcome &welcome)
{
    if (welcome.features.contains(QLatin1String(protocol::kFeatureChains)))
        send(protocol::ChainsQuery{1, m_options.source});
    else
        fail({base::ErrorCode::Unsupported, tr("this agent doesn't tell who waits for whom"),
              tr("Update the agent")});
}

void ChainsCommand::received(const protocol::Message &message)
{
    const auto *page = std::get_if<protocol::ChainsPage>(&message);
    if (!page)
        return;
    print(*page);
    finish(Exit::Done);
}

void ChainsCommand::print(const protocol::ChainsPage &page)
{
    for (const domain::WaitGraph &graph : page.graphs) {
        if (!context().json) {
            context().out.text(chainsText(graph, context().terminal.width));
            continue;
        }
        for (const QJsonObject &object : chainObjects(graph, agent()))
            context().out.write(jsonLine(object));
    }
    if (page.graphs.isEmpty())
        context().out.note(tr("no source that is being observed now shows who waits for whom"));
}

} // namespace lockkeeper::app::cli
