// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/table.h"

namespace lockkeeper::app::cli {

/**
 * Shows the user as the agent knows them: the name, how the identity was proven, and the roles with their
 * scopes.
 */
class WhoAmICommand final : public Command
{
    Q_OBJECT

public:
    explicit WhoAmICommand(Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

/** Lists the force-releases that await approval by a second person, and the outcome of those of the last
 * minutes. */
class ApprovalsCommand final : public Command
{
    Q_OBJECT

public:
    explicit ApprovalsCommand(Context &context);

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
};

Table approvalsTable(const QList<domain::ApprovalRequest> &requests, qint64 agentWallUs);

/**
 * Approves or rejects another person's request. Before an approval it shows the lock's current state and asks
 * for confirmation.
 */
class DecideCommand final : public Command
{
    Q_OBJECT

public:
    DecideCommand(DecideOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void found(const QList<domain::ApprovalRequest> &requests);
    void ask(const protocol::Inspected &seen);
    void decide();
    void conclude(const protocol::ReleaseResult &result);

    DecideOptions m_options;
    domain::ApprovalRequest m_request;
    bool m_sent = false;
};

} // namespace lockkeeper::app::cli
