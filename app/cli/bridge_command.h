// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <QFile>
#include <QLocalSocket>
#include <QSocketNotifier>

namespace lockkeeper::app::cli {

/**
 * The far end of an ssh:// address: joins standard input and output to an agent's local socket, byte by byte.
 * Sends kBridgeGreeting once the agent is reached. Ends when either side ends. A slow reader holds up its
 * writer; only data in transit is buffered.
 */
class BridgeCommand final : public Command
{
    Q_OBJECT

public:
    explicit BridgeCommand(Context &context);
    void start() override;

private:
    void join();
    void fromClient();
    void toClient();

    QLocalSocket m_agent;
    QFile m_output;
    std::unique_ptr<QSocketNotifier> m_incoming;
};

} // namespace lockkeeper::app::cli
