// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/live_table.h"

namespace lockkeeper::app::cli {

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

} // namespace lockkeeper::app::cli
