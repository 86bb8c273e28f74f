// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/discover/remote_discoverer.h"
#include "shared/stores/discover/discoverer.h"

#include <QJsonObject>

namespace lockkeeper::app::cli {

/** Searches a store itself or lets an agent search it, and prints a section for an agent's configuration. */
class DiscoverCommand final : public Command
{
    Q_OBJECT

public:
    DiscoverCommand(DiscoverOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;

private:
    void look(base::Result<std::unique_ptr<stores::discover::Discoverer>> discoverer);
    void print(const stores::discover::Discovery &discovery);
    QString section(const stores::discover::Discovery &discovery) const;
    QByteArray lines(const stores::discover::Discovery &discovery) const;

    DiscoverOptions m_options;
    stores::SourceSpec m_spec;
    discover::LookingAgent::Answer m_answer; ///< waits for the agent's
    std::unique_ptr<stores::discover::Discoverer> m_discoverer;
};

/** A candidate as an object of `discover --json`. */
QJsonObject candidateObject(const stores::discover::Candidate &candidate,
                            const stores::discover::Discovery &discovery);

} // namespace lockkeeper::app::cli
