// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <QTimer>

namespace lockkeeper::app::cli {

/**
 * Prints events as they arrive. Reconnects automatically and resumes after the last printed event, so that no
 * event is repeated or lost. If the first connection fails, the command ends with status 3.
 */
class WatchCommand final : public Command
{
    Q_OBJECT

public:
    WatchCommand(WatchOptions options, Context &context);
    void start() override;

protected:
    void connected(const protocol::Welcome &welcome) override;
    void received(const protocol::Message &message) override;
    void lost(const base::Error &error) override;

private:
    void subscribed(const protocol::Subscribed &answer);
    void print(const protocol::EventBatch &batch);
    bool fits(const events::LockEvent &event) const;

    WatchOptions m_options;
    QTimer m_end;
    QTimer m_retry;
    std::unique_ptr<QuitSignals> m_signals;
    std::optional<quint64> m_last; ///< the stream's position, once known
    QByteArray m_journal;
    int m_attempts = 0;
    bool m_wasConnected = false;
};

} // namespace lockkeeper::app::cli
